// Every elementwise operation, under its own name, for Lanes of any count and for scalars.
//
//   lanes.h                   operators, where, cast, fma
//   elementwise_basic.h       sign and size, rounding, minimum and maximum, logic: exact
//   elementwise_remainder.h   mod
//   math_exp.h                exp expm1 sigmoid silu tanh elu gelu_tanh
//   math_lookup.h             what of them is looked up in tables
//   math_log.h                log log2 log1p softplus
//   math_root.h               sqrt rsqrt reciprocal
//   math_trig.h               sin cos atan2
//   math_erf.h                erf gelu
//   math_pow.h                pow
//
// A scalar operand stands for all lanes; operands must be of one dtype. Error bounds stand in
// docs/numerics.md.

#pragma once

#include "wick/elementwise_basic.h"
#include "wick/elementwise_remainder.h"
#include "wick/math_erf.h"
#include "wick/math_exp.h"
#include "wick/math_log.h"
#include "wick/math_pow.h"
#include "wick/math_root.h"
#include "wick/math_trig.h"
