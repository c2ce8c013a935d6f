// The exact operations on floating point and bool, and the reducers built on them.

#include "wick/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "wick/reducers.h"

namespace wick::testing {
namespace {

template <class E>
class Exact : public ::testing::Test {
 protected:
  static constexpr E kNan = std::numeric_limits<E>::quiet_NaN();
  static constexpr E kInf = std::numeric_limits<E>::infinity();

  template <class F, class... A>
  static E at(F function, A... x) {
    const E lane = function(Lanes<E, 16>(x)...).get(13);
    EXPECT_TRUE(is(lane, function(Lanes<E, 1>(x)...).get(0)));
    return lane;
  }
  static bool is(E a, E b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
  }
};
using Floating = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Exact, Floating);

// Against the C library, which rounds in these exactly, sign of zero included.
TYPED_TEST(Exact, RoundingToWholeNumbers) {
  using E = TypeParam;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-2, 60), digits(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    E x = static_cast<E>(std::ldexp(digits(random), static_cast<int>(exponent(random))));
    if (i % 3 == 0) x = std::trunc(x) + E(0.5);
    EXPECT_TRUE(this->is(this->at([](auto v) { return wick::floor(v); }, x), std::floor(x))) << x;
    EXPECT_TRUE(this->is(this->at([](auto v) { return wick::ceil(v); }, x), std::ceil(x))) << x;
    EXPECT_TRUE(this->is(this->at([](auto v) { return wick::trunc(v); }, x), std::trunc(x))) << x;
    EXPECT_TRUE(this->is(this->at([](auto v) { return wick::round(v); }, x), std::nearbyint(x)))
        << x;
  }
}

TYPED_TEST(Exact, RoundingKeepsInfinitiesNanAndSignedZeros) {
  using E = TypeParam;
  auto floor = [](auto v) { return wick::floor(v); };
  auto ceil = [](auto v) { return wick::ceil(v); };
  auto trunc = [](auto v) { return wick::trunc(v); };
  auto round = [](auto v) { return wick::round(v); };
  for (const E x : {this->kInf, -this->kInf, this->kNan, E(0.0), E(-0.0)}) {
    EXPECT_TRUE(this->is(this->at(floor, x), x));
    EXPECT_TRUE(this->is(this->at(ceil, x), x));
    EXPECT_TRUE(this->is(this->at(trunc, x), x));
    EXPECT_TRUE(this->is(this->at(round, x), x));
  }
  EXPECT_TRUE(this->is(this->at(ceil, E(-0.25)), E(-0.0)));
  EXPECT_TRUE(this->is(this->at(trunc, E(-0.75)), E(-0.0)));
  EXPECT_TRUE(this->is(this->at(round, E(2.5)), E(2)));
  EXPECT_TRUE(this->is(this->at(round, E(-0.5)), E(-0.0)));
}

// A power whose exponent is a number in the kernel goes its own way for 1, 2 and -1.
TYPED_TEST(Exact, PowersOfNumbers) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  const E third = E{1} / E{3}, tiny = std::numeric_limits<E>::denorm_min();
  for (const E x : {E{3}, E{-5}, third, -third, zero, minus, inf, -inf, tiny, nan}) {
    auto itself = [](auto base) { return wick::pow(base, E{1}); };
    auto square = [](auto base) { return wick::pow(base, E{2}); };
    auto inverse = [](auto base) { return wick::pow(base, E{-1}); };
    EXPECT_TRUE(this->is(this->at(itself, x), x)) << x;
    EXPECT_TRUE(this->is(this->at(square, x), x * x)) << x;
    EXPECT_TRUE(this->is(this->at(inverse, x), E{1} / x)) << x;
  }
}

TYPED_TEST(Exact, NanPropagatesFromEitherOperand) {
  using E = TypeParam;
  auto maximum = [](auto a, auto b) { return wick::maximum(a, b); };
  auto minimum = [](auto a, auto b) { return wick::minimum(a, b); };
  auto clamp = [](auto x, auto low, auto high) { return wick::clamp(x, low, high); };
  const E nan = this->kNan, inf = this->kInf;
  for (const E other : {E(1), -inf, inf, nan}) {
    EXPECT_TRUE(std::isnan(this->at(maximum, nan, other)));
    EXPECT_TRUE(std::isnan(this->at(maximum, other, nan)));
    EXPECT_TRUE(std::isnan(this->at(minimum, nan, other)));
    EXPECT_TRUE(std::isnan(this->at(minimum, other, nan)));
  }
  EXPECT_TRUE(std::isnan(this->at(clamp, nan, E(0), E(1))));
  EXPECT_TRUE(std::isnan(this->at([](auto v) { return wick::relu(v); }, nan)));
  EXPECT_TRUE(std::isnan(this->at([](auto v) { return wick::sign(v); }, nan)));
  EXPECT_EQ(this->at(maximum, E(2), -inf), E(2));
  EXPECT_EQ(this->at(minimum, E(2), inf), E(2));
  EXPECT_EQ(this->at(clamp, E(9), E(3), E(1)), E(1));
}

