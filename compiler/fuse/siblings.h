// Row programs with several results: clusters that read the same rows are computed in one pass over
// memory.
//
//   mean = mean(x, axis 1)         two passes over x     ->  one kernel: for each row of x both
//   peak = max(x, axis 1)                                    reductions, while it is in cache
//
// What it saves is one read of the rows; nothing is computed again and nothing else is written. It
// may cost memory where a result lives longer than it would, so that all results but one have one
// element per row, and that one is an output of the graph.
#pragma once

#include "compiler/fuse/clusters.h"
#include "compiler/graph/graph.h"

namespace wick::compiler {

// Requires: what clusters.h guarantees. Guarantees: the same, with `more_roots` filled; no cycle
// arises: see siblings.cpp. Notes in `refusals` which reductions of one value stay apart, and why.
// Cost: O(n log n) in clusters and their operands.
void merge_siblings(const Graph& graph, Clusters& clusters);

}  // namespace wick::compiler
