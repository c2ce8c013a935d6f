#pragma once

// reduce and reduce_in_place: sums, products, extremes and their like over any set of axes.
//
// The axes of the terms are put in two groups, kept ones first, each row-major: one loop nest over
// the results, one over the elements of a result. Which of them runs in vectors depends on what
// lies side by side in memory; the values do not depend on it (accumulate.h):
//
//   rows     the reduced elements are neighbours: one result at a time
//   columns  the results are neighbours: a block of them at a time

#include "wick/accumulate_columns.h"
#include "wick/group.h"
#include "wick/map.h"
#include "wick/reducers.h"

namespace wick {

/// The sum divided by the number of elements (floating point).
struct Mean {};

/// The sum of each term times itself.
struct SumOfSquares {};

namespace internal {

// What an operator does to a term, how it combines terms, what it does to the combined ones.
template <class R>
struct Reduction {
  using Join = R;
  template <class X>
  static WICK_INLINE X term(X x) noexcept {
    return x;
  }
  template <class X>
  static WICK_INLINE X finish(X x, Index) noexcept {
    return x;
  }
};
template <>
struct Reduction<Mean> : Reduction<Sum> {
  template <class E, int N>
  static WICK_INLINE Lanes<E, N> finish(Lanes<E, N> x, Index count) noexcept {
    static_assert(std::is_floating_point_v<E>, "the mean of integers is not an integer");
    return x / Lanes<E, N>::broadcast(static_cast<E>(count));
  }
};
template <>
struct Reduction<SumOfSquares> : Reduction<Sum> {
  template <class X>
  static WICK_INLINE X term(X x) noexcept {
    return x * x;
  }
};

// Adds the terms k(x...) to running values of operator R; E is the type of the terms.
template <class R, class E, class K>
struct AddTerms {
  const K& k;
  template <class... X>
  WICK_INLINE auto term(X... x) const noexcept {
    const Lanes<E, detail::widest<X...>()> terms = k(x...);
    return Reduction<R>::term(terms);
  }
  template <int N, class... X>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> sums, X... x) const noexcept {
    const Lanes<E, N> terms = k(x...);
    return typename Reduction<R>::Join{}(sums, Reduction<R>::term(terms));
  }
};

template <class R, class E>
inline constexpr E identity_of = Reduction<R>::Join::template identity<E>();

// ---- Extremes ------------------------------------------------------------------------------

// The extreme of two numbers, with the same choice among equals as R; of a NaN, either.
template <class R>
struct ExtremeOfNumbers {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const noexcept {
    if constexpr (std::is_same_v<R, Maximum>) {
      return wick::where(b < a, a, b);
    } else {
      return wick::where(a < b, a, b);
    }
  }
};

// As AddTerms for extremes, as if there were no NaN; the sum of all terms shows whether there was.
template <class R, class E, class K, int Step>
struct AddNumbers {
  const K& k;
  Lanes<E, Step>& seen;
  template <int N, class... X>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> sums, X... x) const noexcept {
    static_assert(N == Step);
    const Lanes<E, N> terms = k(x...);
    seen = seen + terms;
    return ExtremeOfNumbers<R>{}(sums, terms);
  }
};

template <class R, class E, class L>
inline constexpr bool kIsLongExtreme =
    (std::is_same_v<R, Maximum> || std::is_same_v<R, Minimum>) && std::is_floating_point_v<E> &&
    L::kLoops.depth <= 1 && L::kLoops.elements() >= 8;

// R over the terms k(x...) along the loops of L. An extreme that NaN propagates through takes three
// comparisons a term where two numbers take one, so that it is first tried as if all were numbers.
template <class R, class L, class E, class K, class... X>
WICK_INLINE E accumulate_terms(const K& k, X... x) noexcept {
  if constexpr (kIsLongExtreme<R, E, L>) {
    constexpr int step = row_lanes<L, E, X...>();
    auto seen = Lanes<E, step>::broadcast(E{0});
    const E extreme = accumulate_row<L>(identity_of<R, E>, AddNumbers<R, E, K, step>{k, seen},
                                        ExtremeOfNumbers<R>{}, x...);
    const E sum = reduce_lanes(Sum{}, seen);
    if (__builtin_expect(sum == sum, 1)) return extreme;
  }
  return accumulate_row<L>(identity_of<R, E>, AddTerms<R, E, K>{k}, typename Reduction<R>::Join{},
                           x...);
}

