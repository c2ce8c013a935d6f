// The conversions and walks that every evaluation is made of.
#include "compiler/ops/evaluate.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace wick::compiler::ops {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Converted, SaturatesFromFloatingPoint) {
  EXPECT_EQ((converted<std::int8_t>(127.9)), 127);
  EXPECT_EQ((converted<std::int8_t>(128.0)), 127);
  EXPECT_EQ((converted<std::int8_t>(-128.9)), -128);
  EXPECT_EQ((converted<std::int8_t>(-129.0)), -128);
  EXPECT_EQ((converted<std::uint8_t>(-0.5)), 0);
  EXPECT_EQ((converted<std::uint8_t>(-kInfinity)), 0);
  EXPECT_EQ((converted<std::uint8_t>(255.5)), 255);
  EXPECT_EQ((converted<std::uint8_t>(1e30f)), 255);
  EXPECT_EQ((converted<std::int64_t>(9223372036854775808.0)), INT64_MAX);
  EXPECT_EQ((converted<std::int64_t>(-9223372036854775808.0)), INT64_MIN);
  EXPECT_EQ((converted<std::int64_t>(9223372036854774784.0)), 9223372036854774784);
  EXPECT_EQ((converted<std::int32_t>(kNaN)), 0);
  EXPECT_EQ((converted<std::int32_t>(-1.9f)), -1);
}

TEST(Converted, WrapsFromIntegers) {
  EXPECT_EQ((converted<std::int8_t>(std::int32_t{200})), -56);
  EXPECT_EQ((converted<std::uint8_t>(std::int64_t{-1})), 255);
  EXPECT_EQ((converted<std::int32_t>((std::int64_t{1} << 32) + 5)), 5);
}

TEST(Converted, ToBoolIsNotZero) {
  EXPECT_TRUE(converted<bool>(kNaN));
  EXPECT_TRUE(converted<bool>(0.1f));
  EXPECT_FALSE(converted<bool>(-0.0));
  EXPECT_EQ((converted<float>(true)), 1.0f);
}

TEST(ScalarOf, RoundsOnce) {
  EXPECT_EQ(scalar_of(0.1, DType::kF32).at<float>(0), 0.1f);
  EXPECT_TRUE(std::signbit(scalar_of(-0.0, DType::kF32).at<float>(0)));
  EXPECT_EQ(scalar_of(300, DType::kU8).at<std::uint8_t>(0), 255);
  EXPECT_EQ(scalar_of(1, DType::kBool).at<bool>(0), true);
}

TEST(Wrapping, IsThatOfTwosComplement) {
  EXPECT_EQ(plus(INT64_MAX, std::int64_t{1}), INT64_MIN);
  EXPECT_EQ(minus(INT64_MIN, std::int64_t{1}), INT64_MAX);
  EXPECT_EQ(times(INT64_MIN, std::int64_t{-1}), INT64_MIN);
  EXPECT_EQ(times(std::int64_t{1} << 32, std::int64_t{1} << 32), 0);
}

TEST(Larger, PropagatesNaNAndOrdersZeros) {
  EXPECT_TRUE(std::isnan(larger(kNaN, 1.0)));
  EXPECT_TRUE(std::isnan(smaller(1.0, kNaN)));
  EXPECT_FALSE(std::signbit(larger(-0.0, 0.0)));
  EXPECT_FALSE(std::signbit(larger(0.0, -0.0)));
  EXPECT_TRUE(std::signbit(smaller(0.0, -0.0)));
}

std::vector<std::int64_t> offsets_of(const Layout& layout) {
  std::vector<std::int64_t> offsets;
  for_each_offset(layout, [&](std::int64_t offset) { offsets.push_back(offset); });
  return offsets;
}

TEST(Walk, GoesRowMajorThroughAnyLayout) {
  const std::vector<std::int64_t> axes{1, 0};
  EXPECT_EQ(offsets_of(permuted(Layout(Shape::of({2, 3})), axes)),
            (std::vector<std::int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(offsets_of(Layout()), std::vector<std::int64_t>{0});
  EXPECT_EQ(offsets_of(Layout(Shape::of({2, 0, 3}))), std::vector<std::int64_t>{});
}

TEST(Walk, AlongAndAcrossAxesVisitEveryElementOnce) {
  const Shape shape = Shape::of({2, 3, 4});
  const std::vector<std::int64_t> axes{0, 2};
  EXPECT_EQ(offsets_of(along_axes(shape, axes)),
            (std::vector<std::int64_t>{0, 1, 2, 3, 12, 13, 14, 15}));
  EXPECT_EQ(offsets_of(across_axes(shape, axes)), (std::vector<std::int64_t>{0, 4, 8}));
}

}  // namespace
}  // namespace wick::compiler::ops
