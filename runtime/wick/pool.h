#pragma once

// max_pool and average_pool: the largest element, or the mean, of each window.
//
//   x [batch, channels, spatial...]    out [batch, channels, spatial...]
//
// Padding takes no part in a maximum, and adds nothing to a sum. The elements of a window are taken
// in row-major order: the maximum is a chain of wick::maximum from the identity of the reducer
// Maximum (the result of a window of nothing but padding), the sum starts at 0 and is divided once.
//
// Windows that touch no padding at the sides are done a vector of neighbouring results at a time,
// the others one by one; rows of padding above and below are left out for a row of results at once.

#include "wick/reducers.h"
#include "wick/window.h"

namespace wick {

namespace internal {

template <class T, class X, class K, class S, class D, class P>
struct Pooling {
  static_assert(X::kLayout.rank == 3 || X::kLayout.rank == 4, "one or two spatial axes");
  static_assert(T::kLayout.rank == X::kLayout.rank, "the result has the operand's axes");
  static_assert(std::is_same_v<typename T::Element, typename X::Element>,
                "the result has the operand's dtype");
  using Element = typename X::Element;

  static constexpr Layout kT = with_rows(T::kLayout);
  static constexpr Layout kX = with_rows(X::kLayout);
  static_assert(kT.extents[0] == kX.extents[0] && kT.extents[1] == kX.extents[1],
                "pooling keeps batch and channels");
  static constexpr Pair kSizes = pair_of(K{}, 1);
  static constexpr Pair kSteps = pair_of(S{}, 1);
  static constexpr Pair kDilations = pair_of(D{}, 1);
  static constexpr Pair kBefore = pair_of(P{}, 0);
  static constexpr WindowAxis kDown = {kX.extents[2], kT.extents[2],   kSizes.down,
                                       kSteps.down,   kDilations.down, kBefore.down};
  static constexpr WindowAxis kAcross = {kX.extents[3], kT.extents[3],     kSizes.across,
                                         kSteps.across, kDilations.across, kBefore.across};
  static_assert(kDown.sound() && kAcross.sound(), "sizes and steps are at least 1");
};

// R has start(), first(elements) for add(start(), elements), add(so far, elements) and
// finish(so far, elements of the window).
template <class G, class R>
struct Pooler {
  using E = typename G::Element;
  static constexpr Index kRow = G::kX.strides[kDownAxis];
  static constexpr Index kColumn = G::kX.strides[kAcrossAxis];
  static constexpr Index kInnerBegin = G::kAcross.inner_begin();
  static constexpr Index kInner = G::kAcross.inner_end() - kInnerBegin;
  static constexpr int kLanes = kernel_lanes<E>(kInner == 0 ? 1 : kInner);

  // Rows [0, rows) and columns [begin, end) of the N windows of which a row begins with number `at`
  // of the elements from `from` on, or would: a number, for there are no pointers to padding.
  template <int N>
  static WICK_INLINE Lanes<E, N> windows(const E* from, Index at, Index rows, Index begin,
                                         Index end) noexcept {
    auto so_far = Lanes<E, N>::broadcast(R::template start<E>());
    for (Index i = 0; i < rows; ++i) {
      for (Index j = begin; j < end; ++j) {
        const Index place = i * G::kDown.dilation * kRow + (at + j * G::kAcross.dilation) * kColumn;
        const auto elements = load_every<N, G::kAcross.step * kColumn>(from + place);
        const bool first = i == 0 && j == begin;
        so_far = first ? R::first(elements) : R::add(so_far, elements);
      }
    }
    return R::template finish<G>(so_far, rows * (end - begin));
  }

  // The N results from number `o` on of a row, whose windows take `rows` rows of the operand, the
  // first of them at `from`.
  template <int N>
  static WICK_INLINE void results(E* out, const E* from, Index o, Index rows) noexcept {
    const Index at = G::kAcross.begin(o);
    const Index begin = N > 1 ? 0 : G::kAcross.places_begin(at);
    const Index end = N > 1 ? G::kAcross.size : G::kAcross.places_end(at);
    windows<N>(from, at, rows, begin, end).store(out + o);
  }

