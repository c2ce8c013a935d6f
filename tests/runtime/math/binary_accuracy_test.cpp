// pow, atan2 and mod against MPFR (pow and atan2) and the C library's fmod, which is exact.

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "tests/runtime/math/functions.h"
#include "tests/runtime/math/ulp.h"
#include "wick/elementwise.h"

namespace wick::testing {
namespace {

using Exact = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

long double exact_value(Exact function, double a, double b) {
  mpfr_t x, y, result;
  mpfr_inits2(160, x, y, result, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  function(result, x, y, MPFR_RNDN);
  const long double rounded = mpfr_get_ld(result, MPFR_RNDN);
  mpfr_clears(x, y, result, static_cast<mpfr_ptr>(nullptr));
  return rounded;
}

struct Pow {
  static constexpr const char* kName = "pow";
  static constexpr Exact kExact = mpfr_pow;
  template <class L>
  auto operator()(L a, L b) const {
    return wick::pow(a, b);
  }
};
struct Atan2 {
  static constexpr const char* kName = "atan2";
  static constexpr Exact kExact = mpfr_atan2;
  template <class L>
  auto operator()(L a, L b) const {
    return wick::atan2(a, b);
  }
};

// Operands of every kind: any bits, and the regions where the functions have most to lose.
class Operands {
 public:
  template <class E>
  E bits() {
    E value = 0;
    const std::uint64_t drawn = random_();
    std::memcpy(&value, &drawn, sizeof(value));
    return value;
  }
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  std::mt19937_64 random_{7};
};

template <class F, class E, class A, class B>
double worst_of(A draw_a, B draw_b, int blocks) {
  double worst = 0;
  E worst_a = 0, worst_b = 0;
  for (int block = 0; block < blocks; ++block) {
    E a[16], b[16], vector[16];
    for (int i = 0; i < 16; ++i) a[i] = static_cast<E>(draw_a()), b[i] = static_cast<E>(draw_b());
    F{}(Lanes<E, 16>::load(a), Lanes<E, 16>::load(b)).store(vector);
    for (int i = 0; i < 16; ++i) {
      const E single = F{}(Lanes<E, 1>(a[i]), Lanes<E, 1>(b[i])).get(0);
      EXPECT_TRUE(single == vector[i] || (std::isnan(single) && std::isnan(vector[i])));
      const double error = ulps(vector[i], exact_value(F::kExact, a[i], b[i]));
      if (error > worst) worst = error, worst_a = a[i], worst_b = b[i];
    }
  }
  std::printf("| %s | %-5s | %.3f ulp | at %a, %a |\n", sizeof(E) == 4 ? "f32" : "f64", F::kName,
              worst, static_cast<double>(worst_a), static_cast<double>(worst_b));
  return worst;
}

template <class E>
class BinaryAccuracy : public ::testing::Test {
 protected:
  static double bound(const char* name) { return bound_of(name, sizeof(E) == sizeof(float)); }
  Operands draw;
};
using Floating = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BinaryAccuracy, Floating);

TYPED_TEST(BinaryAccuracy, PowOfAnyBits) {
  auto any = [this] { return this->draw.template bits<TypeParam>(); };
  EXPECT_LE((worst_of<Pow, TypeParam>(any, any, 600)), this->bound("pow"));
}

TYPED_TEST(BinaryAccuracy, PowNearTheEndsOfTheRange) {
  auto base = [this] { return this->draw.between(0.5, 2.0); };
  auto exponent = [this] { return this->draw.between(-1500, 1500); };
  EXPECT_LE((worst_of<Pow, TypeParam>(base, exponent, 1500)), this->bound("pow"));
}

TYPED_TEST(BinaryAccuracy, PowOfBasesNearOne) {
  auto base = [this] { return 1 + this->draw.between(-1e-3, 1e-3); };
  auto exponent = [this] { return this->draw.between(-7e5, 7e5); };
  EXPECT_LE((worst_of<Pow, TypeParam>(base, exponent, 1500)), this->bound("pow"));
}

TYPED_TEST(BinaryAccuracy, Atan2OfAnyBits) {
  auto any = [this] { return this->draw.template bits<TypeParam>(); };
  EXPECT_LE((worst_of<Atan2, TypeParam>(any, any, 1500)), this->bound("atan2"));
}

TYPED_TEST(BinaryAccuracy, Atan2OfTheSquare) {
  auto any = [this] { return this->draw.between(-1, 1); };
  EXPECT_LE((worst_of<Atan2, TypeParam>(any, any, 3000)), this->bound("atan2"));
}

// The remainder as NumPy defines it on top of fmod, which is exact.
template <class E>
E floored(E a, E b) {
  const E rest = std::fmod(a, b);
  if (b == 0 || std::isnan(rest)) return rest;
  if (rest == 0) return std::copysign(E{0}, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class E, class A, class B>
void expect_exact_remainders(A draw_a, B draw_b, int blocks) {
  for (int block = 0; block < blocks; ++block) {
    E a[16], b[16], rest[16];
    for (int i = 0; i < 16; ++i) a[i] = static_cast<E>(draw_a()), b[i] = static_cast<E>(draw_b());
    wick::mod(Lanes<E, 16>::load(a), Lanes<E, 16>::load(b)).store(rest);
    for (int i = 0; i < 16; ++i) {
      ASSERT_EQ(ulps(rest[i], floored(a[i], b[i])), 0) << a[i] << " mod " << b[i];
    }
  }
}

TYPED_TEST(BinaryAccuracy, ModOfAnyBitsIsExact) {
  auto any = [this] { return this->draw.template bits<TypeParam>(); };
  expect_exact_remainders<TypeParam>(any, any, 2000);
}

TYPED_TEST(BinaryAccuracy, ModOfSmallQuotientsIsExact) {
  auto dividend = [this] { return this->draw.between(-1e6, 1e6); };
  auto divisor = [this] { return this->draw.between(-10, 10); };
  expect_exact_remainders<TypeParam>(dividend, divisor, 2000);
}

TYPED_TEST(BinaryAccuracy, ModOfWholeNumbersIsExact) {
  auto whole = [this] { return std::trunc(this->draw.between(-1000, 1000)); };
  expect_exact_remainders<TypeParam>(whole, whole, 2000);
}

}  // namespace
}  // namespace wick::testing
