#pragma once

// Results that are too large for the caches: stores that go past them.
//
// A line that is stored in the usual way is first read from memory. Where a statement's tensors
// together do not fit the last cache, that read is a third of all traffic (x + y) or half of it
// (-x), and it throws out lines that somebody may want again. Non-temporal stores of whole lines
// cost the write alone. They pay from about 32 MiB on, and cost dearly below.
//
// The vector extensions cannot say such a store, so this is one of the few places that ask the
// compiler for an instruction; where there is none, results are stored as always. What was streamed
// becomes visible to other threads in no order until `end_streams`.

#include "wick/lanes.h"
#include "wick/tensor.h"

namespace wick::internal {

// How a statement stores its result.
enum class Stores {
  kInPlace,   // operands may lie in the same memory: each element once, and after its operands
  kApart,     // nothing read lies in the result: an element may be stored twice
  kStreamed,  // the same, past the caches
};

// The bytes of the different elements that a layout reaches.
template <class T>
constexpr std::size_t touched_bytes() noexcept {
  std::size_t bytes = sizeof(typename T::Element);
  for (int axis = 0; axis < T::kLayout.rank; ++axis) {
    const auto extent = static_cast<std::size_t>(T::kLayout.extents[axis]);
    if (extent == 0 || T::kLayout.strides[axis] != 0) bytes *= extent;
  }
  return bytes;
}

inline constexpr std::size_t kStreamedBytes = std::size_t{32} << 20;

// How a statement with result T and operands U that are apart from it stores.
template <class T, class... U>
constexpr Stores stores_apart() noexcept {
  return (touched_bytes<T>() + ... + touched_bytes<U>()) >= kStreamedBytes ? Stores::kStreamed
                                                                           : Stores::kApart;
}

// Bytes of a line, to which streaming loops align their stores.
inline constexpr Index kLine = 64;

// Whether N elements of E can be stored past the caches at once.
template <class E, int N>
inline constexpr bool kCanStream =
#if defined(__SSE2__)
    kHasVectors && N > 1 && N * sizeof(E) >= 16 && N * sizeof(E) <= kNativeBytes &&
    !std::is_same_v<E, bool>;
#else
    false;
#endif

// Stores x past the caches; `to` is aligned to all of x.
template <class E, int N>
WICK_INLINE void stream_lanes(Lanes<E, N> x, E* to) noexcept {
#if !defined(__SSE2__)
  x.store(to);
#else
  constexpr std::size_t bytes = N * sizeof(E);
  using Bits = detail::Vector<float, bytes / 4>;
  const Bits bits = detail::bits_as<Bits>(x.r);
#if defined(__clang__)
  typedef float Memory __attribute__((vector_size(bytes), may_alias));
  __builtin_nontemporal_store(bits, reinterpret_cast<Memory*>(to));
#else
  auto* const at = reinterpret_cast<float*>(to);
  if constexpr (bytes == 16) __builtin_ia32_movntps(at, bits);
#if defined(__AVX__)
  if constexpr (bytes == 32) __builtin_ia32_movntps256(at, bits);
#endif
#if defined(__AVX512F__)
  if constexpr (bytes == 64) __builtin_ia32_movntps512(at, bits);
#endif
#endif
#endif
}

// Whoever sees a store that follows sees what was streamed before.
WICK_INLINE void end_streams() noexcept {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

// How many elements lie before the first whole line from `to` on.
template <class E>
WICK_INLINE Index before_line(const E* to) noexcept {
  const auto past = static_cast<Index>(reinterpret_cast<std::uintptr_t>(to) % kLine);
  return past == 0 ? 0 : (kLine - past) / static_cast<Index>(sizeof(E));
}

}  // namespace wick::internal
