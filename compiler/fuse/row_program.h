// The passes of a row program.
#pragma once

#include <functional>
#include <vector>

#include "compiler/fuse/bodies.h"
#include "compiler/fuse/clusters.h"
#include "compiler/fuse/fused_graph.h"

namespace wick::compiler {

// Orders a cluster's nodes into passes over a row: a pass for each reduction, for each value kept
// between passes, for each scalar that several passes or the elements read, and the writes of the
// roots. A value of elements that two passes need is kept if computing it is expensive, else
// computed twice. `operand_index` gives the number of a value from outside among the kernel's
// operands. Sets `kernel.passes` and `kernel.workspace`. Cost: nodes times passes.
void build_row_program(const Graph& graph, const Clusters& clusters, const Cluster& cluster,
                       Kernel& kernel, const std::function<std::uint32_t(ValueId)>& operand_index,
                       const std::function<BodyId(Body)>& intern);

}  // namespace wick::compiler
