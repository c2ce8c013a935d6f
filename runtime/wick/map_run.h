#pragma once

// The innermost loop of everything that computes element by element.

#include "wick/loops.h"

namespace wick::internal {

// The innermost loop: `Count` elements, N at a time, results `Stride` apart.
template <bool InPlace, Index Count, int N, Index Stride = 1, class E, class K, class... R>
WICK_INLINE void map_run(const K& k, E* out, R... readers) noexcept {
  Index i = 0;
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

}  // namespace wick::internal
