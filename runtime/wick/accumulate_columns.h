#pragma once

// Sums of columns: accumulations of neighbouring results at once, each in the order of
// accumulate.h.
//
// Here an accumulator is a row of N columns in memory. One after the other is formed, first 0 and
// W / 2, which are added, then W / 4 and 3 W / 4, which are added and then added to the first two,
// and so on: then log W of them wait at most. An accumulator takes every W-th row of the operand,
// four of them at a time, so that it is loaded and stored once for four rows. What waits has 12 KiB
// of stack; where all log W + 1 rows do not fit, the last accumulator is formed in registers. Where
// there are 16 rows or fewer, all happens in registers.
//
// Where nothing lies between two rows, G neighbouring rows may be seen as one of G N columns: the
// same order with W / G accumulators, G of the former ones in each, of which the halves are added
// in the end. Narrow rows are thus read from one end of the operand to the other.
//
//   rows of 3 columns, W = 4      G = 1: accumulator 0 is  0  1  2 | 12 13 14 | 24 25 26 ...
//    0  1  2   3  4  5            G = 2:                   0  1  2  3  4  5 | 12 13 14 15 16 17 ...
//    6  7  8   9 10 11            G = 4:                   0  1  2 ...  9 10 11 | 12 13 14 ...
//   12 13 14  ...

#include "wick/accumulate.h"

namespace wick::internal {

// ---- Runs of columns -----------------------------------------------------------------------

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

// The halves of G rows of N columns joined until one is left. Goes on beyond the end of what it
// reads and writes by less than `Step` columns, into what is not needed any more.
template <int G, int N, int Step, class E, class J>
WICK_INLINE void join_halves(E* rows, J join) noexcept {
  using L = Lanes<E, Step>;
  for (Index half = Index{G} * N / 2; half >= N; half /= 2) {
    for (Index c = 0; c < half; c += Step) {
      const L result = join(L::load(rows + c), L::load(rows + half + c));
      result.store(rows + c);
    }
  }
}

// ---- How columns are taken -----------------------------------------------------------------

// Bytes of accumulators in memory, at most.
inline constexpr Index kWaitingBytes = 12288;

constexpr int log_of(Index power) noexcept {
  int log = 0;
  for (; power > 1; power /= 2) ++log;
  return log;
}

// How many rows of `bytes` are taken as one, at most all of `sums` accumulators.
constexpr int rows_as_one(int sums, Index bytes) noexcept {
  int rows = sums;
  while (rows > 1 && (log_of(sums / rows) + 1) * rows * bytes > kWaitingBytes) rows /= 2;
  return rows;
}

// How columns are cut into blocks: wide ones visit each page of the operand less often.
template <class E, class L, class... C>
struct ColumnBlocks {
  static constexpr Index kCount = L::kLoops.elements();
  // The order of exact operations does not matter: one accumulator will do.
  static constexpr bool kExact = !std::is_floating_point_v<E>;
  static constexpr Index kBytes = kExact || L::kLoops.depth <= 1 ? 2048 : 128;
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

// How N columns along `Axis` are accumulated over the only loop of L.
template <class L, int Axis, int N, class E, class... C>
struct ColumnPlan {
  static constexpr int kAlong = L::kLoops.inner_axis();
  static constexpr Index kCount = L::kLoops.elements();
  static constexpr bool kExact = ColumnBlocks<E, L, C...>::kExact;
  static constexpr bool kPacked =
      ((C::template stride<kAlong> == N * C::template stride<Axis>) && ...);
  static constexpr Index kRowBytes = N * Index{sizeof(E)};

