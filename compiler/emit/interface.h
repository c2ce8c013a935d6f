// What a caller sees: the header, and the signatures that the source repeats.
#pragma once

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
  bool weights = false;        // run takes `const Weights&`
  bool state = false;          // cached values or bound parameters
  bool prepare = false;        // there are cached values
  bool arena = false;          // the caller hands an arena in
  bool cached_bytes = false;   // cached values take space
  bool prepare_arena = false;  // and computing the cached values needs it
};
Surroundings surroundings_of(const Plan& plan, const EmitOptions& options);

// The parameters of run and of prepare, in order: "wick::In<Row64> pixels".
std::vector<std::string> run_parameters(const Plan& plan, const Symbols& symbols,
                                        const Surroundings& around, TypeTable& types);
std::vector<std::string> prepare_parameters(const Surroundings& around);

// "void run(…) noexcept", broken over lines where it does not fit; ends in `tail`.
std::vector<Line> signature_lines(const std::string& name,
                                  const std::vector<std::string>& parameters,
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
