// Which products write their result with its axes in another order than they have it.
//
//   context = weights @ values          [1, 4, 128, 64]
//   t = transpose(context)              [1, 128, 4, 64]
//   merged = reshape(t)                 [1, 128, 256]
//
// A view cannot reshape what is transposed: `t` would be copied into packed layout first. A product
// that can write its axes in the order of `t` makes the copy, and the memory of `context`,
// superfluous.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/fuse/clusters.h"
#include "compiler/graph/graph.h"

namespace wick::compiler {

struct TransposedResult {
  NodeId view;                      // the transposing node, whose value the product's kernel gives
  std::vector<std::int64_t> order;  // axis i of that value is axis order[i] of the product
};

// Requires: the clusters of `graph`. Guarantees: by the root of the product's cluster, each of
// which nothing reads but the view; the view's value is read in packed layout: it is given out, or
// its only reader is no view of transposed elements. The last axis stays the last one. Cost: linear
// in nodes and operands.
std::map<NodeId, TransposedResult> find_transposed_results(const Graph& graph,
                                                           const Clusters& clusters);

}  // namespace wick::compiler