  // G, above; the number of wide rows, and of rows that do not make up one.
  static constexpr int kRows =
      !kPacked ? 1
      : kExact ? static_cast<int>(
                     smaller(floor_power((2048 + kRowBytes - 1) / kRowBytes), ceil_power(kCount)))
               : rows_as_one(accumulators<E>(kCount), kRowBytes);
  static constexpr int kWidth = kRows * N;
  static constexpr Index kWide = kCount / kRows;
  static constexpr int kLeft = static_cast<int>(kCount % kRows);
  // Accumulators of wide rows, of which each takes so many rows at least, so many at once.
  static constexpr int kSums = kExact ? 1 : accumulators<E>(kCount) / kRows;
  static constexpr Index kEach = kWide / kSums;
  static constexpr int kAtOnce = kEach >= 4 ? 4 : kEach >= 2 ? 2 : 1;
  // Rows of accumulators in memory, and elements.
  static constexpr bool kLastInRegisters =
      kRows == 1 && (log_of(kSums) + 1) * kRowBytes > kWaitingBytes;
  static constexpr int kWaiting = log_of(kSums) + (kLastInRegisters ? 0 : 1);
  static constexpr int kElements = kWaiting * kWidth;
  static_assert(kElements * Index{sizeof(E)} <= kWaitingBytes, "a small stack must do");
};

// The place of the accumulator that is taken as number `i` of `count`, a power of two: the bits of
// `i` in reverse. In this order the two halves of each half follow each other, and so on down.
constexpr Index halving_order(unsigned i, unsigned count) noexcept {
  Index place = 0;
  for (unsigned bit = 1; bit < count; bit *= 2) place = 2 * place + ((i & bit) != 0 ? 1 : 0);
  return place;
}

// Calls f(memory) with memory for `Count` elements. It is not in the caller's frame if it is large:
// a function with many reductions would keep that of one while it calls another.
template <class E, int Count, class F>
WICK_NO_INLINE void with_memory_apart(const F& f) noexcept {
  E memory[static_cast<std::size_t>(Count)];
  f(memory);
}
template <class E, int Count, class F>
WICK_INLINE void with_memory(const F& f) noexcept {
  if constexpr (Count * sizeof(E) > 1024) {
    with_memory_apart<E, Count>(f);
  } else {
    E memory[static_cast<std::size_t>(Count)];
    f(memory);
  }
}

// ---- Adding rows ---------------------------------------------------------------------------

// Asks for column `c` of `Rows` rows, the first of which is number `row` of the operand and the
// others `Apart` rows after each other, if they lie so far apart that the processor does not see
// them coming. Rows may lie beyond the operand's end: they are never read.
template <int Rows, int Axis, int Along, Index Apart, class C>
WICK_INLINE void prefetch_columns(C operand, Index row, Index c) noexcept {
  constexpr Index size{sizeof(*operand.at)};
  constexpr Index stride = C::template stride<Along>;
  constexpr Index apart = stride * Apart * size;
  constexpr bool pays = (apart >= 1024 || apart <= -1024) && C::template stride<Axis> == 1;
  if constexpr (Rows > 0 && pays) {
    const auto place = reinterpret_cast<std::uintptr_t>(operand.at) +
                       static_cast<std::uintptr_t>((row * stride + c) * size);
    __builtin_prefetch(reinterpret_cast<const void*>(place));
    prefetch_columns<Rows - 1, Axis, Along, Apart>(operand, row + Apart, c);
  }
}

// Adds columns from `c` on of `Rows` rows, `Apart` rows after each other.
template <int Rows, int Axis, int Along, Index Apart, class E, int N, class S, class... C>
WICK_INLINE Lanes<E, N> add_columns(Lanes<E, N> sums, const S& step, Index c, C... row) noexcept {
  const Lanes<E, N> result = step(sums, row.template reader<N, Axis>().at(c)...);
  if constexpr (Rows == 1) {
    return result;
  } else {
    return add_columns<Rows - 1, Axis, Along, Apart>(result, step, c,
                                                     row.template plus<Along>(Apart)...);
  }
}

// One accumulator of plan P, on its way through its rows.
template <class P, int Axis, int Step, class E, class S>
struct ColumnSums {
  E* sums;
  E identity;
  const S& step;

  // Adds `Rows` rows from `row` on, each of the first Width columns, and asks for those that come
  // after them, which begin at `next`.
  template <bool First, int Rows, int Width, class... C>
  WICK_INLINE void add(Index row, Index next, C... operands) const noexcept {
    constexpr Index apart = Index{P::kSums} * P::kRows;
    constexpr int ahead = P::kSums == 1 ? 0 : Rows;
    each_run<Width, Step>(0, [&](auto lanes, Index c) __attribute__((always_inline)) {
      using L = Lanes<E, decltype(lanes)::value>;
      (prefetch_columns<ahead, Axis, P::kAlong, apart>(operands, next, c), ...);
      const L before = First ? L::broadcast(identity) : L::load(sums + c);
      const L result = add_columns<Rows, Axis, P::kAlong, apart>(
          before, step, c, operands.template plus<P::kAlong>(row)...);
      result.store(sums + c);
    });
  }

