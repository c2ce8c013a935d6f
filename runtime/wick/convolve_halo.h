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

  // One run of each row, to `to` and so on: its elements [begin, end) are of the image, the first
  // of which is column `at`; the others are padding. `count` is a constant where it can be.
  template <class Count>
  static WICK_INLINE void fill_runs(E* to, const E* x, Index begin, Index end, Count count,
                                    Index at, Index top, Index rows,
                                    const WindowBlock& block) noexcept {
    for (Index c = 0; c < block.channels; ++c) {
      for (Index down = 0; down < kDown.runs; ++down) {
        for (Index i = 0; i < rows; ++i) {
          const Index row = top + down * kDown.run_step + i * kDown.step;
          E* const run = to + c * C::kHaloPlane + (down * kDown.length + i) * kAcross.size();
          // There are no pointers to padding.
          if (row < 0 || row >= C::kDown.in || begin >= end) {
            clear_run(run, count);
            continue;
          }
          clear_run(run, begin);
          gather_run<kLanes, kRun>(
              run + begin, x + c * C::kX.strides[1] + row * C::kX.strides[kDownAxis] + at * kStride,
              end - begin);
          clear_run(run + end, count - end);
        }
      }
    }
  }

  // Number `run` of the runs of each row.
  template <class Run>
  static WICK_INLINE void fill_run(Run run, E* halo, const E* x, const ResultBand& band,
                                   const WindowBlock& block) noexcept {
    const Index rows = kDown.length - (C::kResults.down - band.results.down);
    const Index count = kAcross.length - (C::kResults.across - band.results.across);
    const Index top = C::kDown.begin(band.begin.down) + block.place.down * C::kDown.dilation;
    const Index at = C::kAcross.begin(band.begin.across) +
                     block.place.across * C::kAcross.dilation + run * kAcross.run_step;
    const Index begin = at >= 0 ? 0 : smaller(count, quotient_up(-at, kAcross.step));
    const Index inside = at >= C::kAcross.in ? 0 : quotient_up(C::kAcross.in - at, kAcross.step);
    const Index end = most(begin, smaller(count, inside));
    E* const to = halo + run * kAcross.length;
    constexpr bool all = C::kResults.across >= C::kAcross.out;
    if (!all && begin == 0 && end == kAcross.length) {
      constexpr std::integral_constant<Index, kAcross.length> length;
      fill_runs(to, x, 0, length, length, at, top, rows, block);
    } else {
      fill_runs(to, x, begin, end, count, at + begin * kAcross.step, top, rows, block);
    }
  }

  // `x` is the first element of the block's first channel. Few runs are written out, so that what
  // is constant in each is known to be.
  template <Index Run = 0>
  static WICK_INLINE void fill(E* halo, const E* x, const ResultBand& band,
                               const WindowBlock& block) noexcept {
    constexpr Index few = 3;
    if constexpr (kAcross.runs > few) {
      for (Index run = 0; run < kAcross.runs; ++run) fill_run(run, halo, x, band, block);
    } else if constexpr (Run < kAcross.runs) {
      fill_run(std::integral_constant<Index, Run>{}, halo, x, band, block);
      fill<Run + 1>(halo, x, band, block);
    }
  }
};

}  // namespace wick::internal
