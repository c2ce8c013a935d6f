#include "compiler/tensor/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace wick::compiler {
namespace {

using Numbers = std::vector<std::int64_t>;

Layout layout(std::initializer_list<std::int64_t> extents, Numbers strides,
              std::int64_t offset = 0) {
  return Layout(Shape::of(extents), strides, offset);
}

Numbers strides_of(const Layout& of) { return {of.strides().begin(), of.strides().end()}; }

// Where each element lies, in row-major order, counted out by hand: no walk is shared with the
// code.
Numbers offsets(const Layout& of) {
  Numbers result;
  const std::int64_t count = of.shape().element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, at = of.offset();
    for (std::size_t axis = of.shape().rank(); axis-- > 0;) {
      at += rest % of.shape()[axis] * of.stride(axis);
      rest /= of.shape()[axis];
    }
    result.push_back(at);
  }
  return result;
}

// ---- Packed and contiguous ----------------------------------------------------------------------

TEST(Layout, PackedHasRowMajorStrides) {
  EXPECT_EQ(strides_of(Layout(Shape::of({2, 3, 4}))), (Numbers{12, 4, 1}));
  EXPECT_EQ(strides_of(Layout(Shape::of({5}))), (Numbers{1}));
  EXPECT_EQ(strides_of(Layout(Shape())), Numbers{});
  EXPECT_TRUE(Layout(Shape::of({2, 3, 4})).is_packed());
}

// Behaviour 12.
TEST(Layout, ContiguityLooksAtEveryAxis) {
  EXPECT_TRUE(layout({2, 3, 4}, {12, 4, 1}).is_contiguous());
  EXPECT_FALSE(layout({2, 3}, {1, 2}).is_contiguous());
  EXPECT_FALSE(layout({2, 3}, {3, -1}, 2).is_contiguous());
  EXPECT_FALSE(layout({2, 3}, {0, 1}).is_contiguous());
  // The permutation (0, 2, 1, 3) of attention keeps the innermost stride 1.
  const Layout heads = permuted(Layout(Shape::of({1, 128, 4, 64})), Numbers{0, 2, 1, 3});
  EXPECT_EQ(strides_of(heads), (Numbers{32768, 64, 256, 1}));
  EXPECT_FALSE(heads.is_contiguous());
}

TEST(Layout, AxesOfExtentOneMayHaveAnyStride) {
  EXPECT_TRUE(layout({1, 3}, {99, 1}).is_contiguous());
  EXPECT_TRUE(layout({3, 1}, {1, 1}).is_contiguous());  // not taken for a transpose
  EXPECT_TRUE(layout({1, 1}, {0, -5}).is_contiguous());
}

TEST(Layout, WithoutElementsIsContiguous) { EXPECT_TRUE(layout({0, 3}, {7, 7}).is_contiguous()); }

TEST(Layout, AnOffsetIsContiguousButNotPacked) {
  const Layout shifted = layout({2, 3}, {3, 1}, 6);
  EXPECT_TRUE(shifted.is_contiguous());
  EXPECT_FALSE(shifted.is_packed());
}

TEST(Layout, ExtentCoversWhatIsTouched) {
  const auto range = [](const Layout& of) { return Numbers{of.extent().begin, of.extent().end}; };
  EXPECT_EQ(range(Layout(Shape::of({2, 3}))), (Numbers{0, 6}));
  EXPECT_EQ(range(layout({2, 3}, {3, -1}, 2)), (Numbers{0, 6}));
  EXPECT_EQ(range(layout({2, 2}, {8, 2}, 5)), (Numbers{5, 16}));
  EXPECT_EQ(range(layout({4}, {0}, 3)), (Numbers{3, 4}));
  EXPECT_EQ(range(layout({0}, {1}, 3)), (Numbers{0, 0}));
  EXPECT_EQ(range(layout({}, {}, 3)), (Numbers{3, 4}));
}

TEST(Layout, TextShowsStridesWhereTheyMatter) {
  EXPECT_EQ(Layout(Shape::of({2, 3})).to_string(), "[2, 3]");
  EXPECT_EQ(layout({2, 3}, {1, 2}).to_string(), "[2, 3] strides [1, 2]");
  EXPECT_EQ(layout({2}, {-1}, 1).to_string(), "[2] strides [-1] offset 1");
}

// ---- Permuting, slicing, broadcasting -----------------------------------------------------------

TEST(Layout, PermutedMovesAxes) {
  const Layout turned = permuted(Layout(Shape::of({2, 3})), Numbers{1, 0});
  EXPECT_EQ(turned.shape(), Shape::of({3, 2}));
  EXPECT_EQ(offsets(turned), (Numbers{0, 3, 1, 4, 2, 5}));
}

TEST(Layout, SlicedStepsThroughAnAxis) {
  const Layout rows(Shape::of({4, 3}));
  EXPECT_EQ(offsets(sliced(rows, 0, 1, 2, 2)), (Numbers{3, 4, 5, 9, 10, 11}));
  EXPECT_EQ(offsets(sliced(rows, 1, 2, -1, 3)), (Numbers{2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9}));
  EXPECT_EQ(sliced(rows, 0, 3, 1, 0).shape(), Shape::of({0, 3}));
}

TEST(Layout, SlicesOfSlicesAddUp) {
  const Layout once = sliced(Layout(Shape::of({10})), 0, 9, -2, 5);  // 9 7 5 3 1
  EXPECT_EQ(offsets(sliced(once, 0, 3, -2, 2)), (Numbers{3, 7}));
}

