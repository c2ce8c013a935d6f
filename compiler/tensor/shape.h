// The extents of a tensor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "compiler/support/ids.h"
#include "compiler/tensor/dtype.h"

namespace wick::compiler {

// The most axes a tensor may have.
inline constexpr std::size_t kMaxRank = 8;

// The most bytes a tensor may have: what a 64-bit process can address. Every product of extents,
// zero extents left out, stays below it, so that no later arithmetic on element counts, strides or
// offsets can overflow.
inline constexpr Bytes kMaxTensorBytes{std::int64_t{1} << 47};

// Extents, outermost first. A shape of rank 0 is a scalar. Invariant: the product of the non-zero
// extents is at most kMaxTensorBytes.
class Shape {
 public:
  Shape() = default;

  // The shape of these extents; nothing if the rank exceeds kMaxRank, an extent is negative, or the
  // count overflows the limit.
  static std::optional<Shape> make(std::span<const std::int64_t> extents);

  // For extents known to be legal (tests, our own code); an illegal one is our bug.
  static Shape of(std::initializer_list<std::int64_t> extents);
  static Shape of(std::span<const std::int64_t> extents);

  std::size_t rank() const { return rank_; }
  std::int64_t operator[](std::size_t axis) const { return extents_[axis]; }
  std::span<const std::int64_t> extents() const { return {extents_.data(), rank_}; }
  std::int64_t element_count() const;
  bool has_elements() const { return element_count() > 0; }

  // "[2, 3]"; a scalar is "[]".
  std::string to_string() const;

  friend bool operator==(const Shape& a, const Shape& b) {
    return std::ranges::equal(a.extents(), b.extents());
  }

 private:
  std::array<std::int64_t, kMaxRank> extents_{};
  std::uint8_t rank_ = 0;
};

// The bytes of a packed tensor; nothing if they exceed kMaxTensorBytes.
std::optional<Bytes> byte_count(const Shape& shape, DType dtype);

// NumPy's broadcast of two shapes: aligned at the last axis, an extent of 1 stretches. Nothing if
// they do not fit, or the result is too large.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

// True if `from` broadcasts to exactly `to`.
bool broadcasts_to(const Shape& from, const Shape& to);

// "f32[2, 3]".
std::string type_text(DType dtype, const Shape& shape);

}  // namespace wick::compiler
