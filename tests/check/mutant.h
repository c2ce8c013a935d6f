// One mistake in an emitted file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/check/emitted.h"

namespace wick::mutation {

// Who decides whether the mistake is a fault, if the checker lets it pass.
enum class Oracle : std::uint8_t {
  kDefinition,  // it is one by the contract of docs/generated-code.md
  kBytes,       // the simulator: a fault of its own, or an output made of other bytes
  kResults,     // the simulator's faults; if there is none, a run beside the original
};

struct Edit {
  Span span;
  std::string text;  // what stands there instead
  bool in_header = false;
};

struct Mutant {
  std::string_view kind;  // one of `kinds()`
  std::string what;       // "kH0: 0 -> 64"
  std::uint32_t line = 0;
  Oracle oracle = Oracle::kResults;
  std::vector<Edit> edits;             // do not overlap
  std::optional<std::size_t> flipped;  // a byte of the weights file, flipped
};

struct MutatedFiles {
  std::string source;
  std::string header;
};

MutatedFiles apply(const Emitted& emitted, const Mutant& mutant);

// Every mistake that the mutator knows to make in this file, in a fixed order.
std::vector<Mutant> mutants_of(const Emitted& emitted);

// The names of all kinds of mistakes, in the order of the table.
std::span<const std::string_view> kinds();

}  // namespace wick::mutation
