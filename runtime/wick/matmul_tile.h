#pragma once

// Register tiles of a matrix product.
//
// A tile is Rows x N elements of the result, held in registers while k runs from first to last:
// each step loads N elements of a row of B once and multiplies them with Rows elements of a column
// of A, which are broadcast one by one, so that A may have any layout and is never packed. Every
// product is a fused multiply-add onto the element's one accumulator, in order of k: no result
// depends on the size of tiles.
//
// Rows and N are chosen so that the tile, one row of B and a broadcast fit the registers:
//
//              registers   f32 tile
//   AVX-512    32          8 x 32, 1 x 64
//   AVX2       16          6 x 16, 1 x 64
//   SSE2       16          2 x 4,  1 x 8: a fused multiply-add is a long sequence there, and
//                          nothing but code would come of repeating it more often

#include <cstdint>

#include "wick/loops.h"

namespace wick::internal {

template <class E, int N, int Rows>
struct Tile {
  using Above = Tile<E, N, Rows - 1>;
  Above above;
  Lanes<E, N> row;

  static WICK_INLINE Tile zero() noexcept { return {Above::zero(), Lanes<E, N>::broadcast(E{0})}; }
  static WICK_INLINE Tile load(const E* from, Index stride) noexcept {
    return {Above::load(from, stride), Lanes<E, N>::load(from + (Rows - 1) * stride)};
  }
  // Each row is f(its number).
  template <class F>
  static WICK_INLINE Tile make(const F& f) noexcept {
    return {Above::make(f), f(Index{Rows - 1})};
  }
  WICK_INLINE void store(E* to, Index stride) const noexcept {
    above.store(to, stride);
    row.store(to + (Rows - 1) * stride);
  }
  // Adds a column of A, whose elements lie `Stride` apart, times a row of B.
  template <Index Stride>
  WICK_INLINE void add(const E* a, const Lanes<E, N>& b) noexcept {
    above.template add<Stride>(a, b);
    row = wick::fma(load_one(a + (Rows - 1) * Stride), b, row);
  }
  // For a tile whose rows are parts of one row of the result, which begin `Stride` apart: adds
  // `Steps` elements of A times a row of B each, all of them to one part before the next.
  template <int Steps, Index Stride, Index AStep, Index BStep>
  WICK_INLINE void add_parts(const E* a, const E* b) noexcept {
    above.template add_parts<Steps, Stride, AStep, BStep>(a, b);
    for (int step = 0; step < Steps; ++step) {
      const auto factor = Lanes<E, N>::broadcast(load_one(a + step * AStep));
      row = wick::fma(factor, Lanes<E, N>::load(b + (Rows - 1) * Stride + step * BStep), row);
    }
  }
  // f(number of the row, its elements), from the first row on.
  template <class F>
  WICK_INLINE void each_row(const F& f) const noexcept {
    above.each_row(f);
    f(Index{Rows - 1}, row);
  }
};
template <class E, int N>
struct Tile<E, N, 0> {
  static WICK_INLINE Tile zero() noexcept { return {}; }
  static WICK_INLINE Tile load(const E*, Index) noexcept { return {}; }
  template <class F>
  static WICK_INLINE Tile make(const F&) noexcept {
    return {};
  }
  WICK_INLINE void store(E*, Index) const noexcept {}
  template <Index Stride>
  WICK_INLINE void add(const E*, const Lanes<E, N>&) noexcept {}
  template <int Steps, Index Stride, Index AStep, Index BStep>
  WICK_INLINE void add_parts(const E*, const E*) noexcept {}
  template <class F>
  WICK_INLINE void each_row(const F&) const noexcept {}
};

// N elements of a row of B, `Stride` apart.
template <int N, Index Stride, class E>
WICK_INLINE Lanes<E, N> load_row(const E* b) noexcept {
  return Reader<E, N, Stride == 0 ? 1 : Stride>{b}.at(0);
}

// Adds `count` steps of k to a tile.
template <Index ARow, Index AStep, Index BStep, Index BColumn, class E, int N, int Rows>
WICK_INLINE Tile<E, N, Rows> add_products(Tile<E, N, Rows> tile, const E* a, const E* b,
                                          Index count) noexcept {
  for (Index k = 0; k < count; ++k) {
    if constexpr (BColumn == 0) {
      tile.template add<ARow>(a, Lanes<E, N>::broadcast(load_one(b)));
    } else {
      tile.template add<ARow>(a, load_row<N, BColumn>(b));
    }
    a += AStep;
    b += BStep;
  }
  return tile;
}

// As add_products, and stores the rows of B one after the other to `packed`.
template <Index ARow, Index AStep, Index BStep, Index BColumn, class E, int N, int Rows>
WICK_INLINE Tile<E, N, Rows> pack_products(Tile<E, N, Rows> tile, const E* a, const E* b, E* packed,
                                           Index count) noexcept {
  for (Index k = 0; k < count; ++k) {
    const auto row = BColumn == 0 ? Lanes<E, N>::broadcast(load_one(b)) : load_row<N, BColumn>(b);
    row.store(packed);
    tile.template add<ARow>(a, row);
    a += AStep;
    b += BStep;
    packed += N;
  }
  return tile;
}

// Asks for `count` rows of N elements of B, the first of which begins `first` elements after `b`.
// Rows may lie outside of B: they are never read. Locality as in __builtin_prefetch: 3 brings them
// to an L1 cache, 2 to an L2 cache.
template <int N, Index BStep, Index BColumn, int Locality, class E>
WICK_INLINE void prefetch_rows(const E* b, Index first, Index count) noexcept {
  if constexpr (BColumn == 1) {
    for (Index k = 0; k < count; ++k) {
      const auto row = reinterpret_cast<std::uintptr_t>(b) +
                       static_cast<std::uintptr_t>(first + k * BStep) * sizeof(E);
      for (std::size_t byte = 0; byte < N * sizeof(E); byte += 64) {
        __builtin_prefetch(reinterpret_cast<const void*>(row + byte), 0, Locality);
      }
    }
  }
}

// ---- Sizes ---------------------------------------------------------------------------------

// Rows of a tile, and the columns that go with `rows` rows, for a result of that many in all.
constexpr Index tile_rows(Index rows) noexcept {
  return smaller(rows, !WICK_FAST_FMA ? 2 : kNativeBytes == 64 ? 8 : kHasVectors ? 6 : 4);
}
template <class E>
constexpr Index tile_columns(Index rows, Index columns) noexcept {
  constexpr Index accumulators = !WICK_FAST_FMA ? 2 : kNativeBytes == 64 ? 16 : 12;
  const Index vectors = floor_power(accumulators / tile_rows(rows));
  const Index widest = smaller(64, vectors * native_lanes<E>);
  return floor_power(smaller(widest, columns));
}

// How the columns of a result are cut into panels: `count` of `width`, then one of `last_width`
// that ends with the result and begins inside the panel before it, if `last_new` of its columns
// are new.
struct ColumnCut {
  Index width = 1;
  Index count = 0;
  Index last_width = 1;
  Index last_new = 0;
};

template <class E>
constexpr ColumnCut cut_columns(Index rows, Index columns) noexcept {
  ColumnCut cut;
  cut.width = tile_columns<E>(rows, columns);
  cut.count = columns / cut.width;
  cut.last_new = columns % cut.width;
  cut.last_width = ceil_power(cut.last_new);
  return cut;
}

}  // namespace wick::internal
