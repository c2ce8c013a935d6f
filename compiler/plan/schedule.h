// The order in which a program runs its kernels.
#pragma once

#include <vector>

#include "compiler/plan/plan.h"

namespace wick::compiler {

// What one program computes. Tensors that it is given (inputs, constants, and in `run` the cached
// values) are leaves: nothing behind them is visited.
struct Scope {
  std::vector<TensorId> roots;  // what it has to compute, in order
  bool prepares = false;        // computes cached values
};

// The scope of `run`: the outputs of the graph.
Scope run_scope(const FusedGraph& fused);

// The scope of `prepare`: the cached values that the kernels of `run` and the outputs read, in the
// order in which they are met.
Scope prepare_scope(const FusedGraph& fused, const std::vector<KernelId>& run_order);

// True if the program finds the tensor computed.
inline bool is_given(const FusedGraph& fused, const Scope& scope, TensorId tensor) {
  const FusedTensor& it = fused.tensors[tensor];
  return it.kind != TensorKind::kResult || (it.cached && !scope.prepares);
}

// The kernels that the roots need, each once, operands before users. All are iterative, all
// O(n log n).

// The seed's: post-order of a depth-first walk from the roots in order, operands in order.
std::vector<KernelId> depth_first_order(const FusedGraph& fused, const Scope& scope);

// The order of the file: of the kernels that could run next, the one that stands first in it.
std::vector<KernelId> given_order(const FusedGraph& fused, const Scope& scope);

// Level by level: the kernels that could run next in the order in which they became ready.
std::vector<KernelId> breadth_first_order(const FusedGraph& fused, const Scope& scope);

// Greedy: of the kernels that could run next, the one after which the fewest bytes are alive more
// than before.
std::vector<KernelId> least_growth_order(const FusedGraph& fused, const Scope& scope);

}  // namespace wick::compiler
