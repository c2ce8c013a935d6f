#pragma once

// rows and rows_in_place: several passes over one row of the operands at a time, while it is in
// cache.
//
// The common shape of the operands is split as in a reduction (reduce.h): kept axes count the rows,
// reduced axes run along a row. The program, a lambda, is called once per row with a Row object and
// one handle per result and operand; each statement on the Row is one pass:
//
//   reduce   accumulates exactly as wick::reduce does (accumulate.h), so a fused program gives the
//            bits of the separate statements
//   keep     stores a pass in the workspace, buffer after buffer, each rounded up to 64 bytes
//   write    stores a pass in a result; a result with one element per row gets one element
//   scalar   computes with what there is one of per row
//
// In place, the write is the program's last statement: every other pass over a row has read it to
// its end by then, and the write reads each element before it overwrites it. As in map_in_place it
// ends with a vector of which only the left-over lanes are loaded and stored.

#include "wick/map.h"
#include "wick/memory.h"
#include "wick/reduce.h"

namespace wick {

/// The results of a row program, in the order of the program's parameters.
template <class... T>
struct Outs {
  internal::Group<Out<T>...> out;
};
template <class... T>
Outs<T...> outs(Out<T>... out) noexcept {
  return {internal::group(out...)};
}

/// For a statement that needs no scratch memory.
inline constexpr Workspace<0> kNoWorkspace{nullptr};

namespace internal {

// A value of which there is one per row, used like a cursor.
template <class E>
struct RowScalar {
  using Element = E;
  E value;

  template <int>
  WICK_INLINE RowScalar plus(Index) const noexcept {
    return *this;
  }
  template <int N, int>
  WICK_INLINE auto reader() const noexcept {
    return Reader<E, N, 0>{Lanes<E, N>::broadcast(value)};
  }
};

// A result that lacks the reduced axes says nothing about the common shape.
template <class T, int Rank>
using ShapeOfResult = std::conditional_t<T::kLayout.rank == Rank, T, Tensor<typename T::Element>>;

template <class... T>
constexpr int largest_rank() noexcept {
  int rank = 0;
  ((rank = T::kLayout.rank > rank ? T::kLayout.rank : rank), ...);
  return rank;
}

template <class A, class Outs, class... U>
struct RowSpace;
template <class A, class... T, class... U>
struct RowSpace<A, Outs<T...>, U...>
    : ReducedSpace<A, ShapeOfResult<T, largest_rank<T..., U...>()>..., U...> {};

// The strides of a kept row, which knows the reduced axes only.
template <class Space>
struct KeptStrides {
  static constexpr Strides make() noexcept {
    Strides strides;
    Index stride = 1;
    for (int axis = Space::kSpace.rank - 1; axis >= Space::kKept; --axis) {
      strides.at[axis] = stride;
      stride *= Space::kSpace.extents[axis];
    }
    return strides;
  }
  static constexpr Strides kStrides = make();
};

// The strides of a result, and whether it has one element per row.
template <class Space, class T>
struct RowResultStrides {
  static constexpr bool kPerRow = Space::is_result(T::kLayout);
  static_assert(kPerRow || T::kElements == Space::kSpace.elements(),
                "a result has all elements of the rows, or one per row");
  static constexpr Strides kStrides =
      kPerRow ? Space::of_results(T::kLayout, T::kLayout.rank) : Space::of_terms(T::kLayout);
};

// One row of a program. L is the nest of the reduced axes.
template <bool InPlace, class Space, class L, std::size_t Bytes>
class Row {
 public:
  explicit WICK_INLINE Row(std::byte* workspace) noexcept : begin_(workspace) {}

  // R over k(x...) along the row.
  template <class R, class K, class... X>
  WICK_INLINE auto reduce(R, const K& k, X... x) const noexcept {
    using E = ResultOf<K, typename X::Element...>;
    const E sum = accumulate_terms<R, L, E>(k, x...);
    return RowScalar<E>{Reduction<R>::finish(Lanes<E, 1>(sum), Space::kReduced).get(0)};
  }

  template <class R, class X>
  WICK_INLINE auto reduce(R r, X x) const noexcept {
    return reduce(r, Same{}, x);
  }

  // k(x...) for each element, in the next buffer of the workspace. I counts the buffers from 0.
  template <class E, int I, class K, class... X>
  WICK_INLINE auto keep(const K& k, X... x) noexcept {
    static_assert(I >= 0);
    constexpr std::size_t bytes = round_up(static_cast<std::size_t>(Space::kReduced) * sizeof(E));
    static_assert((I + 1) * kAlignment <= Bytes || bytes == 0, "the workspace is too small");
    E* const buffer = reinterpret_cast<E*>(begin_ + used_);
    used_ += bytes;
#if defined(WICK_CHECKS)
    if (used_ > Bytes) fail_check("the workspace of a row program is too small");
#endif
    pass<false>(k, Cursor<E, KeptStrides<Space>>{buffer}, x...);
    return Cursor<const E, KeptStrides<Space>>{buffer};
  }

