// Faithfulness: an emitted file computes what its graph says.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "frontend/check/packed.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

struct Faithfulness {
  std::vector<Finding> findings;  // none: each output computes what the graph says
  // Parts that the algebra of docs/checking.md does not decide, which were evaluated on both sides
  // instead: what, and on how many points.
  std::vector<std::string> tested;
};

// Follows values through memory as single assignments, rebuilds the dataflow, and compares it with
// the graph as given and verified. `packed` are the weights (none if there are none).
//
// Knows the op records; knows nothing of simplify, fuse, plan or emit. Requires: a program that
// prove_safe accepts. Cost: O(n log n) in statements and nodes, plus the bytes of the constants.
Faithfulness compare(const Program& program, const compiler::Graph& graph, const Packed& packed);

}  // namespace wick::frontend::check
