// Simplification: the same values by fewer nodes. Nothing here may change a value: rewrites hold
// bit by bit (all NaNs counting as one value), so they run under strict floating point as well.
//
// Requires: a valid graph, composites expanded where fusion shall see inside (see expand.h).
// Guarantees: the graph is valid; products of one left operand are one product where that pays;
// inputs, their order, and the names of outputs are as they were; nodes that only pack, nodes that
// do nothing but give a name, and cached nodes stand as they stood, unless nobody needs them. No
// result depends on the machine that wick runs on. Cost: O(n log n) in nodes and operands, plus the
// evaluation of what is folded, which the options bound. No recursion.
#pragma once

#include "compiler/graph/graph.h"

namespace wick::compiler {

struct SimplifyOptions {
  // A result of a node of constants is computed at compile time if it is at most this large …
  Bytes fold_limit{std::int64_t{64} << 10};
  // … or no larger than the node's operands, and these at most this large. A view of a constant
  // that others read as well stays a view beyond fold_limit, for the constant would be there twice.
  Bytes shrinking_fold_limit{std::int64_t{4} << 20};
  // The bytes of operands and results that all folding together may touch; then it stops.
  Bytes fold_budget{std::int64_t{256} << 20};
  // Computed at the first call and kept: what depends on constants alone and cannot be folded.
  bool cache_constant_cones = true;
};

Graph simplify(const Graph& graph, const SimplifyOptions& options = {});

}  // namespace wick::compiler
