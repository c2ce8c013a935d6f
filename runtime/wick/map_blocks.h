#pragma once

// map over operands that lie across the result, as a transposed matrix does.
//
// Along the innermost loop such an operand is read element by element, each from another cache
// line; but along some outer loop its elements are neighbours. So both loops are cut into blocks of
// B x B elements, B being the elements of a cache line: of each operand that lies across, B runs of
// B neighbours are turned (turn.h) into a local tile, and the rows of the tile serve the kernel as
// vectors. Both sides move whole lines, each once.
//
//   result rows      . . . . j j+1 .. j+B      operand   j:   | i i+1 .. i+B |   one run each
//   i, i+1, .. i+B   . . . . # #      #                  j+1: | #            |
//
// Blocks are visited in groups of 8 x 8, so that the pages of both sides stay known to the
// processor. A copy turns its blocks straight into the result.

#include "wick/map_run.h"
#include "wick/turn.h"

namespace wick::internal {

// The outer loop along which an operand that is apart in the innermost one has its neighbours; -1
// if there is none, or too little of it to pay.
template <class L>
constexpr int crossing_loop() noexcept {
  constexpr Index enough = 8;
  constexpr int inner = L::kLoops.inner_axis();
  if constexpr (inner >= 0) {
    if (L::kLoops.inner_extent() < enough) return -1;
    for (const Strides& operand : L::kOperands) {
      if (reach_of(operand.at[inner]) != Reach::kApart) continue;
      for (int d = 0; d + 1 < L::kLoops.depth; ++d) {
        if (operand.at[L::kLoops.axes[d]] == 1 && L::kLoops.extents[d] >= enough) return d;
      }
    }
  }
  return -1;
}

template <class C, int RowAxis, int ColumnAxis>
inline constexpr bool kLiesAcross =
    reach_of(C::template stride<ColumnAxis>) == Reach::kApart && C::template stride<RowAxis> == 1;

// The edge of blocks of rows x columns elements, `bytes` bytes each at most: a line, but no more
// than there is and than tiles of `tiled` bytes an element have room for in 4 KiB; and less where
// blocks that overlap the ones before, at the ends, would be too much of it all.
constexpr Index block_edge(Index rows, Index columns, std::size_t bytes,
                           std::size_t tiled) noexcept {
  const Index least = rows < columns ? rows : columns;
  Index edge = kLine / static_cast<Index>(bytes);
  if (edge > least) edge = floor_power(least);
  while (edge > 1 && edge * edge * static_cast<Index>(tiled) > 4096) edge /= 2;
  const auto covered = [&](Index extent) { return (extent + edge - 1) / edge * edge; };
  while (edge > 8 && covered(rows) * covered(columns) > rows * columns * 5 / 4) edge /= 2;
  return edge;
}

// One operand in one block of B x B elements.
template <class C, int B, int RowAxis, int ColumnAxis, bool Across>
class Block {
 public:
  explicit WICK_INLINE Block(C from) noexcept : from_(from) {}
  template <int N>
  WICK_INLINE auto at(Index r, Index c) const noexcept {
    return from_.template plus<RowAxis>(r).template reader<N, ColumnAxis>().at(c);
  }

 private:
  C from_;
};
template <class C, int B, int RowAxis, int ColumnAxis>
class Block<C, B, RowAxis, ColumnAxis, true> {
 public:
  using E = typename C::Element;
  explicit WICK_INLINE Block(C from) noexcept {
    turn_tile<B>(from.at, C::template stride<ColumnAxis>, tile_, Index{B});
  }
  template <int N>
  WICK_INLINE auto at(Index r, Index c) const noexcept {
    return Lanes<E, N>::load(tile_ + r * B + c);
  }

 private:
  alignas(kLine) E tile_[static_cast<std::size_t>(B * B)];
};

template <int B, int N, bool Streamed, class E, class K, class... T>
WICK_INLINE void map_block(const K& k, E* out, Index stride, [[maybe_unused]] bool on_lines,
                           const T&... blocks) noexcept {
  for (Index r = 0; r < B; ++r) {
    for (Index c = 0; c < B; c += N) {
      const Lanes<E, N> result = k(blocks.template at<N>(r, c)...);
      E* const to = out + r * stride + c;
      if constexpr (Streamed) {
        if (on_lines) {
          stream_lanes(result, to);
          continue;
        }
      }
      result.store(to);
    }
  }
}

// A strip of rows x columns elements, one by one: what blocks leave over in place.
template <int RowAxis, int ColumnAxis, class K, class O, class... C>
WICK_INLINE void map_strip(Index rows, Index columns, const K& k, O out, C... in) noexcept {
  using E = typename O::Element;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const Lanes<E, 1> result = k(Lanes<typename C::Element, 1>::load(
          in.template plus<RowAxis>(i).template plus<ColumnAxis>(j).at)...);
      result.store(out.template plus<RowAxis>(i).template plus<ColumnAxis>(j).at);
    }
  }
}

