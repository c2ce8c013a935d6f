// Values that functions have by definition: at zeros of either sign, at infinities, at NaN, at the
// ends of the range. Expected values are those of the C standard, Annex F, where it has the
// function, else the limits.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/runtime/math/functions.h"

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
  static E at(const Function& function, E a, E b = 0) {
    E as[kBlock], bs[kBlock], lanes[kBlock], singles[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) as[i] = a, bs[i] = b;
    function.forms<E>().vectors(as, bs, lanes);
    function.forms<E>().singles(as, bs, singles);
    EXPECT_TRUE(is(lanes[11], singles[0]))
        << lanes[11] << " in a vector, " << singles[0] << " alone";
    return lanes[11];
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
  const Function& exp = function_named("exp");
  const Function& expm1 = function_named("expm1");
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

// Far beyond the range, where what a reduction finds of x is noise: at these, x / ln 2 is next to
// the number that turns sums into whole ones, or past all that it can turn.
TYPED_TEST(SpecialValues, ExponentialsFarBeyondTheRange) {
  const Function& exp = function_named("exp");
  const Function& sigmoid = function_named("sigmoid");
  const Function& silu = function_named("silu");
  for (const double x : {0x1.09b938p+19, 0x1.09b93ap+19, 0x1p+17, 0x1.62e43p+22, 0x1.8p+100}) {
    const auto far = static_cast<TypeParam>(x);
    EXPECT_IS(0, exp, -far);
    EXPECT_IS(this->kInf, exp, far);
    EXPECT_IS(0, sigmoid, -far);
    EXPECT_IS(1, sigmoid, far);
    EXPECT_IS(-TypeParam{0}, silu, -far);
    EXPECT_IS(far, silu, far);
  }
}

TYPED_TEST(SpecialValues, Logarithms) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  const Function& log = function_named("log");
  const Function& log2 = function_named("log2");
  const Function& log1p = function_named("log1p");
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
  const Function& sin = function_named("sin");
  const Function& cos = function_named("cos");
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
  const Function& sigmoid = function_named("sigmoid");
  const Function& silu = function_named("silu");
  const Function& tanh = function_named("tanh");
  const Function& erf = function_named("erf");
  const Function& gelu = function_named("gelu");
  const Function& gelu_tanh = function_named("gelu_tanh");
  const Function& softplus = function_named("softplus");
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
  const Function& sqrt = function_named("sqrt");
  const Function& rsqrt = function_named("rsqrt");
  const Function& reciprocal = function_named("reciprocal");
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

TYPED_TEST(SpecialValues, Powers) {
  using E = TypeParam;
  const E inf = this->kInf, nan = this->kNan, zero = 0, minus = -zero;
  const Function& pow = function_named("pow");
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
  const Function& atan2 = function_named("atan2");
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
  const Function& mod = function_named("mod");
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
  double nearest[kBlock], result[kBlock];
  for (double& x : nearest) x = 0x1.6ac5b262ca1ffp+849;  // 5.319372648326541e+255
  function_named("sin").f64.vectors(nearest, nearest, result);
  EXPECT_EQ(result[3], 1.0);
  function_named("cos").f64.vectors(nearest, nearest, result);
  EXPECT_EQ(result[3], -0x1.14ae72e6ba22fp-61);
}

}  // namespace
}  // namespace wick::testing
