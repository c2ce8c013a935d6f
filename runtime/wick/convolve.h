#pragma once

// convolve and convolve_in_place: convolution along one or two spatial axes, with a kernel applied
// to each finished element while it is in a register.
//
//   x [batch, channels in, spatial...]    w [channels out, channels in / Groups, window...]
//   out [batch, channels out, spatial...]
//
//   out[b, o, r, s] = sum over (c, i, j) of
//       w[o, c, i, j] *
//       x[b, g + c, r * step - before + i * dilation, s * step - before + j * dilation]
//
// with g the first channel of the group that o belongs to. Outside of the operand stands 0, and it
// takes part like any other element: an infinite weight over padding gives NaN, as it does after an
// explicit pad.
//
// Every element has one accumulator, which starts at 0 and takes fused multiply-adds in order of
// channel, row and column of the window. So no result depends on vectors, tiles, blocks or
// compilers, and it has the bits of the matrix product of the weights with the windows.
//
// A convolution is that product, but for its right factor, which is never made: tiles read it
// through a halo (convolve_shape.h). The walk over one image of one group:
//
//   for each band of results
//     for each block of the window: fill the halo, then for each tile's channels, each patch:
//       add the block to the tile
//
// If there is more than one block, the partial sums wait in the result; or, where that may not hold
// them, a tile runs through all blocks of one patch.

#include "wick/convolve_halo.h"
#include "wick/group.h"
#include "wick/map.h"
#include "wick/matmul.h"

namespace wick {

namespace internal {

// A patch of Rows rows that lie `Stride` apart, of each of which Valid <= N elements exist.
template <Index Rows, Index N, Index Stride, Index Valid = N, class E>
WICK_INLINE auto load_patch(const E* from) noexcept {
  if constexpr (Rows == 1) {
    return load_lanes<static_cast<int>(N), static_cast<int>(Valid)>(from);
  } else {
    return wick::join(load_patch<Rows / 2, N, Stride, Valid>(from),
                      load_patch<Rows / 2, N, Stride, Valid>(from + Rows / 2 * Stride));
  }
}

// The kernel applied to a row of a patch, of which the first `Valid` elements are stored. Elements
// before number `done` another patch has finished; written again unless that is in place.
template <bool InPlace, int Valid, int N, class E, class K, class O, class V>
WICK_INLINE void finish_row(Lanes<E, N> sums, Index done, const K& k, O out, V with) noexcept {
  using R = typename O::Element;
  if constexpr (Valid < N) {
    constexpr int half = N / 2;
    finish_row<false, (Valid < half ? Valid : half)>(lower(sums), 0, k, out, with);
    if constexpr (Valid > half) {
      finish_row<false, Valid - half>(upper(sums), 0, k, out.template plus<kAcrossAxis>(half),
                                      with.template plus<kAcrossAxis>(half));
    }
  } else if (!InPlace || done == 0) {
    with.expand([&](auto... x) __attribute__((always_inline)) {
      const Lanes<R, N> result = k(sums, x.template reader<N, kAcrossAxis>().at(0)...);
      result.store(out.at);
    });
  } else if constexpr (InPlace && N > 1) {
    E values[std::size_t{N}];
    sums.store(values);
    for (Index i = done; i < N; ++i) {
      finish_row<false, 1>(Lanes<E, 1>(values[i]), 0, k, out.template plus<kAcrossAxis>(i),
                           with.template plus<kAcrossAxis>(i));
    }
  }
}

// The same for Rows rows of one channel.
template <bool InPlace, Index Rows, Index Valid, int N, class E, class K, class O, class V>
WICK_INLINE void finish_patch(Lanes<E, N> sums, Pair done, const K& k, O out, V with) noexcept {
  if constexpr (Rows == 1) {
    finish_row<InPlace, static_cast<int>(Valid)>(sums, done.across, k, out, with);
  } else {
    constexpr Index half = Rows / 2;
    if (!InPlace || done.down < half) {
      finish_patch<InPlace, half, Valid>(lower(sums), done, k, out, with);
    }
    finish_patch<InPlace, half, Valid>(upper(sums), Pair{most(0, done.down - half), done.across}, k,
                                       out.template plus<kDownAxis>(half),
                                       with.template plus<kDownAxis>(half));
  }
}

// Whether the rows of a patch are neighbours in the result and in all operands of the kernel, so
// that it can be finished as one.
template <class C, class T, class... V>
constexpr bool patches_merge() noexcept {
  const auto merges = [](const Strides& strides) {
    return strides.at[kDownAxis] == strides.at[kAcrossAxis] * C::kAcross.out;
  };
  return C::kPatch.across == C::kAcross.out && merges(SpatialStrides<T, T>::kStrides) &&
         (merges(SpatialStrides<T, V>::kStrides) && ...);
}

// One image of one group. `Through`: partial sums wait in the result.
template <bool InPlace, bool Merged, bool Through, class C>
struct Convolver {
  using E = typename C::Element;
  static constexpr Patch kPatch = C::kPatch;
  static constexpr int kLanes = static_cast<int>(kPatch.lanes());
  static constexpr Index kValid = smaller(kPatch.across, C::kAcross.out);
  static constexpr int kTileRows = static_cast<int>(C::kTileChannels);
  static constexpr int kRowsLeft = static_cast<int>(C::kChannelsOut % C::kTileChannels);
  static constexpr Index kColumns = C::kHaloAcross.size();
  static constexpr Index kWeight = C::kW.strides[0];
  template <int Rows>
  using Sums = Tile<E, kLanes, Rows>;

