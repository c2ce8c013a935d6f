// Names for the reader: which dead slot's bytes a slot came to lie on.
#pragma once

#include <vector>

#include "compiler/plan/plan.h"

namespace wick::compiler {

struct Reuse {
  StorageId slot;
  StorageId reused;
};

// For each of `slots`, sorted by birth and with offsets, the slot whose bytes it lies on, of
// several the one that died last (then the one at the lowest offset); slots on untouched bytes are
// left out. Workspace is nobody's bytes: it neither reuses nor is reused. Cost: O(n log n).
std::vector<Reuse> reuse_by_place(const Plan& plan, const std::vector<StorageId>& slots);

// Writes `reuses` into the steps that create the slots, in place of `kFresh`.
void label_reuse(const Plan& plan, Program& program, const std::vector<Reuse>& reuses);

}  // namespace wick::compiler
