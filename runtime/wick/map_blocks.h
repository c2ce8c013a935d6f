#pragma once

// map over operands that lie across the result, as a transposed matrix does.
//
// Along the innermost loop such an operand is read element by element, each from another cache
// line; but along some outer loop its elements are neighbours. So both loops are cut into blocks of
// N x N elements: of each operand that lies across, N runs of N neighbours are copied into a local
// tile, turned, and the rows of the tile serve the kernel as vectors.
//
//   result rows      . . . . j j+1 .. j+N      operand   j:   | i i+1 .. i+N |   one run each
//   i, i+1, .. i+N   . . . . # #      #                  j+1: | #            |
//
// Blocks are visited in groups of 64 x 64 elements, so that the pages of both sides stay known to
// the processor.

#include "wick/map_run.h"

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

// One operand in one block of N x N elements.
template <class C, int N, int RowAxis, int ColumnAxis,
          bool Across = reach_of(C::template stride<ColumnAxis>) == Reach::kApart &&
                        C::template stride<RowAxis> == 1>
class Block {
 public:
  explicit WICK_INLINE Block(C from) noexcept : from_(from) {}
  WICK_INLINE auto row(Index r) const noexcept {
    return from_.template plus<RowAxis>(r).template reader<N, ColumnAxis>().at(0);
  }

 private:
  C from_;
};
template <class C, int N, int RowAxis, int ColumnAxis>
class Block<C, N, RowAxis, ColumnAxis, true> {
 public:
  explicit WICK_INLINE Block(C from) noexcept {
    for (int c = 0; c < N; ++c) {
      const auto* const run = from.template plus<ColumnAxis>(c).at;
      for (int r = 0; r < N; ++r) tile_[r * N + c] = load_one(run + r);
    }
  }
  WICK_INLINE auto row(Index r) const noexcept {
    return Lanes<typename C::Element, N>::load(tile_ + r * N);
  }

 private:
  typename C::Element tile_[static_cast<std::size_t>(N * N)];
};

template <int N, class E, class K, class... B>
WICK_INLINE void map_block(const K& k, E* out, Index stride, const B&... blocks) noexcept {
  for (Index r = 0; r < N; ++r) {
    const Lanes<E, N> result = k(blocks.row(r)...);
    result.store(out + r * stride);
  }
}

// Where the block for elements [i, i + N) of `extent` begins: it may not reach beyond the end.
template <int N>
constexpr Index block_begin(Index i, Index extent) noexcept {
  return i + N <= extent ? i : extent - N;
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

// The innermost loop of nest L and its loop D at once.
template <bool InPlace, class L, int D, class K, class O, class... C>
WICK_INLINE void map_blocks(const K& k, O out, C... in) noexcept {
  constexpr int row_axis = L::kLoops.axes[D];
  constexpr int column_axis = L::kLoops.inner_axis();
  constexpr Index rows = L::kLoops.extents[D];
  constexpr Index columns = L::kLoops.inner_extent();
  // Tiles of all operands together take 4 KiB at most, even of 8-byte elements.
  constexpr Index fits = sizeof...(C) <= 2 ? 16 : sizeof...(C) <= 8 ? 8 : 4;
  constexpr int lanes =
      kernel_lanes<typename O::Element, typename C::Element...>(rows < columns ? rows : columns);
  constexpr int n = lanes < fits ? lanes : static_cast<int>(fits);
  constexpr Index stride = O::template stride<row_axis>;
  constexpr Index group = 64;
  constexpr Index whole_rows = InPlace ? rows / n * n : rows;
  constexpr Index whole_columns = InPlace ? columns / n * n : columns;
  for (Index i0 = 0; i0 < whole_rows; i0 += group) {
    for (Index j0 = 0; j0 < whole_columns; j0 += group) {
      for (Index at_i = i0; at_i < whole_rows && at_i < i0 + group; at_i += n) {
        for (Index at_j = j0; at_j < whole_columns && at_j < j0 + group; at_j += n) {
          const Index i = block_begin<n>(at_i, rows);
          const Index j = block_begin<n>(at_j, columns);
          map_block<n>(k, out.template plus<row_axis>(i).template plus<column_axis>(j).at, stride,
                       Block<C, n, row_axis, column_axis>(
                           in.template plus<row_axis>(i).template plus<column_axis>(j))...);
        }
      }
    }
  }
  if constexpr (whole_columns < columns) {
    map_strip<row_axis, column_axis>(whole_rows, columns - whole_columns, k,
                                     out.template plus<column_axis>(whole_columns),
                                     in.template plus<column_axis>(whole_columns)...);
  }
  if constexpr (whole_rows < rows) {
    map_strip<row_axis, column_axis>(rows - whole_rows, columns, k,
                                     out.template plus<row_axis>(whole_rows),
                                     in.template plus<row_axis>(whole_rows)...);
  }
}

}  // namespace wick::internal
