// Cuts a graph into kernels.
#pragma once

#include "compiler/fuse/fused_graph.h"
#include "compiler/graph/graph.h"

namespace wick::compiler {

enum class FpMode : std::uint8_t {
  kDefault,  // chains of scalars a*x+b are folded, which may change the last bits
  kStrict,   // the bits of the unfused program
};

struct FuseOptions {
  bool fuse = true;  // false: one kernel per node
  FpMode fp = FpMode::kDefault;
};

// Requires: no node of `graph` expands (expand has run). `graph` must outlive the result.
// Guarantees: what fused_graph.h says; no expensive operation is computed twice; a kernel has at
// most 64 statements and 16 operands. Cost: O(n log n).
FusedGraph fuse(const Graph& graph, const FuseOptions& options);

}  // namespace wick::compiler
