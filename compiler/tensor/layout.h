// How the elements of a tensor lie in its storage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/tensor/shape.h"

namespace wick::compiler {

// Element [i0, i1, …] lies at `offset + i0 * stride 0 + i1 * stride 1 + …`, counted in elements
// from the start of the storage. Strides may be zero (broadcast) or negative (flip).
class Layout {
 public:
  Layout() = default;
  // Packed: row-major strides, offset 0.
  explicit Layout(const Shape& shape);
  Layout(const Shape& shape, std::span<const std::int64_t> strides, std::int64_t offset);

  const Shape& shape() const { return shape_; }
  std::int64_t stride(std::size_t axis) const { return strides_[axis]; }
  std::span<const std::int64_t> strides() const { return {strides_.data(), shape_.rank()}; }
  std::int64_t offset() const { return offset_; }

  // True if for every axis of extent > 1 the stride is the product of the inner extents (seed;
  // testing the innermost stride alone is wrong). The offset may be anything. A tensor without
  // elements is contiguous.
  bool is_contiguous() const;
  // Contiguous, at offset 0: the layout a fresh result has.
  bool is_packed() const { return offset_ == 0 && is_contiguous(); }

  // The elements touched: [first, last + 1) counted from the start of the storage; {0, 0} if there
  // are none.
  struct Extent {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  Extent extent() const;

  // "f32-less" text for plans: "[2, 3] strides [3, 1] offset 0".
  std::string to_string() const;

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  Shape shape_;
  std::array<std::int64_t, kMaxRank> strides_{};
  std::int64_t offset_ = 0;
};

// The transformations below take legal arguments (inference has seen to it); an illegal one is our
// bug.

// Axis i of the result is axis permutation[i] of `layout`.
Layout permuted(const Layout& layout, std::span<const std::int64_t> permutation);

// One axis cut to `count` elements from `start` with `step` (which may be negative).
Layout sliced(const Layout& layout, std::size_t axis, std::int64_t start, std::int64_t step,
              std::int64_t count);

// Stretched to `shape` by NumPy's rules: stretched and added axes get stride 0.
Layout broadcast_layout(const Layout& layout, const Shape& shape);

// The same elements in row-major order under another shape of the same count, if strides can say so
// without copying. Axes of extent 1 and tensors without elements never stand in the way.
std::optional<Layout> reshaped(const Layout& layout, const Shape& shape);

}  // namespace wick::compiler