  // ---- Tiles

  // Adds a block, of which `w` and `halo` are the first elements, to a tile.
  template <int Rows>
  static WICK_INLINE Sums<Rows> add(Sums<Rows> sums, const E* w, const E* halo,
                                    const WindowBlock& block) noexcept {
    for (Index c = 0; c < block.channels; ++c) {
      for (Index i = 0; i < block.places.down; ++i) {
        const Index down = C::kHaloDown.to_place(i, C::kDown.dilation) * kColumns;
        const E* const row = halo + c * C::kHaloPlane + down;
        const E* const left = w + c * C::kW.strides[1] + i * C::kW.strides[kDownAxis];
        for (Index j = 0; j < block.places.across; ++j) {
          sums.template add<kWeight>(left + j * C::kW.strides[kAcrossAxis],
                                     load_patch<kPatch.down, kPatch.across, kColumns>(
                                         row + C::kHaloAcross.to_place(j, C::kAcross.dilation)));
        }
      }
    }
    return sums;
  }

  template <int Rows, class K, class O, class V>
  static WICK_INLINE void finish(const Sums<Rows>& sums, Pair done, const K& k, O out,
                                 V with) noexcept {
    sums.each_row([&](Index o, Lanes<E, kLanes> x) __attribute__((always_inline)) {
      finish_patch<InPlace && C::kOverlaps, Merged ? 1 : kPatch.down, Merged ? kLanes : kValid>(
          x, done, k, out.template plus<1>(o), with.template plus<1>(o));
    });
  }

  // Starts or continues a tile, adds a block, and keeps or finishes the sums.
  template <int Rows, class K, class O, class V>
  static WICK_INLINE void tile(bool first, bool last, const E* w, const E* halo,
                               const WindowBlock& block, Pair done, const K& k, O out,
                               V with) noexcept {
    auto sums = Sums<Rows>::zero();
    if constexpr (!C::kOneBlock) {
      constexpr Index stride = O::template stride<kDownAxis>;
      if (!first) {
        sums = Sums<Rows>::make([&](Index o) __attribute__((always_inline)) {
          return load_patch<kPatch.down, kPatch.across, stride, kValid>(out.template plus<1>(o).at);
        });
      }
    }
    sums = add<Rows>(sums, w, halo, block);
    if constexpr (!C::kOneBlock) {
      if (!last) return finish<Rows>(sums, done, kSame, out, group());
    }
    finish<Rows>(sums, done, k, out, with);
  }