TEST(Layout, BroadcastRepeatsWithStrideZero) {
  const Layout row = broadcast_layout(Layout(Shape::of({3})), Shape::of({2, 3}));
  EXPECT_EQ(offsets(row), (Numbers{0, 1, 2, 0, 1, 2}));
  const Layout column = broadcast_layout(Layout(Shape::of({2, 1})), Shape::of({2, 3}));
  EXPECT_EQ(offsets(column), (Numbers{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(broadcast_layout(Layout(Shape::of({1})), Shape::of({0})).shape(), Shape::of({0}));
  EXPECT_THROW(broadcast_layout(Layout(Shape::of({2})), Shape::of({3})), InternalError);
}

// ---- Reshaping ----------------------------------------------------------------------------------

TEST(Reshaped, OfContiguousKeepsTheOffset) {
  const auto result = reshaped(layout({2, 6}, {6, 1}, 12), Shape::of({3, 4}));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(*result, layout({3, 4}, {4, 1}, 12));
}

TEST(Reshaped, SplitsAStridedAxis) {
  // Every second column of [4, 6]: rows stay rows, each cut in two.
  const auto result = reshaped(layout({4, 4}, {6, 1}), Shape::of({2, 2, 4, 1}));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(offsets(*result), offsets(layout({4, 4}, {6, 1})));
  const auto cut = reshaped(layout({4, 4}, {8, 2}), Shape::of({4, 2, 2}));
  ASSERT_TRUE(cut.has_value());
  EXPECT_EQ(strides_of(*cut), (Numbers{8, 4, 2}));
}

TEST(Reshaped, MergesAxesThatLieInOneRun) {
  const auto flipped = reshaped(layout({2, 3}, {-3, -1}, 5), Shape::of({6}));
  ASSERT_TRUE(flipped.has_value());
  EXPECT_EQ(offsets(*flipped), (Numbers{5, 4, 3, 2, 1, 0}));
  const auto repeated = reshaped(layout({2, 3}, {0, 0}, 4), Shape::of({3, 2}));
  ASSERT_TRUE(repeated.has_value());
  EXPECT_EQ(offsets(*repeated), (Numbers{4, 4, 4, 4, 4, 4}));
}

TEST(Reshaped, OfATransposeNeedsACopyUnlessAxesStayWhole) {
  const Layout turned = layout({3, 2}, {1, 3});
  EXPECT_EQ(reshaped(turned, Shape::of({6})), std::nullopt);
  EXPECT_EQ(reshaped(turned, Shape::of({2, 3})), std::nullopt);
  const auto whole = reshaped(turned, Shape::of({3, 1, 2}));
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(offsets(*whole), offsets(turned));
}

TEST(Reshaped, OfARowBroadcastCannotMerge) {
  EXPECT_EQ(reshaped(layout({2, 3}, {0, 1}), Shape::of({6})), std::nullopt);
}

TEST(Reshaped, ExtentsOfOneAndZeroNeverStandInTheWay) {
  const auto ones = reshaped(layout({3, 1, 2}, {1, 77, 3}), Shape::of({1, 3, 2, 1}));
  ASSERT_TRUE(ones.has_value());
  EXPECT_EQ(offsets(*ones), (Numbers{0, 3, 1, 4, 2, 5}));
  const auto none = reshaped(layout({0, 3}, {1, 7}), Shape::of({3, 0, 2}));
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->shape(), Shape::of({3, 0, 2}));
  EXPECT_TRUE(reshaped(layout({1, 1}, {5, 5}, 2), Shape()).has_value());
}

// Every reshape of every layout of this family that is granted reads the same elements.
TEST(Reshaped, NeverChangesTheElements) {
  const std::vector<Layout> layouts = {
      Layout(Shape::of({2, 2, 3})),   layout({2, 2, 3}, {1, 2, 4}),
      layout({2, 2, 3}, {12, 6, 2}),  layout({2, 2, 3}, {-6, -3, -1}, 11),
      layout({2, 2, 3}, {0, 3, 1}),   layout({2, 2, 3}, {3, 0, 1}),
      layout({2, 2, 3}, {6, 3, 0}),   layout({2, 2, 3}, {6, 1, 2}),
      layout({2, 2, 3}, {0, 0, 0}, 3)};
  const std::vector<Shape> shapes = {
      Shape::of({12}),   Shape::of({4, 3}),    Shape::of({2, 6}),    Shape::of({3, 4}),
      Shape::of({6, 2}), Shape::of({3, 2, 2}), Shape::of({2, 3, 2}), Shape::of({1, 2, 2, 3, 1})};
  int granted = 0;
  for (const Layout& from : layouts) {
    for (const Shape& shape : shapes) {
      const auto result = reshaped(from, shape);
      if (!result) continue;
      ++granted;
      EXPECT_EQ(result->shape(), shape);
      EXPECT_EQ(offsets(*result), offsets(from)) << from.to_string() << " " << shape.to_string();
    }
  }
  // The packed, the stepped by 2, the reversed and the constant layout lie in one run: all 8
  // shapes.
  EXPECT_GE(granted, 4 * 8);
}

TEST(Reshaped, ToAnotherCountIsOurBug) {
  EXPECT_THROW(reshaped(Layout(Shape::of({2})), Shape::of({3})), InternalError);
}

}  // namespace
}  // namespace wick::compiler
