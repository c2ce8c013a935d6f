#pragma once

// matmul and matmul_in_place: matrix products of any layout, with a kernel applied to each finished
// element while it is in a register.
//
// Two classes, told apart by logical shape alone, and each with an order of accumulation of its
// own:
//
//   one column      (n = 1) dot products: as many accumulators as a reduction, added by halves
//   more columns    one accumulator per element, in order of k (matmul_tile.h)
//
// The tiled class has three walks over the same tiles, with the same bits:
//
//   direct          B is read where it lies; each tile runs through all of k in registers
//   packed          blocks of B, 16 KiB at most, are copied into a local buffer and used by many
//                   rows of tiles; between blocks the partial sums wait in the result. Pays where B
//                   is read apart, or is so large that reading it in columns misses the caches
//   panels          B was laid out for this when the graph was compiled (matmul_panels.h)

#include "wick/accumulate_columns.h"
#include "wick/matmul_direct.h"
#include "wick/matmul_panels.h"
#include "wick/matmul_shapes.h"

namespace wick {

namespace internal {

// ---- One column ----------------------------------------------------------------------------

template <Index Count>
struct AlongK {
  static constexpr Loops make() noexcept {
    Loops loops;
    loops.depth = 1;
    loops.extents[0] = Count;
    return loops;
  }
  static constexpr Loops kLoops = make();
};
// Axis 0 is k, axis 1 the rows.
template <Index Step, Index Row>
struct DotStrides {
  static constexpr Strides kStrides = {{Step, Row}};
};

struct AddProduct {
  template <class L>
  WICK_INLINE L operator()(L sums, L a, L b) const noexcept {
    return wick::fma(a, b, sums);
  }
};
struct AddSums {
  template <class L>
  WICK_INLINE L operator()(L a, L b) const noexcept {
    return a + b;
  }
};

// The products of one column are cut along the rows where A's rows are neighbours.
template <bool InPlace, class P>
struct DotProducts {
  using E = typename P::Element;
  using A = Cursor<const E, DotStrides<P::kAStep, P::kARow>>;
  using B = Cursor<const E, DotStrides<P::kBStep, 0>>;
  static constexpr bool kAcross = P::kARow == 1 && P::kAStep != 1;
  static constexpr int kBlock = static_cast<int>(kAcross ? kernel_lanes<E>(P::kRows) : 1);

  template <int Valid, class K, class O, class V>
  static WICK_INLINE void block(Index row, const E* a, const E* b, const K& k, O out,
                                V with) noexcept {
    constexpr int axis = P::kRowAxis;
    const A from = A{a}.template plus<1>(row);
    const auto to = out.template plus<axis>(row);
    const auto extra = with.template plus<axis>(row);
    if constexpr (kAcross) {
      using Way = ColumnWay<AlongK<P::kK>, 1, kBlock, E, A, B>;
      with_memory<E, Way::kElements>([&](E* sums) __attribute__((always_inline)) {
        accumulate_columns<AlongK<P::kK>, 1, kBlock>(sums, E{0}, AddProduct{}, AddSums{}, from,
                                                     B{b});
        finish_products<kBlock, Valid, axis>(Lanes<E, kBlock>::load(sums), k, to, extra);
      });
    } else {
      const E sum = accumulate_row<AlongK<P::kK>>(E{0}, AddProduct{}, AddSums{}, from, B{b});
      finish_products<1, 1, axis>(Lanes<E, 1>(sum), k, to, extra);
    }
  }

  template <class K, class O, class V>
  static WICK_INLINE void run(const E* a, const E* b, const K& k, O out, V with) noexcept {
    Index row = 0;
    for (; row + kBlock <= P::kRows; row += kBlock) block<kBlock>(row, a, b, k, out, with);
    constexpr int left = static_cast<int>(P::kRows % kBlock);
    if constexpr (left != 0) {
      block<InPlace ? left : kBlock>(P::kRows - kBlock, a, b, k, out, with);
    }
  }
};

// ---- Tiles, B packed -----------------------------------------------------------------------

// Some neighbouring steps of k.
struct KBlock {
  Index count;
  bool first;
  bool last;
};

template <class P>
struct PackedTiles {
  using E = typename P::Element;
  static constexpr ColumnCut kPanels = cut_columns<E>(P::kRows, P::kColumns);
  static constexpr int kTileRows = static_cast<int>(tile_rows(P::kRows));
  // A block and the rows of A beside it stay in an L1 cache; a tile's partial sums wait in the
  // result once in so many steps.
  static constexpr Index kBlockBytes = 16384;
  static constexpr Index kSteps =
      smaller(128, kBlockBytes / static_cast<Index>(sizeof(E)) / kPanels.width);
  // So many rows are worked through before the next panel: enough for the copying of B to vanish,
  // few enough for what they hold of A and of the result to stay near.
  static constexpr Index kCachedRows = 512 / kTileRows * kTileRows;
  // While a block is in use, so many steps of the next one are asked for beside each tile.
  static constexpr Index kTiles = smaller(P::kRows, kCachedRows) / kTileRows;
  static constexpr Index kAhead = kSteps / (kTiles > 1 ? kTiles - 1 : 1) + 1;