  // ---- Walks

  // f(number of the first channel, constant number of channels) for the channels of each tile.
  template <class F>
  static WICK_INLINE void each_tile(const F& f) noexcept {
    Index o = 0;
    for (; o + kTileRows <= C::kChannelsOut; o += kTileRows) {
      f(o, std::integral_constant<int, kTileRows>{});
    }
    if constexpr (kRowsLeft != 0) f(o, std::integral_constant<int, kRowsLeft>{});
  }

  // f(block, is it the first, is it the last).
  template <class F>
  static WICK_INLINE void each_block(const F& f) noexcept {
    constexpr Cut cut = C::kCut;
    if constexpr (C::kOneBlock) {
      f(WindowBlock{0, C::kChannelsIn, {0, 0}, cut.places}, true, true);
    } else {
      for (Index c = 0; c < C::kChannelsIn; c += cut.channels) {
        for (Index i = 0; i < C::kDown.size; i += cut.places.down) {
          for (Index j = 0; j < C::kAcross.size; j += cut.places.across) {
            const Pair left = {C::kDown.size - i, C::kAcross.size - j};
            const Pair places = {smaller(cut.places.down, left.down),
                                 smaller(cut.places.across, left.across)};
            const bool last = c + cut.channels >= C::kChannelsIn && places.down == left.down &&
                              places.across == left.across;
            f(WindowBlock{c, smaller(cut.channels, C::kChannelsIn - c), {i, j}, places},
              c + i + j == 0, last);
          }
        }
      }
    }
  }

  // The first result of a patch.
  static WICK_INLINE Index first_row(Index patch) noexcept {
    return smaller(patch * kPatch.down, C::kDown.out - kPatch.down);
  }
  static WICK_INLINE Index first_column(Index patch) noexcept {
    return kPatch.across >= C::kAcross.out
               ? 0
               : smaller(patch * kPatch.across, C::kAcross.out - kPatch.across);
  }
  // f(first result, how many of its results at either axis the patch before has finished) for each
  // patch of [begin, end).
  template <class F>
  static WICK_INLINE void each_patch(Pair begin, Pair end, const F& f) noexcept {
    for (Index i = begin.down; i < end.down; ++i) {
      const Index y = first_row(i);
      for (Index j = begin.across; j < end.across; ++j) {
        const Index x = first_column(j);
        f(Pair{y, x}, Pair{i * kPatch.down - y, j * kPatch.across - x});
      }
    }
  }

  static WICK_INLINE const E* weights_of(const WindowBlock& block, const E* w) noexcept {
    return w + block.channel * C::kW.strides[1] + block.place.down * C::kW.strides[kDownAxis] +
           block.place.across * C::kW.strides[kAcrossAxis];
  }

  // ---- Bands