  // Adds the rows from wide row `first` on; those of the next accumulator begin at `next`.
  template <class... C>
  WICK_INLINE void add_all(Index first, Index next, C... operands) const noexcept {
    constexpr int at_once = P::kAtOnce;
    Index row = first;
    const auto add_rows = [&](auto is_first, auto count) __attribute__((always_inline)) {
      const Index after = row + count * P::kSums;
      const Index ahead = after < P::kWide ? after : next;
      add<decltype(is_first)::value, decltype(count)::value, P::kWidth>(
          row * P::kRows, ahead * P::kRows, operands...);
      row = after;
    };
    using One = std::integral_constant<int, 1>;
    using AtOnce = std::integral_constant<int, at_once>;
    if constexpr (P::kEach == 0) {
      fill_row<P::kWidth, Step>(sums, identity);
    } else {
      add_rows(std::true_type{}, AtOnce{});
    }
    if constexpr (P::kEach >= 2 * at_once && at_once > 1) {
      while (row + (at_once - 1) * P::kSums < P::kWide) add_rows(std::false_type{}, AtOnce{});
    }
    if constexpr (P::kEach % at_once != 0 || P::kWide % P::kSums != 0) {
      while (row < P::kWide) add_rows(std::false_type{}, One{});
    }
    if constexpr (P::kLeft != 0) {
      if (first == P::kWide % P::kSums) {
        add<false, 1, P::kLeft* static_cast<int>(P::kWidth / P::kRows)>(P::kWide * P::kRows, 0,
                                                                        operands...);
      }
    }
  }
};

// Forms the last accumulator in registers and adds it to all that wait, the latest first.
template <class P, int Axis, int Step, class E, class S, class J, class... C>
WICK_INLINE void add_last(E* waiting, E identity, const S& step, J join, C... cursors) noexcept {
  each_run<P::kWidth, 4 * Step>(0, [&](auto lanes, Index c) __attribute__((always_inline)) {
    using L = Lanes<E, decltype(lanes)::value>;
    L sums = L::broadcast(identity);
    for (Index row = P::kSums - 1; row < P::kCount; row += P::kSums) {
      sums = add_columns<1, Axis, P::kAlong, 0>(sums, step, c,
                                                cursors.template plus<P::kAlong>(row)...);
    }
    for (int i = P::kWaiting - 1; i >= 0; --i) {
      sums = join(L::load(waiting + i * P::kWidth + c), sums);
    }
    sums.store(waiting + c);
  });
}

// Over the only loop of L: as soon as there are two accumulators that are to be added they are.
template <class P, int Axis, int N, int Step, class E, class S, class J, class... C>
WICK_INLINE void accumulate_halves(E* waiting, E identity, const S& step, J join,
                                   C... cursors) noexcept {
  constexpr int width = P::kWidth;
  E* last = waiting;
  for (unsigned i = 0; i < unsigned{P::kSums} - (P::kLastInRegisters ? 1 : 0); ++i) {
    const ColumnSums<P, Axis, Step, E, S> accumulator{last, identity, step};
    accumulator.add_all(halving_order(i, P::kSums), halving_order((i + 1) % P::kSums, P::kSums),
                        cursors...);
    for (unsigned rest = i; rest % 2 == 1; rest /= 2) {
      last -= width;
      join_row<width, Step>(last, last + width, join);
    }
    last += width;
  }
  if constexpr (P::kLastInRegisters) {
    add_last<P, Axis, Step>(waiting, identity, step, join, cursors...);
  } else if constexpr (P::kRows > 1) {
    Lanes<E, Step>::broadcast(identity).store(waiting + P::kElements);
    join_halves<P::kRows, N, Step>(waiting, join);
  }
}

// So few rows that a column is summed in registers.
inline constexpr Index kFewRows = 16;

// Of at most one row each, the accumulators Place, Place + Apart ... of W, added by halves.
template <class L, int Place, int Apart, int W, int Axis, class E, int N, class S, class J,
          class... C>
WICK_INLINE Lanes<E, N> sum_few(Lanes<E, N> identity, const S& step, J join, Index c,
                                C... rows) noexcept {
  if constexpr (Apart < W) {
    return join(sum_few<L, Place, 2 * Apart, W, Axis>(identity, step, join, c, rows...),
                sum_few<L, Place + Apart, 2 * Apart, W, Axis>(identity, step, join, c, rows...));
  } else if constexpr (Place < L::kLoops.elements()) {
    constexpr int along = L::kLoops.inner_axis();
    return step(identity, rows.template plus<along>(Place).template reader<N, Axis>().at(c)...);
  } else {
    return identity;
  }
}

template <class L, int Axis, int N, int Step, class E, class S, class J, class... C>
WICK_INLINE void accumulate_few(E* sums, E identity, const S& step, J join, C... cursors) noexcept {
  constexpr int W = accumulators<E>(L::kLoops.elements());
  each_run<N, Step>(0, [&](auto lanes, Index c) __attribute__((always_inline)) {
    using V = Lanes<E, decltype(lanes)::value>;
    const V result = sum_few<L, 0, 1, W, Axis>(V::broadcast(identity), step, join, c, cursors...);
    result.store(sums + c);
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

// Over loops that do not merge: W accumulators in memory, one row after the other.
template <class L, int W, int Axis, int N, int Step, class E, class S, class J, class... C>
WICK_INLINE void accumulate_apart(E* sums, E identity, const S& step, J join,
                                  C... cursors) noexcept {
  for (int i = 0; i < W; ++i) fill_row<N, Step>(sums + i * N, identity);
  unsigned next = 0;
  for_each<L, 0, L::kLoops.depth>(
      [&](auto... row) __attribute__((always_inline)) {
        accumulate_row_to<Axis, N, Step>(sums + next * N, step, row...);
        next = (next + 1) % W;
      },
      cursors...);
  for (int half = W / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      join_row<N, Step>(sums + i * N, sums + (i + half) * N, join);
    }
  }
}

// How N neighbours along `Axis` are accumulated over the loops of nest L.
template <class L, int Axis, int N, class E, class... C>
struct ColumnWay {
  using Plan = ColumnPlan<L, Axis, N, E, C...>;
  static constexpr Index kCount = L::kLoops.elements();
  static constexpr bool kExact = Plan::kExact;
  static constexpr int kLanes = ColumnBlocks<E, L, C...>::step(N);
  static constexpr bool kFew =
      L::kLoops.depth == 1 && kCount <= kFewRows && N >= 4 * kLanes && !kExact;
  static constexpr bool kHalves = L::kLoops.depth == 1 && !kFew;
  static constexpr int kWideLanes = ColumnBlocks<E, L, C...>::step(Plan::kWidth);
  static constexpr int kApart = kExact ? 1 : accumulators<E>(kCount);

  // Elements of memory that it takes.
  static constexpr int kElements = kCount == 0 || kFew ? N
                                   : kHalves ? Plan::kElements + (Plan::kRows > 1 ? kWideLanes : 0)
                                             : kApart * N;
};

// Accumulates over the loops of nest L for N neighbours along `Axis` at once. `sums` has room for
// ColumnWay::kElements, of which the first N become the sums.
template <class L, int Axis, int N, class E, class S, class J, class... C>
WICK_INLINE void accumulate_columns(E* sums, E identity, const S& step, J join,
                                    C... cursors) noexcept {
  using Way = ColumnWay<L, Axis, N, E, C...>;
  if constexpr (Way::kCount == 0) {
    fill_row<N, Way::kLanes>(sums, identity);
  } else if constexpr (Way::kFew) {
    accumulate_few<L, Axis, N, Way::kLanes>(sums, identity, step, join, cursors...);
  } else if constexpr (Way::kHalves) {
    accumulate_halves<typename Way::Plan, Axis, N, Way::kWideLanes>(sums, identity, step, join,
                                                                    cursors...);
  } else {
    accumulate_apart<L, Way::kApart, Axis, N, Way::kLanes>(sums, identity, step, join, cursors...);
  }
}

}  // namespace wick::internal
