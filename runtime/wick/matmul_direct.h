#pragma once

// Tiles of a matrix product that read B where it lies and run through all of k in registers.

#include "wick/map.h"
#include "wick/matmul_tile.h"

namespace wick::internal {

// Applies the kernel to N neighbouring products and stores the last `Valid` results; all N must
// exist. `out` and `with` stand at the first.
template <int N, int Valid, int Axis, class E, class K, class O, class V>
WICK_INLINE void finish_products(Lanes<E, N> products, const K& k, O out, V with) noexcept {
  using R = typename O::Element;
  if constexpr (Valid == N) {
    with.expand([&](auto... x) __attribute__((always_inline)) {
      const Lanes<R, N> result = k(products, x.template reader<N, Axis>().at(0)...);
      result.store(out.at);
    });
  } else {
    E values[static_cast<std::size_t>(N)];
    products.store(values);
    for (Index i = N - Valid; i < N; ++i) {
      finish_products<1, 1, Axis>(Lanes<E, 1>(values[i]), k, out.template plus<Axis>(i),
                                  with.template plus<Axis>(i));
    }
  }
}

template <bool InPlace, class P>
struct DirectTiles {
  using E = typename P::Element;
  // One row leaves all registers to its columns: so many vectors of them go together, which reads
  // long runs of each row of B. kWide columns in all are done that way.
  static constexpr int kParts = kNativeBytes == 64 ? 16 : 8;
  static constexpr bool kParted = P::kRows == 1 && P::kBColumn == 1 && WICK_FAST_FMA && kHasVectors;
  static constexpr Index kTogether = kParts * native_lanes<E>;
  static constexpr Index kWide = kParted ? P::kColumns / kTogether * kTogether : 0;
  static constexpr bool kFar = P::kK * P::kColumns * Index{sizeof(E)} >= 524288;
  static constexpr ColumnCut kPanels = cut_columns<E>(P::kRows, P::kColumns - kWide);
  static constexpr int kTileRows = static_cast<int>(tile_rows(P::kRows));
  // The panels that are left over of one row wait for their accumulators, so that all go together.
  static constexpr bool kRest = kParted && kPanels.count + (kPanels.last_new != 0 ? 1 : 0) > 1;

  template <int Rows, int N, int Valid, class K, class O, class V>
  static WICK_INLINE void tile(Index row, Index column, const E* a, const E* b, const K& k, O out,
                               V with) noexcept {
    const auto products = add_products<P::kARow, P::kAStep, P::kBStep, P::kBColumn>(
        Tile<E, N, Rows>::zero(), a + row * P::kARow, b + column * P::kBColumn, P::kK);
    const auto to = out.template plus<P::kRowAxis>(row).template plus<P::kColumnAxis>(column);
    const auto extra = with.template plus<P::kRowAxis>(row).template plus<P::kColumnAxis>(column);
    products.each_row([&](Index i, Lanes<E, N> x) __attribute__((always_inline)) {
      finish_products<N, Valid, P::kColumnAxis>(x, k, to.template plus<P::kRowAxis>(i),
                                                extra.template plus<P::kRowAxis>(i));
    });
  }

  // Columns [column, column + kParts * N) of a result of one row.
  template <int N, class K, class O, class V>
  static WICK_INLINE void parts(Index column, const E* a, const E* b, const K& k, O out,
                                V with) noexcept {
    auto products = Tile<E, N, kParts>::zero();
    for (Index step = 0; step < P::kK; ++step) {
      const E* const row = b + column + step * P::kBStep;
      if constexpr (kFar) prefetch_rows<kParts * N, P::kBStep, 1, 3>(row, 4 * P::kBStep, 1);
      products.template add_parts<1, N, P::kAStep, P::kBStep>(a + step * P::kAStep, row);
    }
    products.each_row([&](Index i, Lanes<E, N> x) __attribute__((always_inline)) {
      finish_products<N, N, P::kColumnAxis>(x, k, out.template plus<P::kColumnAxis>(column + i * N),
                                            with.template plus<P::kColumnAxis>(column + i * N));
    });
  }

  // All columns from kWide on of a result of one row.
  template <class K, class O, class V>
  static WICK_INLINE void rest(const E* a, const E* b, const K& k, O out, V with) noexcept {
    constexpr int width = static_cast<int>(kPanels.width);
    constexpr int last = static_cast<int>(kPanels.last_width);
    constexpr int valid = InPlace ? static_cast<int>(kPanels.last_new) : last;
    auto products = Tile<E, width, static_cast<int>(kPanels.count)>::zero();
    auto ending = Tile<E, last, 1>::zero();
    for (Index step = 0; step < P::kK; ++step) {
      const E* const row = b + step * P::kBStep;
      const E* const factor = a + step * P::kAStep;
      products.template add_parts<1, kPanels.width, P::kAStep, P::kBStep>(factor, row + kWide);
      if constexpr (kPanels.last_new != 0) {
        ending.template add_parts<1, 0, P::kAStep, P::kBStep>(factor, row + P::kColumns - last);
      }
    }
    const auto finish = [&](auto number, Index column, auto x) __attribute__((always_inline)) {
      constexpr int n = decltype(x)::kCount;
      finish_products<n, decltype(number)::value, P::kColumnAxis>(
          x, k, out.template plus<P::kColumnAxis>(column),
          with.template plus<P::kColumnAxis>(column));
    };
    products.each_row([&](Index i, Lanes<E, width> x) __attribute__((always_inline)) {
      finish(std::integral_constant<int, width>{}, kWide + i * width, x);
    });
    if constexpr (kPanels.last_new != 0) {
      finish(std::integral_constant<int, valid>{}, P::kColumns - last, ending.row);
    }
  }

  template <int N, int Valid, class K, class O, class V>
  static WICK_INLINE void panel(Index column, const E* a, const E* b, const K& k, O out,
                                V with) noexcept {
    Index row = 0;
    for (; row + kTileRows <= P::kRows; row += kTileRows) {
      tile<kTileRows, N, Valid>(row, column, a, b, k, out, with);
    }
    constexpr int left = static_cast<int>(P::kRows % kTileRows);
    if constexpr (left != 0) tile<left, N, Valid>(row, column, a, b, k, out, with);
  }

  template <class K, class O, class V>
  static WICK_INLINE void run(const E* a, const E* b, const K& k, O out, V with) noexcept {
    constexpr int width = static_cast<int>(kPanels.width);
    if constexpr (kWide > 0) {
      constexpr int part = native_lanes<E>;
      for (Index i = 0; i < kWide; i += kParts * part) parts<part>(i, a, b, k, out, with);
    }
    if constexpr (kRest) return rest(a, b, k, out, with);
    for (Index i = 0; i < kPanels.count; ++i) {
      panel<width, width>(kWide + i * width, a, b, k, out, with);
    }
    if constexpr (kPanels.last_new != 0) {
      constexpr int last = static_cast<int>(kPanels.last_width);
      constexpr int valid = InPlace ? static_cast<int>(kPanels.last_new) : last;
      panel<last, valid>(P::kColumns - last, a, b, k, out, with);
    }
  }
};

}  // namespace wick::internal
