#pragma once

// arg_reduce: where along the reduced axes the greatest or least element is.
//
// The first of equals wins, and the first NaN wins over everything, as in NumPy. The result is the
// row-major index over the reduced axes; over no elements it is 0.
//
//   rows     neighbours are searched for their extreme (reduce.h), then for the first
//            that equals it
//   columns  neighbouring results keep the best element so far, and where it was, in
//            vectors
//   others   are visited one by one

#include "wick/reduce.h"

namespace wick {

struct ArgMaximum {
  using Extreme = Maximum;
  template <class X>
  static WICK_INLINE auto better(X a, X b) noexcept {
    return a > b;
  }
};
struct ArgMinimum {
  using Extreme = Minimum;
  template <class X>
  static WICK_INLINE auto better(X a, X b) noexcept {
    return a < b;
  }
};

namespace internal {

template <class E>
constexpr bool is_nan(E x) noexcept {
  if constexpr (std::is_floating_point_v<E>) {
    return x != x;
  } else {
    return false;
  }
}

// ---- One by one ----------------------------------------------------------------------------

template <class R, class L, class C>
WICK_INLINE std::int64_t best_index(C elements) noexcept {
  using E = typename C::Element;
  if constexpr (L::kLoops.elements() == 0) {
    return 0;
  } else {
    E best = load_one(elements.at);
    std::int64_t best_at = 0;
    std::int64_t i = 0;
    for_each<L, 0, L::kLoops.depth>(
        [&](auto at) __attribute__((always_inline)) {
          const E x = load_one(at.at);
          if (R::better(x, best) || (is_nan(x) && !is_nan(best))) {
            best = x;
            best_at = i;
          }
          ++i;
        },
        elements);
    return best_at;
  }
}

// ---- Rows ----------------------------------------------------------------------------------

// How many elements of E are searched at once.
template <class E>
constexpr int searched_lanes(Index count) noexcept {
  const Index most = 4 * kernel_lanes<E, std::int32_t>(64);
  return static_cast<int>(floor_power(count < most ? count : most));
}

// The numbers from 0 to N - 1.
template <int N>
WICK_INLINE Lanes<std::int32_t, N> places() noexcept {
  std::int32_t all[std::size_t{N}];
  for (int i = 0; i < N; ++i) all[i] = i;
  return Lanes<std::int32_t, N>::load(all);
}

// The first of `Count` elements for which there is `is_it`; there is one. What is left over is
// searched with elements before it, which are none.
template <Index Count, int N, class S, class P>
WICK_INLINE Index first_place(const S& elements, const P& is_it) noexcept {
  const auto in_block = places<N>();
  for (Index i = 0;; i += N) {
    const Index at = i + N <= Count ? i : Count - N;
    const std::int32_t found = reduce_lanes(
        Minimum{}, wick::where(is_it(elements.at(at)), in_block, Lanes<std::int32_t, N>(N)));
    if (found < N || at == Count - N) return at + found;
  }
}

template <class R, class L, class C>
WICK_INLINE std::int64_t best_of_row(C elements) noexcept {
  using E = typename C::Element;
  constexpr Index count = L::kLoops.elements();
  constexpr int lanes = searched_lanes<E>(count);
  const auto reader = elements.template reader<lanes, L::kLoops.inner_axis()>();
  const E best = accumulate_terms<typename R::Extreme, L, E>(kSame, elements);
  if (is_nan(best)) {
    return first_place<count, lanes>(reader, [](auto x) { return x != x; });
  }
  return first_place<count, lanes>(reader, [best](auto x) { return x == best; });
}

// ---- Columns -------------------------------------------------------------------------------

// Whether x wins over the best before it.
template <class R, class X>
WICK_INLINE auto wins(X x, X best) noexcept {
  if constexpr (std::is_floating_point_v<typename X::Element>) {
    return wick::logical_or(R::better(x, best), wick::logical_and(x != x, best == best));
  } else {
    return R::better(x, best);
  }
}

// N neighbouring results along `Axis`.
template <class R, class L, int Axis, int N, class O, class C>
WICK_INLINE void best_of_columns(O out, C elements) noexcept {
  using I = Lanes<std::int32_t, N>;
  auto best = elements.template reader<N, Axis>().at(0);
  I best_at(std::int32_t{0});
  std::int32_t i = 0;
  for_each<L, 0, L::kLoops.depth>(
      [&](auto row) __attribute__((always_inline)) {
        const auto x = row.template reader<N, Axis>().at(0);
        const auto is_better = wins<R>(x, best);
        best = wick::where(is_better, x, best);
        best_at = wick::where(is_better, I(i), best_at);
        ++i;
      },
      elements);
  std::int32_t found[std::size_t{N}];
  best_at.store(found);
  for (int c = 0; c < N; ++c) store_one(out.template plus<Axis>(c).at, std::int64_t{found[c]});
}

// The last block overlaps the one before it.
template <class R, class Kept, class Reduced, class O, class C>
WICK_INLINE void best_of_all_columns(O out, C elements) noexcept {
  constexpr Index columns = Kept::kLoops.inner_extent();
  constexpr int lanes = searched_lanes<typename C::Element>(columns);
  for_each<Kept, 0, Kept::kLoops.depth - 1>(
      [](auto to, auto from) __attribute__((always_inline)) {
        constexpr int axis = Kept::kLoops.inner_axis();
        for (Index c = 0; c < columns; c += lanes) {
          const Index at = c + lanes <= columns ? c : columns - lanes;
          best_of_columns<R, Reduced, axis, lanes>(to.template plus<axis>(at),
                                                   from.template plus<axis>(at));
        }
      },
      out, elements);
}

}  // namespace internal

/// The index of the greatest or least element of `in` along the axes A, row-major over them. `out`
/// has the kept axes, or all with extent 1 for the reduced ones.
template <class A, class T, class R, class U>
void arg_reduce(Out<T> out, R, In<U> in) noexcept {
  using namespace internal;
  using Space = ReducedSpace<A, U>;
  using E = typename U::Element;
  static_assert(std::is_same_v<typename T::Element, std::int64_t>, "indices are i64");
  static_assert(Space::is_result(T::kLayout), "the result must have one element per kept index");
  if constexpr (T::kElements > 0) {
    using Own = ResultStrides<Space, T, T>;
    using From = TermStrides<Space, U>;
    using Kept = Nest<Space, 0, Space::kKept, Own, From>;
    using Reduced = Nest<Space, Space::kKept, Space::kSpace.rank, From>;
    constexpr int along = Reduced::kLoops.inner_axis();
    constexpr int across = Kept::kLoops.inner_axis();
    constexpr Index count = Space::kReduced;
    constexpr bool in_vectors = kHasVectors && !std::is_same_v<E, bool> && count > 1 &&
                                count <= std::numeric_limits<std::int32_t>::max();
    const Cursor<std::int64_t, Own> to{out.data()};
    const Cursor<const E, From> from{in.data()};
    if constexpr (in_vectors && Reduced::kLoops.depth == 1 &&
                  stride_along(From::kStrides, along) == 1) {
      for_each<Kept, 0, Kept::kLoops.depth>(
          [](auto result, auto row) __attribute__((always_inline)) {
            store_one(result.at, best_of_row<R, Reduced>(row));
          },
          to, from);
    } else if constexpr (in_vectors && across >= 0 && stride_along(From::kStrides, across) == 1) {
      best_of_all_columns<R, Kept, Reduced>(to, from);
    } else {
      for_each<Kept, 0, Kept::kLoops.depth>(
          [](auto result, auto place) __attribute__((always_inline)) {
            store_one(result.at, best_index<R, Reduced>(place));
          },
          to, from);
    }
  }
}

}  // namespace wick
