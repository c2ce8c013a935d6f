// The reference interpreter: the values that a graph means, computed node by node by the functions
// of the op records. It is the oracle that compiled code is compared with: slow, plain, and without
// a line in common with the runtime, the planner or the emitter.
//
// Every node's result is computed in a wider type and rounded once to its dtype, so that a node
// reads exactly what the node before it gave. Cached nodes are computed like all others.
#pragma once

#include <span>
#include <vector>

#include "compiler/graph/graph.h"

namespace wick::compiler {

// The value of every ValueId, packed. `inputs` stand in the order of Graph::inputs and have their
// dtypes and shapes (else it is our bug: the caller has checked what users gave).
//
// Cost: the work of every node, dead ones too, and memory for all values at once.
IdVector<ValueId, HostTensor> evaluate(const Graph& graph, std::span<const HostTensor> inputs);

// The outputs of the graph, in order. Values are dropped after their last reader.
std::vector<HostTensor> evaluate_outputs(const Graph& graph, std::span<const HostTensor> inputs);

// The results of one node on given operands, which need not be what the reference would give it:
// so a compiled run is judged on its own operands.
std::vector<HostTensor> evaluate_node(const Graph& graph, NodeId node,
                                      std::span<const HostTensor> operands);

}  // namespace wick::compiler
