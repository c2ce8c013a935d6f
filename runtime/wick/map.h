#pragma once

// map and map_in_place: a kernel applied to each element of broadcast operands; copy, which is map
// without a kernel.
//
// The loops over all axes but the innermost are plain; the innermost runs the kernel over vectors.
// What is left over at its end is done
//   by map           with one more whole vector that overlaps the one before: results are written
//                    twice with the same value, which is sound as nothing read lies in the result;
//   by map_in_place  with a vector of which only the left-over lanes are loaded and stored.
//
// Where the tensors together are too large for the caches, map stores past them (stream.h).
//
// Operands that lie across the result (transposed ones) are read in square blocks: map_blocks.h.

#include "wick/map_blocks.h"

namespace wick {

namespace internal {

template <Stores S, class T, class K, class... U>
WICK_INLINE void map_elements(typename T::Element* out, const K& k,
                              const typename U::Element*... in) noexcept {
  if constexpr (T::kElements > 0) {
    using E = typename T::Element;
    using Own = Broadcast<T, T>;
    using L = Nest<ElementSpace<T>, 0, T::kLayout.rank, Own, Broadcast<T, U>...>;
    constexpr int axis = L::kLoops.inner_axis();
    constexpr Index count = L::kLoops.inner_extent();
    constexpr int lanes = kernel_lanes<E, typename U::Element...>(count);
    constexpr int across = crossing_loop<L>();
    constexpr bool in_place = S == Stores::kInPlace;
    constexpr bool streamed = S == Stores::kStreamed && kStreamsRun<E, count, lanes>;
    if constexpr (across >= 0) {
      for_each<L, 0, L::kLoops.depth - 1, across>(
          [&k](auto to, auto... from) __attribute__((always_inline)) {
            BlockLoops<S, L, across, decltype(to), decltype(from)...>::run(k, to, from...);
          },
          Cursor<E, Own>{out}, Cursor<const typename U::Element, Broadcast<T, U>>{in}...);
    } else {
      for_each<L, 0, L::kLoops.depth - 1>(
          [&k](auto to, auto... from) __attribute__((always_inline)) {
            if constexpr (streamed) {
              map_run_streamed<count, lanes>(k, to.at, from.template reader<lanes, axis>()...);
            } else {
              map_run<in_place, count, lanes>(k, to.at, from.template reader<lanes, axis>()...);
            }
          },
          Cursor<E, Own>{out}, Cursor<const typename U::Element, Broadcast<T, U>>{in}...);
      if constexpr (streamed) end_streams();
    }
  }
}

template <class T, class K, class... U>
void map_apart(typename T::Element* __restrict out, const K& k,
               const typename U::Element* __restrict... in) noexcept {
  map_elements<stores_apart<T, U...>(), T, K, U...>(out, k, in...);
}

}  // namespace internal

/// out = k(in...), element by element, operands broadcast to the shape of `out`.
template <class T, class K, class... U>
void map(Out<T> out, const K& k, In<U>... in) noexcept {
  internal::map_apart<T, K, U...>(out.data(), k, in.data()...);
}

/// As map, over memory that operands may share: such an operand has the layout of the result and is
/// read at the written index only.
template <class T, class K, class... U>
void map_in_place(InOut<T> inout, const K& k, In<U>... in) noexcept {
  internal::map_elements<internal::Stores::kInPlace, T, K, U...>(inout.data(), k, in.data()...);
}

/// out = in, packed.
template <class T, class U>
void copy(Out<T> out, In<U> in) noexcept {
  internal::map_apart<T, internal::Same, U>(out.data(), internal::Same{}, in.data());
}

}  // namespace wick
