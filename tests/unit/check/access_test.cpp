// The algebra of layouts, against the elements themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "frontend/check/access.h"
#include "tests/support/random.h"

namespace wick::frontend::check {
namespace {

using compiler::testing::Random;
using Numbers = std::vector<std::int64_t>;

Layout layout(const Numbers& extents, const Numbers& strides, std::int64_t offset = 0) {
  return Layout(Shape::of(std::span<const std::int64_t>(extents)), strides, offset);
}

// Where the elements lie, in row-major order.
Numbers places(const Layout& layout) {
  Numbers result = {layout.offset()};
  for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
    Numbers longer;
    for (const std::int64_t place : result) {
      for (std::int64_t i = 0; i < layout.shape()[axis]; ++i)
        longer.push_back(place + i * layout.stride(axis));
    }
    result = std::move(longer);
  }
  return result;
}

// What `outer` reads of a packed copy of what `inner` reads.
Numbers places_through(const Layout& outer, const Layout& inner) {
  const Numbers copy = places(inner);
  Numbers result;
  for (const std::int64_t place : places(outer))
    result.push_back(copy[static_cast<std::size_t>(place)]);
  return result;
}

TEST(Composed, ReadsAViewOfAView) {
  // Every second column of a matrix of 4 by 6, then transposed.
  const Layout even = layout({4, 3}, {6, 2});
  EXPECT_EQ(composed(layout({3, 4}, {1, 3}), even), layout({3, 4}, {2, 6}));
  // Backwards along both axes, from element 2 of row 3 on.
  EXPECT_EQ(composed(layout({4, 3}, {-3, -1}, 11), even), layout({4, 3}, {-6, -2}, 22));
}

TEST(Composed, SplitsAxesAndJoinsThoseWithoutGaps) {
  EXPECT_EQ(composed(layout({2, 3}, {3, 1}), layout({6}, {5}, 1)), layout({2, 3}, {15, 5}, 1));
  EXPECT_EQ(composed(layout({12}, {1}), layout({3, 4}, {8, 2})), layout({12}, {2}));
  EXPECT_EQ(composed(layout({5}, {1}), layout({1, 5, 1}, {9, 3, 7})), layout({5}, {3}));
}

TEST(Composed, KeepsRepeatedElements) {
  EXPECT_EQ(composed(layout({2, 3}, {3, 1}), layout({2, 3}, {0, 1})), layout({2, 3}, {0, 1}));
}

TEST(Composed, RefusesWhatStridesCannotSay) {
  // The columns of a matrix one after another, as one axis.
  EXPECT_EQ(composed(layout({6}, {1}), layout({3, 2}, {1, 3})), std::nullopt);
  // A step that leaves a row in the middle.
  EXPECT_EQ(composed(layout({3}, {2}), layout({2, 3}, {10, 1})), std::nullopt);
  // Beyond the end.
  EXPECT_EQ(composed(layout({2}, {1}, 5), layout({6}, {1})), std::nullopt);
}

// A layout over storage of `size` elements: axes of a permuted grid, cut, reversed or repeated.
Layout random_layout(Random& random, std::int64_t size) {
  for (;;) {
    Numbers extents, strides;
    std::int64_t offset = random.in(0, 4);
    const std::int64_t rank = random.in(1, 5);
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      extents.push_back(random.in(1, 5));
      strides.push_back(random.in(-3, 6));
      if (strides.back() < 0) offset -= strides.back() * (extents.back() - 1);
    }
    const Layout made = layout(extents, strides, offset);
    const Numbers all = places(made);
    if (std::ranges::max(all) < size && std::ranges::min(all) >= 0) return made;
  }
}

TEST(Composed, ReadsTheSameElementsWheneverItComposes) {
  Random random(1);
  std::size_t composes = 0;
  for (int i = 0; i < 20000; ++i) {
    const Layout inner = random_layout(random, 60);
    const auto count = inner.shape().element_count();
    const Layout outer = random_layout(random, count);
    const auto both = composed(outer, inner);
    if (!both) continue;
    ++composes;
    ASSERT_EQ(places(*both), places_through(outer, inner))
        << outer.to_string() << " of " << inner.to_string();
  }
  EXPECT_GT(composes, 2000u);
}

TEST(Space, LeavesOutWhatDoesNotMove) {
  // [2, 1, 3] with a row that is the same for both: only that row counts.
  const Shape shape = Shape::of({2, 1, 3});
  const std::array<Layout, 1> operands{layout({2, 1, 3}, {0, 7, 1}, 4)};
  const Space space = space_of(shape, operands, {});
  EXPECT_EQ(space.shape, Shape::of({3}));
  EXPECT_EQ(space.operands[0], layout({3}, {1}, 4));
  EXPECT_EQ(space.strides, (Numbers{0, 0, 1}));
}

TEST(Space, JoinsAxesOnlyIfEveryOperandDoes) {
  const Shape shape = Shape::of({2, 3});
  const Layout packed = layout({2, 3}, {3, 1}), row = layout({2, 3}, {0, 1});
  EXPECT_EQ(space_of(shape, std::array{packed, packed}, {}).shape, Shape::of({6}));
  EXPECT_EQ(space_of(shape, std::array{packed, row}, {}).shape, shape);
}

TEST(Space, KeepsReducedAxesApart) {
  const Shape shape = Shape::of({2, 3, 4});
  const Layout packed = layout({2, 3, 4}, {12, 4, 1});
  const std::array<bool, 3> is_reduced{false, true, true};
  const Space space = space_of(shape, std::array{packed}, is_reduced);
  EXPECT_EQ(space.shape, Shape::of({2, 12}));
  EXPECT_EQ(space.reduced, (Numbers{0, 1}));
  EXPECT_EQ(space.result, Shape::of({2}));
  EXPECT_EQ(space.strides, (Numbers{1, 0, 0}));
}

TEST(Space, CountsRepeatedElementsThatAreReduced) {
  const std::array<bool, 2> is_reduced{false, true};
  const Space space = space_of(Shape::of({2, 3}), std::array{layout({2, 3}, {1, 0})}, is_reduced);
  EXPECT_EQ(space.shape, Shape::of({2, 3}));
  EXPECT_EQ(space.result, Shape::of({2}));
}

}  // namespace
}  // namespace wick::frontend::check
