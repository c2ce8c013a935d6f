// The names of a graph as it was written: who defines them, and what was probably meant by one that
// nobody defines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/graph/description.h"
#include "compiler/support/diagnostics.h"
#include "compiler/support/hash_index.h"

namespace wick::compiler {

// Where a name is defined.
struct Definition {
  enum class Kind : std::uint8_t { kInput, kConstant, kNode };
  Kind kind = Kind::kInput;
  std::uint32_t index = 0;   // which input, constant or node
  std::uint32_t result = 0;  // which result of the node

  // Text for messages: "/nodes/3/outputs/1".
  std::string pointer(const GraphDescription& description) const;
};

// The number of results that a node names.
std::size_t named_results(const NodeDescription& node);
// The name of result `index`.
const std::string& result_name(const NodeDescription& node, std::size_t index);
// What messages call a node: its name, or that of its first result.
const std::string& display_name(const NodeDescription& node);

// A name with its hash, which is best made when the letters are at hand.
struct HashedName {
  std::string_view name;
  std::uint64_t hash = 0;

  HashedName() = default;
  explicit HashedName(std::string_view text) : name(text), hash(mixed_hash(text)) {}
};

// Names point into the description, which must outlive the table and keep its strings in place.
class NameTable {
 public:
  // Enters every name; empty and duplicate ones are errors, and the first of two keeps the name.
  NameTable(const GraphDescription& description, Diagnostics& diagnostics);

  // The definition of `name`, or null.
  const Definition* find(const HashedName& name) const;
  const Definition* find(std::string_view name) const { return find(HashedName(name)); }

  // The definitions of many names, as `find` tells them, in a fraction of the time: the memory that
  // one look-up needs is asked for while others are made.
  std::vector<const Definition*> find_all(const std::vector<HashedName>& names) const;

  // A hint for a name that nobody defines.
  std::string suggestion(std::string_view name) const;

 private:
  struct Named {
    std::string_view name;
    Definition definition;
  };

  struct Entrant {
    HashedName name;
    Definition definition;
  };

  std::vector<Entrant> entrants() const;  // everything that the description names, in order
  void enter(const Entrant& entrant, Diagnostics& diagnostics);

  const GraphDescription& description_;
  std::vector<Named> all_;
  HashIndex by_name_;  // into `all_`
};

}  // namespace wick::compiler
