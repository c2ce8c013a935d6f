// pow, for floating point and for integers.
//
// |a|^b = 2^(b log2 |a|). An error of log2 |a| grows by up to |b log2 |a|| = 1074 in the result, so
// that f64 needs it to 64 digits or more: log m is taken as s (2 + 2/3 z + z^2 T(z)), z = s^2, with
// s = (m - 1) / (m + 1) and all but T in two parts. f32 has digits to spare in plain f64.
//
// Signs and limits follow C: pow(x, 0) and pow(1, y) are 1 even for NaN, a negative base needs a
// whole exponent, an odd one keeps its sign.
//
// A square or a reciprocal written as a power of a number costs one operation.

#pragma once

#include "wick/math_log.h"

namespace wick {

namespace detail {

// z^2 T(z) = log((1 + s) / (1 - s)) / s - 2 - 2/3 z, z = s^2 <= 0.0295, error 2^-65.3.
inline constexpr double kPowLogarithm[] = {
    0x1.9999999999b2fp-2, 0x1.2492492457e9bp-2, 0x1.c71c722d4de0dp-3, 0x1.745ce9eaca547p-3,
    0x1.3b1eead7a7064p-3, 0x1.0f800305cacfap-3, 0x1.0e41d31f8480ep-3};

inline constexpr double kInverseLn2High = 0x1.71547652b82fep+0;
inline constexpr double kInverseLn2Low = 0x1.777d0ffda0d24p-56;
inline constexpr double kNearestLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kNearestLn2Low = 0x1.abc9e3b39803fp-56;

// The product of a two-part number and a constant in two parts.
template <class L>
WICK_INLINE TwoPart<L> times_constant(TwoPart<L> a, ElementOf<L> high, ElementOf<L> low) {
  const auto product = two_product(a.hi, L(high));
  return {product.hi, plus(product.lo, multiply_add(a.hi, L(low), times(a.lo, L(high))))};
}

// log2(x) to 2^-64 of itself, for positive finite x.
template <int N>
WICK_INLINE TwoPart<Lanes<double, N>> log2_fine(Lanes<double, N> x) {
  using L = Lanes<double, N>;
  const auto parts = log_parts(x);
  const auto bottom = fast_two_sum(L(2.0), parts.f);
  const L s = Divide{}(parts.f, bottom.hi);
  const auto back = two_product(s, bottom.hi);
  const L rest = subtract_product(s, bottom.lo, minus(minus(parts.f, back.hi), back.lo));
  const L s_low = Divide{}(rest, bottom.hi);
  const auto square = two_product(s, s);
  const L z = square.hi;
  const L z_low = multiply_add(plus(s, s), s_low, square.lo);
  const auto third =
      times_constant(TwoPart<L>{z, z_low}, 0x1.5555555555555p-1, 0x1.5555555555555p-55);
  const auto inner = fast_two_sum(third.hi, times(times(z, z), horner(z, kPowLogarithm)));
  const auto factor = fast_two_sum(L(2.0), inner.hi);
  // z^2 T of the whole z: its derivative is z (0.8 + 0.86 z + ...), near 0.82 z where it matters.
  const L third_low = multiply_add(times(z, L(0.82)), z_low, third.lo);
  const L factor_low = plus(factor.lo, plus(inner.lo, third_low));
  const auto product = two_product(s, factor.hi);
  const L product_low = plus(product.lo, multiply_add(s, factor_low, times(s_low, factor.hi)));
  const auto log =
      times_constant(TwoPart<L>{product.hi, product_low}, kInverseLn2High, kInverseLn2Low);
  const auto sum = fast_two_sum(parts.k, log.hi);
  return fast_two_sum(sum.hi, plus(sum.lo, log.lo));
}

// 2^(hi + lo), |hi| <= 1100.
template <int N>
WICK_INLINE Lanes<double, N> exp2_fine(Lanes<double, N> hi, Lanes<double, N> lo) {
  using L = Lanes<double, N>;
  const L magic(0x1.8p+52 + 2046.0);
  const L t = plus(hi, magic);
  const auto rest = fast_two_sum(minus(hi, minus(t, magic)), lo);
  const auto v = times_constant(rest, kNearestLn2, kNearestLn2Low);
  const L low = multiply_add(v.lo, v.hi, v.lo);
  const L tail =
      multiply_add(times(v.hi, v.hi), horner(v.hi, ExpConstants<double>::kPolynomial), low);
  const auto sum = fast_two_sum(L(1.0), v.hi);
  return scale(plus(sum.hi, plus(sum.lo, tail)), to_bits(t));
}

// x^y for x >= 0 where nothing is special.
struct PowFine {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x, Lanes<double, N> y) const {
    using L = Lanes<double, N>;
    const auto log = log2_fine(x);
    const auto product = two_product(y, log.hi);
    const L low = multiply_add(y, log.lo, product.lo);
    const L inside = at_least(at_most(product.hi, 1100.0), -1100.0);
    return exp2_fine(inside, pick(equal(inside, product.hi), low, L(0.0)));
  }
};
struct PowCoarse {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x, Lanes<double, N> y) const {
    const auto exponent = times(y, Log2{}(x));
    return exp2_fine(at_least(at_most(exponent, 1100.0), -1100.0), Lanes<double, N>(0.0));
  }
};

