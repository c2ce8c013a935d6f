// What x86 has one instruction for and the vector extensions no word, beside wick::fma. Included by
// lanes.h.
//
// The lesser and the greater of two are there on every target, made of what the extensions do have
// where need be, with the same bits. What follows below WICK_LOOKS_UP is there with AVX-512 alone,
// for sixteen lanes of f32, and so are the functions that are made of it (math_lookup.h).
//
// g++ turns `a < b ? a : b` of whole registers into a comparison and a blend; clang finds the one
// instruction itself.

#pragma once

#include "wick/lanes.h"
#include "wick/lanes_fma.h"
#include "wick/lanes_operators.h"

namespace wick {

namespace detail {

// a < b ? a : b, so that b is the result if either is NaN or both are zeros.
template <class E, int N>
WICK_INLINE Lanes<E, N> least_of(Lanes<E, N> a, Lanes<E, N> b) {
#if !defined(__clang__)
#if defined(__SSE2__)
  if constexpr (std::is_same_v<Lanes<E, N>, Lanes<float, 4>>) {
    return Lanes<E, N>(__builtin_ia32_minps(a.r, b.r));
  }
#endif
#if defined(__AVX__)
  if constexpr (std::is_same_v<Lanes<E, N>, Lanes<float, 8>>) {
    return Lanes<E, N>(__builtin_ia32_minps256(a.r, b.r));
  }
#endif
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<Lanes<E, N>, Lanes<float, 16>>) {
    return Lanes<E, N>(__builtin_ia32_minps512_mask(a.r, b.r, a.r, kAllSixteen, kCurrentRounding));
  }
#endif
#endif
  return pick(less(a, b), a, b);
}

// a > b ? a : b, so that b is the result if either is NaN or both are zeros.
template <class E, int N>
WICK_INLINE Lanes<E, N> greatest_of(Lanes<E, N> a, Lanes<E, N> b) {
#if !defined(__clang__)
#if defined(__SSE2__)
  if constexpr (std::is_same_v<Lanes<E, N>, Lanes<float, 4>>) {
    return Lanes<E, N>(__builtin_ia32_maxps(a.r, b.r));
  }
#endif
#if defined(__AVX__)
  if constexpr (std::is_same_v<Lanes<E, N>, Lanes<float, 8>>) {
    return Lanes<E, N>(__builtin_ia32_maxps256(a.r, b.r));
  }
#endif
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<Lanes<E, N>, Lanes<float, 16>>) {
    return Lanes<E, N>(__builtin_ia32_maxps512_mask(a.r, b.r, a.r, kAllSixteen, kCurrentRounding));
  }
#endif
#endif
  return pick(less(b, a), a, b);
}

#if WICK_LOOKS_UP

// x 2^floor(n), rounded once, whatever n is; NaN if either is.
WICK_INLINE Lanes<float, 16> scale_by(Lanes<float, 16> x, Lanes<float, 16> n) {
  return Lanes<float, 16>(
      __builtin_ia32_scalefps512_mask(x.r, n.r, x.r, kAllSixteen, kCurrentRounding));
}

// a b + c rounded up.
WICK_INLINE Lanes<float, 16> multiply_add_up(Lanes<float, 16> a, Lanes<float, 16> b,
                                             Lanes<float, 16> c) {
  constexpr int up_without_exceptions = 10;
  return Lanes<float, 16>(
      __builtin_ia32_vfmaddps512_mask(a.r, b.r, c.r, kAllSixteen, up_without_exceptions));
}

// x, or `limit` with the sign of x where |x| is larger; a positive `limit` where x is NaN.
WICK_INLINE Lanes<float, 16> cap_magnitude(Lanes<float, 16> x, Lanes<float, 16> limit) {
  constexpr int smaller_magnitude_with_first_sign = 2;
  return Lanes<float, 16>(__builtin_ia32_rangeps512_mask(
      x.r, limit.r, smaller_magnitude_with_first_sign, x.r, kAllSixteen, kCurrentRounding));
}

// table[i mod 16] for each lane.
WICK_INLINE Lanes<float, 16> look_up(const float (&table)[16], Lanes<std::int32_t, 16> i) {
  const auto all = Lanes<float, 16>::load(table);
#if defined(__clang__)
  return Lanes<float, 16>(__builtin_ia32_permvarsf512(all.r, i.r));
#else
  return Lanes<float, 16>(__builtin_shuffle(all.r, i.r));
#endif
}

// table[i mod 32] for each lane.
WICK_INLINE Lanes<float, 16> look_up(const float (&table)[32], Lanes<std::int32_t, 16> i) {
  const auto low = Lanes<float, 16>::load(table), high = Lanes<float, 16>::load(table + 16);
#if defined(__clang__)
  return Lanes<float, 16>(__builtin_ia32_vpermi2varps512(low.r, i.r, high.r));
#else
  return Lanes<float, 16>(__builtin_shuffle(low.r, high.r, i.r));
#endif
}

#endif

}  // namespace detail

}  // namespace wick