TYPED_TEST(Exact, SignsAndSizes) {
  using E = TypeParam;
  auto abs = [](auto v) { return wick::abs(v); };
  auto sign = [](auto v) { return wick::sign(v); };
  auto neg = [](auto v) { return wick::neg(v); };
  auto relu = [](auto v) { return wick::relu(v); };
  auto leaky = [](auto v, auto alpha) { return wick::leaky_relu(v, alpha); };
  EXPECT_TRUE(this->is(this->at(abs, E(-0.0)), E(0.0)));
  EXPECT_TRUE(this->is(this->at(abs, -this->kInf), this->kInf));
  EXPECT_TRUE(this->is(this->at(sign, E(-0.0)), E(0.0)));  // as in NumPy
  EXPECT_TRUE(this->is(this->at(sign, E(-7)), E(-1)));
  EXPECT_TRUE(this->is(this->at(sign, std::numeric_limits<E>::denorm_min()), E(1)));
  EXPECT_TRUE(this->is(this->at(neg, E(0.0)), E(-0.0)));
  EXPECT_TRUE(this->is(this->at(relu, E(-3)), E(0.0)));
  EXPECT_TRUE(this->is(this->at(relu, E(3)), E(3)));
  EXPECT_TRUE(this->is(this->at(leaky, E(-4), E(0.25)), E(-1)));
  EXPECT_TRUE(this->is(this->at(leaky, E(4), E(0.25)), E(4)));
}

TYPED_TEST(Exact, NamesOfArithmeticAreTheOperators) {
  using E = TypeParam;
  const Lanes<E, 8> a(E(7)), b(E(2));
  EXPECT_EQ(wick::add(a, b).get(3), E(9));
  EXPECT_EQ(wick::sub(a, b).get(3), E(5));
  EXPECT_EQ(wick::mul(a, b).get(3), E(14));
  EXPECT_EQ(wick::div(a, b).get(3), E(3.5));
}

TYPED_TEST(Exact, TellsNanAndInfinityApart) {
  using E = TypeParam;
  const Lanes<E, 16> nan(this->kNan), inf(-this->kInf), one(E(1));
  EXPECT_TRUE(wick::isnan(nan).get(4));
  EXPECT_FALSE(wick::isnan(inf).get(4));
  EXPECT_FALSE(wick::isinf(nan).get(4));
  EXPECT_TRUE(wick::isinf(inf).get(4));
  EXPECT_FALSE(wick::isinf(one).get(4));
  EXPECT_FALSE(wick::isnan(Lanes<std::int32_t, 16>(std::int32_t{5})).get(4));
}

TEST(Logic, TruthTables) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      const Lanes<bool, 32> x(a), y(b);
      EXPECT_EQ(wick::logical_and(x, y).get(21), a && b);
      EXPECT_EQ(wick::logical_or(x, y).get(21), a || b);
      EXPECT_EQ(wick::logical_xor(x, y).get(21), a != b);
      EXPECT_EQ((x == y).get(21), a == b);
      EXPECT_EQ((x < y).get(21), a < b);
      EXPECT_EQ((x >= y).get(21), a >= b);
      EXPECT_EQ(wick::logical_and(Lanes<bool, 1>(a), b).get(0), a && b);
    }
    EXPECT_EQ(wick::logical_not(Lanes<bool, 32>(a)).get(21), !a);
  }
}

TEST(Reducers, IdentitiesChangeNothing) {
  const Lanes<float, 16> x(-2.5f);
  EXPECT_EQ(Sum{}(x, Sum::identity<float>()).get(3), -2.5f);
  EXPECT_EQ(Product{}(x, Product::identity<float>()).get(3), -2.5f);
  EXPECT_EQ(Maximum{}(x, Maximum::identity<float>()).get(3), -2.5f);
  EXPECT_EQ(Minimum{}(x, Minimum::identity<float>()).get(3), -2.5f);
  EXPECT_EQ(Maximum::identity<std::int8_t>(), -128);
  EXPECT_EQ(Minimum::identity<std::uint8_t>(), 255);
  EXPECT_EQ(Maximum::identity<double>(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(All{}(Lanes<bool, 4>(true), All::identity<bool>()).get(1));
  EXPECT_FALSE(Any{}(Lanes<bool, 4>(false), Any::identity<bool>()).get(1));
}

TEST(Reducers, OverLanes) {
  float x[8] = {1, -2, 3, -4, 5, -6, 7, -8};
  const auto v = Lanes<float, 8>::load(x);
  EXPECT_EQ(reduce_lanes(Sum{}, v), -4.0f);
  EXPECT_EQ(reduce_lanes(Product{}, v), 40320.0f);
  EXPECT_EQ(reduce_lanes(Maximum{}, v), 7.0f);
  EXPECT_EQ(reduce_lanes(Minimum{}, v), -8.0f);
  EXPECT_TRUE(reduce_lanes(Any{}, v > 6.0f));
  EXPECT_FALSE(reduce_lanes(All{}, v > 6.0f));
}

}  // namespace
}  // namespace wick::testing