// ---- The space of a reduction --------------------------------------------------------------

// Which place an axis takes when the axes not in A come first: order.at[place] is the axis.
struct AxisOrder {
  int kept = 0;
  int at[kMaxRank] = {};
};

template <int... A>
constexpr AxisOrder kept_first(int rank) noexcept {
  bool reduced[kMaxRank] = {};
  ((reduced[A] = true), ...);
  AxisOrder order;
  for (int axis = 0; axis < rank; ++axis) {
    if (!reduced[axis]) order.at[order.kept++] = axis;
  }
  int place = order.kept;
  for (int axis = 0; axis < rank; ++axis) {
    if (reduced[axis]) order.at[place++] = axis;
  }
  return order;
}

template <class A, class... U>
struct ReducedSpace;

// The common shape of operands U with the axes A moved to the end.
template <int... A, class... U>
struct ReducedSpace<Axes<A...>, U...> {
  static constexpr Layout kShape = common_shape_of<U...>();
  static_assert(((A >= 0 && A < kShape.rank) && ...), "a reduced axis must exist");
  static_assert((broadcasts(U::kLayout, kShape) && ...), "operands must broadcast together");
  static constexpr AxisOrder kOrder = kept_first<A...>(kShape.rank);
  static constexpr int kKept = kOrder.kept;

  static constexpr Layout make_space() noexcept {
    Layout space;
    space.rank = kShape.rank;
    for (int place = 0; place < space.rank; ++place) {
      space.extents[place] = kShape.extents[kOrder.at[place]];
    }
    return space;
  }
  static constexpr Layout kSpace = make_space();

  static constexpr Index elements(int begin, int end) noexcept {
    Index count = 1;
    for (int place = begin; place < end; ++place) count *= kSpace.extents[place];
    return count;
  }
  static constexpr Index kReduced = elements(kKept, kSpace.rank);

  // Whether `shape` has one element per result, with or without the reduced axes (extent 1).
  static constexpr bool is_result(const Layout& shape) noexcept {
    if (shape.rank != kKept && shape.rank != kSpace.rank) return false;
    for (int place = 0; place < kKept; ++place) {
      const int axis = shape.rank == kKept ? place : kOrder.at[place];
      if (shape.extents[axis] != kSpace.extents[place]) return false;
    }
    return shape.elements() == elements(0, kKept);
  }

  // The strides of an operand of the common shape.
  static constexpr Strides of_terms(const Layout& operand) noexcept {
    Strides strides;
    for (int place = 0; place < kSpace.rank; ++place) {
      strides.at[place] = broadcast_stride(operand, kSpace.rank, kOrder.at[place]);
    }
    return strides;
  }
  // The strides of an operand that broadcasts to a result of `rank` axes.
  static constexpr Strides of_results(const Layout& operand, int rank) noexcept {
    Strides strides;
    for (int place = 0; place < kKept; ++place) {
      const int axis = rank == kKept ? place : kOrder.at[place];
      strides.at[place] = broadcast_stride(operand, rank, axis);
    }
    return strides;
  }
};

template <class Space, class U>
struct TermStrides {
  static constexpr Strides kStrides = Space::of_terms(U::kLayout);
};
template <class Space, class T, class V>
struct ResultStrides {
  static_assert(broadcasts(V::kLayout, T::kLayout), "the operand must broadcast to the result");
  static constexpr Strides kStrides = Space::of_results(V::kLayout, T::kLayout.rank);
};

// How many results a kernel takes at a time along `count` of them, from sums of type E.
template <class E, class T, class... C>
constexpr int result_lanes(const Group<C...>*, Index count) noexcept {
  return kernel_lanes<E, T, typename C::Element...>(count);
}

// ---- Loops ---------------------------------------------------------------------------------

// Everything about one reduction that is known before it runs. `Kept` and `Reduced` are nests.
template <bool InPlace, class R, class E, class Kept, class Reduced>
struct ReduceLoops {
  static constexpr Index kCount = Reduced::kLoops.elements();
  static constexpr int kOuter = Kept::kLoops.depth - 1;
  static constexpr int kAxis = Kept::kLoops.inner_axis();
  static constexpr Index kColumns = Kept::kLoops.inner_extent();
  // Applies the results' kernel and stores N neighbouring results.
  template <int N, class K, class O, class V>
  static WICK_INLINE void finish(Lanes<E, N> sums, const K& k, O out, V with) noexcept {
    const auto value = Reduction<R>::finish(sums, kCount);
    with.expand([&](auto... x) __attribute__((always_inline)) {
      const Lanes<typename O::Element, N> result = k(value, x.template reader<N, kAxis>().at(0)...);
      result.store(out.at);
    });
  }

