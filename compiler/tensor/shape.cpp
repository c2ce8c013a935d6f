#include "compiler/tensor/shape.h"

#include <algorithm>

#include "compiler/support/check.h"

namespace wick::compiler {

constinit const Shape::Entry Shape::kScalar;

std::uint64_t Shape::Extents::hash() const {
  std::uint64_t hash = rank;
  for (const std::int64_t extent : span()) {
    hash = mixed_hash(hash, static_cast<std::uint64_t>(extent));
  }
  return hash;
}

bool Shape::Extents::operator==(const Extents& other) const {
  return std::ranges::equal(span(), other.span());
}

Shape::Entry::Entry(const Extents& extents) : key(extents) {
  for (const std::int64_t extent : key.span()) element_count *= extent;
}

std::optional<Shape> Shape::make(std::span<const std::int64_t> extents) {
  if (extents.size() > kMaxRank) return std::nullopt;
  Extents key;
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0 || extent > kMaxTensorBytes.count) return std::nullopt;
    if (extent > 0 && product > kMaxTensorBytes.count / extent) return std::nullopt;
    if (extent > 0) product *= extent;
    key.extents[key.rank++] = extent;
  }
  if (key.rank == 0) return Shape();
  return Shape(Interner<Extents, Entry>::intern(key));
}

Shape Shape::of(std::span<const std::int64_t> extents) {
  const auto shape = make(extents);
  check(shape.has_value(), "Shape::of: illegal extents");
  return *shape;
}

Shape Shape::of(std::initializer_list<std::int64_t> extents) {
  return of(std::span(extents.begin(), extents.size()));
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string((*this)[axis]);
  }
  return text + "]";
}

std::optional<Bytes> byte_count(const Shape& shape, DType dtype) {
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t count = shape.element_count();
  if (count > kMaxTensorBytes.count / size) return std::nullopt;
  return Bytes{count * size};
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  if (a == b) return a;
  const std::size_t rank = std::max(a.rank(), b.rank());
  std::array<std::int64_t, kMaxRank> extents{};
  for (std::size_t i = 1; i <= rank; ++i) {
    const std::int64_t x = i <= a.rank() ? a[a.rank() - i] : 1;
    const std::int64_t y = i <= b.rank() ? b[b.rank() - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    extents[rank - i] = x == 1 ? y : x;
  }
  return Shape::make(std::span(extents.data(), rank));
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  const auto both = broadcast(from, to);
  return both && *both == to;
}

std::string type_text(DType dtype, const Shape& shape) {
  return std::string(name_of(dtype)) + shape.to_string();
}

}  // namespace wick::compiler
