#pragma once

// Filling a halo: the elements under the windows of a band, padding as zeros (convolve_shape.h says
// where each of them goes).

#include "wick/convolve_shape.h"

namespace wick::internal {

// `count` elements that lie `Stride` apart, in vectors of N and, if they are fewer, of less; the
// last vector overlaps the one before.
template <int N, Index Stride, class E>
WICK_INLINE void gather_run(E* to, const E* from, Index count) noexcept {
  if (count >= N) {
    Index i = 0;
    for (; i + N <= count; i += N) load_every<N, Stride>(from + i * Stride).store(to + i);
    if (i < count) {
      load_every<N, Stride>(from + (count - N) * Stride).store(to + count - N);
    }
  } else if constexpr (N > 1) {
    gather_run<N / 2, Stride>(to, from, count);
  }
}

template <class E>
WICK_INLINE void clear_run(E* to, Index count) noexcept {
  for (Index i = 0; i < count; ++i) store_one(to + i, E{0});
}

// The block of a window that a halo covers, and the band of results.
struct WindowBlock {
  Index channel = 0;
  Index channels = 0;
  Pair place = {0, 0};
  Pair places;
};
struct ResultBand {
  Pair begin = {0, 0};
  Pair results;
};

template <class C>
struct Halo {
  using E = typename C::Element;
  static constexpr HaloAxis kDown = C::kHaloDown;
  static constexpr HaloAxis kAcross = C::kHaloAcross;
  static constexpr Index kStride = C::kX.strides[kAcrossAxis];
  static constexpr Index kRun = kAcross.step * kStride;
  static constexpr int kLanes = kRun == 1 || kRun == 2 ? native_lanes<E> : 1;

  // One run of a row of which element `at` is the first, in the image or before it.
  static WICK_INLINE void fill_run(E* to, Index count, const E* row, Index at) noexcept {
    const Index begin = at >= 0 ? 0 : least(count, quotient_up(-at, kAcross.step));
    const Index inside = at >= C::kAcross.in ? 0 : quotient_up(C::kAcross.in - at, kAcross.step);
    const Index end = most(begin, least(count, inside));
    clear_run(to, begin);
    gather_run<kLanes, kRun>(to + begin, row + (at + begin * kAcross.step) * kStride, end - begin);
    clear_run(to + end, count - end);
  }

  // `x` is the first element of the block's first channel.
  static WICK_INLINE void fill(E* halo, const E* x, const ResultBand& band,
                               const WindowBlock& block) noexcept {
    const Index rows = kDown.length - (C::kResults.down - band.results.down);
    const Index columns = kAcross.length - (C::kResults.across - band.results.across);
    const Index top = C::kDown.begin(band.begin.down) + block.place.down * C::kDown.dilation;
    const Index left =
        C::kAcross.begin(band.begin.across) + block.place.across * C::kAcross.dilation;
    for (Index c = 0; c < block.channels; ++c) {
      for (Index down = 0; down < kDown.runs; ++down) {
        for (Index i = 0; i < rows; ++i) {
          const Index row = top + down * kDown.run_step + i * kDown.step;
          E* const to = halo + c * C::kHaloPlane + (down * kDown.length + i) * kAcross.size();
          if (row < 0 || row >= C::kDown.in) {
            clear_run(to, kAcross.size());
            continue;
          }
          const E* const from = x + c * C::kX.strides[1] + row * C::kX.strides[kDownAxis];
          for (Index across = 0; across < kAcross.runs; ++across) {
            fill_run(to + across * kAcross.length, columns, from, left + across * kAcross.run_step);
          }
        }
      }
    }
  }
};

}  // namespace wick::internal
