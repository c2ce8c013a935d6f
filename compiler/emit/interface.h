// What a caller sees: the header, and the signatures that the source repeats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/types.h"
#include "compiler/emit/weights.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// What a function takes besides inputs and outputs.
struct Surroundings {
  bool weights = false;  // run takes `const Weights&`
  bool state = false;    // cached values or bound parameters
  bool prepare = false;  // there are cached values
  bool arena = false;    // the caller hands an arena in
};
Surroundings surroundings_of(const Plan& plan, const EmitOptions& options);

// A parameter of a function, and what it stands for.
struct Parameter {
  enum class Role : std::uint8_t { kWeights, kState, kInput, kOutput, kArena };
  Role role = Role::kInput;
  std::uint32_t index = 0;  // of the input or output
  std::string type;         // "wick::In<Row64>"
  std::string name;
};

// The parameters of run, in order.
std::vector<Parameter> run_parameters(const Plan& plan, const Symbols& symbols,
                                      const Surroundings& around, TypeTable& types);

// What run takes and gives, as a comment. The bytes and the alignment of the arena are constants
// whose names begin with `arena`.
std::vector<Line> run_notes(const Plan& plan, const Symbols& symbols, const Surroundings& around,
                            const std::string& arena);

// "void run(...) noexcept", broken over lines where it does not fit; ends in `tail`.
std::vector<Line> signature_lines(const std::string& name, const std::vector<Parameter>& parameters,
                                  const std::string& tail);

// Two or three lines that say what this file is.
std::vector<Line> banner_lines(const Plan& plan, const Symbols& symbols,
                               const EmitOptions& options);
std::string banner_text(const Symbols& symbols, const EmitOptions& options);

// The whole header. Adds to `types` the aliases that the interface needs.
std::vector<Line> header_lines(const Plan& plan, const Symbols& symbols,
                               const WeightsLayout& weights, const EmitOptions& options,
                               TypeTable& types);

// using Row64 = wick::Tensor<float, 1, 64>;  // pixels
std::vector<Line> alias_lines(const TypeTable& types, std::size_t from);

}  // namespace wick::compiler::cpp
