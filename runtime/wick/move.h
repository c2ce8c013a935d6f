#pragma once

// Statements that move elements and compute nothing: concat, pad, tile. (copy is in map.h,
// gathering by indices in gather.h.)
//
// All of them copy boxes: an operand's shape is the iteration space, the result is the place it
// goes to, and the innermost run goes through the same vector loop as map.

#include "wick/map.h"

namespace wick {

namespace internal {

// Copies the elements of `in`, a U, to the box of the same shape that starts at `out`, in a T.
template <class T, class U>
WICK_INLINE void copy_box(typename T::Element* out, const typename U::Element* in) noexcept {
  if constexpr (U::kElements > 0) {
    using E = typename T::Element;
    using L = Nest<ElementSpace<U>, 0, U::kLayout.rank, OwnStrides<T>, OwnStrides<U>>;
    using To = Cursor<E, OwnStrides<T>>;
    constexpr int axis = L::kLoops.inner_axis();
    constexpr Index run = L::kLoops.inner_extent();
    constexpr int lanes = kernel_lanes<E>(run);
    constexpr Index stride = axis < 0 ? 1 : To::template stride<axis>;
    for_each<L, 0, L::kLoops.depth - 1>(
        [](auto to, auto from) __attribute__((always_inline)) {
          map_run<false, run, lanes, stride>(Same{}, to.at, from.template reader<lanes, axis>());
        },
        To{out}, Cursor<const E, OwnStrides<U>>{in});
  }
}

// Whether two shapes agree but for one axis (none if it is -1).
constexpr bool agree_but_for(const Layout& a, const Layout& b, int but) noexcept {
  if (a.rank != b.rank) return false;
  for (int axis = 0; axis < a.rank; ++axis) {
    if (axis != but && a.extents[axis] != b.extents[axis]) return false;
  }
  return true;
}

// ---- Padding -------------------------------------------------------------------------------

// Elements before and after, per axis; checks that they lead from U to T.
template <class T, class U, class B, class A>
struct Margins;
template <class T, class U, Index... B, Index... A>
struct Margins<T, U, Before<B...>, After<A...>> {
  static constexpr int kRank = T::kLayout.rank;
  static_assert(U::kLayout.rank == kRank && sizeof...(B) == kRank && sizeof...(A) == kRank,
                "one margin on either side of each axis");
  static_assert(((B >= 0) && ... && true) && ((A >= 0) && ... && true), "margins are not negative");
  static constexpr Index kBefore[kMaxRank] = {B...};
  static constexpr Index kAfter[kMaxRank] = {A...};

  static constexpr bool fits() noexcept {
    for (int axis = 0; axis < kRank; ++axis) {
      const Index extent = kBefore[axis] + U::kLayout.extents[axis] + kAfter[axis];
      if (T::kLayout.extents[axis] != extent) return false;
    }
    return true;
  }
  static_assert(fits(), "the result is the operand and its margins");

