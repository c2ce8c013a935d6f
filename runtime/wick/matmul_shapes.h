#pragma once

// Shapes of a matrix product by NumPy's rules, and the strides of everybody who takes part in it.
//
//   a [..., m, k] or [k]     b [..., k, n] or [k]     result [..., m, n] without the axis that a
//                                                     one-dimensional operand does not have
//
// The iteration space is the broadcast batch axes, then m (1 if a has one axis), then n (1 if b
// has one axis). The loops over batch and m are merged; where B stays the same along the innermost
// of them, that loop is the rows of one product, else each row is a product of its own.

#include "wick/group.h"
#include "wick/loops.h"

namespace wick::internal {

constexpr Layout batch_of(Layout layout) noexcept {
  layout.rank = layout.rank > 2 ? layout.rank - 2 : 0;
  return layout;
}

// A right factor as a tensor, whatever the order in which it lies.
template <class B>
struct RightFactor {
  static constexpr bool kPanels = false;
  using Plain = B;
};
template <class E, Index K, Index N>
struct RightFactor<Panels<E, K, N>> {
  static constexpr bool kPanels = true;
  using Plain = Tensor<E, K, N>;
};

template <class T, class A, class B>
struct ProductSpace {
  static constexpr const Layout& kA = A::kLayout;
  static constexpr const Layout& kB = B::kLayout;
  static_assert(A::kLayout.rank >= 1 && B::kLayout.rank >= 1, "a product takes no scalars");
  static constexpr bool kVectorA = A::kLayout.rank == 1;
  static constexpr bool kVectorB = B::kLayout.rank == 1;

  static constexpr Index kM = kVectorA ? 1 : kA.extents[kA.rank - 2 + kVectorA];
  static constexpr Index kN = kVectorB ? 1 : kB.extents[kB.rank - 1];
  static constexpr Index kK = kA.extents[kA.rank - 1];
  static_assert(kK == kB.extents[kVectorB ? 0 : kB.rank - 2], "inner extents must agree");

  static constexpr Index kAStep = kA.strides[kA.rank - 1];
  static constexpr Index kBStep = kB.strides[kVectorB ? 0 : kB.rank - 2];
  static constexpr Index kBColumn = kVectorB ? 0 : kB.strides[kB.rank - 1];

  static constexpr Layout make_batch() noexcept {
    const Layout both[] = {batch_of(kA), batch_of(kB)};
    return common_shape(both, 2);
  }
  static constexpr Layout kBatch = make_batch();
  static_assert(broadcasts(batch_of(kA), kBatch) && broadcasts(batch_of(kB), kBatch),
                "batch axes must broadcast");
  static constexpr int kRowAxis = kBatch.rank;
  static constexpr int kColumnAxis = kBatch.rank + 1;

  static constexpr Layout make_space() noexcept {
    Layout space = kBatch;
    space.rank = kBatch.rank + 2;
    space.extents[kRowAxis] = kM;
    space.extents[kColumnAxis] = kN;
    return space;
  }
  static constexpr Layout kSpace = make_space();

  static constexpr bool is_result(const Layout& shape) noexcept {
    int axis = 0;
    for (int place = 0; place < kSpace.rank; ++place) {
      if (place == kRowAxis && kVectorA) continue;
      if (place == kColumnAxis && kVectorB) continue;
      if (axis == shape.rank || shape.extents[axis] != kSpace.extents[place]) return false;
      ++axis;
    }
    return axis == shape.rank;
  }
  static_assert(is_result(T::kLayout), "the result must have the shape of the product");

  // Of an operand that broadcasts to the result.
  static constexpr Strides of_result(const Layout& operand) noexcept {
    Strides strides;
    int axis = 0;
    for (int place = 0; place < kSpace.rank; ++place) {
      if (place == kRowAxis && kVectorA) continue;
      if (place == kColumnAxis && kVectorB) continue;
      strides.at[place] = broadcast_stride(operand, T::kLayout.rank, axis++);
    }
    return strides;
  }
  static constexpr Strides of_batch(const Layout& operand) noexcept {
    return broadcast_strides(batch_of(operand), kBatch);
  }
  static constexpr Strides of_a() noexcept {
    Strides strides = of_batch(kA);
    if (!kVectorA) strides.at[kRowAxis] = kA.strides[kA.rank - 2 + kVectorA];
    return strides;
  }
};

template <class Space>
struct LeftStrides {
  static constexpr Strides kStrides = Space::of_a();
};
template <class Space>
struct RightStrides {
  static constexpr Strides kStrides = Space::of_batch(Space::kB);
};
template <class Space, class T, class V>
struct ProductStrides {
  static_assert(broadcasts(V::kLayout, T::kLayout), "the operand must broadcast to the result");
  static constexpr Strides kStrides = Space::of_result(V::kLayout);
};

// One product of the batch: constants of its loops. L is the nest over batch axes and rows.
template <class Space, class L, class E>
struct Product {
  using Element = E;
  static constexpr Index kK = Space::kK;
  static constexpr Index kColumns = Space::kN;
  static constexpr int kInner = L::kLoops.inner_axis();
  static constexpr bool kHasRows =
      kInner >= 0 && stride_along(RightStrides<Space>::kStrides, kInner) == 0;
  // The axis that counts the rows, -1 if there is one row.
  static constexpr int kRowAxis = kHasRows ? kInner : -1;
  static constexpr int kColumnAxis = Space::kColumnAxis;
  static constexpr Index kRows = kHasRows ? L::kLoops.inner_extent() : 1;
  static constexpr int kBatchLoops = kHasRows ? L::kLoops.depth - 1 : L::kLoops.depth;

  static constexpr Index kARow = stride_along(LeftStrides<Space>::kStrides, kRowAxis);
  static constexpr Index kAStep = Space::kAStep;
  static constexpr Index kBStep = Space::kBStep;
  static constexpr Index kBColumn = Space::kBColumn;
};

}  // namespace wick::internal
