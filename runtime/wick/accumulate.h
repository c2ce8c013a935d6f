#pragma once

// The order in which sums are formed, in one place: reductions, row programs and dot products all
// accumulate here, so that they agree bit for bit.
//
// An accumulation over `count` elements of type E has W accumulators,
//
//   W = min(64 (f32) or 32 (every other type), count rounded up to a power of two)
//
// element i goes to accumulator i mod W in order of i, then the accumulators are added by halves:
// the first half with the second, and so on. The order depends on `count` and E alone. Taking fewer
// accumulators than 64 for short rows changes nothing: those left out would hold the identity.
//
//   one row            accumulators are lanes of one Lanes<E, W>, held in registers
//   a row of pieces    (axes that do not merge) accumulators in memory, pieces begin anywhere
//   a block of columns accumulators are rows of N columns in memory, at most 4 KiB; where that is
//                      too little for W rows, the elements are taken in G groups, group g those
//                      with i mod G = g: halves pair accumulators of one group until one is left of
//                      each
//
// `step(sums, x...)` gives the sums with the terms of operands x added, `join(a, b)` combines sums.

#include <cstdint>

#include "wick/loops.h"

namespace wick::internal {

template <class E>
inline constexpr Index kAccumulators = 32;
template <>
inline constexpr Index kAccumulators<float> = 64;

// W above.
template <class E>
constexpr int accumulators(Index count) noexcept {
  const Index wanted = ceil_power(count);
  return static_cast<int>(wanted < kAccumulators<E> ? wanted : kAccumulators<E>);
}

template <int Count, int N>
struct FirstLanes {
  struct Flags {
    bool at[static_cast<std::size_t>(N)];
  };
  static constexpr Flags make() noexcept {
    Flags flags{};
    for (int i = 0; i < Count; ++i) flags.at[i] = true;
    return flags;
  }
  static constexpr Flags kFlags = make();
};

// A mask of N lanes whose first `Count` are set.
template <int Count, int N>
WICK_INLINE Lanes<bool, N> first_lanes() noexcept {
  return Lanes<bool, N>::load(FirstLanes<Count, N>::kFlags.at);
}

// ---- One row -------------------------------------------------------------------------------

// `sums` with the first `Count` of the N elements from `i` on added, each to the lane of its
// number.
template <int Count, int Step, class E, int N, class S, class... R>
WICK_INLINE Lanes<E, N> accumulate(Lanes<E, N> sums, const S& step, Index i,
                                   const R&... readers) noexcept {
  if constexpr (Count == 0) {
    return sums;
  } else if constexpr (N > Step) {
    constexpr int half = N / 2;
    constexpr int low = Count < half ? Count : half;
    return wick::join(accumulate<low, Step>(lower(sums), step, i, readers...),
                      accumulate<Count - low, Step>(upper(sums), step, i + half, readers...));
  } else if constexpr (Count == N) {
    return step(sums, readers.at(i)...);
  } else {
    return where(first_lanes<Count, N>(), step(sums, readers.template at<Count>(i)...), sums);
  }
}

template <int W, int Step, Index Count, class E, class S, class J, class... R>
WICK_INLINE E accumulate_run(E identity, const S& step, J join, R... readers) noexcept {
  Lanes<E, W> sums = Lanes<E, W>::broadcast(identity);
  Index i = 0;
  for (; i + W <= Count; i += W) sums = accumulate<W, Step>(sums, step, i, readers...);
  sums = accumulate<static_cast<int>(Count % W), Step>(sums, step, i, readers...);
  return reduce_lanes(join, sums);
}

// ---- A row of pieces -----------------------------------------------------------------------

// Adds the N elements from `i` on to sums[0, N).
template <int N, int Axis, class E, class S, class... C>
WICK_INLINE void accumulate_to(E* sums, const S& step, Index i, C... cursors) noexcept {
  const Lanes<E, N> result =
      step(Lanes<E, N>::load(sums), cursors.template reader<N, Axis>().at(i)...);
  result.store(sums);
}

// Adds `Count` elements, the first of which goes to accumulator `next`; gives the one after them.
template <int W, int Step, Index Count, int Axis, class E, class S, class... C>
WICK_INLINE unsigned accumulate_piece(E* sums, unsigned next, const S& step,
                                      C... cursors) noexcept {
  Index i = 0;
  while (i < Count) {
    // The remainder says nothing new to us, but tells the compiler that it stays inside of sums.
    E* const at = sums + next % W;
    if (Step > 1 && next + Step <= W && i + Step <= Count) {
      accumulate_to<Step, Axis>(at, step, i, cursors...);
      i += Step;
      next = (next + Step) % W;
    } else {
      accumulate_to<1, Axis>(at, step, i, cursors...);
      i += 1;
      next = (next + 1) % W;
    }
  }
  return next;
}

template <class L, int W, int Step, class E, class S, class J, class... C>
WICK_INLINE E accumulate_pieces(E identity, const S& step, J join, C... cursors) noexcept {
  E sums[static_cast<std::size_t>(W)];
  Lanes<E, W>::broadcast(identity).store(sums);
  unsigned next = 0;
  for_each<L, 0, L::kLoops.depth - 1>(
      [&](auto... piece) __attribute__((always_inline)) {
        next = accumulate_piece<W, Step, L::kLoops.inner_extent(), L::kLoops.inner_axis()>(
            sums, next, step, piece...);
      },
      cursors...);
  return reduce_lanes(join, Lanes<E, W>::load(sums));
}

// Accumulates over the loops of nest L, row-major.
template <class L, class E, class S, class J, class... C>
WICK_INLINE E accumulate_row(E identity, const S& step, J join, C... cursors) noexcept {
  constexpr Index count = L::kLoops.elements();
  if constexpr (count == 0) {
    return identity;
  } else {
    constexpr int sums = accumulators<E>(count);
    constexpr Index run = L::kLoops.inner_extent();
    constexpr int lanes = kernel_lanes<E, typename C::Element...>(run);
    constexpr int step_lanes = lanes < sums ? lanes : sums;
    if constexpr (L::kLoops.depth <= 1) {
      constexpr int axis = L::kLoops.inner_axis();
      return accumulate_run<sums, step_lanes, count>(
          identity, step, join, cursors.template reader<step_lanes, axis>()...);
    } else {
      return accumulate_pieces<L, sums, step_lanes>(identity, step, join, cursors...);
    }
  }
}

// ---- Blocks of columns ---------------------------------------------------------------------

// Adds up `count` rows of N sums by halves; the result is the first row.
template <int N, class E, class J>
WICK_INLINE void fold_rows(E* sums, int count, J join) noexcept {
  for (int half = count / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      const auto low = Lanes<E, N>::load(sums + i * N);
      const Lanes<E, N> result = join(low, Lanes<E, N>::load(sums + (i + half) * N));
      result.store(sums + i * N);
    }
  }
}

