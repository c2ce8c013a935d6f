#pragma once

// Loop nests: how statements walk over several operands at once.
//
// A statement has an iteration space, a list of at most 8 axes with constant extents, and each
// operand a stride per axis of the space (0 where it is broadcast). Everything about the loops is
// worked out at compile time from these:
//
//   space [8, 32, 5], operands with strides [160, 5, 1], [160, 5, 1], [0, 0, 1]
//     axes of extent 1 are dropped; neighbours that every operand steps through evenly are merged
//   loops [256, 5]: the outer one counts the rows, the inner one is run with vectors
//
// A Cursor is an operand's pointer on its way through the loops. In the innermost loop it becomes a
// Reader, which knows whether its elements are one value (broadcast outside the loop), neighbours
// (loaded as a vector) or apart (gathered one by one).

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "wick/lanes.h"
#include "wick/tensor.h"

namespace wick::internal {

// ---- Strides -------------------------------------------------------------------------------

// An operand's stride along each axis of an iteration space.
struct Strides {
  Index at[kMaxRank] = {};
};

// Whether `operand` broadcasts to `shape` by NumPy's rules.
constexpr bool broadcasts(const Layout& operand, const Layout& shape) noexcept {
  const int missing = shape.rank - operand.rank;
  if (missing < 0) return false;
  for (int axis = 0; axis < operand.rank; ++axis) {
    const Index extent = operand.extents[axis];
    if (extent != 1 && extent != shape.extents[axis + missing]) return false;
  }
  return true;
}

// The stride with which `operand` follows axis `axis` of a shape of `rank` axes it broadcasts to.
constexpr Index broadcast_stride(const Layout& operand, int rank, int axis) noexcept {
  const int own = axis - (rank - operand.rank);
  return own < 0 || operand.extents[own] == 1 ? 0 : operand.strides[own];
}

constexpr Strides broadcast_strides(const Layout& operand, const Layout& shape) noexcept {
  Strides strides;
  for (int axis = 0; axis < shape.rank; ++axis) {
    strides.at[axis] = broadcast_stride(operand, shape.rank, axis);
  }
  return strides;
}

// The shape that operands broadcast to together; strides are left at 0.
constexpr Layout common_shape(const Layout* operands, int count) noexcept {
  Layout shape;
  for (int i = 0; i < count; ++i) {
    if (operands[i].rank > shape.rank) shape.rank = operands[i].rank;
  }
  for (int axis = 0; axis < shape.rank; ++axis) {
    shape.extents[axis] = 1;
    for (int i = 0; i < count; ++i) {
      const int own = axis - (shape.rank - operands[i].rank);
      if (own >= 0 && operands[i].extents[own] != 1) shape.extents[axis] = operands[i].extents[own];
    }
  }
  return shape;
}

template <class... T>
constexpr Layout common_shape_of() noexcept {
  const Layout layouts[] = {T::kLayout..., Layout{}};
  return common_shape(layouts, static_cast<int>(sizeof...(T)));
}

// ---- Merged loops --------------------------------------------------------------------------

// Loops over some axes of a space. `axes[d]` is the axis whose strides loop d steps with.
struct Loops {
  int depth = 0;
  Index extents[kMaxRank] = {};
  int axes[kMaxRank] = {};

