#pragma once

// Matrix products whose right factor lies in panels (tensor.h).
//
// Tiles take whole panels or a power of two of their columns, so that every row of B that a tile
// reads is the one after the row before it, and a product of one row streams through B once. The
// narrow panel at the end is a product of its own, of few columns.

#include "wick/matmul_direct.h"

namespace wick::internal {

template <bool InPlace, class P>
struct PanelTiles {
  using E = typename P::Element;
  static constexpr Index kWidth = 64 / static_cast<Index>(sizeof(E));
  static constexpr Index kStride = P::kK * kWidth;  // from one panel to the next
  static constexpr Index kWhole = P::kColumns / kWidth * kWidth;
  static constexpr int kTileRows = static_cast<int>(tile_rows(P::kRows));
  // So many rows go together while panels pass by: rows of A that do not stay near are streams.
  static constexpr Index kCachedRows = 512 / kTileRows * kTileRows;
  // What few rows read of B is asked for so many steps before it is used.
  static constexpr Index kAhead = 16;

  // What is left of the columns beside whole panels.
  struct Narrow : P {
    static constexpr Index kColumns = P::kColumns - kWhole;
    static constexpr Index kBStep = kColumns;
    static constexpr Index kBColumn = 1;
  };

  template <int N>
  static WICK_INLINE Lanes<E, N> load(const E* b) noexcept {
    if constexpr (N <= kWidth) {
      return Lanes<E, N>::load(b);
    } else {
      return join(load<N / 2>(b), load<N / 2>(b + N / 2 / kWidth * kStride));
    }
  }

  template <int Rows, int N, class K, class O, class V>
  static WICK_INLINE void tile(const E* a, const E* b, const K& k, O out, V with) noexcept {
    auto products = Tile<E, N, Rows>::zero();
    for (Index step = 0; step < P::kK; ++step) {
      products.template add<P::kARow>(a, load<N>(b));
      a += P::kAStep;
      b += kWidth;
    }
    products.each_row([&](Index i, Lanes<E, N> x) __attribute__((always_inline)) {
      finish_products<N, N, P::kColumnAxis>(x, k, out.template plus<P::kRowAxis>(i),
                                            with.template plus<P::kRowAxis>(i));
    });
  }

  // `Parts` panels from the first on, for one row. Each is read in pieces of a few neighbouring
  // steps, and asked for ahead of that: memory is what such a product waits for.
  template <int Parts, class K, class O, class V>
  static WICK_INLINE void parts(const E* a, const E* b, const K& k, O out, V with) noexcept {
    constexpr int n = static_cast<int>(kWidth);
    constexpr int piece = 4;
    auto products = Tile<E, n, Parts>::zero();
    Index step = 0;
    for (; step + piece <= P::kK; step += piece) {
      for (Index i = 0; i < Parts; ++i) {
        prefetch_rows<n, kWidth, 1, 3>(b + i * kStride, kAhead * kWidth, piece);
      }
      products.template add_parts<piece, kStride, P::kAStep, kWidth>(a, b);
      a += piece * P::kAStep;
      b += piece * kWidth;
    }
    for (; step < P::kK; ++step) {
      products.template add_parts<1, kStride, P::kAStep, kWidth>(a, b);
      a += P::kAStep;
      b += kWidth;
    }
    products.each_row([&](Index i, Lanes<E, n> x) __attribute__((always_inline)) {
      finish_products<n, n, P::kColumnAxis>(x, k, out.template plus<P::kColumnAxis>(i * n),
                                            with.template plus<P::kColumnAxis>(i * n));
    });
  }

  // Rows [begin, end) of the columns from `column` on that make tiles of N columns, then of fewer.
  template <int N, Index Column, class K, class O, class V>
  static WICK_INLINE void columns(Index begin, Index end, const E* a, const E* b, const K& k, O out,
                                  V with) noexcept {
    constexpr Index count = (kWhole - Column) / N * N;
    for (Index column = Column; column < Column + count; column += N) {
      const E* const panel = b + column / kWidth * kStride + column % kWidth;
      const auto rows = [&](auto number, Index row) __attribute__((always_inline)) {
        tile<decltype(number)::value, N>(
            a + row * P::kARow, panel, k,
            out.template plus<P::kRowAxis>(row).template plus<P::kColumnAxis>(column),
            with.template plus<P::kRowAxis>(row).template plus<P::kColumnAxis>(column));
      };
      Index row = begin;
      for (; row + kTileRows <= end; row += kTileRows) {
        rows(std::integral_constant<int, kTileRows>{}, row);
      }
      constexpr int left = static_cast<int>(P::kRows % kTileRows);
      if constexpr (left != 0) {
        if (row < end) rows(std::integral_constant<int, left>{}, row);
      }
    }
    if constexpr (Column + count < kWhole) {
      columns<N / 2, Column + count>(begin, end, a, b, k, out, with);
    }
  }

  template <class K, class O, class V>
  static WICK_INLINE void one_row(const E* a, const E* b, const K& k, O out, V with) noexcept {
    constexpr Index together = 4 * kWidth;
    constexpr int left = static_cast<int>(kWhole % together / kWidth);
    Index column = 0;
    for (; column + together <= kWhole; column += together) {
      parts<static_cast<int>(together / kWidth)>(a, b + column * P::kK, k,
                                                 out.template plus<P::kColumnAxis>(column),
                                                 with.template plus<P::kColumnAxis>(column));
    }
    if constexpr (left != 0) {
      parts<left>(a, b + column * P::kK, k, out.template plus<P::kColumnAxis>(column),
                  with.template plus<P::kColumnAxis>(column));
    }
  }

  template <class K, class O, class V>
  static WICK_INLINE void run(const E* a, const E* b, const K& k, O out, V with) noexcept {
    if constexpr (P::kRows == 1 && WICK_FAST_FMA && kHasVectors) {
      one_row(a, b, k, out, with);
    } else if constexpr (kWhole > 0) {
      constexpr int width = static_cast<int>(tile_columns<E>(P::kRows, kWhole));
      for (Index begin = 0; begin < P::kRows; begin += kCachedRows) {
        columns<width, 0>(begin, smaller(begin + kCachedRows, P::kRows), a, b, k, out, with);
      }
    }
    if constexpr (kWhole < P::kColumns) {
      DirectTiles<InPlace, Narrow>::run(a, b + kWhole * P::kK, k,
                                        out.template plus<P::kColumnAxis>(kWhole),
                                        with.template plus<P::kColumnAxis>(kWhole));
    }
  }
};

}  // namespace wick::internal
