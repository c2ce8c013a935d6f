// Memory safety of an emitted file, proven from its statements alone.
#pragma once

#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// Each fault found; none means that the file is proven to
//   - keep every range inside the arena, the state or the tensor it names, and aligned;
//   - read only bytes that earlier statements wrote completely, and that were neither overwritten
//     nor freed since;
//   - write nothing that is read later as something else, unless in place by a kernel that reads
//     each element at the written index only;
//   - free every slot once, directly after its last use;
//   - write each output completely, and inputs, weights and cached values never.
// Cost: O(n log n) in the statements.
std::vector<Finding> prove_safe(const Program& program);

}  // namespace wick::frontend::check
