#pragma once

// sort, argsort and topk along one axis.
//
// All three sort the indices of a row by a bottom-up merge sort in the workspace: stable (equal
// elements, 0 and -0 among them, keep their order in both directions), O(n log n) comparisons, no
// recursion. NaN is greater than everything: last when ascending, first when descending.
//
// Workspace: two rows of i64 indices, 16 bytes times the extent along the axis.

#include "wick/arg_reduce.h"
#include "wick/move.h"

namespace wick {

namespace internal {

// Whether element `a` belongs before `b`.
template <bool Descending, class E>
constexpr bool sorts_before(E a, E b) noexcept {
  if constexpr (std::is_floating_point_v<E>) {
    if (is_nan(a) || is_nan(b)) return Descending ? !is_nan(b) : !is_nan(a);
  }
  return Descending ? a > b : a < b;
}

// Merges indices [begin, middle) and [middle, end), each in order, into `to`.
template <bool Descending, Index Stride, class E>
void merge_indices(const E* row, const std::int64_t* from, std::int64_t* to, Index begin,
                   Index middle, Index end) noexcept {
  Index low = begin;
  Index high = middle;
  for (Index i = begin; i < end; ++i) {
    // The later one only if it belongs before: equals keep their order.
    const bool take_high = low == middle || (high < end && sorts_before<Descending>(
                                                               load_one(row + from[high] * Stride),
                                                               load_one(row + from[low] * Stride)));
    to[i] = take_high ? from[high++] : from[low++];
  }
}

// The indices of `count` elements of a row, in sorted order, in one of the two buffers.
template <bool Descending, Index Stride, class E>
const std::int64_t* sorted_indices(const E* row, Index count, std::int64_t* buffer,
                                   std::int64_t* other) noexcept {
  for (Index i = 0; i < count; ++i) buffer[i] = i;
  for (Index width = 1; width < count; width *= 2) {
    for (Index begin = 0; begin < count; begin += 2 * width) {
      const Index middle = begin + width < count ? begin + width : count;
      const Index end = middle + width < count ? middle + width : count;
      merge_indices<Descending, Stride>(row, buffer, other, begin, middle, end);
    }
    std::int64_t* const sorted = other;
    other = buffer;
    buffer = sorted;
  }
  return buffer;
}

// Calls f(sorted indices, row of in, rows of out...) for each row along axis A. Results are Ts.
template <int A, bool Descending, class T, class U, std::size_t Bytes, class F, class... O>
void for_each_sorted_row(const F& f, Workspace<Bytes> workspace, const typename U::Element* in,
                         O*... out) noexcept {
  static_assert(A >= 0 && A < U::kLayout.rank, "the axis must exist");
  static_assert(agree_but_for(T::kLayout, U::kLayout, A), "shapes differ along A only");
  constexpr Index count = U::kLayout.extents[A];
  static_assert(Bytes >= static_cast<std::size_t>(count) * 16, "the workspace is too small");
  if constexpr (T::kElements > 0) {
    using Own = OwnStrides<T>;
    using From = OwnStrides<U>;
    using Outer = Nest<ElementSpace<T>, 0, A, Own, From>;
    using Inner = Nest<ElementSpace<T>, A + 1, T::kLayout.rank, Own, From>;
    auto* const buffer = reinterpret_cast<std::int64_t*>(workspace.data());
    const auto sort_row = [buffer, &f](auto row, auto... to) {
      f(sorted_indices<Descending, U::kLayout.strides[A]>(row.at, count, buffer, buffer + count),
        row.at, to.at...);
    };
    for_each<Outer, 0, Outer::kLoops.depth>(
        [&sort_row](auto... outer) __attribute__((always_inline)) {
          for_each<Inner, 0, Inner::kLoops.depth>(sort_row, outer...);
        },
        Cursor<const typename U::Element, From>{in}, Cursor<O, Own>{out}...);
  }
}

}  // namespace internal

/// The elements of `in` in order along axis A.
template <int A, bool Descending, class T, class U, std::size_t Bytes>
void sort(Out<T> out, In<U> in, Workspace<Bytes> workspace) noexcept {
  using namespace internal;
  static_assert(T::kElements == U::kElements, "sorting keeps the shape");
  for_each_sorted_row<A, Descending, T, U>(
      [](const std::int64_t* order, const auto* row, auto* to) {
        for (Index i = 0; i < T::kLayout.extents[A]; ++i) {
          store_one(to + i * T::kLayout.strides[A],
                    load_one(row + order[i] * U::kLayout.strides[A]));
        }
      },
      workspace, in.data(), out.data());
}

/// The indices along axis A that put `in` in order.
template <int A, bool Descending, class T, class U, std::size_t Bytes>
void argsort(Out<T> out, In<U> in, Workspace<Bytes> workspace) noexcept {
  using namespace internal;
  static_assert(std::is_same_v<typename T::Element, std::int64_t>, "indices are i64");
  static_assert(T::kElements == U::kElements, "sorting keeps the shape");
  for_each_sorted_row<A, Descending, T, U>(
      [](const std::int64_t* order, const auto*, std::int64_t* to) {
        for (Index i = 0; i < T::kLayout.extents[A]; ++i) {
          store_one(to + i * T::kLayout.strides[A], order[i]);
        }
      },
      workspace, in.data(), out.data());
}

/// The first elements of `in` in order along axis A, as many as `values` has, and their indices.
template <int A, bool Descending, class T, class I, class U, std::size_t Bytes>
void topk(Out<T> values, Out<I> indices, In<U> in, Workspace<Bytes> workspace) noexcept {
  using namespace internal;
  static_assert(std::is_same_v<typename I::Element, std::int64_t>, "indices are i64");
  static_assert(agree_but_for(T::kLayout, I::kLayout, -1), "values and indices have one shape");
  static_assert(T::kLayout.extents[A] <= U::kLayout.extents[A], "no more than there are");
  for_each_sorted_row<A, Descending, T, U>(
      [](const std::int64_t* order, const auto* row, auto* value, std::int64_t* index) {
        for (Index i = 0; i < T::kLayout.extents[A]; ++i) {
          store_one(value + i * T::kLayout.strides[A],
                    load_one(row + order[i] * U::kLayout.strides[A]));
          store_one(index + i * T::kLayout.strides[A], order[i]);
        }
      },
      workspace, in.data(), values.data(), indices.data());
}

}  // namespace wick