  // Axis and extent of the innermost loop; a nest of no loops runs once, along no axis.
  constexpr int inner_axis() const noexcept { return depth == 0 ? -1 : axes[depth - 1]; }
  constexpr Index inner_extent() const noexcept { return depth == 0 ? 1 : extents[depth - 1]; }
  constexpr Index elements() const noexcept {
    Index count = 1;
    for (int d = 0; d < depth; ++d) count *= extents[d];
    return count;
  }
};

// The loops over axes [begin, end) of a space, as few as the operands' strides allow.
constexpr Loops merge_axes(const Layout& space, int begin, int end, const Strides* operands,
                           int count) noexcept {
  Loops loops;
  for (int axis = begin; axis < end; ++axis) {
    const Index extent = space.extents[axis];
    if (extent == 1) continue;
    bool merges = loops.depth > 0;
    for (int i = 0; merges && i < count; ++i) {
      const Index outer = operands[i].at[loops.axes[loops.depth - 1]];
      merges = outer == operands[i].at[axis] * extent;
    }
    if (merges) {
      loops.extents[loops.depth - 1] *= extent;
      loops.axes[loops.depth - 1] = axis;
    } else {
      loops.extents[loops.depth] = extent;
      loops.axes[loops.depth] = axis;
      ++loops.depth;
    }
  }
  return loops;
}

// A type that names the loops over axes [Begin, End) of Space::kSpace for operands with strides M.
template <class Space, int Begin, int End, class... M>
struct Nest {
  static constexpr Strides kOperands[] = {M::kStrides..., Strides{}};
  static constexpr Loops kLoops =
      merge_axes(Space::kSpace, Begin, End, kOperands, static_cast<int>(sizeof...(M)));
};

// The strides of operand U, broadcast to the shape of T.
template <class T, class U>
struct Broadcast {
  static_assert(broadcasts(U::kLayout, T::kLayout), "the operand must broadcast to the result");
  static constexpr Strides kStrides = broadcast_strides(U::kLayout, T::kLayout);
};

// The strides of a tensor along its own axes.
template <class T>
struct OwnStrides {
  static constexpr Strides make() noexcept {
    Strides strides;
    for (int axis = 0; axis < T::kLayout.rank; ++axis) strides.at[axis] = T::kLayout.strides[axis];
    return strides;
  }
  static constexpr Strides kStrides = make();
};

// The space of all elements of a tensor.
template <class T>
struct ElementSpace {
  static constexpr Layout kSpace = T::kLayout;
};

// ---- Loading -------------------------------------------------------------------------------

template <class E>
WICK_INLINE std::remove_const_t<E> load_one(const E* from) noexcept {
  return Lanes<E, 1>::load(from).v;
}

template <class E>
WICK_INLINE void store_one(E* to, E value) noexcept {
  Lanes<E, 1>(value).store(to);
}

// `Count` <= N elements that lie `stride` apart; lanes beyond hold zero.
template <int N, int Count, class E>
WICK_INLINE Lanes<E, N> gather_lanes(const E* from, Index stride) noexcept {
  if constexpr (N == 1) {
    return Lanes<E, 1>::load(from);
  } else {
    E lanes[std::size_t{N}] = {};
    for (int i = 0; i < Count; ++i) lanes[i] = load_one(from + i * stride);
    return Lanes<E, N>::load(lanes);
  }
}

// `Count` <= N neighbours; lanes beyond hold zero.
template <int N, int Count, class E>
WICK_INLINE Lanes<E, N> load_lanes(const E* from) noexcept {
  if constexpr (Count == N) {
    return Lanes<E, N>::load(from);
  } else {
    E lanes[std::size_t{N}] = {};
    std::memcpy(lanes, from, static_cast<std::size_t>(Count) * sizeof(E));
    return Lanes<E, N>::load(lanes);
  }
}

// The first `Count` lanes of x, then those of y.
template <int Count, class E, int N>
WICK_INLINE Lanes<E, N> first_of(Lanes<E, N> x, Lanes<E, N> y) noexcept {
  if constexpr (Count == 0) {
    return y;
  } else if constexpr (Count == N) {
    return x;
  } else if constexpr (detail::form_of<E, N> == detail::Form::kVector) {
    return Lanes<E, N>(detail::shuffle(x.r, y.r, typename detail::LaneHead<Count, N>::Type{}));
  } else {
    constexpr int low = Count < N / 2 ? Count : N / 2;
    return wick::join(first_of<low>(lower(x), lower(y)), first_of<Count - low>(upper(x), upper(y)));
  }
}

// Stores the first `Count` lanes, `Stride` apart.
template <int Count, Index Stride = 1, class E, int N>
WICK_INLINE void store_lanes(Lanes<E, N> x, E* to) noexcept {
  if constexpr (Count == N && Stride == 1) {
    x.store(to);
  } else {
    E lanes[std::size_t{N}];
    x.store(lanes);
    if constexpr (Stride == 1) {
      std::memcpy(to, lanes, static_cast<std::size_t>(Count) * sizeof(E));
    } else {
      for (int i = 0; i < Count; ++i) store_one(to + i * Stride, lanes[i]);
    }
  }
}

// Which lanes of a merge of two vectors of N hold elements of stride `Stride`: the first vector has
// collected those below `Begin`, the second holds N elements from there on.
template <Index Stride, Index Begin, class List>
struct StridedLanes;
template <Index Stride, Index Begin, int... L>
struct StridedLanes<Stride, Begin, detail::LaneList<L...>> {
  static constexpr int kCount = sizeof...(L);
  static constexpr int lane(int l) noexcept {
    const Index at = (Stride > 0 ? l : l - (kCount - 1)) * Stride;
    return at < Begin || at >= Begin + kCount ? l : kCount + static_cast<int>(at - Begin);
  }
  using Type = detail::LaneList<lane(L)...>;
};

// N elements `Stride` apart, a small one, of which the lowest lies at `from`: whole vectors are
// loaded, from `Begin` on, and their elements collected. Nothing beyond the last one is read.
template <int N, Index Stride, Index Begin = 0, class E, class V>
WICK_INLINE V load_strided(const E* from, V collected) noexcept {
  constexpr Index span = (N - 1) * (Stride < 0 ? -Stride : Stride) + 1;
  if constexpr (Begin >= span) {
    return collected;
  } else {
    constexpr Index begin = Begin + N <= span ? Begin : span - N;
    using Places =
        typename StridedLanes<Stride, begin, typename detail::LaneRange<0, N>::Type>::Type;
    const V next = Lanes<E, N>::load(from + begin).r;
    return load_strided<N, Stride, begin + N>(from, detail::shuffle(collected, next, Places{}));
  }
}

// Whether that is faster than one by one.
template <class E, int N, Index Stride>
inline constexpr bool kLoadsStrided = N > 1 && sizeof(E) >= 4 && N * sizeof(E) >= 16 &&
                                      (Stride < 0 ? -Stride : Stride) <= 4;

// ---- Readers and cursors -------------------------------------------------------------------

enum class Reach { kOne, kNeighbours, kApart };

constexpr Reach reach_of(Index stride) noexcept {
  return stride == 0 ? Reach::kOne : stride == 1 ? Reach::kNeighbours : Reach::kApart;
}

// The elements of one operand in an innermost loop, N at a time.
template <class E, int N, Index Stride, Reach = reach_of(Stride)>
struct Reader {
  const E* from;
  template <int Count = N>
  WICK_INLINE Lanes<E, N> at(Index i) const noexcept {
    return load_lanes<N, Count>(from + i);
  }
  // The same for the last of N or more elements; lanes beyond hold anything.
  template <int Count>
  WICK_INLINE Lanes<E, N> last(Index i) const noexcept {
    if constexpr (detail::form_of<E, N> == detail::Form::kVector && Count < N) {
      using Places = typename detail::LaneRange<N - Count, N>::Type;
      const auto all = Lanes<E, N>::load(from + i - (N - Count)).r;
      return Lanes<E, N>(detail::shuffle(all, all, Places{}));
    } else {
      return at<Count>(i);
    }
  }
};
template <class E, int N, Index Stride>
struct Reader<E, N, Stride, Reach::kApart> {
  const E* from;
  template <int Count = N>
  WICK_INLINE Lanes<E, N> at(Index i) const noexcept {
    if constexpr (Count == N && detail::form_of<E, N> == detail::Form::kPair) {
      const Reader<E, N / 2, Stride> half{from};
      return wick::join(half.at(i), half.at(i + N / 2));
    } else if constexpr (Count == N && kLoadsStrided<E, N, Stride>) {
      constexpr Index lowest = Stride < 0 ? (N - 1) * Stride : 0;
      const E* const low = from + i * Stride + lowest;
      return Lanes<E, N>(load_strided<N, Stride>(low, typename Lanes<E, N>::Native{}));
    } else {
      return gather_lanes<N, Count>(from + i * Stride, Stride);
    }
  }
  template <int Count>
  WICK_INLINE Lanes<E, N> last(Index i) const noexcept {
    return at<Count>(i);
  }
};
template <class E, int N, Index Stride>
struct Reader<E, N, Stride, Reach::kOne> {
  Lanes<E, N> value;
  template <int Count = N>
  WICK_INLINE Lanes<E, N> at(Index) const noexcept {
    return value;
  }
  template <int Count>
  WICK_INLINE Lanes<E, N> last(Index) const noexcept {
    return value;
  }
};

// The stride along `axis`, none for axis -1.
constexpr Index stride_along(const Strides& strides, int axis) noexcept {
  return axis < 0 ? 0 : strides.at[axis];
}

// An operand on its way through the loops of a space in which its strides are M::kStrides.
// E is const if the operand is only read.
template <class E, class M>
struct Cursor {
  using Element = std::remove_const_t<E>;
  using Map = M;
  E* at;

