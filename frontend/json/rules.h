// What may stand where in a graph file: the rules of docs/graph.schema.json as tables.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wick::frontend {

// What is expected at a place.
enum class Expect : std::uint8_t {
  kGraph,
  kVersion,
  kName,
  kText,
  kDType,
  kRole,
  kFlag,
  kInputs,
  kInput,
  kConstants,
  kConstant,
  kNodes,
  kNode,
  kNames,
  kOperands,
  kOperand,
  kExtents,
  kExtent,
  kWantedExtents,
  kWantedExtent,
  kValues,
  kElement,
  kAttribute,
  kAttributeItem,
  kRangePart,
  kAnything,  // below a key that is already an error
};

// Kinds of JSON values, as bits.
enum Kind : std::uint8_t {
  kObjectKind = 1,
  kArrayKind = 2,
  kTextKind = 4,
  kNumberKind = 8,
  kFlagKind = 16,
  kNullKind = 32,
};

struct Rule {
  std::uint8_t kinds = 0;              // what may stand here
  std::string_view what = {};          // the same in words
  Expect element = Expect::kAnything;  // what the elements of a list are
};
const Rule& rule_of(Expect expect);

struct Key {
  std::string_view name;
  Expect expect;
  bool required = false;
};
// The keys of an object, fewer than 32; `noun` says what the object is: "an input".
struct KeySet {
  std::string_view noun;
  std::span<const Key> keys;
};
const KeySet& keys_of(Expect object);

// The most keys a node may have.
inline constexpr std::size_t kMostNodeKeys = 64;

}  // namespace wick::frontend
