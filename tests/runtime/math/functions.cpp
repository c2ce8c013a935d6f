#include "tests/runtime/math/functions.h"

#include <cmath>
#include <cstring>
#include <iterator>

#include "wick/bounds.h"
#include "wick/elementwise.h"

namespace wick::testing {
namespace {

template <int N, class E, class F>
void over_block(F function, const E* from, E* to) {
  for (std::size_t i = 0; i < kBlock; i += N) function(Lanes<E, N>::load(from + i)).store(to + i);
}

struct Exp {
  template <class L>
  auto operator()(L x) const {
    return wick::exp(x);
  }
};
struct Expm1 {
  template <class L>
  auto operator()(L x) const {
    return wick::expm1(x);
  }
};
struct Log {
  template <class L>
  auto operator()(L x) const {
    return wick::log(x);
  }
};
struct Log2 {
  template <class L>
  auto operator()(L x) const {
    return wick::log2(x);
  }
};
struct Log1p {
  template <class L>
  auto operator()(L x) const {
    return wick::log1p(x);
  }
};
struct Sqrt {
  template <class L>
  auto operator()(L x) const {
    return wick::sqrt(x);
  }
};
struct Rsqrt {
  template <class L>
  auto operator()(L x) const {
    return wick::rsqrt(x);
  }
};
struct Sin {
  template <class L>
  auto operator()(L x) const {
    return wick::sin(x);
  }
};
struct Cos {
  template <class L>
  auto operator()(L x) const {
    return wick::cos(x);
  }
};
struct Tanh {
  template <class L>
  auto operator()(L x) const {
    return wick::tanh(x);
  }
};
struct Erf {
  template <class L>
  auto operator()(L x) const {
    return wick::erf(x);
  }
};
struct Sigmoid {
  template <class L>
  auto operator()(L x) const {
    return wick::sigmoid(x);
  }
};
struct Silu {
  template <class L>
  auto operator()(L x) const {
    return wick::silu(x);
  }
};
struct Elu {
  template <class L>
  auto operator()(L x) const {
    return wick::elu(x, static_cast<typename L::Element>(1.375));
  }
};
struct Softplus {
  template <class L>
  auto operator()(L x) const {
    return wick::softplus(x);
  }
};
struct Gelu {
  template <class L>
  auto operator()(L x) const {
    return wick::gelu(x);
  }
};
struct GeluTanh {
  template <class L>
  auto operator()(L x) const {
    return wick::gelu_tanh(x);
  }
};

// ---- References in double ------------------------------------------------------------------

// x f(x) for functions f that vanish at -infinity.
template <class F>
double product_with(double x, F factor) {
  return std::isinf(x) && x < 0 ? -0.0 : x * factor(x);
}
double rsqrt(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return product_with(x, sigmoid); }
double elu(double x) { return x > 0 ? x : 1.375 * std::expm1(x); }
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double gelu(double x) {
  return product_with(x, [](double t) { return std::erfc(-t / std::sqrt(2.0)) / 2; });
}
double gelu_tanh(double x) {
  return product_with(x, [](double t) {
    return sigmoid(2 * std::sqrt(2 / std::acos(-1.0)) * (t + 0.044715 * t * t * t));
  });
}

// ---- References in MPFR --------------------------------------------------------------------

template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void exactly(mpfr_ptr y, mpfr_srcptr x) {
  F(y, x, MPFR_RNDN);
}
// 1 / (1 + e^-t), in place.
void logistic(mpfr_ptr t) {
  mpfr_neg(t, t, MPFR_RNDN);
  mpfr_exp(t, t, MPFR_RNDN);
  mpfr_add_ui(t, t, 1, MPFR_RNDN);
  mpfr_ui_div(t, 1, t, MPFR_RNDN);
}
bool is_minus_infinity(mpfr_srcptr x) { return mpfr_inf_p(x) != 0 && mpfr_sgn(x) < 0; }

// 1 / sqrt(x), which at -0 is -inf; MPFR's own reciprocal root has inf there.
void exact_rsqrt(mpfr_ptr y, mpfr_srcptr x) {
  mpfr_sqrt(y, x, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}
void exact_sigmoid(mpfr_ptr y, mpfr_srcptr x) {
  mpfr_set(y, x, MPFR_RNDN);
  logistic(y);
}
void exact_silu(mpfr_ptr y, mpfr_srcptr x) {
  if (is_minus_infinity(x)) return mpfr_set_zero(y, -1);
  exact_sigmoid(y, x);
  mpfr_mul(y, y, x, MPFR_RNDN);
}
void exact_elu(mpfr_ptr y, mpfr_srcptr x) {
  if (mpfr_sgn(x) > 0) {
    mpfr_set(y, x, MPFR_RNDN);
  } else {
    mpfr_expm1(y, x, MPFR_RNDN);
    mpfr_mul_d(y, y, 1.375, MPFR_RNDN);
  }
}
void exact_softplus(mpfr_ptr y, mpfr_srcptr x) {
  if (mpfr_cmp_d(x, 800) > 0) {
    mpfr_set(y, x, MPFR_RNDN);
  } else {
    mpfr_exp(y, x, MPFR_RNDN);
    mpfr_log1p(y, y, MPFR_RNDN);
  }
}
void exact_gelu(mpfr_ptr y, mpfr_srcptr x) {
  if (is_minus_infinity(x)) return mpfr_set_zero(y, -1);
  mpfr_sqrt_ui(y, 2, MPFR_RNDN);
  mpfr_div(y, x, y, MPFR_RNDN);
  mpfr_neg(y, y, MPFR_RNDN);
  mpfr_erfc(y, y, MPFR_RNDN);
  mpfr_div_ui(y, y, 2, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
}
void exact_gelu_tanh(mpfr_ptr y, mpfr_srcptr x) {
  if (is_minus_infinity(x)) return mpfr_set_zero(y, -1);
  mpfr_t a;
  mpfr_init2(a, mpfr_get_prec(y));
  mpfr_set_str(a, "0.044715", 10, MPFR_RNDN);
  mpfr_sqr(y, x, MPFR_RNDN);
  mpfr_mul(y, y, a, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_const_pi(a, MPFR_RNDN);
  mpfr_ui_div(a, 8, a, MPFR_RNDN);
  mpfr_sqrt(a, a, MPFR_RNDN);
  mpfr_mul(y, y, a, MPFR_RNDN);
  logistic(y);
  mpfr_mul(y, y, x, MPFR_RNDN);
  mpfr_clear(a);
}

template <class F>
constexpr Function make(const char* name, double (*reference)(double),
                        void (*exact)(mpfr_ptr, mpfr_srcptr), double lowest, double highest) {
  return {name,
          [](const float* from, float* to) { over_block<16>(F{}, from, to); },
          [](const float* from, float* to) { over_block<1>(F{}, from, to); },
          [](const double* from, double* to) { over_block<16>(F{}, from, to); },
          [](const double* from, double* to) { over_block<1>(F{}, from, to); },
          reference,
          exact,
          lowest,
          highest};
}

}  // namespace

const Function kFunctions[] = {
    make<Exp>("exp", std::exp, exactly<mpfr_exp>, -750, 712),
    make<Expm1>("expm1", std::expm1, exactly<mpfr_expm1>, -40, 712),
    make<Log>("log", std::log, exactly<mpfr_log>, 0, 3),
    make<Log2>("log2", std::log2, exactly<mpfr_log2>, 0, 3),
    make<Log1p>("log1p", std::log1p, exactly<mpfr_log1p>, -1, 3),
    make<Sqrt>("sqrt", std::sqrt, exactly<mpfr_sqrt>, 0, 100),
    make<Rsqrt>("rsqrt", rsqrt, exact_rsqrt, 0, 100),
    make<Sin>("sin", std::sin, exactly<mpfr_sin>, -2e6, 2e6),
    make<Cos>("cos", std::cos, exactly<mpfr_cos>, -2e6, 2e6),
    make<Tanh>("tanh", std::tanh, exactly<mpfr_tanh>, -21, 21),
    make<Erf>("erf", std::erf, exactly<mpfr_erf>, -6.5, 6.5),
    make<Sigmoid>("sigmoid", sigmoid, exact_sigmoid, -750, 40),
    make<Silu>("silu", silu, exact_silu, -760, 40),
    make<Elu>("elu", elu, exact_elu, -40, 10),
    make<Softplus>("softplus", softplus, exact_softplus, -750, 40),
    make<Gelu>("gelu", gelu, exact_gelu, -39, 10),
    make<GeluTanh>("gelu_tanh", gelu_tanh, exact_gelu_tanh, -23, 10),
};
const std::size_t kFunctionCount = std::size(kFunctions);

double bound_of(const char* name, bool single) {
  for (const ErrorBound& bound : kErrorBounds) {
    if (std::strcmp(bound.operation, name) == 0) return single ? bound.f32 : bound.f64;
  }
  return single ? 0.5001 : 0.5;
}

long double exact_value(const Function& function, double x) {
  mpfr_t value, result;
  mpfr_init2(value, 53);
  mpfr_init2(result, 200);
  mpfr_set_d(value, x, MPFR_RNDN);
  function.exact(result, value);
  const long double rounded = mpfr_get_ld(result, MPFR_RNDN);
  mpfr_clear(value);
  mpfr_clear(result);
  return rounded;
}

}  // namespace wick::testing