  template <int Axis>
  static constexpr Index stride = stride_along(M::kStrides, Axis);

  template <int Axis>
  WICK_INLINE Cursor plus(Index i) const noexcept {
    return Cursor{at + i * stride<Axis>};
  }
  template <int N, int Axis>
  WICK_INLINE auto reader() const noexcept {
    constexpr Index along = stride<Axis>;
    if constexpr (along == 0) {
      return Reader<Element, N, 0>{Lanes<Element, N>::broadcast(load_one(at))};
    } else {
      return Reader<Element, N, along>{at};
    }
  }
};

// Calls f(cursors...) at the start of each run of loops [D, End) of nest L but for loop Skip,
// outermost first.
template <class L, int D, int End, int Skip = -1, class F, class... C>
WICK_INLINE void for_each(const F& f, C... cursors) {
  if constexpr (D >= End) {
    f(cursors...);
  } else if constexpr (D == Skip) {
    for_each<L, D + 1, End, Skip>(f, cursors...);
  } else {
    constexpr int axis = L::kLoops.axes[D];
    for (Index i = 0; i < L::kLoops.extents[D]; ++i) {
      for_each<L, D + 1, End, Skip>(f, cursors.template plus<axis>(i)...);
    }
  }
}

// ---- Lanes ---------------------------------------------------------------------------------

constexpr std::size_t larger(std::size_t a, std::size_t b) noexcept { return a > b ? a : b; }

template <class... S>
constexpr std::size_t larger_of(std::size_t first, S... more) noexcept {
  ((first = larger(first, more)), ...);
  return first;
}

constexpr Index smaller(Index a, Index b) noexcept { return a < b ? a : b; }

// The largest power of two up to `count`, and the smallest from it on; 1 for none.
constexpr Index floor_power(Index count) noexcept {
  Index power = 1;
  while (power * 2 <= count) power *= 2;
  return power;
}
constexpr Index ceil_power(Index count) noexcept {
  Index power = 1;
  while (power < count) power *= 2;
  return power;
}

// How many elements a kernel over these element types takes at a time along `count` elements: one
// vector of the widest of them, and no more than there are.
template <class... E>
constexpr int kernel_lanes(Index count) noexcept {
  constexpr std::size_t bytes = larger_of(1, sizeof(E)...);
  const Index native = !kHasVectors ? 1 : static_cast<Index>(kNativeBytes / bytes);
  return static_cast<int>(floor_power(count < native ? count : native));
}

// The element type of what a kernel returns: Lanes, or a literal that stands for all lanes.
template <class R>
struct ElementOf {
  using Type = R;
};
template <class E, int N>
struct ElementOf<Lanes<E, N>> {
  using Type = E;
};

// The element type kernel K gives for operands of these element types.
template <class K, class... E>
using ResultOf = typename ElementOf<std::invoke_result_t<const K&, Lanes<E, 1>...>>::Type;

}  // namespace wick::internal
