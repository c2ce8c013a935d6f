// The rewrites: what a node may be replaced by, by an equation that its record's traits promise.
#pragma once

#include <optional>

#include "compiler/graph/graph.h"
#include "compiler/simplify/common.h"
#include "compiler/simplify/constants.h"

namespace wick::compiler {

// What rewrites look at: the new graph so far, and what is known of it.
struct RewriteContext {
  const Graph& graph;
  UniformConstants& uniform;
  const KnownViews& views;
};

// The value of `context.graph` that has the bits of the only result of `node`, by the first rewrite
// that applies; nothing if none does. `node` has operands in that graph and is not in it itself;
// `type` is that of its result.
std::optional<ValueId> rewrite(const RewriteContext& context, const Node& node,
                               const ops::TensorType& type);

}  // namespace wick::compiler
