// What x86 has one instruction for and the vector extensions no word, beside wick::fma: the lesser
// and the greater of two, and a product with a power of two. Elsewhere the same results are made of
// what the extensions do have; the bits are the same. Included by lanes.h.
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

// Whether scale_by below is there for a register.
template <class E, int N>
inline constexpr bool kScales =
#if defined(__AVX512F__)
    std::is_same_v<Lanes<E, N>, Lanes<float, 16>>;
#else
    false;
#endif

// x 2^n for a whole n, rounded once.
template <class E, int N>
WICK_INLINE Lanes<E, N> scale_by(Lanes<E, N> x, [[maybe_unused]] Lanes<E, N> n) {
  static_assert(kScales<E, N>);
#if defined(__AVX512F__)
  return Lanes<E, N>(__builtin_ia32_scalefps512_mask(x.r, n.r, x.r, kAllSixteen, kCurrentRounding));
#else
  return x;
#endif
}

}  // namespace detail

}  // namespace wick
