// sqrt, rsqrt and reciprocal. Square roots are rounded correctly by every target's own instruction,
// for which the vector extensions have no word: hence the builtins, for one vector of 4 floats or 2
// doubles at least. (The scalar builtin of g++ would add a call into the C library to set errno.)

#pragma once

#include "wick/math_core.h"

namespace wick {

namespace detail {

template <class E>
inline constexpr int root_lanes = static_cast<int>(16 / sizeof(E));

#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_sqrt)
#define WICK_ELEMENTWISE_SQRT 1
#endif
#endif

// One 16-byte vector of square roots.
template <class V>
WICK_INLINE V root_of_16_bytes(V x) {
  constexpr bool single = std::is_same_v<V, Vector<float, 4>>;
#if defined(WICK_ELEMENTWISE_SQRT)
  static_assert(single || std::is_same_v<V, Vector<double, 2>>);
  return __builtin_elementwise_sqrt(x);
#elif defined(__SSE2__)
  if constexpr (single) {
    return __builtin_ia32_sqrtps(x);
  } else {
    return __builtin_ia32_sqrtpd(x);
  }
#elif defined(__aarch64__) && !defined(__clang__)
  if constexpr (single) {
    return __builtin_aarch64_sqrtv4sf(x);
  } else {
    return __builtin_aarch64_sqrtv2df(x);
  }
#else
  constexpr int count = static_cast<int>(sizeof(V) / sizeof(x[0]));
  for (int i = 0; i < count; ++i) {
    if constexpr (single) {
      x[i] = __builtin_sqrtf(x[i]);
    } else {
      x[i] = __builtin_sqrt(x[i]);
    }
  }
  return x;
#endif
}

// A whole native vector, where that is wider.
template <class V>
WICK_INLINE V root_of_vector(V x) {
#if defined(WICK_ELEMENTWISE_SQRT)
  return __builtin_elementwise_sqrt(x);
#else
#if defined(__AVX__)
  if constexpr (std::is_same_v<V, Vector<float, 8>>) return __builtin_ia32_sqrtps256(x);
  if constexpr (std::is_same_v<V, Vector<double, 4>>) return __builtin_ia32_sqrtpd256(x);
#endif
#if defined(__AVX512F__)
  constexpr int current_rounding = 4;
#if defined(__clang__)
  if constexpr (sizeof(V) == 64 && sizeof(x[0]) == 4) {
    return __builtin_ia32_sqrtps512(x, current_rounding);
  }
  if constexpr (sizeof(V) == 64 && sizeof(x[0]) == 8) {
    return __builtin_ia32_sqrtpd512(x, current_rounding);
  }
#else
  if constexpr (sizeof(V) == 64 && sizeof(x[0]) == 4) {
    return __builtin_ia32_sqrtps512_mask(x, x, kAllSixteen, current_rounding);
  }
  if constexpr (sizeof(V) == 64 && sizeof(x[0]) == 8) {
    return __builtin_ia32_sqrtpd512_mask(x, x, static_cast<char>(-1), current_rounding);
  }
#endif
#endif
  if constexpr (sizeof(V) == 16) return root_of_16_bytes(x);
#endif
}

#undef WICK_ELEMENTWISE_SQRT

struct Sqrt {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    if constexpr (N < root_lanes<E>) {
      // Too few for a vector instruction: the first lanes of one.
      Vector<E, root_lanes<E>> wide{};
      for (int i = 0; i < N; ++i) wide[i] = x.get(i);
      wide = root_of_16_bytes(wide);
      if constexpr (N == 1) {
        return Lanes<E, 1>(E{wide[0]});
      } else {
        return Lanes<E, N>(Vector<E, N>{wide[0], wide[1]});
      }
    } else {
      return Lanes<E, N>(root_of_vector(x.r));
    }
  }
};

struct Reciprocal {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    return Divide{}(L(ElementOf<L>{1}), x);
  }
};

struct Rsqrt {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    return Reciprocal{}(Sqrt{}(x));
  }
};

}  // namespace detail

template <class A>
WICK_INLINE auto sqrt(A x) -> detail::Joined<A> {
  return detail::unary(detail::Sqrt{}, x);
}
// 1 / sqrt(x), from the rounded root: infinite at zeros with their sign, NaN below.
template <class A>
WICK_INLINE auto rsqrt(A x) -> detail::Joined<A> {
  return detail::unary(detail::Rsqrt{}, x);
}
template <class A>
WICK_INLINE auto reciprocal(A x) -> detail::Joined<A> {
  return detail::unary(detail::Reciprocal{}, x);
}

}  // namespace wick
