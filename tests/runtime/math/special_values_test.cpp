// Values that functions have by definition: at zeros of either sign, at infinities, at NaN, at the
// ends of the range. Expected values are those of the C standard, Annex F, where it has the
// function, else the limits.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "wick/elementwise.h"

namespace wick::testing {
namespace {

template <class E>
class SpecialValues : public ::testing::Test {
 protected:
  static constexpr E kInf = std::numeric_limits<E>::infinity();
  static constexpr E kNan = std::numeric_limits<E>::quiet_NaN();
  static constexpr E kLeast = std::numeric_limits<E>::denorm_min();
  static constexpr E kMost = std::numeric_limits<E>::max();

  // The value in a lane of a vector, which must be that of a single element, too.
  template <class F, class... A>
  static E at(F function, A... x) {
    const E lane = function(Lanes<E, 16>(x)...).get(11);
    const E single = function(Lanes<E, 1>(x)...).get(0);
    EXPECT_TRUE(is(lane, single)) << lane << " in a vector, " << single << " alone";
    return lane;
  }
  // Equal, zeros by their sign, NaN to NaN.
  static bool is(E a, E b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b && std::signbit(a) == std::signbit(b);
  }
};
using Floating = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SpecialValues, Floating);

#define EXPECT_IS(expected, ...)                                                 \
  EXPECT_TRUE(this->is(static_cast<TypeParam>(expected), this->at(__VA_ARGS__))) \
      << "expected " << static_cast<TypeParam>(expected) << ", got " << this->at(__VA_ARGS__)

TYPED_TEST(SpecialValues, Exponentials) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto exp = [](auto x) { return wick::exp(x); };
  auto expm1 = [](auto x) { return wick::expm1(x); };
  EXPECT_IS(1, exp, zero);
  EXPECT_IS(1, exp, minus);
  EXPECT_IS(0, exp, -inf);
  EXPECT_IS(inf, exp, inf);
  EXPECT_IS(inf, exp, this->kMost);
  EXPECT_IS(0, exp, -this->kMost);
  EXPECT_IS(1, exp, this->kLeast);
  EXPECT_IS(nan, exp, nan);
  EXPECT_IS(zero, expm1, zero);
  EXPECT_IS(minus, expm1, minus);
  EXPECT_IS(-1, expm1, -inf);
  EXPECT_IS(inf, expm1, inf);
  EXPECT_IS(this->kLeast, expm1, this->kLeast);
  EXPECT_IS(nan, expm1, nan);
}

TYPED_TEST(SpecialValues, Logarithms) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto log = [](auto x) { return wick::log(x); };
  auto log2 = [](auto x) { return wick::log2(x); };
  auto log1p = [](auto x) { return wick::log1p(x); };
  EXPECT_IS(-inf, log, zero);
  EXPECT_IS(-inf, log, minus);
  EXPECT_IS(0, log, E{1});
  EXPECT_IS(inf, log, inf);
  EXPECT_IS(nan, log, E{-1});
  EXPECT_IS(nan, log, -inf);
  EXPECT_IS(nan, log, nan);
  EXPECT_IS(10, log2, E{1024});
  EXPECT_IS(sizeof(E) == 4 ? -149 : -1074, log2, this->kLeast);
  EXPECT_IS(-inf, log2, minus);
  EXPECT_IS(nan, log2, E{-2});
  EXPECT_IS(minus, log1p, minus);
  EXPECT_IS(zero, log1p, zero);
  EXPECT_IS(-inf, log1p, E{-1});
  EXPECT_IS(nan, log1p, E{-2});
  EXPECT_IS(inf, log1p, inf);
  EXPECT_IS(nan, log1p, nan);
}

TYPED_TEST(SpecialValues, Sines) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto sin = [](auto x) { return wick::sin(x); };
  auto cos = [](auto x) { return wick::cos(x); };
  EXPECT_IS(zero, sin, zero);
  EXPECT_IS(minus, sin, minus);
  EXPECT_IS(nan, sin, inf);
  EXPECT_IS(nan, sin, -inf);
  EXPECT_IS(nan, sin, nan);
  EXPECT_IS(this->kLeast, sin, this->kLeast);
  EXPECT_IS(1, cos, zero);
  EXPECT_IS(1, cos, minus);
  EXPECT_IS(nan, cos, inf);
  EXPECT_IS(nan, cos, nan);
}

