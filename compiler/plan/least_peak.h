// The schedule `memory`: an order of kernels whose peak of live bytes is low.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/plan/schedule.h"

namespace wick::compiler {

// The most bytes of slots alive at once (sizes rounded up to the alignment) if `order` is planned.
Bytes peak_of_order(const FusedGraph& fused, const Scope& scope,
                    const std::vector<KernelId>& order);

// Up to this many kernels with at most this many orders the result is the best order there is.
inline constexpr std::size_t kMostKernelsTried = 10;
inline constexpr std::size_t kMostOrdersTried = 50'000;

// The depth-first order, unless another candidate (the order of the file, breadth-first, least
// growth first, and for few kernels every order) has a strictly lower peak. Candidates are scored
// by planning them, so that in-place writes, views and outputs count as they will. Cost: O(n log
// n), plus a constant budget for small graphs.
std::vector<KernelId> least_peak_order(const FusedGraph& fused, const Scope& scope);

}  // namespace wick::compiler
