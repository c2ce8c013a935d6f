// The pipeline: the file to read first.
#pragma once

#include <memory>
#include <optional>

#include "compiler/emit/emit.h"
#include "compiler/fuse/fuse.h"
#include "compiler/graph/description.h"
#include "compiler/plan/plan.h"
#include "compiler/support/diagnostics.h"

namespace wick::compiler {

struct CompileOptions {
  bool simplify = true;
  FuseOptions fuse;
  PlanOptions plan;
  EmitOptions emit;
};

// Every product of the pipeline, kept so that each can be shown. Later ones point into earlier
// ones, hence the fixed addresses.
struct Compilation {
  std::unique_ptr<const Graph> given;       // as verified
  std::unique_ptr<const Graph> simplified;  // expanded, and simplified unless that is off
  std::unique_ptr<const FusedGraph> fused;
  std::unique_ptr<const Plan> plan;
  Emission emission;
};

// Compiles a graph. Returns nothing if the description is wrong; each fault is in `diagnostics`.
// Throws InternalError on a bug of ours.
std::optional<Compilation> compile(GraphDescription description, const CompileOptions& options,
                                   Diagnostics& diagnostics);

}  // namespace wick::compiler
