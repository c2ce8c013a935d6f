#pragma once

// Windows that move over the spatial axes of an operand: what convolution and pooling share.
//
// Operands are [batch, channels, columns] or [batch, channels, rows, columns]. The first form is
// treated as the second with one row, so that everybody else has two spatial axes. Along one axis
//
//   window o covers the elements  o * step - before + k * dilation,  k = 0 ... size - 1
//
// and those outside of [0, in) are padding.

#include "wick/loops.h"

namespace wick::internal {

// One number per spatial axis.
struct Pair {
  Index down = 1;
  Index across = 1;
};

// The numbers of a list as a pair; one number is the columns'.
template <template <Index...> class List, Index... I>
constexpr Pair pair_of(List<I...>, Index missing) noexcept {
  static_assert(sizeof...(I) == 1 || sizeof...(I) == 2, "one or two spatial axes");
  constexpr Index numbers[] = {I...};
  if constexpr (sizeof...(I) == 1) {
    return {missing, numbers[0]};
  } else {
    return {numbers[0], numbers[1]};
  }
}

// A layout of three axes with rows put in, one of four as it is.
constexpr Layout with_rows(const Layout& layout) noexcept {
  Layout four = layout;
  if (layout.rank == 3) {
    four.rank = 4;
    four.extents[3] = layout.extents[2];
    four.strides[3] = layout.strides[2];
    four.extents[2] = 1;
    four.strides[2] = 0;
  }
  return four;
}

// The strides of an operand U that broadcasts to a result T, with rows put in.
template <class T, class U>
struct SpatialStrides {
  static_assert(broadcasts(U::kLayout, T::kLayout), "the operand must broadcast to the result");
  static constexpr Strides make() noexcept {
    Strides strides = broadcast_strides(U::kLayout, T::kLayout);
    if (T::kLayout.rank == 3) {
      strides.at[3] = strides.at[2];
      strides.at[2] = 0;
    }
    return strides;
  }
  static constexpr Strides kStrides = make();
};
inline constexpr int kDownAxis = 2;
inline constexpr int kAcrossAxis = 3;

constexpr Index quotient_up(Index a, Index b) noexcept { return (a + b - 1) / b; }
constexpr Index most(Index a, Index b) noexcept { return a < b ? b : a; }

// Windows along one axis.
struct WindowAxis {
  Index in = 1;
  Index out = 1;
  Index size = 1;
  Index step = 1;
  Index dilation = 1;
  Index before = 0;

  constexpr Index span() const noexcept { return (size - 1) * dilation + 1; }
  // Where window `o` begins, perhaps in the padding.
  constexpr Index begin(Index o) const noexcept { return o * step - before; }
  // Windows [inner_begin, inner_end) touch no padding.
  constexpr Index inner_begin() const noexcept { return smaller(out, quotient_up(before, step)); }
  constexpr Index inner_end() const noexcept {
    const Index last = in + before - span();
    return last < 0 ? inner_begin() : most(inner_begin(), smaller(out, last / step + 1));
  }
  // Places [begin, end) of the window that begins at `at` are elements.
  constexpr Index places_begin(Index at) const noexcept {
    return at >= 0 ? 0 : smaller(size, quotient_up(-at, dilation));
  }
  constexpr Index places_end(Index at) const noexcept {
    return at + span() <= in ? size : at >= in ? 0 : quotient_up(in - at, dilation);
  }
  constexpr bool sound() const noexcept {
    return size >= 1 && step >= 1 && dilation >= 1 && before >= 0;
  }
};

// ---- Loading every so many elements ---------------------------------------------------------

template <class Evens>
struct EveryOther;
// Of 2 N lanes: 0, 2, ... of the first N, and so on in the second N, which begin one early.
template <int... I>
struct EveryOther<detail::LaneList<I...>> {
  static constexpr int kCount = static_cast<int>(sizeof...(I));
  using Type = detail::LaneList<(2 * I < kCount ? 2 * I : 2 * I + 1)...>;
};

// N elements that lie `Stride` apart, N no more than a vector. Reads nothing beyond the last.
template <int N, Index Stride, class E>
WICK_INLINE Lanes<E, N> load_every(const E* from) noexcept {
  if constexpr (N == 1 || Stride == 1) {
    return Lanes<E, N>::load(from);
  } else if constexpr (Stride == 2 && !std::is_same_v<E, bool>) {
    using List = typename EveryOther<typename detail::LaneRange<0, N>::Type>::Type;
    return Lanes<E, N>(
        detail::shuffle(Lanes<E, N>::load(from).r, Lanes<E, N>::load(from + N - 1).r, List{}));
  } else {
    return gather_lanes<N, N>(from, Stride);
  }
}

}  // namespace wick::internal
