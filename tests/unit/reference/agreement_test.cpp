#include "compiler/reference/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

using ops::Attributes;
using ops::Integers;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();

HostTensor row(const std::vector<float>& values) {
  return HostTensor::of<float>(Shape::of({static_cast<std::int64_t>(values.size())}), values);
}

// `x` moved by so many representable numbers.
float moved(float x, int steps) {
  for (; steps > 0; --steps) x = std::nextafter(x, kInf);
  for (; steps < 0; ++steps) x = std::nextafter(x, -kInf);
  return x;
}

bool agrees(const char* op, std::vector<HostTensor> operands, HostTensor found,
            Attributes attributes = {}) {
  return !find_disagreement(*ops::find(op), attributes, operands, {&found, 1}).has_value();
}

bool agrees(const char* op, const std::vector<float>& x, const std::vector<float>& found) {
  return agrees(op, {row(x)}, row(found));
}

const Attributes kAllOfRow{{"axes", Integers{0}}, {"keepdims", false}};

bool sum_agrees(const std::vector<float>& x, float found) {
  return agrees("sum", {row(x)}, HostTensor::scalar(found), kAllOfRow);
}

// ---- Exact --------------------------------------------------------------------------------------

TEST(Agreement, ExactMeansTheSameBits) {
  EXPECT_TRUE(agrees("neg", {1, 0, kNaN}, {-1, -0.0f, kNaN}));
  EXPECT_TRUE(agrees("neg", {kNaN}, {-kNaN}));
  EXPECT_FALSE(agrees("neg", {0}, {0}));
  EXPECT_FALSE(agrees("neg", {1}, {moved(-1, 1)}));
  EXPECT_FALSE(agrees("neg", {kNaN}, {1}));
  EXPECT_FALSE(agrees("neg", {1}, {kNaN}));
}

TEST(Agreement, TheSameValueLeavesTheSignOfZerosOpen) {
  EXPECT_TRUE(agrees("relu", {-1, -2}, {0.0f, -0.0f}));
  EXPECT_FALSE(agrees("relu", {3}, {moved(3, 1)}));
}

TEST(Agreement, IntegersAndBoolAreExact) {
  const std::vector<std::int32_t> three{1, 2, 3}, six{6}, seven{7};
  const auto ints = [](const std::vector<std::int32_t>& v) {
    return HostTensor::of<std::int32_t>(Shape::of({static_cast<std::int64_t>(v.size())}), v);
  };
  const Attributes kept{{"axes", Integers{0}}, {"keepdims", true}};
  EXPECT_TRUE(agrees("sum", {ints(three)}, ints(six), kept));
  EXPECT_FALSE(agrees("sum", {ints(three)}, ints(seven), kept));
  EXPECT_TRUE(
      agrees("lt", {row({1}), row({2})}, HostTensor::of<bool>(Shape::of({1}), std::array{true})));
  EXPECT_FALSE(
      agrees("lt", {row({1}), row({2})}, HostTensor::of<bool>(Shape::of({1}), std::array{false})));
}

TEST(Agreement, TheSumBehindAMeanMayOverflow) {
  const auto mean_agrees = [](const std::vector<float>& x, float found) {
    return agrees("mean", {row(x)}, HostTensor::scalar(found), kAllOfRow);
  };
  EXPECT_TRUE(mean_agrees({3e38f, 3e38f}, kInf));
  EXPECT_FALSE(mean_agrees({3e38f, 3e38f}, 1e38f));
  EXPECT_FALSE(mean_agrees({1e38f, 1e38f}, kInf));  // 2e38 is an ordinary sum
}

