// The judge: proves a plan from its final step list, and shares no code with what made it.
#pragma once

#include <string>
#include <vector>

#include "compiler/plan/plan.h"

namespace wick::compiler {

// The faults found in `plan` as a plan of `fused`, at most twenty; none if it is sound. Nothing is
// taken on trust: ids, counts and ranges of a broken plan may be anything. What is proven:
//
//   values     each step reads, in the layout that the views before it give, the values its kernel
//              names, at a place that was written whole, not overwritten since and not freed
//   in place   a result overwrites only what its kernel reads at the written index, and nobody
//              reads later
//   frees      each slot is freed once, directly after the step that touches it last; lifetimes
//              are what the steps say
//   bytes      slots alive together are disjoint, aligned, and inside the arena
//   outputs    each output is complete in its own memory at the end
//   given      inputs that are not donated and constants are never written; cached values are
//              written by the program that prepares them only
//
// Cost: O(n log n) in steps, operands and storages.
std::vector<std::string> validate(const FusedGraph& fused, const Plan& plan);

}  // namespace wick::compiler