  // Where the operand starts in the result.
  static constexpr Index offset() noexcept {
    Index elements = 0;
    for (int axis = 0; axis < kRank; ++axis) {
      elements += kBefore[axis] * T::kLayout.strides[axis];
    }
    return elements;
  }
};

// The element of [0, extent) that stands at place `i`, which may lie outside.
struct NearestElement {
  static constexpr Index source(Index i, Index extent) noexcept {
    return i < 0 ? 0 : i < extent ? i : extent - 1;
  }
};
// Mirrored at the first and the last element, which are not repeated.
struct MirroredElement {
  static constexpr Index source(Index i, Index extent) noexcept {
    if (extent == 1) return 0;
    const Index period = 2 * (extent - 1);
    const Index place = (i % period + period) % period;
    return place < extent ? place : period - place;
  }
};

template <class Rule, class M, class T, class U, int Axis, class E>
void pad_by_rule(E* out, const E* in) noexcept {
  if constexpr (Axis == M::kRank) {
    store_one(out, load_one(in));
  } else {
    constexpr Index extent = U::kLayout.extents[Axis];
    constexpr Index step = U::kLayout.strides[Axis];
    const auto at = [out, in](Index i) __attribute__((always_inline)) {
      pad_by_rule<Rule, M, T, U, Axis + 1>(out + i * T::kLayout.strides[Axis],
                                           in + Rule::source(i - M::kBefore[Axis], extent) * step);
    };
    for (Index i = 0; i < T::kLayout.extents[Axis]; ++i) at(i);
  }
}

// ---- Tiling --------------------------------------------------------------------------------

constexpr bool repeats(const Layout& result, const Layout& operand) noexcept {
  if (result.rank != operand.rank) return false;
  for (int axis = 0; axis < result.rank; ++axis) {
    const Index extent = operand.extents[axis];
    if (extent == 0 ? result.extents[axis] != 0 : result.extents[axis] % extent != 0) return false;
  }
  return true;
}

// Copies `in` to each place of axes [Axis, rank) where it is repeated.
template <class T, class U, int Axis, class E>
void tile_axes(E* out, const E* in) noexcept {
  if constexpr (Axis == T::kLayout.rank) {
    copy_box<T, U>(out, in);
  } else {
    constexpr Index extent = U::kLayout.extents[Axis];
    for (Index i = 0; i < T::kLayout.extents[Axis]; i += extent) {
      tile_axes<T, U, Axis + 1>(out + i * T::kLayout.strides[Axis], in);
    }
  }
}

}  // namespace internal

/// The operands one after the other along axis A.
template <int A, class T, class... U>
void concat(Out<T> out, In<U>... in) noexcept {
  using namespace internal;
  static_assert(A >= 0 && A < T::kLayout.rank, "the axis must exist");
  static_assert((agree_but_for(U::kLayout, T::kLayout, A) && ...), "shapes differ along A only");
  static_assert((U::kLayout.extents[A] + ... + 0) == T::kLayout.extents[A],
                "extents along A add up to the result's");
  // Without elements there may be no memory to step through.
  if constexpr (T::kElements > 0) {
    typename T::Element* to = out.data();
    ((copy_box<T, U>(to, in.data()), to += U::kLayout.extents[A] * T::kLayout.strides[A]), ...);
  }
}

/// `in` with `value` around it.
template <class B, class A, class T, class U>
void pad(Out<T> out, In<U> in, typename T::Element value) noexcept {
  using M = internal::Margins<T, U, B, A>;
  internal::map_elements<internal::Stores::kApart, T>(out.data(), [value] { return value; });
  if constexpr (U::kElements > 0) internal::copy_box<T, U>(out.data() + M::offset(), in.data());
}

/// `in` with its outermost elements repeated around it.
template <class B, class A, class T, class U>
void pad_edge(Out<T> out, In<U> in) noexcept {
  static_assert(U::kElements > 0 || T::kElements == 0, "nothing to repeat");
  using M = internal::Margins<T, U, B, A>;
  internal::pad_by_rule<internal::NearestElement, M, T, U, 0>(out.data(), in.data());
}

/// `in` with its mirror images around it, the outermost elements not repeated.
template <class B, class A, class T, class U>
void pad_reflect(Out<T> out, In<U> in) noexcept {
  static_assert(U::kElements > 0 || T::kElements == 0, "nothing to mirror");
  using M = internal::Margins<T, U, B, A>;
  internal::pad_by_rule<internal::MirroredElement, M, T, U, 0>(out.data(), in.data());
}

/// `in` repeated along every axis as often as it fits.
template <class T, class U>
void tile(Out<T> out, In<U> in) noexcept {
  static_assert(internal::repeats(T::kLayout, U::kLayout),
                "extents are multiples of the operand's");
  if constexpr (T::kElements > 0) internal::tile_axes<T, U, 0>(out.data(), in.data());
}

}  // namespace wick