  // Patches [begin, end).
  template <class K, class O, class V>
  static WICK_INLINE void band(E* halo, Pair begin, Pair end, const E* x, const E* w, const K& k,
                               O out, V with) noexcept {
    const Pair from = {first_row(begin.down), first_column(begin.across)};
    const ResultBand results = {
        from,
        {smaller(end.down * kPatch.down, C::kDown.out) - from.down,
         smaller(end.across * kPatch.across, most(C::kAcross.out, kPatch.across)) - from.across}};
    const auto fill = [&](const WindowBlock& block) __attribute__((always_inline)) {
      Halo<C>::fill(halo, x + block.channel * C::kX.strides[1], results, block);
    };
    if constexpr (C::kOneBlock || Through) {
      each_block(
          [&](const WindowBlock& block, bool first, bool last) __attribute__((always_inline)) {
            fill(block);
            each_tile([&](Index o, auto rows) __attribute__((always_inline)) {
              each_patch(begin, end, [&](Pair at, Pair done) __attribute__((always_inline)) {
                const Index place = (at.down - from.down) * kColumns + at.across - from.across;
                tile<decltype(rows)::value>(first, last, weights_of(block, w) + o * kWeight,
                                            halo + place, block, done, k, patch_of(out, o, at),
                                            patch_of(with, o, at));
              });
            });
          });
    } else {
      each_tile([&](Index o, auto rows) __attribute__((always_inline)) {
        auto sums = Sums<decltype(rows)::value>::zero();
        each_block([&](const WindowBlock& block, bool, bool) __attribute__((always_inline)) {
          fill(block);
          sums = add<decltype(rows)::value>(sums, weights_of(block, w) + o * kWeight, halo, block);
        });
        const Pair done = {begin.down * kPatch.down - from.down,
                           begin.across * kPatch.across - from.across};
        finish<decltype(rows)::value>(sums, done, k, patch_of(out, o, from),
                                      patch_of(with, o, from));
      });
    }
  }

  template <class O>
  static WICK_INLINE O patch_of(O operand, Index channel, Pair at) noexcept {
    return operand.template plus<1>(channel)
        .template plus<kDownAxis>(at.down)
        .template plus<kAcrossAxis>(at.across);
  }

