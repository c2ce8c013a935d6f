// The products of the pipeline as text: what `wick compile --emit=STAGE` prints.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/compile.h"
#include "frontend/cli/choice.h"
#include "frontend/json/reader.h"

namespace wick::frontend {

enum class EmitStage : std::uint8_t {
  kGraph,       // the graph language, as verified
  kSimplified,  // the graph language, composites expanded
  kFused,       // kernels and their equations
  kPlan,        // storages and steps
  kCpp,         // the emitted source
  kLifetimes,   // slots as CSV, for `wick pack` and other solvers
  kDot,         // the fused graph for Graphviz
};

const Words<EmitStage>& emit_stages();

std::string stage_text(EmitStage stage, const compiler::Compilation& compilation,
                       const ReadFiles& files);

// Which nodes were not put into one kernel, and why: a line for each pair.
std::string refusals_text(const compiler::FusedGraph& fused);

}  // namespace wick::frontend
