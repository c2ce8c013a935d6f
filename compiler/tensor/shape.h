// The extents of a tensor.
//
// A graph of a million nodes has a handful of shapes and layouts. Each is kept once (interner.h);
// `Shape` and `Layout` are values of the size of a pointer, cheap to copy and to compare.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "compiler/support/ids.h"
#include "compiler/support/interner.h"
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

  std::size_t rank() const { return entry_->key.rank; }
  std::int64_t operator[](std::size_t axis) const { return entry_->key.extents[axis]; }
  std::span<const std::int64_t> extents() const { return entry_->key.span(); }
  std::int64_t element_count() const { return entry_->element_count; }
  bool has_elements() const { return element_count() > 0; }

  // "[2, 3]"; a scalar is "[]".
  std::string to_string() const;

  friend bool operator==(const Shape& a, const Shape& b) { return a.entry_ == b.entry_; }

 private:
  friend class Layout;

  struct Extents {
    std::array<std::int64_t, kMaxRank> extents{};
    std::uint8_t rank = 0;

    std::span<const std::int64_t> span() const { return {extents.data(), rank}; }
    std::uint64_t hash() const;
    bool operator==(const Extents& other) const;
  };
  struct Entry {
    constexpr Entry() = default;
    explicit Entry(const Extents& extents);

    Extents key;
    std::int64_t element_count = 1;
    // The packed layout of this shape (a Layout::Entry), once somebody has asked for it.
    mutable std::atomic<const void*> packed = nullptr;
  };
  static const Entry kScalar;

  explicit Shape(const Entry& entry) : entry_(&entry) {}

  const Entry* entry_ = &kScalar;
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
