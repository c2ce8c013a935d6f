// The functions in MPFR's arithmetic, at the precision of the result.

#pragma once

#include <mpfr.h>

#include "tests/runtime/math/references.h"

namespace wick::testing {

template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void exact_of(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr) {
  F(y, x, MPFR_RNDN);
}
template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
void exact_of_two(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b) {
  F(result, a, b, MPFR_RNDN);
}

void exact_rsqrt(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_reciprocal(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_sigmoid(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_silu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_elu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_softplus(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_gelu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
void exact_gelu_tanh(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr);
// The remainder with the sign of the divisor.
void exact_mod(mpfr_ptr rest, mpfr_srcptr a, mpfr_srcptr b);

}  // namespace wick::testing
