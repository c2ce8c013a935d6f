// Lambdas: from the nodes of a cluster to straight lines of statements.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/fuse/fuse.h"
#include "compiler/fuse/fused_graph.h"
#include "compiler/graph/graph.h"

namespace wick::compiler {

// A body, and the value that each of its parameters stands for.
struct Slice {
  Body body;
  std::vector<ValueId> parameters;
};

// The statements that compute `result`, taken from `nodes` (elementwise, in topological order),
// back to values for which `is_given` holds: these become parameters, in the order of their first
// use. Constants of rank 0 are written as literals, unless nothing else would be left to read.
// Cost: linear in `nodes`.
Slice slice_body(const Graph& graph, std::span<const NodeId> nodes, ValueId result,
                 const std::function<bool(ValueId)>& is_given);

// Of each node, whether it depends on constants alone. What such nodes compute is known when wick
// runs, and is left as the graph has it: it may be folded there, kept across calls, or compared.
using ConstantNodes = IdVector<NodeId, char>;
ConstantNodes constant_nodes(const Graph& graph);

// Folds chains of + - * / with numbers into one a*x + b (seed: the fused scalar), under the guards
// of docs/numerics.md. Requires FpMode::kDefault: the last bits may change.
void fold_scalar_chains(Body& body, const ConstantNodes& constant);

// x / 8 becomes x * 0.125: divisions by a number whose reciprocal is exact and an ordinary number,
// to the same bits.
void multiply_by_exact_reciprocals(Body& body, const ConstantNodes& constant);

// Keeps one body of each equation: statements, literals and dtypes count, names do not.
class BodyTable {
 public:
  explicit BodyTable(IdVector<BodyId, Body>& bodies) : bodies_(bodies) {}
  BodyId intern(Body body);

 private:
  IdVector<BodyId, Body>& bodies_;
  std::unordered_map<std::string, BodyId> by_equation_;
};

}  // namespace wick::compiler