  // k of values of which there is one per row.
  template <class K, class... X>
  WICK_INLINE auto scalar(const K& k, X... x) const noexcept {
    using E = ResultOf<K, typename X::Element...>;
    const Lanes<E, 1> result = k(x.template reader<1, -1>().at(0)...);
    return RowScalar<E>{result.get(0)};
  }

  // out = k(x...), at each element or once per row.
  template <class C, class K, class... X>
  WICK_INLINE void write(C out, const K& k, X... x) const noexcept {
    if constexpr (C::Map::kPerRow) {
      store_one(out.at, scalar(k, RowScalar<typename X::Element>{load_one_of(x)}...).value);
    } else {
      pass<InPlace>(k, out, x...);
    }
  }

  template <class C, class X>
  WICK_INLINE void write(C out, X x) const noexcept {
    write(out, Same{}, x);
  }

 private:
  template <class X>
  static WICK_INLINE auto load_one_of(X x) noexcept {
    return x.template reader<1, -1>().at(0).get(0);
  }

  template <bool Shared, class K, class C, class... X>
  static WICK_INLINE void pass(const K& k, C out, X... x) noexcept {
    if constexpr (L::kLoops.elements() > 0) {
      constexpr int axis = L::kLoops.inner_axis();
      constexpr Index run = L::kLoops.inner_extent();
      constexpr int lanes = kernel_lanes<typename C::Element, typename X::Element...>(run);
      constexpr Index stride = axis < 0 ? 1 : C::template stride<axis>;
      for_each<L, 0, L::kLoops.depth - 1>(
          [&k](auto to, auto... from) __attribute__((always_inline)) {
            map_run<Shared, run, lanes, stride>(k, to.at, from.template reader<lanes, axis>()...);
          },
          out, x...);
    }
  }

  std::byte* begin_;
  std::size_t used_ = 0;
};

template <class A, bool InPlace, class... T, class... U, class P, std::size_t Bytes, class... O>
void run_rows(const P& program, Workspace<Bytes> workspace, Outs<T...>, Group<In<U>...>,
              O... cursors) noexcept {
  using Space = RowSpace<A, Outs<T...>, U...>;
  using Kept = Nest<Space, 0, Space::kKept, typename O::Map...>;
  using Reduced =
      Nest<Space, Space::kKept, Space::kSpace.rank, typename O::Map..., KeptStrides<Space>>;
  for_each<Kept, 0, Kept::kLoops.depth>(
      [&](auto... handles) __attribute__((always_inline)) {
        program(Row<InPlace, Space, Reduced, Bytes>(workspace.data()), handles...);
      },
      cursors...);
}

}  // namespace internal

/// Calls `program(row, out..., in...)` for each row along the axes A of the common shape of the
/// results and operands. A result has that shape, or one element per row: extent 1 along A, or
/// without the axes A.
///
/// `workspace` holds the kept rows: the sum, over the keep statements, of the elements of a row
/// times the size of an element, each rounded up to 64 bytes.
template <class A, class P, std::size_t Bytes, class... T, class... U>
void rows(const P& program, Workspace<Bytes> workspace, Outs<T...> outs, In<U>... in) noexcept {
  using Space = internal::RowSpace<A, Outs<T...>, U...>;
  outs.out.expand([&](auto... out) {
    internal::run_rows<A, false>(
        program, workspace, outs, internal::group(in...),
        internal::Cursor<typename T::Element, internal::RowResultStrides<Space, T>>{out.data()}...,
        internal::Cursor<const typename U::Element, internal::TermStrides<Space, U>>{in.data()}...);
  });
}

/// As rows, with one result of all elements, over memory that operands may share: such an operand
/// has the layout of the result, and `program` reads no operand after its write.
template <class A, class P, std::size_t Bytes, class T, class... U>
void rows_in_place(const P& program, Workspace<Bytes> workspace, InOut<T> inout,
                   In<U>... in) noexcept {
  using Space = internal::RowSpace<A, Outs<T>, U...>;
  static_assert(T::kElements == Space::kSpace.elements(),
                "in place, a result has all elements of the rows");
  internal::run_rows<A, true>(
      program, workspace, outs<T>(inout), internal::group(in...),
      internal::Cursor<typename T::Element, internal::RowResultStrides<Space, T>>{inout.data()},
      internal::Cursor<const typename U::Element, internal::TermStrides<Space, U>>{in.data()}...);
}

}  // namespace wick