// C's special cases around x^y for positive x.
template <class Core>
struct PowWith {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x, Lanes<double, N> y) const {
    using L = Lanes<double, N>;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const L zero(0.0), one(1.0), inf(infinite);
    const L size = magnitude(x), y_size = magnitude(y);
    const auto ordinary = less(zero, size) & less(size, inf) & less(y_size, inf);
    const L core = Core{}(pick(ordinary, size, one), pick(ordinary, y, zero));
    const auto grows = less(one, size), rises = less(zero, y);
    const L extreme = pick((grows & rises) | !(grows | rises), inf, zero);
    L value = pick(ordinary, core, extreme);
    value = pick(equal(size, one), one, value);
    const auto whole = equal(Trunc{}(y), y);
    const L half = times(y, L(0.5));
    const auto odd = whole & not_equal(Trunc{}(half), half);
    const auto signed_result = pick(odd, x, zero);
    value = with_sign(value, sign_bits(signed_result));
    const L nan(std::numeric_limits<double>::quiet_NaN());
    value = pick(less(x, zero) & less(size, inf) & !whole, nan, value);
    value = pick(is_nan(x) | is_nan(y), nan, value);
    return pick(equal(x, one) | equal(y, zero), one, value);
  }
};

struct Pow {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x, Lanes<double, N> y) const {
    return PowWith<PowFine>{}(x, y);
  }
  template <int N>
  WICK_INLINE Lanes<float, N> operator()(Lanes<float, N> x, Lanes<float, N> y) const {
    return through_double(PowWith<PowCoarse>{}, x, y);
  }
  // By squaring, wrapping. A negative exponent is 1 / x^|y| truncated: 1, -1 or 0.
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x, Lanes<E, N> y) const {
    using L = Lanes<E, N>;
    const L zero(E{0}), one(E{1});
    L result = one, power = x, left = y;
    for (int i = 0; i < std::numeric_limits<E>::digits; ++i) {
      const auto set = not_equal(bit_and(left, one), zero);
      result = pick(set, times(result, power), result);
      power = times(power, power);
      left = L(static_cast<decltype(raw(left))>(raw(left) >> 1));
    }
    if constexpr (std::is_signed_v<E>) {
      const L minus_one(static_cast<E>(-1));
      const L sign = pick(not_equal(bit_and(y, one), zero), minus_one, one);
      const L inverse = pick(equal(x, one), one, pick(equal(x, minus_one), sign, zero));
      return pick(less(y, zero), inverse, result);
    } else {
      return result;
    }
  }
};

}  // namespace detail

template <class A, class B>
WICK_INLINE auto pow(A x, B y) -> detail::Joined<A, B> {
  if constexpr (std::is_floating_point_v<B>) {
    // A number written in the kernel; these powers are one operation, rounded once.
    if (y == B{1}) return detail::Joined<A, B>(x);
    if (y == B{2}) return detail::binary(detail::Times{}, x, x);
    if (y == B{-1}) return detail::binary(detail::Divide{}, B{1}, x);
  }
  return detail::binary(detail::Pow{}, x, y);
}

}  // namespace wick
