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
//   a row of pieces    (axes that do not merge) the same, terms collected in memory where
//                      pieces begin at any accumulator
//   a block of columns accumulators are rows of columns in memory (accumulate_columns.h)
//
// `step(sums, x...)` gives the sums with the terms of operands x added, `step.term(x...)` the terms
// alone (for pieces), `join(a, b)` combines sums.

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

// `sums` with all `Count` elements added but for the last Count % W.
template <int W, int Step, Index Count, class E, class S, class J, class... R>
WICK_INLINE Lanes<E, W> accumulate_whole(Lanes<E, W> sums, [[maybe_unused]] E identity,
                                         const S& step, [[maybe_unused]] J join,
                                         R... readers) noexcept {
  Index i = 0;
  // One register of exact sums, whose order does not matter, waits for itself: four do not.
  if constexpr (!std::is_floating_point_v<E> && W * sizeof(E) <= kNativeBytes && Count >= 8 * W) {
    Lanes<E, W> second(identity), third(identity), fourth(identity);
    for (; i + 4 * W <= Count; i += 4 * W) {
      sums = accumulate<W, Step>(sums, step, i, readers...);
      second = accumulate<W, Step>(second, step, i + W, readers...);
      third = accumulate<W, Step>(third, step, i + 2 * W, readers...);
      fourth = accumulate<W, Step>(fourth, step, i + 3 * W, readers...);
    }
    sums = join(join(sums, second), join(third, fourth));
  }
  for (; i + W <= Count; i += W) sums = accumulate<W, Step>(sums, step, i, readers...);
  return sums;
}

template <int W, int Step, Index Count, class E, class S, class J, class... R>
WICK_INLINE E accumulate_run(E identity, const S& step, J join, R... readers) noexcept {
  Lanes<E, W> sums = accumulate_whole<W, Step, Count>(Lanes<E, W>::broadcast(identity), identity,
                                                      step, join, readers...);
  sums = accumulate<static_cast<int>(Count % W), Step>(sums, step, Count - Count % W, readers...);
  return reduce_lanes(join, sums);
}

// ---- A row of pieces -----------------------------------------------------------------------

// Terms of pieces that begin at any accumulator, on their way to W of them: they are collected in
// memory until there are some for each.
template <int W, int Step, int Axis, class E, class S, class J>
class CollectedTerms {
 public:
  // Of a longer piece, so many at a time.
  static constexpr Index kMost = 2 * Index{W};

  WICK_INLINE CollectedTerms(E identity, const S& step, J join) noexcept
      : step_(step), join_(join), sums_(identity) {
    for (int i = 0; i < 5; ++i) Lanes<E, W>(identity).store(terms_ + i * W);
  }

  // Elements [i, i + Count) of a piece.
  template <Index Count, class... C>
  WICK_INLINE void add(Index i, C... piece) noexcept {
    if (held_ + Count > 4 * W) flush();
    E* const to = terms_ + held_;
    for (Index j = 0; j + Step <= Count; j += Step) put<Step>(to + j, i + j, piece...);
    if constexpr (Count % Step != 0 && Count >= Step) {
      put<Step>(to + (Count - Step), i + (Count - Step), piece...);
    } else if constexpr (Count % Step != 0) {
      for (Index j = 0; j < Count; ++j) put<1>(to + j, i + j, piece...);
    }
    held_ += Count;
  }

  // All of them, of which `Left` do not make up one for each accumulator.
  template <int Left>
  WICK_INLINE E sum() noexcept {
    flush();
    const Lanes<E, W> last = join_(sums_, Lanes<E, W>::load(terms_));
    return reduce_lanes(join_, first_of<Left>(last, sums_));
  }

 private:
  template <int N, class... C>
  WICK_INLINE void put(E* to, Index i, C... piece) noexcept {
    const Lanes<E, N> terms = step_.term(piece.template reader<N, Axis>().at(i)...);
    terms.store(to);
  }

  // Adds what there is for each accumulator; the others become the first.
  WICK_INLINE void flush() noexcept {
    Index i = 0;
    for (; i + W <= held_; i += W) sums_ = join_(sums_, Lanes<E, W>::load(terms_ + i));
    Lanes<E, W>::load(terms_ + i).store(terms_);
    held_ -= i;
  }

  const S& step_;
  J join_;
  Lanes<E, W> sums_;
  Index held_ = 0;
  E terms_[std::size_t{5 * W}];
};

template <class L, int W, int Step, class E, class S, class J, class... C>
WICK_INLINE E accumulate_pieces(E identity, const S& step, J join, C... cursors) noexcept {
  constexpr Index count = L::kLoops.inner_extent();
  constexpr int axis = L::kLoops.inner_axis();
  if constexpr (count % W == 0) {
    auto sums = Lanes<E, W>::broadcast(identity);
    for_each<L, 0, L::kLoops.depth - 1>(
        [&](auto... piece) __attribute__((always_inline)) {
          sums = accumulate_whole<W, Step, count>(sums, identity, step, join,
                                                  piece.template reader<Step, axis>()...);
        },
        cursors...);
    return reduce_lanes(join, sums);
  } else {
    CollectedTerms<W, Step, axis, E, S, J> terms(identity, step, join);
    constexpr Index most = terms.kMost;
    for_each<L, 0, L::kLoops.depth - 1>(
        [&](auto... piece) __attribute__((always_inline)) {
          Index i = 0;
          for (; i + most <= count; i += most) terms.template add<most>(i, piece...);
          if constexpr (count % most != 0) terms.template add<count % most>(i, piece...);
        },
        cursors...);
    return terms.template sum<static_cast<int>(L::kLoops.elements() % W)>();
  }
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
