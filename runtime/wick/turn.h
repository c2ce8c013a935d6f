#pragma once

// Square tiles of elements, turned (transposed) in registers.
//
// A tile of N x N elements is loaded as N vectors, one per row, and halved until single rows are
// left. Halving pairs row i of the lower half with row i of the upper half; while rows are longer
// than 16 bytes, by blocks, which is cheap across a wide vector:
//
//   a: 0 1 2 3 | 4 5 6 7        low: 0 1 2 3 | a b c d        high: 4 5 6 7 | e f g h
//   b: a b c d | e f g h
//
// and below that by elements, within each 16 bytes, which processors have single instructions for:
//
//   a: 0 1 2 3                  low: 0 a 1 b                  high: 2 c 3 d
//   b: a b c d
//
// The low rows lead to the first half of the columns, the high rows to the second.

#include "wick/stream.h"

namespace wick::internal {

// N rows, as nested pairs: compilers leave arrays of vectors in memory.
template <class V, int N>
struct TileRows {
  TileRows<V, N / 2> lo, hi;
};
template <class V>
struct TileRows<V, 1> {
  V r;
};

// Which lanes of two rows the low (or high) row of a pair takes: blocks of `Block` lanes give their
// first (second) halves one after the other, or element by element.
template <int Block, bool High, bool Zip, class List>
struct PairLanes;
template <int Block, bool High, bool Zip, int... L>
struct PairLanes<Block, High, Zip, detail::LaneList<L...>> {
  static constexpr int lane(int l) noexcept {
    const int half = Block / 2;
    const int base = l / Block * Block + (High ? half : 0);
    const int at = l % Block;
    const bool second = Zip ? at % 2 == 1 : at >= half;
    return base + (Zip ? at / 2 : at % half) + (second ? int{sizeof...(L)} : 0);
  }
  using Type = detail::LaneList<lane(L)...>;
};

// The low (high) rows of pairs of N rows in which blocks of `Block` lanes are still to be turned.
template <int Block, bool High, class V, int N>
WICK_INLINE TileRows<V, N> pair_rows(const TileRows<V, N>& a, const TileRows<V, N>& b) noexcept {
  if constexpr (N == 1) {
    constexpr int size = sizeof(a.r[0]);
    constexpr int lanes = sizeof(V) / sizeof(a.r[0]);
    constexpr bool zip = Block * size <= 16;
    using Lanes = typename detail::LaneRange<0, lanes>::Type;
    using List = typename PairLanes<zip ? 16 / size : Block, High, zip, Lanes>::Type;
    return {detail::shuffle(a.r, b.r, List{})};
  } else {
    return {pair_rows<Block, High>(a.lo, b.lo), pair_rows<Block, High>(a.hi, b.hi)};
  }
}

template <class V, int N>
WICK_INLINE TileRows<V, N> turn_rows(const TileRows<V, N>& x) noexcept {
  if constexpr (N == 1) {
    return x;
  } else {
    return {turn_rows(pair_rows<N, false>(x.lo, x.hi)), turn_rows(pair_rows<N, true>(x.lo, x.hi))};
  }
}

template <class V, int N, class M>
WICK_INLINE TileRows<V, N> load_rows(const M* from, Index stride) noexcept {
  if constexpr (N == 1) {
    return {V(*reinterpret_cast<const detail::VectorInMemory<M, sizeof(V) / sizeof(M)>*>(from))};
  } else {
    return {load_rows<V, N / 2>(from, stride), load_rows<V, N / 2>(from + N / 2 * stride, stride)};
  }
}

template <class V, int N, class M>
WICK_INLINE void store_rows(const TileRows<V, N>& x, M* to, Index stride) noexcept {
  if constexpr (N == 1) {
    *reinterpret_cast<detail::VectorInMemory<M, sizeof(V) / sizeof(M)>*>(to) = x.r;
  } else {
    store_rows(x.lo, to, stride);
    store_rows(x.hi, to + N / 2 * stride, stride);
  }
}

// The edge of the largest tile of elements of `bytes` bytes that is turned in registers, 1 if none.
constexpr int turned_edge(std::size_t bytes) noexcept {
  if (!kHasVectors) return 1;
  return static_cast<int>(bytes == 1 ? 16 : kNativeBytes / bytes);
}

// to[r * to_stride + c] = from[c * stride + r] for r, c in [0, Edge).
template <int Edge, class E>
void turn_tile(const E* from, Index stride, E* to, Index to_stride) noexcept {
  using M = detail::Unsigned<E>;
  constexpr int edge = turned_edge(sizeof(E));
  if constexpr (edge > 1 && Edge % edge == 0) {
    for (int r = 0; r < Edge; r += edge) {
      for (int c = 0; c < Edge; c += edge) {
        const auto* const at = reinterpret_cast<const M*>(from + c * stride + r);
        const auto rows = load_rows<detail::Vector<M, edge>, edge>(at, stride);
        store_rows(turn_rows(rows), reinterpret_cast<M*>(to + r * to_stride + c), to_stride);
      }
    }
  } else {
    for (int c = 0; c < Edge; ++c) {
      for (int r = 0; r < Edge; ++r) {
        Lanes<E, 1>::load(from + c * stride + r).store(to + r * to_stride + c);
      }
    }
  }
}

}  // namespace wick::internal