  template <class S, class K, class O, class C, class V>
  static WICK_INLINE void rows(const S& step, const K& k, O out, C terms, V with) noexcept {
    for_each<Kept, 0, kOuter + 1>(
        [&](auto to, auto row, auto extra) __attribute__((always_inline)) {
          const E sum = row.expand([&](auto... c) __attribute__((always_inline)) {
            return accumulate_terms<R, Reduced, E>(step.k, c...);
          });
          finish(Lanes<E, 1>(sum), k, to, extra);
        },
        out, terms, with);
  }

  // N neighbouring results from `column` on.
  template <int N, class S, class K, class O, class... C, class V>
  static WICK_INLINE void block(Index column, const S& step, const K& k, O out, Group<C...> terms,
                                V with) noexcept {
    constexpr int lanes = result_lanes<E, typename O::Element>(static_cast<const V*>(nullptr), N);
    const auto reduce_to = [&](E* sums) __attribute__((always_inline)) {
      terms.template plus<kAxis>(column).expand([&](auto... c) __attribute__((always_inline)) {
        accumulate_columns<Reduced, kAxis, N>(sums, identity_of<R, E>, step,
                                              typename Reduction<R>::Join{}, c...);
      });
      each_run<N, lanes>(0, [&](auto count, Index c) __attribute__((always_inline)) {
        finish(Lanes<E, decltype(count)::value>::load(sums + c), k,
               out.template plus<kAxis>(column + c), with.template plus<kAxis>(column + c));
      });
    };
    with_memory<E, ColumnWay<Reduced, kAxis, N, E, C...>::kElements>(reduce_to);
  }

  template <int N, class S, class K, class O, class C, class V>
  static WICK_INLINE void columns(const S& step, const K& k, O out, C terms, V with) noexcept {
    for_each<Kept, 0, kOuter>(
        [&](auto to, auto rows, auto extra) __attribute__((always_inline)) {
          Index column = 0;
          for (; column + N <= kColumns; column += N) block<N>(column, step, k, to, rows, extra);
          constexpr int left = static_cast<int>(kColumns % N);
          if constexpr (left != 0 && InPlace) block<left>(column, step, k, to, rows, extra);
          // One more whole block, which writes some results again with the same values.
          if constexpr (left != 0 && !InPlace) {
            block<N>(kColumns - N, step, k, to, rows, extra);
          }
        },
        out, terms, with);
  }
};

// Whether fewer operands are read apart across results than along the reduced elements.
constexpr bool columns_pay(const Strides* operands, int count, int across, int along) noexcept {
  if (across < 0) return false;
  int apart_across = 0;
  int apart_along = 0;
  for (int i = 0; i < count; ++i) {
    if (reach_of(operands[i].at[across]) == Reach::kApart) ++apart_across;
    if (along >= 0 && reach_of(operands[i].at[along]) == Reach::kApart) ++apart_along;
  }
  return apart_across < apart_along;
}

// All and Any of bools as they lie in memory, a byte each, in vectors of bytes: the least or the
// greatest of them is not 0.
template <class R>
struct OfBytes;
template <>
struct OfBytes<All> {
  using Type = Minimum;
};
template <>
struct OfBytes<Any> {
  using Type = Maximum;
};

// The layout of a tensor of bools over their bytes.
template <class U>
struct AsBytes {
  using Element = std::uint8_t;
  static constexpr Layout kLayout = U::kLayout;
};

// Whether that is what R over k of U in this space is, and faster: a short row of bytes is not.
template <class Space, class R, class K, class... U>
constexpr bool reduces_bytes() noexcept {
  constexpr bool reduces_bools = (std::is_same_v<R, All> || std::is_same_v<R, Any>) &&
                                 std::is_same_v<K, Same> && sizeof...(U) == 1 &&
                                 (std::is_same_v<typename U::Element, bool> && ...);
  if (!reduces_bools || Space::kSpace.rank == 0) return false;
  const int last = Space::kSpace.rank - 1;
  return Space::kReduced >= 256 || ((TermStrides<Space, U>::kStrides.at[last] != 1) && ...);
}