// The innermost loop of nest L and its loop D at once: `rows` and `columns` of the result.
template <Stores S, class L, int D, class O, class... C>
struct BlockLoops {
  using E = typename O::Element;
  static constexpr int kRow = L::kLoops.axes[D];
  static constexpr int kColumn = L::kLoops.inner_axis();
  static constexpr Index kRows = L::kLoops.extents[D];
  static constexpr Index kColumns = L::kLoops.inner_extent();
  static constexpr Index kStride = O::template stride<kRow>;
  static constexpr std::size_t kTiled =
      ((kLiesAcross<C, kRow, kColumn> ? sizeof(typename C::Element) : 0) + ... + 0);
  static constexpr int kEdge = static_cast<int>(
      block_edge(kRows, kColumns, larger_of(sizeof(E), sizeof(typename C::Element)...), kTiled));
  static constexpr int kLanes = kernel_lanes<E, typename C::Element...>(kEdge);
  // Rows of the result that all begin at the same place of a line can be stored line by line.
  static constexpr bool kStreamed = S == Stores::kStreamed && kCanStream<E, kLanes> &&
                                    kEdge * Index{sizeof(E)} == kLine && kStride % kEdge == 0;
  static constexpr bool kInPlace = S == Stores::kInPlace;
  static constexpr Index kWholeRows = kInPlace ? kRows / kEdge * kEdge : kRows;
  static constexpr Index kWholeColumns = kInPlace ? kColumns / kEdge * kEdge : kColumns;
  static constexpr Index kGroup = 8 * kEdge;

  // Where the block at `at` begins: none may reach beyond either end.
  static constexpr Index begin(Index at, Index extent) noexcept {
    return at < 0 ? 0 : at + kEdge <= extent ? at : extent - kEdge;
  }

  template <class K>
  static WICK_INLINE void block(const K& k, bool on_lines, O out, C... in) noexcept {
    if constexpr (std::is_same_v<K, Same> && !kStreamed && (kLiesAcross<C, kRow, kColumn> && ...)) {
      (turn_tile<kEdge>(in.at, C::template stride<kColumn>, out.at, kStride), ...);
    } else {
      map_block<kEdge, kLanes, kStreamed>(
          k, out.at, kStride, on_lines,
          Block<C, kEdge, kRow, kColumn, kLiesAcross<C, kRow, kColumn>>(in)...);
    }
  }

  template <class K>
  static WICK_INLINE void run(const K& k, O out, C... in) noexcept {
    const Index head = kStreamed ? before_line(out.at) : 0;
    const Index first = head == 0 ? 0 : head - kEdge;
    for (Index i0 = 0; i0 < kWholeRows; i0 += kGroup) {
      for (Index j0 = first; j0 < kWholeColumns; j0 += kGroup) {
        for (Index at_i = i0; at_i < kWholeRows && at_i < i0 + kGroup; at_i += kEdge) {
          for (Index at_j = j0; at_j < kWholeColumns && at_j < j0 + kGroup; at_j += kEdge) {
            const Index i = begin(at_i, kRows);
            const Index j = begin(at_j, kColumns);
            block(k, j == at_j, out.template plus<kRow>(i).template plus<kColumn>(j),
                  in.template plus<kRow>(i).template plus<kColumn>(j)...);
          }
        }
      }
    }
    rest(k, out, in...);
    if constexpr (kStreamed) end_streams();
  }

  // In place, what blocks that may not overlap leave over.
  template <class K>
  static WICK_INLINE void rest(const K& k, O out, C... in) noexcept {
    if constexpr (kWholeColumns < kColumns) {
      map_strip<kRow, kColumn>(kWholeRows, kColumns - kWholeColumns, k,
                               out.template plus<kColumn>(kWholeColumns),
                               in.template plus<kColumn>(kWholeColumns)...);
    }
    if constexpr (kWholeRows < kRows) {
      map_strip<kRow, kColumn>(kRows - kWholeRows, kColumns, k, out.template plus<kRow>(kWholeRows),
                               in.template plus<kRow>(kWholeRows)...);
    }
  }
};

}  // namespace wick::internal
