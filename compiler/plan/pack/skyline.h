// Lazy skyline: always place the block whose lowest feasible offset is lowest.
//
// The skyline holds, by section, the highest end of what is placed; a block's lowest offset is the
// maximum over its sections. Offsets only grow, so a heap of stale offsets is enough: pop the
// lowest, look it up anew, place it if nothing changed, else push it back. Blocks of equal offset
// are taken by a key; which key is best differs by instance, the caller tries them.
//
// Cost: O(log n) for each pop. A block is popped again when something was placed below it: a few
// times in practice, many times if nearly all blocks overlap. Gives up after `max_pops`.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/plan/pack/instance.h"

namespace wick::compiler::pack {

/// Which of several blocks with the same lowest offset is placed first: the one through the busiest
/// section, the longest lived, the one of the greatest size times lifetime, or the largest.
enum class SkylineKey { kBusiest, kLongest, kArea, kLargest };

std::optional<Placement> skyline(const Instance& instance, SkylineKey key, std::int64_t max_pops);

}  // namespace wick::compiler::pack
