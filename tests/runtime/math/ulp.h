// Distance between a computed and an exact value in ulps of the element type.

#pragma once

#include <cmath>
#include <limits>

namespace wick::testing {

// The distance of neighbouring values of E at `exact`; denormals have that of the least one.
template <class E>
long double ulp_at(long double exact) {
  int exponent = std::numeric_limits<E>::min_exponent;
  if (exact != 0) {
    int own = 0;
    std::frexp(exact, &own);
    if (own > exponent) exponent = own;
  }
  return std::ldexp(1.0L, exponent - std::numeric_limits<E>::digits);
}

inline constexpr double kWrong = 1e30;  // not a matter of rounding

// NaN must meet NaN, infinity infinity of the same sign, and a zero that is exact its own sign. A
// value beyond the range counts from the first power of two that has none.
template <class E>
double ulps(E value, long double exact) {
  if (std::isnan(exact) || std::isnan(value)) {
    return std::isnan(exact) && std::isnan(value) ? 0 : kWrong;
  }
  if (exact == 0 && value == 0) return std::signbit(exact) == std::signbit(value) ? 0 : kWrong;
  if (std::isinf(exact)) return std::isinf(value) && (value > 0) == (exact > 0) ? 0 : kWrong;
  const long double limit = std::ldexp(1.0L, std::numeric_limits<E>::max_exponent);
  const long double unit = ulp_at<E>(std::fabs(exact) < limit ? exact : limit / 2);
  long double reached = value;
  if (std::isinf(value)) reached = std::copysign(limit, reached);
  const long double wanted = std::fabs(exact) < limit ? exact : std::copysign(limit, exact);
  return static_cast<double>(std::fabs(reached - wanted) / unit);
}

}  // namespace wick::testing
