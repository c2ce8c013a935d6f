// What the approximations share: polynomials, unevaluated sums of two numbers, and the passage
// through f64 that makes the rarer f32 functions right almost always.
//
// Everything is written in products and sums of one rounding each, in a fixed order, so that every
// compiler and optimisation level gives the same bits. Where the target has a fused multiply-add
// (WICK_FAST_FMA) the polynomials use it, everywhere; bits therefore belong to an instruction set.
//
// The coefficients in the math_*.h files were fitted for wick, on the stated interval, for the
// least error relative to the function: by a Remez exchange in 200-bit arithmetic, those of the
// tables (math_lookup.h) by least squares weighted anew until the largest error was least; then
// rounded to the element type. The error given beside each table is that of the fit.

#pragma once

#include "wick/elementwise_basic.h"

namespace wick {

namespace detail {

template <class L>
WICK_INLINE L plus(L a, L b) {
  return Plus{}(a, b);
}
template <class L>
WICK_INLINE L minus(L a, L b) {
  return Minus{}(a, b);
}
template <class L>
WICK_INLINE L times(L a, L b) {
  return Times{}(a, b);
}

// a * b + c, rounded once where that is one instruction and twice elsewhere.
template <class L>
WICK_INLINE L multiply_add(L a, L b, L c) {
  if constexpr (WICK_FAST_FMA != 0) {
    return FusedMultiplyAdd{}(a, b, c);
  } else {
    return Plus{}(Times{}(a, b), c);
  }
}
// c - a * b.
template <class L>
WICK_INLINE L subtract_product(L a, L b, L c) {
  return multiply_add(Negate{}(a), b, c);
}

// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
template <std::size_t From, class L, std::size_t Count>
WICK_INLINE L horner_from(L x, const ElementOf<L> (&c)[Count]) {
  if constexpr (From + 1 == Count) {
    return L(c[From]);
  } else {
    return multiply_add(horner_from<From + 1>(x, c), x, L(c[From]));
  }
}
template <class L, std::size_t Count>
WICK_INLINE L horner(L x, const ElementOf<L> (&c)[Count]) {
  return horner_from<0>(x, c);
}

// hi + lo, where lo is at most about an ulp of hi.
template <class L>
struct TwoPart {
  L hi, lo;
};

// a + b exactly, for |a| >= |b| (T. Dekker 1971).
template <class L>
WICK_INLINE TwoPart<L> fast_two_sum(L a, L b) {
  const L hi = plus(a, b);
  return {hi, minus(b, minus(hi, a))};
}
// a + b exactly (D. Knuth).
template <class L>
WICK_INLINE TwoPart<L> two_sum(L a, L b) {
  const L hi = plus(a, b);
  const L b_part = minus(hi, a);
  return {hi, plus(minus(a, minus(hi, b_part)), minus(b, b_part))};
}
// x with the lower half of its digits cleared: products of two such halves are exact.
template <class E, int N>
WICK_INLINE Lanes<E, N> upper_half(Lanes<E, N> x) {
  constexpr Signed<E> kept =
      sizeof(E) == 4 ? static_cast<Signed<E>>(-0x1000) : static_cast<Signed<E>>(-0x8000000);
  return from_bits<E>(bit_and(to_bits(x), Lanes<Signed<E>, N>(kept)));
}
// a * b exactly, unless it leaves the range of normal numbers.
template <class L>
WICK_INLINE TwoPart<L> two_product(L a, L b) {
  const L hi = times(a, b);
  if constexpr (WICK_FAST_FMA != 0) {
    return {hi, FusedMultiplyAdd{}(a, b, Negate{}(hi))};
  } else {
    const L a_top = upper_half(a), a_rest = minus(a, a_top);
    const L b_top = upper_half(b), b_rest = minus(b, b_top);
    const L crossed = plus(minus(times(a_top, b_top), hi), times(a_top, b_rest));
    return {hi, plus(plus(crossed, times(a_rest, b_top)), times(a_rest, b_rest))};
  }
}

// c - a * b exactly, where that can be represented: what a rounded product or quotient lost.
template <class L>
WICK_INLINE L residual(L c, L a, L b) {
  if constexpr (WICK_FAST_FMA != 0) {
    return FusedMultiplyAdd{}(Negate{}(a), b, c);
  } else {
    const auto product = two_product(a, b);
    return minus(minus(c, product.hi), product.lo);
  }
}

// f of f32 lanes, computed in f64 and rounded.
template <class F, int N, class... More>
WICK_INLINE Lanes<float, N> through_double(F f, Lanes<float, N> x, More... more) {
  const auto wide = apply(f, convert<double>(x), convert<double>(more)...);
  return apply([](auto part) { return convert<float>(part); }, wide);
}

// True if the mask is set in any lane.
template <std::size_t Bytes, int N>
WICK_INLINE bool any_lane(Mask<Bytes, N> mask) {
  if constexpr (N == 1) {
    return mask.r;
  } else {
    using I = typename IntegerOf<Bytes>::Signed;
    return reduce_lanes([](auto a, auto b) { return bit_or(a, b); }, Lanes<I, N>(mask.r)) != 0;
  }
}

}  // namespace detail

}  // namespace wick