  template <class K, class O, class V>
  static WICK_INLINE void run(const E* x, const E* w, const K& k, O out, V with) noexcept {
    alignas(64) E halo[static_cast<std::size_t>(most(1, C::kCut.channels * C::kHaloPlane))];
    static_assert(sizeof halo <= C::kHaloBytes, "a small stack must do");
    constexpr Index down = quotient_up(C::kDown.out, kPatch.down);
    constexpr Index across = quotient_up(C::kAcross.out, kPatch.across);
    constexpr Pair step = C::kOneBlock || Through ? C::kCut.patches : Pair{1, 1};
    for (Index i = 0; i < down; i += step.down) {
      for (Index j = 0; j < across; j += step.across) {
        const Pair end = {smaller(i + step.down, down), smaller(j + step.across, across)};
        band(halo, Pair{i, j}, end, x, w, k, out, with);
      }
    }
  }
};

template <bool InPlace, class C, class T, class K, class... V>
void convolve_images(typename T::Element* out, const typename C::Element* x,
                     const typename C::Element* w, const K& k, Group<In<V>...> operands) noexcept {
  using E = typename C::Element;
  constexpr bool pieces = InPlace && C::kOverlaps;
  constexpr bool through = !InPlace && std::is_same_v<typename T::Element, E>;
  using Images = Convolver<InPlace, !pieces && patches_merge<C, T, V...>(), through, C>;
  const Cursor<typename T::Element, SpatialStrides<T, T>> to{out};
  const auto with = operands.expand([](auto... in) {
    return group(Cursor<const typename V::Element, SpatialStrides<T, V>>{in.data()}...);
  });
  for (Index b = 0; b < C::kBatch; ++b) {
    for (Index g = 0; g < C::kGroups; ++g) {
      const Index channel = g * C::kChannelsOut;
      Images::run(x + b * C::kX.strides[0] + g * C::kChannelsIn * C::kX.strides[1],
                  w + channel * C::kW.strides[0], k,
                  to.template plus<0>(b).template plus<1>(channel),
                  with.template plus<0>(b).template plus<1>(channel));
    }
  }
}

// ---- Windows of one element ----------------------------------------------------------------

// Whether a convolution is a product of the weights with the pixels of each image, as rows and
// columns of it and of all operands merge. (One pixel would be a dot product, which sums
// otherwise.)
template <class C, class T, class... V>
constexpr bool is_product() noexcept {
  const auto merges = [](const Strides& strides) {
    return C::kDown.out == 1 || strides.at[kDownAxis] == strides.at[kAcrossAxis] * C::kAcross.out;
  };
  const auto whole = [](const WindowAxis& axis) {
    return axis.size == 1 && axis.step == 1 && axis.before == 0 && axis.in == axis.out;
  };
  const Strides x = {{0, 0, C::kX.strides[kDownAxis], C::kX.strides[kAcrossAxis]}};
  return C::kGroups == 1 && whole(C::kDown) && whole(C::kAcross) &&
         C::kDown.out * C::kAcross.out > 1 && merges(x) &&
         (merges(SpatialStrides<T, V>::kStrides) && ...);
}

template <class C, class E>
using Pixels = Tensor<E, C::kBatch, C::kT.extents[1], C::kDown.out * C::kAcross.out>;
template <class C, class T, class V>
using PixelsOf =
    Strided<Pixels<C, typename V::Element>, SpatialStrides<T, V>::kStrides.at[0],
            SpatialStrides<T, V>::kStrides.at[1], SpatialStrides<T, V>::kStrides.at[kAcrossAxis]>;

template <bool InPlace, class C, class T, class K, class... V>
WICK_INLINE void multiply_pixels(typename T::Element* out, const typename C::Element* x,
                                 const typename C::Element* w, const K& k,
                                 In<V>... operands) noexcept {
  using E = typename C::Element;
  using W =
      Strided<Tensor<E, C::kT.extents[1], C::kChannelsIn>, C::kW.strides[0], C::kW.strides[1]>;
  using X = Strided<Tensor<E, C::kBatch, C::kChannelsIn, C::kDown.out * C::kAcross.out>,
                    C::kX.strides[0], C::kX.strides[1], C::kX.strides[kAcrossAxis]>;
  multiply<InPlace, Pixels<C, typename T::Element>, W, X>(
      out, w, x, k, group(In<PixelsOf<C, T, V>>(operands.data())...));
}

template <bool InPlace, class C, class T, class K, class... V>
WICK_INLINE void convolve_any(typename T::Element* out, const typename C::Element* x,
                              const typename C::Element* w, const K& k, In<V>... in) noexcept {
  if constexpr (T::kElements == 0) {
    return;
  } else if constexpr (is_product<C, T, V...>()) {
    multiply_pixels<InPlace, C, T>(out, x, w, k, in...);
  } else {
    convolve_images<InPlace, C, T>(out, x, w, k, group(in...));
  }
}

}  // namespace internal

/// out = the convolution of x with w; S is Steps, D Dilations and P Before, with one number per
/// spatial axis. How far the padding behind x reaches follows from the shape of the result.
template <class S, class D, class P, Index Groups, class T, class X, class W>
void convolve(Out<T> out, In<X> x, In<W> w) noexcept {
  using C = internal::Convolution<T, X, W, S, D, P, Groups>;
  internal::convolve_any<false, C, T>(out.data(), x.data(), w.data(), internal::Same{});
}

/// out = k(the convolution, in...), operands broadcast to the shape of the result.
template <class S, class D, class P, Index Groups, class T, class X, class W, class K, class... V>
void convolve(Out<T> out, In<X> x, In<W> w, const K& k, In<V>... in) noexcept {
  using C = internal::Convolution<T, X, W, S, D, P, Groups>;
  internal::convolve_any<false, C, T>(out.data(), x.data(), w.data(), k, in...);
}

/// As convolve; operands of k may share the memory of `inout`, in its layout.
template <class S, class D, class P, Index Groups, class T, class X, class W, class K, class... V>
void convolve_in_place(InOut<T> inout, In<X> x, In<W> w, const K& k, In<V>... in) noexcept {
  using C = internal::Convolution<T, X, W, S, D, P, Groups>;
  internal::convolve_any<true, C, T>(inout.data(), x.data(), w.data(), k, in...);
}

}  // namespace wick
