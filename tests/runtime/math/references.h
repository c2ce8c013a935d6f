// What the functions are judged by, three times over and never by the runtime itself: arrays of f64
// (for f32), long double (for f64), and MPFR, which has the last word on every figure that is
// reported. All are good to 2^-20 ulp of what they judge but long double, which has 11 digits more
// than f64 and is good to 0.002 ulp.

#pragma once

#include <mpfr.h>

#include <cstddef>

namespace wick::testing {

// Where the points of f64 are drawn, besides those that every function gets.
struct Domain {
  double lowest, highest;  // where most happens
  double step;             // multiples of this are where the argument reduction changes; 0: none
};

struct Reference {
  const char* name;
  void (*quick)(const double* a, const double* b, double* results, std::size_t count);
  long double (*fine)(double a, double b);
  void (*exact)(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b);
  Domain domain;
};

const Reference& reference_of(const char* name);

// The exact value, rounded to 64 digits.
long double exact_value(const Reference& reference, double a, double b);

// The parameter of elu.
inline constexpr double kEluAlpha = 1.375;

}  // namespace wick::testing
