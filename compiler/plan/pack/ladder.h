// Which targets the tree search is sent for, in which order, and with how much effort.
//
// Requires: `best` holds a packing of the instance. Guarantees: `best` is never higher afterwards,
// and no packing is lower than `bound`.
#pragma once

#include <cstdint>
#include <functional>

#include "compiler/plan/pack/instance.h"

namespace wick::compiler::pack {

struct LadderLimits {
  std::int64_t work = 0;  ///< operations of the tree search
  std::function<bool()> out_of_time = [] { return false; };
  int memory_bits = 16;  ///< 2^memory_bits failed states are remembered
};

struct LadderResult {
  Placement best;
  std::int64_t bound = 0;  ///< units
  bool improved = false;
  std::int64_t nodes = 0;
};

/// Searches until the bound is reached or proven unreachable, or a limit is.
LadderResult climb(const Instance& instance, Placement best, const LadderLimits& limits);

}  // namespace wick::compiler::pack
