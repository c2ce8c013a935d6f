#include "compiler/tensor/shape.h"

#include <gtest/gtest.h>

#include <limits>

namespace wick::compiler {
namespace {

std::optional<Shape> made(std::vector<std::int64_t> extents) { return Shape::make(extents); }

TEST(Shape, OfRankZeroIsOneElement) {
  const Shape scalar;
  EXPECT_EQ(scalar.rank(), 0u);
  EXPECT_EQ(scalar.element_count(), 1);
  EXPECT_EQ(scalar.to_string(), "[]");
  EXPECT_EQ(made({}), scalar);
}

TEST(Shape, CountsItsElements) {
  EXPECT_EQ(Shape::of({2, 3, 4}).element_count(), 24);
  EXPECT_EQ(Shape::of({2, 0, 4}).element_count(), 0);
  EXPECT_FALSE(Shape::of({2, 0, 4}).has_elements());
  EXPECT_EQ(Shape::of({1, 2, 3, 1, 2, 1, 1, 2}).element_count(), 24);
  EXPECT_EQ(Shape::of({2, 3}).to_string(), "[2, 3]");
}

TEST(Shape, HasAtMostEightAxes) {
  EXPECT_TRUE(made({1, 1, 1, 1, 1, 1, 1, 1}).has_value());
  EXPECT_FALSE(made({1, 1, 1, 1, 1, 1, 1, 1, 1}).has_value());
}

TEST(Shape, HasNoNegativeExtent) {
  EXPECT_FALSE(made({2, -1}).has_value());
  EXPECT_FALSE(made({std::numeric_limits<std::int64_t>::min()}).has_value());
}

// ---- Overflow -----------------------------------------------------------------------------------

TEST(Shape, ProductsBeyondTheLimitAreRefused) {
  const std::int64_t limit = std::int64_t{1} << 47;
  EXPECT_TRUE(made({limit}).has_value());
  EXPECT_FALSE(made({limit + 1}).has_value());
  EXPECT_FALSE(made({(std::int64_t{1} << 59) + 1}).has_value());
  EXPECT_FALSE(made({65536, 65536, 65536}).has_value());  // 2^48
  // 2^32 * 2^32 is 0 in 64 bits.
  EXPECT_FALSE(made({std::int64_t{1} << 32, std::int64_t{1} << 32}).has_value());
  EXPECT_FALSE(made({std::numeric_limits<std::int64_t>::max(), 2}).has_value());
}

TEST(Shape, AnExtentOfZeroDoesNotExcuseTheOthers) {
  EXPECT_FALSE(made({0, 65536, 65536, 65536}).has_value());
  EXPECT_FALSE(made({65536, 65536, 0, 65536}).has_value());
  EXPECT_TRUE(made({0, 65536, 65536}).has_value());
}

TEST(Shape, BytesAreLimitedByTheDType) {
  const Shape large = Shape::of({std::int64_t{1} << 45});
  EXPECT_EQ(byte_count(large, DType::kF32), Bytes{std::int64_t{1} << 47});
  EXPECT_EQ(byte_count(large, DType::kF64), std::nullopt);
  EXPECT_EQ(byte_count(large, DType::kI8), Bytes{std::int64_t{1} << 45});
  EXPECT_EQ(byte_count(Shape::of({65536, 65536, 32768}), DType::kF32), std::nullopt);
  EXPECT_EQ(byte_count(Shape::of({0, 65536}), DType::kF64), Bytes{0});
  EXPECT_EQ(byte_count(Shape(), DType::kF64), Bytes{8});
}

TEST(Shape, OfIllegalExtentsIsOurBug) { EXPECT_THROW(Shape::of({-1}), InternalError); }

// ---- Broadcasting -------------------------------------------------------------------------------

TEST(Broadcast, FollowsNumPy) {
  EXPECT_EQ(broadcast(Shape::of({2, 3}), Shape::of({3})), Shape::of({2, 3}));
  EXPECT_EQ(broadcast(Shape::of({4, 1}), Shape::of({1, 5})), Shape::of({4, 5}));
  EXPECT_EQ(broadcast(Shape(), Shape::of({2})), Shape::of({2}));
  EXPECT_EQ(broadcast(Shape(), Shape()), Shape());
  EXPECT_EQ(broadcast(Shape::of({8, 1, 6, 1}), Shape::of({7, 1, 5})), Shape::of({8, 7, 6, 5}));
}

TEST(Broadcast, AnExtentOfZeroStretchesOnlyOne) {
  EXPECT_EQ(broadcast(Shape::of({0}), Shape::of({1})), Shape::of({0}));
  EXPECT_EQ(broadcast(Shape::of({1}), Shape::of({0})), Shape::of({0}));
  EXPECT_EQ(broadcast(Shape::of({0, 3}), Shape::of({3})), Shape::of({0, 3}));
  EXPECT_EQ(broadcast(Shape::of({0}), Shape::of({2})), std::nullopt);
}

TEST(Broadcast, RefusesWhatDoesNotFit) {
  EXPECT_EQ(broadcast(Shape::of({2, 3}), Shape::of({2})), std::nullopt);
  EXPECT_EQ(broadcast(Shape::of({2, 1}), Shape::of({8, 4, 3})), std::nullopt);
}

TEST(Broadcast, RefusesAResultBeyondTheLimit) {
  const std::int64_t large = std::int64_t{1} << 24;
  EXPECT_EQ(broadcast(Shape::of({large, 1}), Shape::of({1, large})), std::nullopt);
}

TEST(Broadcast, ToAShapeNeverStretchesTheShape) {
  EXPECT_TRUE(broadcasts_to(Shape::of({3}), Shape::of({2, 3})));
  EXPECT_TRUE(broadcasts_to(Shape::of({1, 3}), Shape::of({0, 3})));
  EXPECT_TRUE(broadcasts_to(Shape(), Shape::of({2})));
  EXPECT_FALSE(broadcasts_to(Shape::of({2, 3}), Shape::of({3})));
  EXPECT_FALSE(broadcasts_to(Shape::of({3}), Shape::of({1})));
}

TEST(Shape, TypesReadAsInTheGraph) {
  EXPECT_EQ(type_text(DType::kF32, Shape::of({2, 3})), "f32[2, 3]");
  EXPECT_EQ(type_text(DType::kBool, Shape()), "bool[]");
}

}  // namespace
}  // namespace wick::compiler
