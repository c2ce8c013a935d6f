// Every elementwise operation, under its own name, for Lanes of any count and for scalars.
//
//   elementwise_basic.h     sign and size, rounding, minimum and maximum, logic: exact
//   elementwise_integer.h   division with remainder, integer powers
//   math_*.h                exp, log, sin, tanh, erf, pow ...: at most 2 ulp (docs/numerics.md)
//
// A scalar operand stands for all lanes; operands must be of one dtype.

#pragma once

#include "wick/elementwise_basic.h"
#include "wick/math_exp.h"
