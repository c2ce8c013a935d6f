#include "tests/runtime/math/references_exact.h"

namespace wick::testing {
namespace {

// 1 / (1 + e^-t), in place.
void logistic(mpfr_ptr t) {
  mpfr_neg(t, t, MPFR_RNDN);
  mpfr_exp(t, t, MPFR_RNDN);
  mpfr_add_ui(t, t, 1, MPFR_RNDN);
  mpfr_ui_div(t, 1, t, MPFR_RNDN);
}
bool is_minus_infinity(mpfr_srcptr x) { return mpfr_inf_p(x) != 0 && mpfr_sgn(x) < 0; }

}  // namespace

// 1 / sqrt(x), which at -0 is -inf; MPFR's own reciprocal root has inf there.
void exact_rsqrt(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_sqrt(y, x, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}
void exact_reciprocal(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) { mpfr_ui_div(y, 1, x, MPFR_RNDN); }
void exact_sigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_set(y, x, MPFR_RNDN);
  logistic(y);
}
void exact_silu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  if (is_minus_infinity(x)) return mpfr_set_zero(y, -1);
  exact_sigmoid(y, x, x);
  mpfr_mul(y, y, x, MPFR_RNDN);
}
void exact_elu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_nan_p(x) == 0 && mpfr_sgn(x) > 0) {
    mpfr_set(y, x, MPFR_RNDN);
  } else {
    mpfr_expm1(y, x, MPFR_RNDN);
    mpfr_mul_d(y, y, kEluAlpha, MPFR_RNDN);
  }
}
void exact_softplus(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_cmp_d(x, 800) > 0) {
    mpfr_set(y, x, MPFR_RNDN);
  } else {
    mpfr_exp(y, x, MPFR_RNDN);
    mpfr_log1p(y, y, MPFR_RNDN);
  }
}
void exact_gelu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  if (is_minus_infinity(x)) return mpfr_set_zero(y, -1);
  mpfr_sqrt_ui(y, 2, MPFR_RNDN);
  mpfr_div(y, x, y, MPFR_RNDN);
  mpfr_neg(y, y, MPFR_RNDN);
  mpfr_erfc(y, y, MPFR_RNDN);
  mpfr_div_ui(y, y, 2, MPFR_RNDN);
  mpfr_mul(y, y, x, MPFR_RNDN);
}
void exact_gelu_tanh(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
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
void exact_mod(mpfr_ptr rest, mpfr_srcptr a, mpfr_srcptr b) {
  mpfr_fmod(rest, a, b, MPFR_RNDN);
  if (mpfr_nan_p(rest) != 0) return;
  if (mpfr_zero_p(rest) != 0) {
    mpfr_set_zero(rest, mpfr_signbit(b) != 0 ? -1 : 1);
  } else if (mpfr_signbit(rest) != mpfr_signbit(b)) {
    mpfr_add(rest, rest, b, MPFR_RNDN);
  }
}

}  // namespace wick::testing