TYPED_TEST(SpecialValues, Activations) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto sigmoid = [](auto x) { return wick::sigmoid(x); };
  auto silu = [](auto x) { return wick::silu(x); };
  auto tanh = [](auto x) { return wick::tanh(x); };
  auto erf = [](auto x) { return wick::erf(x); };
  auto gelu = [](auto x) { return wick::gelu(x); };
  auto gelu_tanh = [](auto x) { return wick::gelu_tanh(x); };
  auto softplus = [](auto x) { return wick::softplus(x); };
  EXPECT_IS(0, sigmoid, -inf);
  EXPECT_IS(1, sigmoid, inf);
  EXPECT_IS(0.5, sigmoid, zero);
  EXPECT_IS(nan, sigmoid, nan);
  EXPECT_IS(minus, tanh, minus);
  EXPECT_IS(minus, erf, minus);
  EXPECT_IS(zero, tanh, zero);
  EXPECT_IS(1, tanh, inf);
  EXPECT_IS(-1, tanh, -inf);
  EXPECT_IS(nan, tanh, nan);
  EXPECT_IS(1, erf, inf);
  EXPECT_IS(-1, erf, -inf);
  EXPECT_IS(nan, erf, nan);
  EXPECT_IS(minus, silu, -inf);
  EXPECT_IS(inf, silu, inf);
  EXPECT_IS(nan, silu, nan);
  EXPECT_IS(minus, gelu, -inf);
  EXPECT_IS(inf, gelu, inf);
  EXPECT_IS(nan, gelu, nan);
  EXPECT_IS(minus, gelu, minus);
  EXPECT_IS(minus, gelu_tanh, -inf);
  EXPECT_IS(inf, gelu_tanh, inf);
  EXPECT_IS(nan, gelu_tanh, nan);
  EXPECT_IS(0, softplus, -inf);
  EXPECT_IS(inf, softplus, inf);
  EXPECT_IS(nan, softplus, nan);
}

TYPED_TEST(SpecialValues, Roots) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto sqrt = [](auto x) { return wick::sqrt(x); };
  auto rsqrt = [](auto x) { return wick::rsqrt(x); };
  auto reciprocal = [](auto x) { return wick::reciprocal(x); };
  EXPECT_IS(minus, sqrt, minus);
  EXPECT_IS(inf, sqrt, inf);
  EXPECT_IS(nan, sqrt, E{-1});
  EXPECT_IS(3, sqrt, E{9});
  EXPECT_IS(0.5, rsqrt, E{4});
  EXPECT_IS(inf, rsqrt, zero);
  EXPECT_IS(-inf, rsqrt, minus);
  EXPECT_IS(0, rsqrt, inf);
  EXPECT_IS(nan, rsqrt, E{-1});
  EXPECT_IS(-inf, reciprocal, minus);
  EXPECT_IS(minus, reciprocal, -inf);
  EXPECT_IS(0.25, reciprocal, E{4});
}

// A power whose exponent is a number in the kernel goes its own way for 1, 2 and -1.
TYPED_TEST(SpecialValues, PowersOfNumbers) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  const E third = E{1} / E{3}, tiny = std::numeric_limits<E>::denorm_min();
  for (const E x : {E{3}, E{-5}, third, -third, zero, minus, inf, -inf, tiny, nan}) {
    auto itself = [](auto base) { return wick::pow(base, E{1}); };
    auto square = [](auto base) { return wick::pow(base, E{2}); };
    auto inverse = [](auto base) { return wick::pow(base, E{-1}); };
    EXPECT_IS(x, itself, x);
    EXPECT_IS(x * x, square, x);
    EXPECT_IS(E{1} / x, inverse, x);
  }
}

