// What is needed, and what of it can be computed once for all calls.
#pragma once

#include "compiler/graph/graph.h"

namespace wick::compiler {

// For each node: does an output need any of its results?
IdVector<NodeId, bool> live_nodes(const Graph& graph);

// For each node: does it depend on constants alone, and is its result needed by something that does
// not (an output counts, too)? Views are never on this frontier, what they show is: a view costs
// nothing. Nodes without operands are constants themselves.
IdVector<NodeId, bool> constant_frontier(const Graph& graph);

// `graph` without dead nodes and unused constants, and with the nodes of `cached` marked as cached
// in addition. Inputs stay.
Graph without_dead_code(Graph graph, const IdVector<NodeId, bool>& cached);

}  // namespace wick::compiler
