// What a kernel of a fused graph computes, by the evaluators of the op records.
#pragma once

#include <span>
#include <vector>

#include "compiler/fuse/fused_graph.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler::testing {

// The results of `kernel` on packed operands, one per result. Every operation rounds as the node
// that it comes from does, so that the values are those of the reference interpreter, bit for bit,
// unless scalar chains were folded.
std::vector<HostTensor> evaluate_kernel(const FusedGraph& fused, const Kernel& kernel,
                                        std::span<const HostTensor> operands);

}  // namespace wick::compiler::testing
