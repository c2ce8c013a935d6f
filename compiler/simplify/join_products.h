// One product instead of several of one left operand: see compiler/graph/joint_products.h for when.
#pragma once

#include "compiler/graph/graph.h"

namespace wick::compiler {

// Requires: a valid graph. Guarantees: a valid graph of the same values, bit by bit; the results of
// joined products, and of what all of them go on with alike, are parts of one result, cut by a
// view. Constants that are not needed any more stay. Cost: O(n log n) in nodes and operands, plus
// the bytes of the joined constants.
Graph join_products(Graph graph);

}  // namespace wick::compiler
