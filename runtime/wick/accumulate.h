#pragma once

// The order in which sums are formed, in one place: reductions, row programs and dot products all
// accumulate here, so that they agree bit for bit.
//
// An accumulation over `count` elements of type E has W accumulators,
//
//   W = min(64, or 32 of 8-byte elements; count rounded up to a power of two)
//
// element i goes to accumulator i mod W in order of i, then the accumulators are added by halves:
// the first half with the second, and so on. The order depends on `count` and E alone. Taking fewer
// accumulators than 64 for short rows changes nothing: those left out would hold the identity.
//
//   one row            accumulators are lanes of one Lanes<E, W>, held in registers
//   a row of pieces    (axes that do not merge) accumulators in memory, pieces begin anywhere
//   a block of columns accumulators are rows of N columns in memory. One after the other is formed,
//                      first 0 and W / 2, which are added, then W / 4 and 3 W / 4, which are added
//                      and then added to the first two, and so on: then log W of them wait at most
//
// `step(sums, x...)` gives the sums with the terms of operands x added, `join(a, b)` combines sums.

#include <cstdint>

#include "wick/loops.h"

namespace wick::internal {

template <class E>
inline constexpr Index kAccumulators = sizeof(E) == 8 ? 32 : 64;

// W above.
template <class E>
constexpr int accumulators(Index count) noexcept {
  const Index wanted = ceil_power(count);
  return static_cast<int>(wanted < kAccumulators<E> ? wanted : kAccumulators<E>);
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
    return first_of<Count>(step(sums, readers.template last<Count>(i)...), sums);
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

// How many elements `step` of a row in memory takes at a time.
template <class L, class E, class... C>
constexpr int row_lanes() noexcept {
  constexpr int sums = accumulators<E>(L::kLoops.elements());
  constexpr int lanes = kernel_lanes<E, typename C::Element...>(L::kLoops.inner_extent());
  return lanes < sums ? lanes : sums;
}

// Accumulates over the loops of nest L, row-major.
template <class L, class E, class S, class J, class... C>
WICK_INLINE E accumulate_row(E identity, const S& step, J join, C... cursors) noexcept {
  constexpr Index count = L::kLoops.elements();
  if constexpr (count == 0) {
    return identity;
  } else {
    constexpr int sums = accumulators<E>(count);
    constexpr int step_lanes = row_lanes<L, E, C...>();
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

// Calls f(lanes, c) for runs of `lanes` columns from c on that make up [c, Columns): as many as
// possible of N, then fewer.
template <int Columns, int N, class F>
WICK_INLINE void each_run(Index c, const F& f) {
  for (; c + N <= Columns; c += N) f(std::integral_constant<int, N>{}, c);
  if constexpr (Columns % N != 0) each_run<Columns, N / 2>(c, f);
}

// low[c] = join(low[c], high[c]) for c in [0, N).
template <int N, int Step, class E, class J>
WICK_INLINE void join_row(E* low, const E* high, J join) noexcept {
  each_run<N, Step>(0, [&](auto lanes, Index c) __attribute__((always_inline)) {
    using L = Lanes<E, decltype(lanes)::value>;
    const L result = join(L::load(low + c), L::load(high + c));
    result.store(low + c);
  });
}

template <int N, int Step, class E>
WICK_INLINE void fill_row(E* sums, E value) noexcept {
  each_run<N, Step>(0, [&](auto lanes, Index c) __attribute__((always_inline)) {
    Lanes<E, decltype(lanes)::value>::broadcast(value).store(sums + c);
  });
}

// sums[0, N) with one more row of terms added.
template <int Axis, int N, int Step, class E, class S, class... C>
WICK_INLINE void accumulate_row_to(E* sums, const S& step, C... row) noexcept {
  each_run<N, Step>(0, [&](auto lanes, Index c) __attribute__((always_inline)) {
    using L = Lanes<E, decltype(lanes)::value>;
    const L result = step(L::load(sums + c), row.template reader<L::kCount, Axis>().at(c)...);
    result.store(sums + c);
  });
}

// How many visited rows ahead memory is asked for.
inline constexpr Index kRowsAhead = 4;

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

// How columns are cut into blocks. Wide ones visit each page of the operand less often; what is
// kept for each column takes 7 KiB at most, see accumulate_columns.
template <class E, class L, class... C>
struct ColumnBlocks {
  static constexpr Index kCount = L::kLoops.elements();
  // The order of exact operations does not matter: one accumulator will do.
  static constexpr bool kExact = !std::is_floating_point_v<E>;
  static constexpr Index kBytes = kExact ? 512 : L::kLoops.depth <= 1 ? 1024 : 64;
  static constexpr Index kWidest = kBytes / Index{sizeof(E)};

  static constexpr int step(Index columns) noexcept {
    return kernel_lanes<E, typename C::Element...>(columns);
  }
  // Blocks of equal width, in whole vectors: the last may then overlap little of the one before.
  static constexpr int width(Index columns) noexcept {
    if (!kHasVectors) return 1;
    if (columns <= kWidest) return static_cast<int>(columns);
    const Index blocks = (columns + kWidest - 1) / kWidest;
    const Index lanes = step(columns);
    return static_cast<int>(((columns + blocks - 1) / blocks + lanes - 1) / lanes * lanes);
  }
};

// The place of the accumulator that is taken as number `i` of `count`, a power of two: the bits of
// `i` in reverse. In this order the two halves of each half follow each other, and so on down.
constexpr Index halving_order(unsigned i, unsigned count) noexcept {
  Index place = 0;
  for (unsigned bit = 1; bit < count; bit *= 2) place = 2 * place + ((i & bit) != 0 ? 1 : 0);
  return place;
}

// One accumulator after the other over the only loop of L, in halving order: as soon as there are
// two that are to be added they are, so that one for each halving waits at most.
template <class L, int Axis, int N, int Step, class E, class S, class J, class... C>
WICK_INLINE void accumulate_halves(E* sums, E identity, const S& step, J join,
                                   C... cursors) noexcept {
  constexpr Index count = L::kLoops.elements();
  constexpr int along = L::kLoops.inner_axis();
  constexpr unsigned W = accumulators<E>(count);
  constexpr std::size_t halvings = W == 64 ? 6 : W == 32 ? 5 : W >= 8 ? 4 : 2;
  E waiting[halvings * N];
  static_assert(sizeof waiting + N * sizeof(E) <= 7168, "a small stack must do");
  for (unsigned i = 0; i < W; ++i) {
    fill_row<N, Step>(sums, identity);
    for (Index row = halving_order(i, W); row < count; row += Index{W}) {
      (prefetch_columns<N, along>(cursors, row + kRowsAhead * Index{W}), ...);
      accumulate_row_to<Axis, N, Step>(sums, step, cursors.template plus<along>(row)...);
    }
    E* last = waiting;
    for (unsigned rest = i; rest % 2 == 1; rest /= 2) {
      join_row<N, Step>(last, sums, join);
      std::memcpy(sums, last, N * sizeof(E));
      last += N;
    }
    if (i + 1 < W) std::memcpy(last, sums, N * sizeof(E));
  }
}

// Accumulates over the loops of nest L for N neighbours along `Axis` at once, into `sums`.
template <class L, int Axis, int N, class E, class S, class J, class... C>
WICK_INLINE void accumulate_columns(E* sums, E identity, const S& step, J join,
                                    C... cursors) noexcept {
  using Blocks = ColumnBlocks<E, L, C...>;
  constexpr Index count = L::kLoops.elements();
  constexpr int lanes = Blocks::step(N);
  if constexpr (count > 1 && L::kLoops.depth == 1 && !Blocks::kExact) {
    accumulate_halves<L, Axis, N, lanes>(sums, identity, step, join, cursors...);
  } else if constexpr (count > 0) {
    constexpr int W = Blocks::kExact ? 1 : accumulators<E>(count);
    E others[static_cast<std::size_t>(W * N)];
    static_assert(sizeof others <= 4096, "a small stack must do");
    for (int i = 0; i < W; ++i) fill_row<N, lanes>(others + i * N, identity);
    unsigned next = 0;
    for_each<L, 0, L::kLoops.depth>(
        [&](auto... row) __attribute__((always_inline)) {
          accumulate_row_to<Axis, N, lanes>(others + next * N, step, row...);
          next = (next + 1) % W;
        },
        cursors...);
    for (int half = W / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; ++i) {
        join_row<N, lanes>(others + i * N, others + (i + half) * N, join);
      }
    }
    std::memcpy(sums, others, N * sizeof(E));
  } else {
    fill_row<N, lanes>(sums, identity);
  }
}

}  // namespace wick::internal
