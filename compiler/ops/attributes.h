// The attributes of a node: a few named values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/tensor/dtype.h"

namespace wick::compiler::ops {

// One axis of "ranges", as in Python: absent ends are open. A null in the list of ranges is a Range
// with everything absent.
struct Range {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> stop;
  std::int64_t step = 1;
  friend bool operator==(const Range&, const Range&) = default;
};

// A slice of one axis after inference: `count` elements from `start`, `step` apart (never 0, may be
// negative).
struct Stride {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  friend bool operator==(const Stride&, const Stride&) = default;
};

// One of the parts that an axis is cut into, after inference: `size` elements from `start`. Where
// each begins is worked out once, for all of them.
struct Part {
  std::int64_t start = 0;
  std::int64_t size = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

using Integers = std::vector<std::int64_t>;
using Ranges = std::vector<Range>;
using Strides = std::vector<Stride>;
using Parts = std::vector<Part>;
using Pairs = std::vector<std::array<std::int64_t, 2>>;

enum class AttributeKind : std::uint8_t {
  kFlag,
  kInteger,
  kNumber,
  kText,
  kIntegers,
  kRanges,
  kPairs,
  kStrides,
  kParts,
  kDType
};

// The alternatives stand in the order of AttributeKind. A number keeps its value as double; the
// graph language has no attribute that needs more.
using AttributeValue = std::variant<bool, std::int64_t, double, std::string, Integers, Ranges,
                                    Pairs, Strides, Parts, DType>;

inline AttributeKind kind_of(const AttributeValue& value) {
  return static_cast<AttributeKind>(value.index());
}

// Attributes by name, few, kept sorted. The typed getters take it for granted that the attribute is
// there and of that kind (after inference it is): else it is our bug.
class Attributes {
 public:
  Attributes() = default;
  Attributes(std::initializer_list<std::pair<std::string, AttributeValue>> entries);

  void set(std::string_view name, AttributeValue value);
  const AttributeValue* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  bool flag(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  const Integers& integers(std::string_view name) const;
  const Ranges& ranges(std::string_view name) const;
  const Pairs& pairs(std::string_view name) const;
  const Strides& strides(std::string_view name) const;
  const Parts& parts(std::string_view name) const;
  DType dtype(std::string_view name) const;

  const std::vector<std::pair<std::string, AttributeValue>>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  // Equal bit by bit: numbers are compared by their bits, so that NaN equals itself and -0.0
  // differs from 0.0.
  friend bool operator==(const Attributes& a, const Attributes& b);

 private:
  std::vector<std::pair<std::string, AttributeValue>> entries_;
};

}  // namespace wick::compiler::ops
