#pragma once

// scan: running sums along one axis, each the one before plus an element, in order.

#include "wick/map.h"
#include "wick/reducers.h"

namespace wick {

namespace internal {

// The strides of U where T has the axes [A, rank): the steps along A and the slices inside.
template <int A, class T, class R, class U>
void scan_elements(typename T::Element* out, R join, const typename U::Element* in) noexcept {
  if constexpr (T::kElements > 0) {
    using E = typename T::Element;
    using Space = ElementSpace<T>;
    using Own = Broadcast<T, T>;
    using From = Broadcast<T, U>;
    using Outer = Nest<Space, 0, A, Own, From>;
    using Slice = Nest<Space, A + 1, T::kLayout.rank, Own, From>;
    constexpr int axis = Slice::kLoops.inner_axis();
    constexpr Index run = Slice::kLoops.inner_extent();
    constexpr int lanes = kernel_lanes<E>(run);
    const auto slice = [](const auto& k, auto... cursors) __attribute__((always_inline)) {
      for_each<Slice, 0, Slice::kLoops.depth - 1>(
          [&k](auto to, auto... from) __attribute__((always_inline)) {
            map_run<false, run, lanes>(k, to.at, from.template reader<lanes, axis>()...);
          },
          cursors...);
    };
    for_each<Outer, 0, Outer::kLoops.depth>(
        [&](auto to, auto from) __attribute__((always_inline)) {
          slice(Same{}, to, from);
          for (Index i = 1; i < T::kLayout.extents[A]; ++i) {
            const Cursor<const E, Own> before{to.template plus<A>(i - 1).at};
            slice(join, to.template plus<A>(i), before, from.template plus<A>(i));
          }
        },
        Cursor<E, Own>{out}, Cursor<const E, From>{in});
  }
}

}  // namespace internal

/// out[..., i, ...] = r(out[..., i - 1, ...], in[..., i, ...]) along axis A.
template <int A, class T, class R, class U>
void scan(Out<T> out, R r, In<U> in) noexcept {
  static_assert(A >= 0 && A < T::kLayout.rank, "the axis must exist");
  static_assert(T::kElements == U::kElements, "a scan keeps the shape");
  internal::scan_elements<A, T, R, U>(out.data(), r, in.data());
}

}  // namespace wick