TEST(Agreement, AProductOfDoublesIsRoundedOnce) {
  // The product itself is correctly rounded by IEEE 754; an oracle in a wider type would round
  // twice and be wrong about one in two thousand of these.
  const double alpha = 0.1;
  std::vector<double> x, product;
  for (int i = 1; i <= 20'000; ++i) {
    x.push_back(-1.0 / i);
    product.push_back(alpha * x.back());
  }
  const Shape shape = Shape::of({20'000});
  EXPECT_TRUE(agrees("leaky_relu", {HostTensor::of<double>(shape, x)},
                     HostTensor::of<double>(shape, product), {{"alpha", alpha}}));
}

// ---- Products -----------------------------------------------------------------------------------

bool prod_agrees(const std::vector<float>& x, float found) {
  return agrees("prod", {row(x)}, HostTensor::scalar(found), kAllOfRow);
}

TEST(Agreement, ProductsWithinTheRangeAreHeldToTheBound) {
  EXPECT_TRUE(prod_agrees({3, 5, 7}, 105));
  EXPECT_FALSE(prod_agrees({3, 5, 7}, 106));
  EXPECT_FALSE(prod_agrees({3, 0, 7}, kNaN));
}

TEST(Agreement, NothingIsPromisedWherePartOfAProductLeavesTheRange) {
  // 1e-30 * 1e-30 is 0 in f32, and 0 * inf is NaN; multiplied the other way round it is inf.
  EXPECT_TRUE(prod_agrees({1e-30f, 1e-30f, kInf}, kNaN));
  // 1e30 * 1e30 is inf, but the product of all three is 1e30.
  EXPECT_TRUE(prod_agrees({1e30f, 1e30f, 1e-30f}, kInf));
}

// ---- Units in the last place --------------------------------------------------------------------

TEST(Agreement, UlpsAreCountedFromTheReference) {
  const float e = 2.71828183f;  // exp(1), correctly rounded
  const int ulps = static_cast<int>(ops::find("exp")->error.ulps);
  EXPECT_TRUE(agrees("exp", {1}, {moved(e, ulps)}));
  EXPECT_TRUE(agrees("exp", {1}, {moved(e, -ulps)}));
  EXPECT_FALSE(agrees("exp", {1}, {moved(e, ulps + 1)}));
  EXPECT_FALSE(agrees("exp", {1}, {moved(e, -ulps - 1)}));
}

TEST(Agreement, ZeroIsNearTheLeastDenormals) {
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(agrees("exp", {-200}, {least}));
  EXPECT_FALSE(agrees("exp", {-200}, {1e-40f}));
}

TEST(Agreement, InfinityIsNearTheLargest) {
  EXPECT_TRUE(agrees("exp", {100}, {kInf}));
  EXPECT_TRUE(agrees("exp", {100}, {kMax}));
  EXPECT_FALSE(agrees("exp", {100}, {1e30f}));
  EXPECT_FALSE(agrees("exp", {100}, {-kInf}));
  EXPECT_FALSE(agrees("exp", {80}, {kInf}));
  EXPECT_FALSE(agrees("exp", {kInf}, {kNaN}));
}

// ---- Accumulation -------------------------------------------------------------------------------

TEST(Agreement, ASumMayLoseWhatCancels) {
  // The terms add up to 2^25 in absolute value: gamma(3) * 2^25 is just over 6.
  const float big = 16777216;
  EXPECT_TRUE(sum_agrees({big, 1, -big}, 0));
  EXPECT_TRUE(sum_agrees({big, 1, -big}, 1));
  EXPECT_TRUE(sum_agrees({big, 1, -big}, 7));
  EXPECT_FALSE(sum_agrees({big, 1, -big}, 8));
  // Without cancellation little is forgiven.
  EXPECT_TRUE(sum_agrees({1, 2, 3}, moved(6, 1)));
  EXPECT_FALSE(sum_agrees({1, 2, 3}, moved(6, 10)));
}

TEST(Agreement, ASumOfNothingIsZero) {
  EXPECT_TRUE(sum_agrees({}, 0));
  EXPECT_FALSE(sum_agrees({}, 1e-30f));
}

TEST(Agreement, OverflowOfTheTermsIsForgiven) {
  EXPECT_TRUE(sum_agrees({kMax, kMax, -kMax}, kInf));
  EXPECT_TRUE(sum_agrees({kMax, kMax, -kMax}, kMax));
  EXPECT_FALSE(sum_agrees({1, 2, -3}, kInf));
  EXPECT_FALSE(sum_agrees({1, kInf, 2}, 5));
  EXPECT_TRUE(sum_agrees({kInf, -kInf}, kNaN));
  EXPECT_FALSE(sum_agrees({kInf, -kInf}, 0));
}

TEST(Agreement, AProductIsBoundedByItsAbsoluteValues) {
  const Attributes plain{{"alpha", 1.0}, {"beta", 1.0}};
  const std::vector<HostTensor> operands{row({1000, -1000, 1}), row({1000, 1000, 1})};
  // 10^6 - 10^6 + 1: gamma(3) * (2 * 10^6 + 1) is 0.36.
  EXPECT_TRUE(agrees("matmul", operands, HostTensor::scalar(1.3f), plain));
  EXPECT_FALSE(agrees("matmul", operands, HostTensor::scalar(1.4f), plain));
}

TEST(Agreement, ConvolutionsCountTheProductsOfAWindow) {
  const Attributes plain{{"strides", Integers{1}},
                         {"dilations", Integers{1}},
                         {"pads", ops::Pairs{{0, 0}}},
                         {"groups", 1}};
  const Shape pixel = Shape::of({1, 3, 1});
  const std::vector<HostTensor> operands{
      HostTensor::of<float>(pixel, std::vector<float>{1000, -1000, 1}),
      HostTensor::of<float>(pixel, std::vector<float>{1000, 1000, 1})};
  const auto found = [](float value) {
    return HostTensor::of<float>(Shape::of({1, 1, 1}), std::vector<float>{value});
  };
  // As above: three channels of kernels of one element.
  EXPECT_TRUE(agrees("conv", operands, found(1.3f), plain));
  EXPECT_FALSE(agrees("conv", operands, found(1.4f), plain));
}

TEST(Agreement, TheSumBehindAPoolMayOverflow) {
  const Attributes pairs{{"kernel", Integers{2}},
                         {"strides", Integers{1}},
                         {"pads", ops::Pairs{{0, 0}}},
                         {"count_include_pad", false}};
  const auto pool_agrees = [&](float x, float found) {
    return agrees("avg_pool",
                  {HostTensor::of<float>(Shape::of({1, 1, 2}), std::vector<float>{x, x})},
                  HostTensor::of<float>(Shape::of({1, 1, 1}), std::vector<float>{found}), pairs);
  };
  EXPECT_TRUE(pool_agrees(3e38f, kInf));
  EXPECT_FALSE(pool_agrees(1e38f, kInf));
}

TEST(Agreement, RunningTotalsCountTheirAxis) {
  const Attributes axis{{"axis", std::int64_t{0}}};
  EXPECT_TRUE(agrees("cumsum", {row({1, 2, 3})}, row({1, 3, 6}), axis));
  EXPECT_FALSE(agrees("cumsum", {row({1, 2, 3})}, row({1, 3, 5}), axis));
}

// ---- The report ---------------------------------------------------------------------------------

TEST(Agreement, TellsWhereAndHowFar) {
  const std::vector<HostTensor> operands{
      HostTensor::of<float>(Shape::of({2, 2}), std::vector<float>{1, 2, 3, 4})};
  const HostTensor found =
      HostTensor::of<float>(Shape::of({2, 2}), std::vector<float>{-1, -2, -3.5f, -4});
  const auto stray = find_disagreement(*ops::find("neg"), {}, operands, {&found, 1});
  ASSERT_TRUE(stray.has_value());
  EXPECT_EQ(stray->element, 2);
  EXPECT_EQ(stray->to_string(found.shape()),
            "element [1, 0] of result 0: expected -3, found -3.5, allowed difference 0");
}

TEST(Agreement, ACompositeHasNoBoundOfItsOwn) {
  const Attributes axis{{"axis", std::int64_t{0}}};
  EXPECT_THROW(agrees("softmax", {row({1})}, row({1}), axis), InternalError);
}

}  // namespace
}  // namespace wick::compiler
