// Gives every slot its offset, every cached value its place in the state, and names what a slot
// reuses.
#pragma once

#include "compiler/plan/plan.h"

namespace wick::compiler {

// Requires: programs with their storages, as `assign` makes them. By storage mode:
//
//   arena, static  slots are packed, each on its own; a slot that comes to lie on bytes of a dead
//   one
//                  is labelled as its reuse, of several the one that died last
//   heap           each slot is an allocation of its own, or takes over that of a freed slot of the
//                  same size in bytes and in elements, of several the one freed last
//   none           slots stand one behind the other
//
// Guarantees: slots alive together share no byte. Cost: O(n log n), plus the packer's budget.
void arrange(Plan& plan);

}  // namespace wick::compiler
