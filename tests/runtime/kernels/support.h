#pragma once

// What the tests of the kernels share: memory with guarded edges, and the naive walk over shapes
// that expected values are computed with. Nothing here uses the runtime's loops.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "wick/runtime.h"

namespace wick::test {

// Elements that start as badly aligned as a caller may have them, between edges that nobody may
// touch; every byte of the elements starts as 0x5A.
template <class E>
class Buffer {
 public:
  explicit Buffer(Index count)
      : count_(static_cast<std::size_t>(count)),
        bytes_(std::make_unique<unsigned char[]>(2 * kEdge + count_ * sizeof(E) + sizeof(E))) {
    std::memset(bytes_.get(), kGuard, kEdge);
    std::memset(bytes_.get() + kEdge, 0x5A, count_ * sizeof(E));
    std::memset(bytes_.get() + kEdge + count_ * sizeof(E), kGuard, kEdge);
  }
  Buffer(const Buffer& other) : Buffer(static_cast<Index>(other.count_)) {
    std::memcpy(bytes_.get(), other.bytes_.get(), 2 * kEdge + count_ * sizeof(E));
  }
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    for (std::size_t i = 0; i < kEdge; ++i) {
      EXPECT_EQ(bytes_[i], kGuard) << "written before the first element";
      EXPECT_EQ(bytes_[kEdge + count_ * sizeof(E) + i], kGuard) << "written after the last element";
    }
  }

  E* data() { return reinterpret_cast<E*>(bytes_.get() + kEdge); }
  const E* data() const { return reinterpret_cast<const E*>(bytes_.get() + kEdge); }
  Index size() const { return static_cast<Index>(count_); }
  E& operator[](Index i) { return data()[i]; }
  const E& operator[](Index i) const { return data()[i]; }

 private:
  // An odd multiple of 8, so that no vector is aligned.
  static constexpr std::size_t kEdge = 72;
  static constexpr unsigned char kGuard = 0xC3;
  std::size_t count_;
  std::unique_ptr<unsigned char[]> bytes_;
};

// Small whole numbers, exact in every dtype; they repeat with a period prime to all extents used.
template <class E>
E small_value(Index i) {
  const Index n = (i * 5 + 3) % 13;
  if constexpr (std::is_same_v<E, bool>) return n % 3 == 0;
  return static_cast<E>(std::is_signed_v<E> ? n - 6 : n);
}

template <class E>
Buffer<E> small_values(Index count) {
  Buffer<E> buffer(count);
  for (Index i = 0; i < count; ++i) buffer[i] = small_value<E>(i);
  return buffer;
}

// Values of both signs whose sums round.
template <class E>
Buffer<E> rough_values(Index count) {
  Buffer<E> buffer(count);
  for (Index i = 0; i < count; ++i) {
    buffer[i] = static_cast<E>(std::sin(static_cast<double>(i * 7 + 1)) *
                               (1.0 + static_cast<double>(i % 17)));
  }
  return buffer;
}

using Place = std::array<Index, kMaxRank>;

// Calls f(place) for each place of a shape, row-major.
template <class F>
void each_place(const Layout& shape, const F& f) {
  if (shape.elements() == 0) return;
  Place place{};
  for (;;) {
    f(place);
    int axis = shape.rank - 1;
    while (axis >= 0 && ++place[static_cast<std::size_t>(axis)] == shape.extents[axis]) {
      place[static_cast<std::size_t>(axis)] = 0;
      --axis;
    }
    if (axis < 0) return;
  }
}

// Where the element of `operand` lies that stands at `place` of a shape of `rank` axes, by NumPy's
// rules.
inline Index offset_at(const Layout& operand, int rank, const Place& place) {
  Index offset = 0;
  for (int axis = 0; axis < operand.rank; ++axis) {
    const Index at = place[static_cast<std::size_t>(axis + rank - operand.rank)];
    if (operand.extents[axis] != 1) offset += at * operand.strides[axis];
  }
  return offset;
}

// How many elements a buffer needs so that layout T may be read from its middle, and the middle.
template <class T>
constexpr Index reach_of_layout() {
  Index reach = 1;
  for (int axis = 0; axis < T::kLayout.rank; ++axis) {
    const Index stride = T::kLayout.strides[axis];
    if (T::kLayout.extents[axis] > 0) {
      reach += (T::kLayout.extents[axis] - 1) * (stride < 0 ? -stride : stride);
    }
  }
  return reach;
}

// An operand with layout T in a buffer that covers every element it reaches.
template <class T>
class Operand {
 public:
  using E = typename T::Element;
  explicit Operand(Buffer<E> (*make)(Index)) : buffer_(make(2 * reach_of_layout<T>())) {}
  In<T> in() const { return In<T>(buffer_.data() + reach_of_layout<T>()); }
  E at(int rank, const Place& place) const {
    return buffer_[reach_of_layout<T>() + offset_at(T::kLayout, rank, place)];
  }

 private:
  Buffer<E> buffer_;
};

// The same bits, all NaNs being one value.
template <class E>
bool same(E a, E b) {
  if constexpr (std::is_floating_point_v<E>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  }
  return std::memcmp(&a, &b, sizeof(E)) == 0;
}

// The sum of terms in the documented order: 64 accumulators of f32, 32 of f64, added by halves.
template <class E, class Add>
E sum_by_halves(Index count, const Add& add) {
  constexpr std::size_t accumulators = sizeof(E) == 4 ? 64 : 32;
  std::vector<E> sums(accumulators, E{0});
  for (Index i = 0; i < count; ++i) {
    E& sum = sums[static_cast<std::size_t>(i) % accumulators];
    sum = add(sum, i);
  }
  for (std::size_t half = accumulators / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

}  // namespace wick::test
