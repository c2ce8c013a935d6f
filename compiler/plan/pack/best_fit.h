// Time-ordered best fit: the packer for graphs of any size.
//
// Walks the births and deaths in order of time and keeps the free ranges of the arena, as a
// run-time allocator would: a death returns its range, which merges with free neighbours; a birth
// takes the smallest free range that is large enough, or extends the arena at its top. The order of
// blocks born in one section is free, and decides much: the caller chooses it.
//
// Cost: O(n log n) time, O(n) memory, whatever the number of overlapping pairs.
#pragma once

#include "compiler/plan/pack/instance.h"

namespace wick::compiler::pack {

/// Which of the blocks born in one section comes first.
enum class BirthOrder { kLargest, kLongest, kBusiestArea };

Placement best_fit(const Instance& instance, BirthOrder order);

}  // namespace wick::compiler::pack