  static WICK_INLINE void row(E* out, const E* x, Index y) noexcept {
    const Index at = G::kDown.begin(y);
    // Constants where no window touches padding above or below.
    constexpr bool inner = G::kDown.inner_begin() == 0 && G::kDown.inner_end() == G::kDown.out;
    const Index begin = inner ? 0 : G::kDown.places_begin(at);
    const Index rows = inner ? G::kDown.size : most(0, G::kDown.places_end(at) - begin);
    const E* const from = inner || rows > 0 ? x + (at + begin * G::kDown.dilation) * kRow : x;
    for (Index o = 0; o < kInnerBegin; ++o) results<1>(out, from, o, rows);
    Index o = kInnerBegin;
    for (; o + kLanes <= kInnerBegin + kInner; o += kLanes) {
      results<kLanes>(out, from, o, rows);
    }
    if constexpr (kInner % kLanes != 0) {
      results<kLanes>(out, from, kInnerBegin + kInner - kLanes, rows);
    }
    for (o = kInnerBegin + kInner; o < G::kAcross.out; ++o) results<1>(out, from, o, rows);
  }

  static void run(E* out, const E* x) noexcept {
    for (Index b = 0; b < G::kT.extents[0]; ++b) {
      for (Index c = 0; c < G::kT.extents[1]; ++c) {
        const E* const plane = x + b * G::kX.strides[0] + c * G::kX.strides[1];
        for (Index y = 0; y < G::kDown.out; ++y) {
          row(out, plane, y);
          out += G::kAcross.out;
        }
      }
    }
  }
};

struct LargestOf {
  template <class E>
  static constexpr E start() noexcept {
    return Maximum::identity<E>();
  }
  // The maximum of the identity and anything is the latter.
  template <class L>
  static WICK_INLINE L first(L elements) noexcept {
    return elements;
  }
  template <class L>
  static WICK_INLINE L add(L so_far, L elements) noexcept {
    return wick::maximum(so_far, elements);
  }
  template <class G, class L>
  static WICK_INLINE L finish(L largest, Index) noexcept {
    return largest;
  }
};

template <bool CountsPadding>
struct MeanOf {
  template <class E>
  static constexpr E start() noexcept {
    return E{0};
  }
  template <class L>
  static WICK_INLINE L first(L elements) noexcept {
    return L(typename L::Element{0}) + elements;
  }
  template <class L>
  static WICK_INLINE L add(L so_far, L elements) noexcept {
    return so_far + elements;
  }
  template <class G, class L>
  static WICK_INLINE L finish(L sum, Index elements) noexcept {
    const Index count = CountsPadding ? G::kDown.size * G::kAcross.size : elements;
    return sum / static_cast<typename L::Element>(count);
  }
};

}  // namespace internal

/// The largest element of each window, NaN if one is NaN. The lists K (Sizes), S (Steps), D
/// (Dilations) and P (Before) have one number per spatial axis. How far the padding behind x
/// reaches follows from the shape of the result.
template <class K, class S, class D, class P, class T, class X>
void max_pool(Out<T> out, In<X> x) noexcept {
  using G = internal::Pooling<T, X, K, S, D, P>;
  if constexpr (T::kElements > 0) {
    internal::Pooler<G, internal::LargestOf>::run(out.data(), x.data());
  }
}

/// The mean of each window: its sum divided by the size of the window if padding counts, else by
/// the number of its elements that are not padding. For floating point.
template <class K, class S, class P, bool CountsPadding, class T, class X>
void average_pool(Out<T> out, In<X> x) noexcept {
  static_assert(std::is_floating_point_v<typename T::Element>, "means are floating point");
  constexpr int axes = T::kLayout.rank - 2;
  using D = std::conditional_t<axes == 1, Dilations<1>, Dilations<1, 1>>;
  using G = internal::Pooling<T, X, K, S, D, P>;
  if constexpr (T::kElements > 0) {
    internal::Pooler<G, internal::MeanOf<CountsPadding>>::run(out.data(), x.data());
  }
}

}  // namespace wick