  // The first rows that meet a block copy it from `b` on their way, which hides the time that
  // memory takes; all others read the copy.
  template <int Rows, int N, bool First, class K, class O, class V>
  static WICK_INLINE void tile(KBlock block, const E* a, const E* b, E* packed, const K& k, O out,
                               V with) noexcept {
    constexpr Index stride = O::template stride<P::kRowAxis>;
    auto products = block.first ? Tile<E, N, Rows>::zero() : Tile<E, N, Rows>::load(out.at, stride);
    if constexpr (First) {
      products = pack_products<P::kARow, P::kAStep, P::kBStep, P::kBColumn>(products, a, b, packed,
                                                                            block.count);
    } else {
      products = add_products<P::kARow, P::kAStep, N, 1>(products, a, packed, block.count);
    }
    if (!block.last) return products.store(out.at, stride);
    products.each_row([&](Index i, Lanes<E, N> x) __attribute__((always_inline)) {
      finish_products<N, N, P::kColumnAxis>(x, k, out.template plus<P::kRowAxis>(i),
                                            with.template plus<P::kRowAxis>(i));
    });
  }

  // Rows [begin, end) of the panel of N columns that starts at `column`. At least one tile has all
  // its rows.
  template <int N, class K, class O, class V>
  static WICK_INLINE void panel(Index begin, Index end, Index column, const E* a, const E* b,
                                const K& k, O out, V with) noexcept {
    alignas(64) E packed[static_cast<std::size_t>(kSteps * N)];
    static_assert(sizeof packed <= kBlockBytes, "a small stack must do");
    const auto to = out.template plus<P::kColumnAxis>(column);
    const auto extra = with.template plus<P::kColumnAxis>(column);
    for (Index step = 0; step < P::kK; step += kSteps) {
      const Index left_steps = P::kK - step;
      const KBlock block{smaller(left_steps, kSteps), step == 0, left_steps <= kSteps};
      const E* const left = a + step * P::kAStep;
      const E* const right = b + step * P::kBStep + column * P::kBColumn;
      const auto rows = [&](auto count, auto first, Index row) __attribute__((always_inline)) {
        tile<decltype(count)::value, N, decltype(first)::value>(
            block, left + row * P::kARow, right, packed, k, to.template plus<P::kRowAxis>(row),
            extra.template plus<P::kRowAxis>(row));
      };
      using Whole = std::integral_constant<int, kTileRows>;
      using Left = std::integral_constant<int, static_cast<int>(P::kRows % kTileRows)>;
      rows(Whole{}, std::true_type{}, begin);
      Index row = begin + kTileRows;
      const Index ahead = block.last ? (N * P::kBColumn - step * P::kBStep) : kSteps * P::kBStep;
      for (Index next = 0; row + kTileRows <= end; row += kTileRows, next += kAhead) {
        prefetch_rows<N, P::kBStep, P::kBColumn, 2>(right, ahead + next * P::kBStep, kAhead);
        rows(Whole{}, std::false_type{}, row);
      }
      if constexpr (Left::value != 0) {
        if (row < end) rows(Left{}, std::false_type{}, row);
      }
    }
  }

  template <class K, class O, class V>
  static WICK_INLINE void run(const E* a, const E* b, const K& k, O out, V with) noexcept {
    constexpr int width = static_cast<int>(kPanels.width);
    for (Index begin = 0; P::kRows - begin >= kTileRows;) {
      // What is left over in the end goes with the rows before it.
      const Index whole =
          P::kRows - begin < kCachedRows + kTileRows ? P::kRows - begin : kCachedRows;
      const Index end = begin + whole;
      for (Index i = 0; i < kPanels.count; ++i) {
        panel<width>(begin, end, i * width, a, b, k, out, with);
      }
      if constexpr (kPanels.last_new != 0) {
        constexpr int last = static_cast<int>(kPanels.last_width);
        panel<last>(begin, end, P::kColumns - last, a, b, k, out, with);
      }
      begin = end;
    }
  }
};

// Whether copying B pays: several rows of tiles use a copy, and B is read apart or is large.
template <class P>
constexpr bool packing_pays() noexcept {
  constexpr Index bytes = P::kK * P::kColumns * static_cast<Index>(sizeof(typename P::Element));
  const bool apart = P::kBColumn != 1 && P::kBColumn != 0;
  return P::kK > 0 && P::kRows >= 2 * tile_rows(P::kRows) && (apart || bytes >= 1048576);
}

// ---- Transposed results --------------------------------------------------------------------

// A product as it lies in a row-major result T whose axis i is its axis A[i].
template <class T, class A>
struct Transposed;
template <class T, int... A>
struct Transposed<T, Axes<A...>> {
  static constexpr int kRank = T::kLayout.rank;
  static constexpr int kOrder[] = {A...};
  static_assert(sizeof...(A) == kRank && kRank >= 2, "the order names every axis");