// sums[0, N) with one more row of terms added, of whose columns the first `Valid` exist.
template <int Axis, int N, int Valid, class E, class S, class... C>
WICK_INLINE void accumulate_row_to(E* sums, const S& step, C... row) noexcept {
  const Lanes<E, N> result =
      step(Lanes<E, N>::load(sums), row.template reader<N, Axis>().template at<Valid>(0)...);
  result.store(sums);
}

// How many visited rows ahead memory is asked for.
inline constexpr Index kRowsAhead = 8;

// Asks for N columns of the row at place `i` of `Axis`, if rows are too far apart for the processor
// to see them coming. The address may lie outside of the operand: it is never read.
template <int N, int Axis, class C>
WICK_INLINE void prefetch_columns(const C& columns, Index i) noexcept {
  constexpr Index size = sizeof(*columns.at);
  constexpr Index stride = C::template stride<Axis> * size;
  if constexpr (stride >= 1024 || stride <= -1024) {
    const auto row =
        reinterpret_cast<std::uintptr_t>(columns.at) + static_cast<std::uintptr_t>(i * stride);
    for (Index byte = 0; byte < N * size; byte += 64) {
      __builtin_prefetch(reinterpret_cast<const void*>(row + static_cast<std::uintptr_t>(byte)));
    }
  }
}

// The most columns that a block may have, and the rows that it is then read in groups of: the rows
// of a group have (accumulators / groups) accumulators of their own, and each group one row for its
// sum. Wide blocks visit each page of the operand less often.
template <class E, class L>
struct ColumnBlock {
  static constexpr Index kCount = L::kLoops.elements();
  static constexpr bool kWide = L::kLoops.depth == 1 && kCount > 1 && std::is_floating_point_v<E>;
  static constexpr Index kColumns = (kWide ? 256 : 64) / static_cast<Index>(sizeof(E));

  static constexpr int groups(int sums, int columns) noexcept {
    const Index rows = 4096 / static_cast<Index>(sizeof(E)) / columns;
    int count = 1;
    while (sums / count + (count > 1 ? count : 0) > rows) count *= 2;
    return count;
  }
};

// Accumulates over the loops of nest L for N neighbours along `Axis` at once, of which the first
// `Valid` exist.
template <class L, int Axis, int N, int Valid, class E, class S, class J, class... C>
WICK_INLINE Lanes<E, N> accumulate_columns(E identity, const S& step, J join,
                                           C... cursors) noexcept {
  constexpr Index count = L::kLoops.elements();
  const auto none = Lanes<E, N>::broadcast(identity);
  if constexpr (count == 0) {
    return none;
  } else {
    // The order of exact operations does not matter: one accumulator will do.
    constexpr int W = std::is_floating_point_v<E> ? accumulators<E>(count) : 1;
    constexpr int groups = L::kLoops.depth == 1 ? ColumnBlock<E, L>::groups(W, N) : 1;
    constexpr int own = W / groups;
    E sums[static_cast<std::size_t>((groups > 1 ? groups + own : own) * N)];
    static_assert(sizeof sums <= 4096, "no function keeps more than 4 KiB of arrays");
    if constexpr (L::kLoops.depth == 1) {
      constexpr int along = L::kLoops.inner_axis();
      E* const accumulating = sums + (groups > 1 ? groups * N : 0);
      for (int group = 0; group < groups; ++group) {
        for (int i = 0; i < own; ++i) none.store(accumulating + i * N);
        unsigned next = 0;
        for (Index i = group; i < count; i += groups) {
          (prefetch_columns<N, along>(cursors, i + kRowsAhead * groups), ...);
          accumulate_row_to<Axis, N, Valid>(accumulating + next * N, step,
                                            cursors.template plus<along>(i)...);
          next = (next + 1) % own;
        }
        fold_rows<N>(accumulating, own, join);
        if constexpr (groups > 1) Lanes<E, N>::load(accumulating).store(sums + group * N);
      }
      if constexpr (groups > 1) fold_rows<N>(sums, groups, join);
    } else {
      for (int i = 0; i < W; ++i) none.store(sums + i * N);
      unsigned next = 0;
      for_each<L, 0, L::kLoops.depth>(
          [&](auto... row) __attribute__((always_inline)) {
            accumulate_row_to<Axis, N, Valid>(sums + next * N, step, row...);
            next = (next + 1) % W;
          },
          cursors...);
      fold_rows<N>(sums, W, join);
    }
    return Lanes<E, N>::load(sums);
  }
}

}  // namespace wick::internal
