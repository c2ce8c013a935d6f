#pragma once

// The innermost loop of everything that computes element by element.

#include "wick/loops.h"
#include "wick/stream.h"

namespace wick::internal {

// The kernel of copies.
struct Same {
  template <class X>
  WICK_INLINE X operator()(X x) const noexcept {
    return x;
  }
};
inline constexpr Same kSame{};

// The innermost loop: `Count` elements, N at a time, results `Stride` apart. What a kernel does to
// one vector is a chain of steps that wait for each other; in a long run a second vector fills the
// gaps.
template <bool InPlace, Index Count, int N, Index Stride = 1, class E, class K, class... R>
WICK_INLINE void map_run(const K& k, E* out, R... readers) noexcept {
  Index i = 0;
  if constexpr (N > 1 && Count >= 8 * N) {
    for (; i + 2 * N <= Count; i += 2 * N) {
      const Lanes<E, 2 * N> result = k(wick::join(readers.at(i), readers.at(i + N))...);
      store_lanes<N, Stride>(lower(result), out + i * Stride);
      store_lanes<N, Stride>(upper(result), out + (i + N) * Stride);
    }
  }
  for (; i + N <= Count; i += N) {
    const Lanes<E, N> result = k(readers.at(i)...);
    store_lanes<N, Stride>(result, out + i * Stride);
  }
  if constexpr (Count % N != 0) {
    if constexpr (InPlace) {
      constexpr int left = static_cast<int>(Count % N);
      const Lanes<E, N> result = k(readers.template at<left>(i)...);
      store_lanes<left, Stride>(result, out + i * Stride);
    } else {
      const Lanes<E, N> result = k(readers.at(Count - N)...);
      store_lanes<N, Stride>(result, out + (Count - N) * Stride);
    }
  }
}

// Whether runs of `Count` results, N at a time, are long enough to be streamed.
template <class E, Index Count, int N>
inline constexpr bool kStreamsRun = kCanStream<E, N> && Count * sizeof(E) >= 1024;

// As map_run, apart, whole lines past the caches. What surrounds them is stored as always.
template <Index Count, int N, class E, class K, class... R>
WICK_INLINE void map_run_streamed(const K& k, E* out, R... readers) noexcept {
  const Index head = before_line(out);
  Index i = 0;
  for (; i < head; i += N) {
    const Lanes<E, N> result = k(readers.at(i)...);
    result.store(out + i);
  }
  for (i = head; i + N <= Count; i += N) {
    const Lanes<E, N> result = k(readers.at(i)...);
    stream_lanes(result, out + i);
  }
  if (i < Count) {
    const Lanes<E, N> result = k(readers.at(Count - N)...);
    result.store(out + (Count - N));
  }
}

}  // namespace wick::internal