  static constexpr bool is_order() noexcept {
    unsigned seen = 0;
    for (const int axis : kOrder) seen |= axis >= 0 && axis < kRank ? 1U << axis : 0U;
    return seen == (1U << kRank) - 1U;
  }
  static_assert(is_order(), "the order names every axis once");
  static_assert(kOrder[kRank - 1] == kRank - 1 && T::kLayout.extents[kRank - 1] > 1,
                "neighbouring columns of the product, two at least, stay neighbours");

  using Element = typename T::Element;
  static constexpr Index kElements = T::kElements;
  static constexpr Layout make() noexcept {
    Layout layout = T::kLayout;
    for (int axis = 0; axis < kRank; ++axis) {
      layout.extents[kOrder[axis]] = T::kLayout.extents[axis];
      layout.strides[kOrder[axis]] = T::kLayout.strides[axis];
    }
    return layout;
  }
  static constexpr Layout kLayout = make();
};

// ---- All of them ---------------------------------------------------------------------------

template <bool InPlace, class T, class A, class B, class K, class... V>
void multiply(typename T::Element* out, const typename A::Element* a, const typename B::Element* b,
              const K& k, Group<In<V>...> operands) noexcept {
  using E = typename A::Element;
  static_assert(std::is_same_v<E, typename B::Element>, "factors have one dtype");
  using Space = ProductSpace<T, A, typename RightFactor<B>::Plain>;
  if constexpr (T::kElements > 0) {
    using Own = ProductStrides<Space, T, T>;
    using Left = LeftStrides<Space>;
    using Right = RightStrides<Space>;
    using L = Nest<Space, 0, Space::kColumnAxis, Own, Left, Right, ProductStrides<Space, T, V>...>;
    using P = Product<Space, L, E>;
    constexpr bool packed = !InPlace && std::is_same_v<typename T::Element, E> && packing_pays<P>();
    const auto with = operands.expand([](auto... in) {
      return group(Cursor<const typename V::Element, ProductStrides<Space, T, V>>{in.data()}...);
    });
    for_each<L, 0, P::kBatchLoops>(
        [&k](auto to, auto left, auto right, auto extra) __attribute__((always_inline)) {
          if constexpr (P::kColumns == 1) {
            DotProducts<InPlace, P>::run(left.at, right.at, k, to, extra);
          } else if constexpr (RightFactor<B>::kPanels) {
            PanelTiles<InPlace, P>::run(left.at, right.at, k, to, extra);
          } else if constexpr (packed) {
            PackedTiles<P>::run(left.at, right.at, k, to, extra);
          } else {
            DirectTiles<InPlace, P>::run(left.at, right.at, k, to, extra);
          }
        },
        Cursor<typename T::Element, Own>{out}, Cursor<const E, Left>{a}, Cursor<const E, Right>{b},
        with);
  }
}

}  // namespace internal

/// out = a @ b by NumPy's rules: operands of one axis are a row (a) or a column (b), batch axes
/// broadcast. A constant b may lie in Panels.
template <class T, class A, class B>
void matmul(Out<T> out, In<A> a, In<B> b) noexcept {
  internal::multiply<false, T, A, B>(out.data(), a.data(), b.data(), internal::Same{},
                                     internal::group());
}

/// out = k(a @ b, in...), operands broadcast to the shape of the result.
template <class T, class A, class B, class K, class... V>
void matmul(Out<T> out, In<A> a, In<B> b, const K& k, In<V>... in) noexcept {
  internal::multiply<false, T, A, B>(out.data(), a.data(), b.data(), k, internal::group(in...));
}

/// As matmul, the axes of the product in another order: axis i of out is axis A[i] of a @ b. The
/// last one stays where it is and has two elements or more.
template <class A, class T, class L, class R>
void matmul_transposed(Out<T> out, In<L> a, In<R> b) noexcept {
  internal::multiply<false, internal::Transposed<T, A>, L, R>(out.data(), a.data(), b.data(),
                                                              internal::Same{}, internal::group());
}

/// As matmul_transposed; k(a @ b, in...) with operands broadcast to the shape of a @ b.
template <class A, class T, class L, class R, class K, class... V>
void matmul_transposed(Out<T> out, In<L> a, In<R> b, const K& k, In<V>... in) noexcept {
  internal::multiply<false, internal::Transposed<T, A>, L, R>(out.data(), a.data(), b.data(), k,
                                                              internal::group(in...));
}

/// As matmul; operands of k may share the memory of `inout`, in its layout.
template <class T, class A, class B, class K, class... V>
void matmul_in_place(InOut<T> inout, In<A> a, In<B> b, const K& k, In<V>... in) noexcept {
  internal::multiply<true, T, A, B>(inout.data(), a.data(), b.data(), k, internal::group(in...));
}

}  // namespace wick
