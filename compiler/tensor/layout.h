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

  const Shape& shape() const { return entry_->key.shape; }
  std::int64_t stride(std::size_t axis) const { return entry_->key.strides[axis]; }
  std::span<const std::int64_t> strides() const { return entry_->key.span(); }
  std::int64_t offset() const { return entry_->key.offset; }

  // True if for every axis of extent > 1 the stride is the product of the inner extents (seed;
  // testing the innermost stride alone is wrong). The offset may be anything. A tensor without
  // elements is contiguous.
  bool is_contiguous() const { return entry_->contiguous; }
  // Contiguous, at offset 0: the layout a fresh result has.
  bool is_packed() const { return offset() == 0 && is_contiguous(); }

  // The elements touched: [first, last + 1) counted from the start of the storage; {0, 0} if there
  // are none.
  struct Extent {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  Extent extent() const;

  // "f32-less" text for plans: "[2, 3] strides [3, 1] offset 0".
  std::string to_string() const;

  friend bool operator==(const Layout& a, const Layout& b) { return a.entry_ == b.entry_; }

 private:
  struct Places {
    Shape shape;
    std::array<std::int64_t, kMaxRank> strides{};
    std::int64_t offset = 0;

    std::span<const std::int64_t> span() const { return {strides.data(), shape.rank()}; }
    std::uint64_t hash() const;
    bool operator==(const Places& other) const;
  };
  struct Entry {
    constexpr Entry() = default;
    explicit Entry(const Places& places);

    Places key;
    bool contiguous = true;
  };
  static const Entry kScalar;

  static const Entry& entry_of(const Places& places);
  static const Entry& packed_entry(const Shape& shape);

  const Entry* entry_ = &kScalar;
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