TYPED_TEST(SpecialValues, Powers) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto pow = [](auto x, auto y) { return wick::pow(x, y); };
  EXPECT_IS(1, pow, nan, zero);
  EXPECT_IS(1, pow, E{1}, nan);
  EXPECT_IS(nan, pow, nan, E{1});
  EXPECT_IS(nan, pow, E{2}, nan);
  EXPECT_IS(1, pow, E{-1}, inf);
  EXPECT_IS(-8, pow, E{-2}, E{3});
  EXPECT_IS(9, pow, E{3}, E{2});
  EXPECT_IS(nan, pow, E{-2}, E(0.5));
  EXPECT_IS(inf, pow, -inf, E(0.5));
  EXPECT_IS(-inf, pow, -inf, E{3});
  EXPECT_IS(minus, pow, -inf, E{-3});
  EXPECT_IS(inf, pow, minus, E{-2});
  EXPECT_IS(-inf, pow, minus, E{-3});
  EXPECT_IS(minus, pow, minus, E{3});
  EXPECT_IS(zero, pow, minus, E{2});
  EXPECT_IS(0, pow, E(0.5), inf);
  EXPECT_IS(inf, pow, E(0.5), -inf);
  EXPECT_IS(inf, pow, E{2}, inf);
  EXPECT_IS(inf, pow, this->kMost, E{2});
  EXPECT_IS(0, pow, this->kLeast, E{2});
}

TYPED_TEST(SpecialValues, Angles) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  const auto pi = static_cast<E>(3.14159265358979323846L);
  auto atan2 = [](auto y, auto x) { return wick::atan2(y, x); };
  EXPECT_IS(zero, atan2, zero, zero);
  EXPECT_IS(minus, atan2, minus, zero);
  EXPECT_IS(pi, atan2, zero, minus);
  EXPECT_IS(-pi, atan2, minus, minus);
  EXPECT_IS(pi, atan2, zero, E{-1});
  EXPECT_IS(-pi / 2, atan2, E{-1}, zero);
  EXPECT_IS(pi / 4, atan2, inf, inf);
  EXPECT_IS(-pi / 4, atan2, -inf, inf);
  EXPECT_IS(static_cast<E>(3 * 3.14159265358979323846L / 4), atan2, inf, -inf);
  EXPECT_IS(zero, atan2, E{1}, inf);
  EXPECT_IS(pi, atan2, E{1}, -inf);
  EXPECT_IS(pi / 2, atan2, inf, E{1});
  EXPECT_IS(nan, atan2, nan, E{1});
  EXPECT_IS(nan, atan2, E{1}, nan);
}

TYPED_TEST(SpecialValues, Remainders) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  auto mod = [](auto a, auto b) { return wick::mod(a, b); };
  EXPECT_IS(nan, mod, E{1}, zero);
  EXPECT_IS(nan, mod, inf, E{2});
  EXPECT_IS(nan, mod, nan, E{2});
  EXPECT_IS(nan, mod, E{2}, nan);
  EXPECT_IS(1, mod, E{-5}, E{3});
  EXPECT_IS(-1, mod, E{5}, E{-3});
  EXPECT_IS(zero, mod, E{-6}, E{3});
  EXPECT_IS(minus, mod, E{6}, E{-3});
  EXPECT_IS(2, mod, E{2}, inf);
  EXPECT_IS(-inf, mod, E{2}, -inf);
}

// The double that lies nearest to a multiple of pi / 2, relative to its size: a careless reduction
// keeps no digit of it. The cosine is from a computation with 2,000 bits.
TEST(SpecialAngles, NextToAMultipleOfHalfPi) {
  const double nearest = 0x1.6ac5b262ca1ffp+849;  // 5.319372648326541e+255
  EXPECT_EQ(wick::sin(Lanes<double, 8>(nearest)).get(3), 1.0);
  EXPECT_EQ(wick::cos(Lanes<double, 8>(nearest)).get(3), -0x1.14ae72e6ba22fp-61);
}

}  // namespace
}  // namespace wick::testing
