#pragma once

// Statements that work with indices: gather, gather_elements, one_hot, iota.
//
// A negative index counts from the end. Indices out of range are clamped (gather) or match nothing
// (one_hot): no index reads outside of its tensor.

#include "wick/map.h"

namespace wick {

namespace internal {

// The element of [0, extent) that an index names.
template <class I>
WICK_INLINE Index clamped(I index, Index extent) noexcept {
  const auto wide = static_cast<std::int64_t>(index);
  const auto count = static_cast<std::int64_t>(extent);
  const std::int64_t at = wide < 0 ? wide + count : wide;
  return static_cast<Index>(at < 0 ? 0 : at < count ? at : count - 1);
}

// Strides in the space data[0, A) + indices + data[A + 1, ...).
template <int A, class U, class I>
struct GatherStrides {
  static constexpr int kSpan = I::kLayout.rank;

  static constexpr Layout make_space() noexcept {
    Layout space;
    for (int axis = 0; axis < A; ++axis) space.extents[space.rank++] = U::kLayout.extents[axis];
    for (int axis = 0; axis < kSpan; ++axis) space.extents[space.rank++] = I::kLayout.extents[axis];
    for (int axis = A + 1; axis < U::kLayout.rank; ++axis) {
      space.extents[space.rank++] = U::kLayout.extents[axis];
    }
    return space;
  }
  static constexpr Strides of_data() noexcept {
    Strides strides;
    for (int axis = 0; axis < U::kLayout.rank; ++axis) {
      const int place = axis < A ? axis : axis + kSpan - 1;
      if (axis != A) strides.at[place] = U::kLayout.strides[axis];
    }
    return strides;
  }
  static constexpr Strides of_indices() noexcept {
    Strides strides;
    for (int axis = 0; axis < kSpan; ++axis) strides.at[A + axis] = I::kLayout.strides[axis];
    return strides;
  }
  struct Data {
    static constexpr Strides kStrides = of_data();
  };
  struct Indices {
    static constexpr Strides kStrides = of_indices();
  };
};

// The strides of `data` at the place of an index, which itself says where along A.
template <int A, class U, class I>
struct AlignedStrides {
  static constexpr bool fits() noexcept {
    if (U::kLayout.rank != I::kLayout.rank) return false;
    for (int axis = 0; axis < U::kLayout.rank; ++axis) {
      const Index extent = U::kLayout.extents[axis];
      if (axis != A && extent != 1 && extent < I::kLayout.extents[axis]) return false;
    }
    return true;
  }
  static_assert(fits(), "indices lie within the data along all axes but A");
  static constexpr Strides make() noexcept {
    Strides strides;
    for (int axis = 0; axis < U::kLayout.rank; ++axis) {
      const bool moves = axis != A && U::kLayout.extents[axis] != 1;
      strides.at[axis] = moves ? U::kLayout.strides[axis] : 0;
    }
    return strides;
  }
  static constexpr Strides kStrides = make();
};

// The strides of indices in the shape of a result that has one more axis, A.
template <int A, class T, class I>
struct SpreadStrides {
  static constexpr bool fits() noexcept {
    if (T::kLayout.rank != I::kLayout.rank + 1) return false;
    for (int axis = 0; axis < I::kLayout.rank; ++axis) {
      const Index extent = T::kLayout.extents[axis < A ? axis : axis + 1];
      if (extent != I::kLayout.extents[axis]) return false;
    }
    return true;
  }
  static_assert(fits(), "the result has the shape of the indices and one more axis");
  static constexpr Strides make() noexcept {
    Strides strides;
    for (int axis = 0; axis < I::kLayout.rank; ++axis) {
      strides.at[axis < A ? axis : axis + 1] = I::kLayout.strides[axis];
    }
    return strides;
  }
  static constexpr Strides kStrides = make();
};

}  // namespace internal

/// The slices of `data` along axis A that `indices` name; the axes of the indices take A's place.
template <int A, class T, class U, class I>
void gather(Out<T> out, In<U> data, In<I> indices) noexcept {
  using namespace internal;
  using G = GatherStrides<A, U, I>;
  using Space = ElementSpace<T>;
  static_assert(A >= 0 && A < U::kLayout.rank, "the axis must exist");
  static_assert(broadcasts(G::make_space(), T::kLayout) && G::make_space().rank == T::kLayout.rank,
                "the result has the axes of the indices in place of A");
  static_assert(U::kLayout.extents[A] > 0 || T::kElements == 0, "nothing to gather from");
  if constexpr (T::kElements > 0) {
    using E = typename T::Element;
    using Own = Broadcast<T, T>;
    constexpr int split = A + I::kLayout.rank;
    using Outer = Nest<Space, 0, split, Own, typename G::Data, typename G::Indices>;
    using Slice = Nest<Space, split, T::kLayout.rank, Own, typename G::Data>;
    using Data = Cursor<const E, typename G::Data>;
    constexpr int axis = Slice::kLoops.inner_axis();
    constexpr Index run = Slice::kLoops.inner_extent();
    constexpr int lanes = kernel_lanes<E>(run);
    for_each<Outer, 0, Outer::kLoops.depth>(
        [](auto to, auto from, auto index) __attribute__((always_inline)) {
          const Index at = clamped(load_one(index.at), U::kLayout.extents[A]);
          for_each<Slice, 0, Slice::kLoops.depth - 1>(
              [](auto row, auto source) __attribute__((always_inline)) {
                map_run<false, run, lanes>(Same{}, row.at, source.template reader<lanes, axis>());
              },
              to, Data{from.at + at * U::kLayout.strides[A]});
        },
        Cursor<E, Own>{out.data()}, Data{data.data()},
        Cursor<const typename I::Element, typename G::Indices>{indices.data()});
  }
}

/// The elements of `data` at the place of each index, but along axis A at the index itself.
template <int A, class T, class U, class I>
void gather_elements(Out<T> out, In<U> data, In<I> indices) noexcept {
  using namespace internal;
  static_assert(A >= 0 && A < U::kLayout.rank, "the axis must exist");
  static_assert(broadcasts(I::kLayout, T::kLayout) && I::kElements == T::kElements,
                "the result has the shape of the indices");
  static_assert(U::kLayout.extents[A] > 0 || T::kElements == 0, "nothing to gather from");
  if constexpr (T::kElements > 0) {
    using E = typename T::Element;
    using Own = Broadcast<T, T>;
    using From = AlignedStrides<A, U, I>;
    using At = Broadcast<T, I>;
    using L = Nest<ElementSpace<T>, 0, T::kLayout.rank, Own, From, At>;
    for_each<L, 0, L::kLoops.depth>(
        [](auto to, auto from, auto index) __attribute__((always_inline)) {
          const Index at = clamped(load_one(index.at), U::kLayout.extents[A]);
          store_one(to.at, load_one(from.at + at * U::kLayout.strides[A]));
        },
        Cursor<E, Own>{out.data()}, Cursor<const E, From>{data.data()},
        Cursor<const typename I::Element, At>{indices.data()});
  }
}

/// 1 where the place along the new axis A is the one the index names, else 0.
template <int A, class T, class I>
void one_hot(Out<T> out, In<I> indices) noexcept {
  using namespace internal;
  using At = SpreadStrides<A, T, I>;
  if constexpr (T::kElements > 0) {
    using E = typename T::Element;
    using Own = Broadcast<T, T>;
    using Outer = Nest<ElementSpace<T>, 0, A, Own, At>;
    using Inner = Nest<ElementSpace<T>, A + 1, T::kLayout.rank, Own, At>;
    const auto spread = [](auto to, auto index) __attribute__((always_inline)) {
      constexpr Index depth = T::kLayout.extents[A];
      const auto wide = static_cast<std::int64_t>(load_one(index.at));
      const std::int64_t hot = wide < 0 ? wide + std::int64_t{depth} : wide;
      for (Index i = 0; i < depth; ++i) {
        store_one(to.template plus<A>(i).at, hot == std::int64_t{i} ? E{1} : E{0});
      }
    };
    for_each<Outer, 0, Outer::kLoops.depth>(
        [&spread](auto to, auto index) __attribute__((always_inline)) {
          for_each<Inner, 0, Inner::kLoops.depth>(spread, to, index);
        },
        Cursor<E, Own>{out.data()}, Cursor<const typename I::Element, At>{indices.data()});
  }
}

/// The place along axis A.
template <int A, class T>
void iota(Out<T> out) noexcept {
  using namespace internal;
  static_assert(A >= 0 && A < T::kLayout.rank, "the axis must exist");
  if constexpr (T::kElements > 0) {
    using E = typename T::Element;
    using Own = Broadcast<T, T>;
    using Outer = Nest<ElementSpace<T>, 0, A, Own>;
    using Inner = Nest<ElementSpace<T>, A + 1, T::kLayout.rank, Own>;
    for_each<Outer, 0, Outer::kLoops.depth>(
        [](auto to) __attribute__((always_inline)) {
          for (Index i = 0; i < T::kLayout.extents[A]; ++i) {
            for_each<Inner, 0, Inner::kLoops.depth>(
                [i](auto at)
                    __attribute__((always_inline)) { store_one(at.at, static_cast<E>(i)); },
                to.template plus<A>(i));
          }
        },
        Cursor<E, Own>{out.data()});
  }
}

}  // namespace wick
