// Composites become the operations they are made of, so that simplification and fusion see inside.
#pragma once

#include "compiler/graph/graph.h"

namespace wick::compiler {

// Guarantees: no node of the result expands any further; result names and outputs are kept; new
// nodes are named after the node they come from
// ("probabilities.peak"). Results of a cached composite stay cached. Cost: linear in the size of
// the result.
Graph expand(const Graph& graph);

}  // namespace wick::compiler
