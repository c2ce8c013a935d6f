// What the target offers: the width of its vectors, the types that hold one, and the few macros the
// runtime needs. Everything else in the runtime asks here and never the compiler.
//
// Vectors are the compilers' vector extensions (`vector_size`), never wider than the target's own:
// wider ones are split by hand in lanes.h. `WICK_NO_VECTORS` turns vectors off altogether, which is
// also what happens on a target that has none.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__FAST_MATH__)
#error "wick: -ffast-math breaks the rounding and the NaN rules that generated code relies on"
#endif

#if !defined(__GNUC__)
#error "wick: the runtime needs the vector extensions of g++ or clang++"
#endif

#define WICK_INLINE inline __attribute__((always_inline))
#define WICK_NO_INLINE __attribute__((noinline))

// Fused multiply-add as one instruction, scalar and (where there are vectors) vector.
#if defined(__FMA__) || defined(__aarch64__) || (defined(__riscv_flen) && __riscv_flen >= 64)
#define WICK_FAST_FMA 1
#else
#define WICK_FAST_FMA 0
#endif

// Whether an element of a table that lies in two registers can be had for each lane of a vector,
// and all else that AVX-512 alone can do: see lanes_chosen.h.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && \
    !defined(WICK_NO_VECTORS)
#define WICK_LOOKS_UP 1
#else
#define WICK_LOOKS_UP 0
#endif

namespace wick {

#if defined(WICK_NO_VECTORS)
inline constexpr bool kHasVectors = false;
inline constexpr std::size_t kNativeBytes = 8;
#elif WICK_LOOKS_UP
inline constexpr bool kHasVectors = true;
inline constexpr std::size_t kNativeBytes = 64;
#elif defined(__AVX2__)
inline constexpr bool kHasVectors = true;
inline constexpr std::size_t kNativeBytes = 32;
#elif defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__) || defined(__wasm_simd128__)
inline constexpr bool kHasVectors = true;
inline constexpr std::size_t kNativeBytes = 16;
#else
inline constexpr bool kHasVectors = false;
inline constexpr std::size_t kNativeBytes = 8;
#endif

namespace detail {

#if defined(__AVX512F__) && !defined(__AVX512BW__)
inline constexpr std::size_t kNativeByteVector = kNativeBytes < 32 ? kNativeBytes : 32;
#else
inline constexpr std::size_t kNativeByteVector = kNativeBytes;
#endif

template <std::size_t Bytes>
struct IntegerOf;
template <>
struct IntegerOf<1> {
  using Signed = std::int8_t;
  using Unsigned = std::uint8_t;
};
template <>
struct IntegerOf<4> {
  using Signed = std::int32_t;
  using Unsigned = std::uint32_t;
};
template <>
struct IntegerOf<8> {
  using Signed = std::int64_t;
  using Unsigned = std::uint64_t;
};

// The integers of an element's size.
template <class E>
using Signed = typename IntegerOf<sizeof(E)>::Signed;
template <class E>
using Unsigned = typename IntegerOf<sizeof(E)>::Unsigned;

// How an element is held in a register: a bool is a 32-bit mask, 0 or -1, so that it fits the
// comparisons and selections of f32 and i32 as it stands; all others are held as themselves.
template <class E>
struct Held {
  using Type = E;
};
template <>
struct Held<bool> {
  using Type = std::int32_t;
};
template <class E>
using HeldAs = typename Held<E>::Type;

template <class T, int N>
struct VectorOf {
  typedef T Type __attribute__((vector_size(sizeof(T) * static_cast<std::size_t>(N))));
  // The same in memory: aligned as one element only, and a view of whatever object lies there.
  typedef T Memory __attribute__((vector_size(sizeof(T) * static_cast<std::size_t>(N)), may_alias,
                                  aligned(sizeof(T))));
};
template <class T, int N>
using Vector = typename VectorOf<T, N>::Type;
template <class T, int N>
using VectorInMemory = typename VectorOf<T, N>::Memory;

template <class T>
struct ScalarInMemory {
  typedef T Type __attribute__((may_alias));
};
template <class T>
using InMemory = typename ScalarInMemory<T>::Type;

// A compile-time list of lane numbers First, First + 1, ... for shuffles.
template <int... I>
struct LaneList {};

template <int First, int Count>
struct LaneRange;
template <class A, class B>
struct LaneConcat;
template <int... I, int... J>
struct LaneConcat<LaneList<I...>, LaneList<J...>> {
  using Type = LaneList<I..., J...>;
};
template <int First>
struct LaneRange<First, 1> {
  using Type = LaneList<First>;
};
template <int First, int Count>
struct LaneRange {
  using Type =
      typename LaneConcat<typename LaneRange<First, Count / 2>::Type,
                          typename LaneRange<First + Count / 2, Count - Count / 2>::Type>::Type;
};

// Lanes [0, Count) of the first of two vectors of N, then [Count, N) of the second.
template <int Count, int N>
struct LaneHead {
  using Type = typename LaneConcat<typename LaneRange<0, Count>::Type,
                                   typename LaneRange<N + Count, N - Count>::Type>::Type;
};

template <class V, int... I>
WICK_INLINE auto shuffle(V a, V b, LaneList<I...>) {
  return __builtin_shufflevector(a, b, I...);
}

// The bits of a vector (or of a scalar) as another type of the same size.
template <class To, class From>
WICK_INLINE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  if constexpr (std::is_arithmetic_v<From>) {
    To to{};
    __builtin_memcpy(&to, &from, sizeof(to));
    return to;
  } else {
    return (To)from;
  }
}

}  // namespace detail

// How many elements of E fill one vector of the target, 1 where it has none.
template <class E>
inline constexpr int native_lanes =
    !kHasVectors
        ? 1
        : static_cast<int>((sizeof(E) == 1 && !std::is_same_v<E, bool> ? detail::kNativeByteVector
                                                                       : kNativeBytes) /
                           sizeof(detail::HeldAs<E>));

}  // namespace wick
