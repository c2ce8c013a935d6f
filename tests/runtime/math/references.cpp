#include "tests/runtime/math/references.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/runtime/math/references_exact.h"
#include "tests/runtime/math/vector_libm.h"

namespace wick::testing {
namespace {

constexpr double kInfinity = HUGE_VAL;

// ---- Arrays of f64 -------------------------------------------------------------------------

template <OfArray VectorLibm::* F>
void quick(const double* a, const double*, double* results, std::size_t count) {
  (vector_libm().*F)(a, results, count);
}
// Exponentials: beyond the limits all is 0 or infinite in f32, and they are spared the slow cases.
constexpr double kFarBeyond = 200;
template <OfArray VectorLibm::* F>
void quick_exponential(const double* a, const double*, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double raised = a[i] < -kFarBeyond ? -kFarBeyond : a[i];
    results[i] = raised > kFarBeyond ? kFarBeyond : raised;
  }
  (vector_libm().*F)(results, results, count);
}
// Logarithms: NaN below a limit, for the same reason.
template <OfArray VectorLibm::* F, int Limit>
void quick_logarithm(const double* a, const double*, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = a[i] >= Limit ? a[i] : 1;
  (vector_libm().*F)(results, results, count);
  for (std::size_t i = 0; i < count; ++i) {
    results[i] = a[i] >= Limit ? results[i] : std::numeric_limits<double>::quiet_NaN();
  }
}
template <OfArrays VectorLibm::* F>
void quick_of_two(const double* a, const double* b, double* results, std::size_t count) {
  (vector_libm().*F)(a, b, results, count);
}
template <double (*F)(double)>
void each(const double* a, const double*, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = F(a[i]);
}
double root(double x) { return std::sqrt(x); }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }
double reciprocal(double x) { return 1 / x; }

// x f(x), which at -inf is -0 for all functions here.
void multiply_by(const double* x, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    results[i] = x[i] == -kInfinity ? -0.0 : x[i] * results[i];
  }
}
void quick_sigmoid(const double* a, const double*, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = -a[i];
  quick_exponential<&VectorLibm::exp>(results, nullptr, results, count);
  for (std::size_t i = 0; i < count; ++i) results[i] = 1 / (1 + results[i]);
}
void quick_silu(const double* a, const double* b, double* results, std::size_t count) {
  quick_sigmoid(a, b, results, count);
  multiply_by(a, results, count);
}
void quick_elu(const double* a, const double*, double* results, std::size_t count) {
  quick_exponential<&VectorLibm::expm1>(a, nullptr, results, count);
  for (std::size_t i = 0; i < count; ++i) results[i] = a[i] > 0 ? a[i] : kEluAlpha * results[i];
}
void quick_softplus(const double* a, const double*, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = -std::fabs(a[i]);
  quick_exponential<&VectorLibm::exp>(results, nullptr, results, count);
  vector_libm().log1p(results, results, count);
  for (std::size_t i = 0; i < count; ++i) results[i] += a[i] > 0 ? a[i] : 0;
}
void quick_gelu(const double* a, const double*, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = -a[i] * 0.70710678118654752440;
  vector_libm().erfc(results, results, count);
  for (std::size_t i = 0; i < count; ++i) results[i] *= 0.5;
  multiply_by(a, results, count);
}
void quick_gelu_tanh(const double* a, const double* b, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    results[i] = 1.5957691216057307117 * a[i] * (1 + 0.044715 * a[i] * a[i]);
  }
  quick_sigmoid(results, b, results, count);
  multiply_by(a, results, count);
}
// The C library's fmod is exact; NumPy's remainder has the sign of the divisor.
template <class R>
R floored(double a, double b) {
  const R rest = std::fmod(a, b);
  if (b == 0 || std::isnan(rest)) return rest;
  if (rest == 0) return std::copysign(R{0}, static_cast<R>(b));
  return (rest < 0) != (b < 0) ? rest + static_cast<R>(b) : rest;
}
void quick_mod(const double* a, const double* b, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = floored<double>(a[i], b[i]);
}

// ---- Long double ---------------------------------------------------------------------------

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
#else
typedef long double Quad;
#endif

// sqrt(1/2) and 2 sqrt(2 / pi) to 106 digits.
constexpr Quad kRootHalf =
    static_cast<Quad>(0x1.6a09e667f3bcdp-1) + static_cast<Quad>(-0x1.bdd3413b26456p-55);
constexpr Quad kTwiceRootTwoOverPi =
    static_cast<Quad>(0x1.9884533d43651p+0) + static_cast<Quad>(-0x1.cbc0d30ebfd15p-54);

