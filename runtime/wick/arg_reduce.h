#pragma once

// arg_reduce: where along the reduced axes the greatest or least element is.
//
// The first of equals wins, and the first NaN wins over everything, as in NumPy. The result is the
// row-major index over the reduced axes; over no elements it is 0.

#include "wick/reduce.h"

namespace wick {

struct ArgMaximum {
  template <class E>
  static constexpr bool better(E a, E b) noexcept {
    return a > b;
  }
};
struct ArgMinimum {
  template <class E>
  static constexpr bool better(E a, E b) noexcept {
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

}  // namespace internal

/// The index of the greatest or least element of `in` along the axes A, row-major over them. `out`
/// has the kept axes, or all with extent 1 for the reduced ones.
template <class A, class T, class R, class U>
void arg_reduce(Out<T> out, R, In<U> in) noexcept {
  using namespace internal;
  using Space = ReducedSpace<A, U>;
  static_assert(std::is_same_v<typename T::Element, std::int64_t>, "indices are i64");
  static_assert(Space::is_result(T::kLayout), "the result must have one element per kept index");
  if constexpr (T::kElements > 0) {
    using Own = ResultStrides<Space, T, T>;
    using From = TermStrides<Space, U>;
    using Kept = Nest<Space, 0, Space::kKept, Own, From>;
    using Reduced = Nest<Space, Space::kKept, Space::kSpace.rank, From>;
    for_each<Kept, 0, Kept::kLoops.depth>(
        [](auto to, auto from)
            __attribute__((always_inline)) { store_one(to.at, best_index<R, Reduced>(from)); },
        Cursor<std::int64_t, Own>{out.data()}, Cursor<const typename U::Element, From>{in.data()});
  }
}

}  // namespace wick
