// What the reader finds wrong, on its way to the diagnostics.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "compiler/support/diagnostics.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

// The reader works in two stages: structure is what the JSON Schema speaks of, meaning is the rest.
enum class Stage : std::uint8_t { kStructure, kMeaning };

class Findings {
 public:
  explicit Findings(compiler::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(Stage stage, compiler::Site site, TextSpan where, std::string message,
           std::string hint = {}) {
    site.offset = where.offset;
    site.length = where.length;
    (stage == Stage::kStructure ? structural_ : meaning_) += 1;
    diagnostics_.error(std::move(site), std::move(message), std::move(hint));
  }

  std::size_t structural() const { return structural_; }
  bool any() const { return structural_ + meaning_ > 0; }
  // Whether a further one would only be counted: no need to think of a hint for it.
  bool plenty() const { return diagnostics_.error_count() >= compiler::Diagnostics::kMost; }

 private:
  compiler::Diagnostics& diagnostics_;
  std::size_t structural_ = 0;
  std::size_t meaning_ = 0;
};

}  // namespace wick::frontend