template <long double (*F)(long double)>
long double fine(double a, double) {
  return F(a);
}
long double fine_rsqrt(double a, double) { return 1 / std::sqrt(static_cast<long double>(a)); }
long double fine_reciprocal(double a, double) { return 1 / static_cast<long double>(a); }
long double fine_sigmoid(double a, double) {
  return 1 / (1 + std::exp(-static_cast<long double>(a)));
}
long double fine_silu(double a, double b) {
  return a == -kInfinity ? -0.0L : a * fine_sigmoid(a, b);
}
long double fine_elu(double a, double) {
  return a > 0 ? static_cast<long double>(a) : kEluAlpha * std::expm1(static_cast<long double>(a));
}
long double fine_softplus(double a, double) {
  const long double tail = std::log1p(std::exp(-std::fabs(static_cast<long double>(a))));
  return a > 0 ? a + tail : tail;
}
// In the left tail an error of the argument is one of many ulps in the result: it is taken to twice
// the digits, and what the rounded one lacks is put in by the derivative.
long double fine_gelu(double a, double) {
  if (a == -kInfinity) return -0.0L;
  const Quad whole = -static_cast<Quad>(a) * kRootHalf;
  const auto t = static_cast<long double>(whole);
  const auto rest = std::isinf(t) ? 0 : static_cast<long double>(whole - static_cast<Quad>(t));
  const long double slope = -1.1283791670955125738961589L * std::exp(-t * t);
  return a * (0.5L * (std::erfc(t) + slope * rest));
}
long double fine_gelu_tanh(double a, double) {
  if (a == -kInfinity) return -0.0L;
  if (std::fabs(a) > 1e6) return a > 0 ? a : -0.0L;
  const Quad x = a, coefficient = static_cast<Quad>(44715) / 1000000;
  const Quad whole = kTwiceRootTwoOverPi * x * (1 + coefficient * x * x);
  const auto u = static_cast<long double>(whole);
  const auto rest = static_cast<long double>(whole - static_cast<Quad>(u));
  return a / (1 + std::exp(-u) * (1 - rest));
}
long double fine_pow(double a, double b) {
  return std::pow(static_cast<long double>(a), static_cast<long double>(b));
}
long double fine_atan2(double a, double b) {
  return std::atan2(static_cast<long double>(a), static_cast<long double>(b));
}
long double fine_mod(double a, double b) { return floored<long double>(a, b); }

constexpr double kLn2 = 0.69314718055994530942, kHalfPi = 1.57079632679489661923;
using V = VectorLibm;

const Reference kReferences[] = {
    {"exp", quick_exponential<&V::exp>, fine<std::exp>, exact_of<mpfr_exp>, {-750, 712, kLn2 / 2}},
    {"expm1",
     quick_exponential<&V::expm1>,
     fine<std::expm1>,
     exact_of<mpfr_expm1>,
     {-40, 712, kLn2 / 2}},
    {"log", quick_logarithm<&V::log, 0>, fine<std::log>, exact_of<mpfr_log>, {0, 3, 0}},
    {"log2", quick_logarithm<&V::log2, 0>, fine<std::log2>, exact_of<mpfr_log2>, {0, 3, 0}},
    {"log1p", quick_logarithm<&V::log1p, -1>, fine<std::log1p>, exact_of<mpfr_log1p>, {-1, 3, 0}},
    {"sqrt", each<root>, fine<std::sqrt>, exact_of<mpfr_sqrt>, {0, 100, 0}},
    {"rsqrt", each<reciprocal_root>, fine_rsqrt, exact_rsqrt, {0, 100, 0}},
    {"reciprocal", each<reciprocal>, fine_reciprocal, exact_reciprocal, {-100, 100, 0}},
    {"sin", quick<&V::sin>, fine<std::sin>, exact_of<mpfr_sin>, {-2e6, 2e6, kHalfPi / 2}},
    {"cos", quick<&V::cos>, fine<std::cos>, exact_of<mpfr_cos>, {-2e6, 2e6, kHalfPi / 2}},
    {"tanh", quick<&V::tanh>, fine<std::tanh>, exact_of<mpfr_tanh>, {-21, 21, kLn2 / 4}},
    {"erf", quick<&V::erf>, fine<std::erf>, exact_of<mpfr_erf>, {-6.5, 6.5, 0}},
    {"sigmoid", quick_sigmoid, fine_sigmoid, exact_sigmoid, {-750, 40, kLn2 / 2}},
    {"silu", quick_silu, fine_silu, exact_silu, {-760, 40, kLn2 / 2}},
    {"elu", quick_elu, fine_elu, exact_elu, {-40, 10, kLn2 / 2}},
    {"softplus", quick_softplus, fine_softplus, exact_softplus, {-750, 40, kLn2 / 2}},
    {"gelu", quick_gelu, fine_gelu, exact_gelu, {-39, 10, 0}},
    {"gelu_tanh", quick_gelu_tanh, fine_gelu_tanh, exact_gelu_tanh, {-23, 10, 0}},
    {"pow", quick_of_two<&V::pow>, fine_pow, exact_of_two<mpfr_pow>, {0.5, 2, 0}},
    {"atan2", quick_of_two<&V::atan2>, fine_atan2, exact_of_two<mpfr_atan2>, {-1, 1, 0}},
    {"mod", quick_mod, fine_mod, exact_mod, {-1e6, 1e6, 0}},
};

}  // namespace

const Reference& reference_of(const char* name) {
  const Reference* reference = kReferences;
  while (std::strcmp(reference->name, name) != 0) ++reference;
  return *reference;
}

long double exact_value(const Reference& reference, double a, double b) {
  struct Numbers {
    mpfr_t a, b, result;
    Numbers() {
      mpfr_inits2(53, a, b, static_cast<mpfr_ptr>(nullptr));
      mpfr_init2(result, 240);
    }
    ~Numbers() { mpfr_clears(a, b, result, static_cast<mpfr_ptr>(nullptr)); }
  };
  static Numbers numbers;
  mpfr_set_d(numbers.a, a, MPFR_RNDN);
  mpfr_set_d(numbers.b, b, MPFR_RNDN);
  reference.exact(numbers.result, numbers.a, numbers.b);
  return mpfr_get_ld(numbers.result, MPFR_RNDN);
}

}  // namespace wick::testing
