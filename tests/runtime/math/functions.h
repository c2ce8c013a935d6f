// The functions of one floating-point operand, each with two references that share nothing with the
// runtime: the C library in double, good enough to judge f32 by, and MPFR for f64.

#pragma once

#include <mpfr.h>

#include <cstddef>

namespace wick::testing {

inline constexpr std::size_t kBlock = 64;

struct Function {
  const char* name;
  void (*f32)(const float* from, float* to);         // kBlock elements as vectors
  void (*f32_by_one)(const float* from, float* to);  // kBlock elements one by one
  void (*f64)(const double* from, double* to);
  void (*f64_by_one)(const double* from, double* to);
  double (*reference)(double x);
  void (*exact)(mpfr_ptr result, mpfr_srcptr x);
  double lowest, highest;  // where most of the f64 points lie
};

extern const Function kFunctions[];
extern const std::size_t kFunctionCount;

// The bound of docs/numerics.md.
double bound_of(const char* name, bool single);

// The exact value, rounded to 64 digits.
long double exact_value(const Function& function, double x);

}  // namespace wick::testing
