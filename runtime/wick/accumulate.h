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
//   a block of columns accumulators are rows of columns in memory (accumulate_columns.h)
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

}  // namespace wick::internal
