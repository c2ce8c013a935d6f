// Faithfulness: an emitted file computes what its graph says.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

struct Faithfulness {
  std::vector<Finding> findings;  // none: each output computes what the graph says
  // Parts that the algebra of docs/checking.md does not decide, which were evaluated on both sides
  // instead: what, and on how many points.
  std::vector<std::string> tested;
};

// Follows values through memory as single assignments, rebuilds the dataflow, and compares it with
// the graph as given and verified. `packed` is the weights file (empty if there is none).
//
// Knows the op records; knows nothing of simplify, fuse, plan or emit. Requires: a program that
// prove_safe accepts. Cost: O(n log n) in statements and nodes, plus the bytes of the constants.
Faithfulness compare(const Program& program, const compiler::Graph& graph,
                     std::span<const std::byte> packed);

}  // namespace wick::frontend::check