template <bool InPlace, class R, class A, class T, class K, class... U, class KR, class... V>
void reduce_elements(typename T::Element* out, const K& k, Group<In<U>...> terms, const KR& results,
                     Group<In<V>...> with) noexcept {
  using Space = ReducedSpace<A, U...>;
  static_assert(Space::is_result(T::kLayout), "the result must have one element per kept index");
  if constexpr (reduces_bytes<Space, R, K, U...>()) {
    const auto of_bytes = [&results](auto bytes, auto... x) __attribute__((always_inline)) {
      return results(bytes != std::uint8_t{0}, x...);
    };
    const auto bytes = terms.expand([](auto in) {
      return group(In<AsBytes<U>...>(reinterpret_cast<const std::uint8_t*>(in.data())));
    });
    reduce_elements<InPlace, typename OfBytes<R>::Type, A, T>(out, kSame, bytes, of_bytes, with);
  } else if constexpr (T::kElements > 0) {
    using E = ResultOf<K, typename U::Element...>;
    using Own = ResultStrides<Space, T, T>;
    using Kept =
        Nest<Space, 0, Space::kKept, Own, TermStrides<Space, U>..., ResultStrides<Space, T, V>...>;
    using Reduced = Nest<Space, Space::kKept, Space::kSpace.rank, TermStrides<Space, U>...>;
    using Run = ReduceLoops<InPlace, R, E, Kept, Reduced>;
    constexpr bool columns = columns_pay(Reduced::kOperands, static_cast<int>(sizeof...(U)),
                                         Run::kAxis, Reduced::kLoops.inner_axis());

    const AddTerms<R, E, K> step{k};
    const Cursor<typename T::Element, Own> to{out};
    const auto from = terms.expand([](auto... in) {
      return group(Cursor<const typename U::Element, TermStrides<Space, U>>{in.data()}...);
    });
    const auto extra = with.expand([](auto... in) {
      return group(Cursor<const typename V::Element, ResultStrides<Space, T, V>>{in.data()}...);
    });
    if constexpr (columns) {
      constexpr int width = ColumnBlocks<E, Reduced, U...>::width(Run::kColumns);
      Run::template columns<width>(step, results, to, from, extra);
    } else {
      Run::rows(step, results, to, from, extra);
    }
  }
}

}  // namespace internal

/// The elements that a reduction works on: k(in...) in the broadcast shape of the operands.
template <class K, class... U>
struct Terms {
  const K& k;
  internal::Group<In<U>...> in;
};
template <class K, class U, class... More>
Terms<K, U, More...> terms(const K& k, In<U> in, In<More>... more) noexcept {
  return {k, internal::group(in, more...)};
}
/// The elements of one operand as they are.
template <class U>
Terms<internal::Same, U> terms(In<U> in) noexcept {
  return {internal::kSame, internal::group(in)};
}

/// What is made of each reduced element: k(element, in...), operands broadcast to the result.
template <class K, class... V>
struct Results {
  const K& k;
  internal::Group<In<V>...> in;
};
template <class K, class... V>
Results<K, V...> results(const K& k, In<V>... in) noexcept {
  return {k, internal::group(in...)};
}

/// Reduces the terms along the axes A by operator R. `out` has the kept axes, or all with extent 1
/// for the reduced ones. No elements give the operator's identity (mean: NaN).
template <class A, class T, class R, class K, class... U>
void reduce(Out<T> out, R, Terms<K, U...> terms) noexcept {
  internal::reduce_elements<false, R, A, T>(out.data(), terms.k, terms.in, internal::Same{},
                                            internal::group());
}
template <class A, class T, class R, class K, class... U, class KR, class... V>
void reduce(Out<T> out, R, Terms<K, U...> terms, Results<KR, V...> results) noexcept {
  internal::reduce_elements<false, R, A, T>(out.data(), terms.k, terms.in, results.k, results.in);
}

/// As reduce; operands of the results may share the memory of `inout`, in its layout.
template <class A, class T, class R, class K, class... U, class KR, class... V>
void reduce_in_place(InOut<T> inout, R, Terms<K, U...> terms, Results<KR, V...> results) noexcept {
  internal::reduce_elements<true, R, A, T>(inout.data(), terms.k, terms.in, results.k, results.in);
}

}  // namespace wick
