// When a result may overwrite one of its operands. All six rules, always:
//
//   R1  the kernel reads each element of that operand for the last time when it writes the same
//       index, or before (see `may_overwrite`);
//   R2  no view, alias or other name of the operand's bytes is read later;
//   R3  the bytes are no constant, no cached value, no promised output, and no input unless the
//       graph donates it;
//   R4  equal element size and count;
//   R5  the result takes the identical range, which dies here: nothing shares bytes by touching;
//   R6  nothing reorders after pre-planning, so no edge for the write after the read is needed.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/plan/preplan.h"

namespace wick::compiler {

// R1 as far as the kernel's form decides it: operand `operand` is read at the index that is being
// written, if it has the result's shape and packed layout.
bool may_overwrite(const StagedStep& step, std::size_t operand);

// The first operand of step `index` that its result may overwrite, if there is one. `borrowed`
// marks the results that live in the memory of a donated input: what is promised elsewhere cannot
// take theirs. Cost: the square of the operands that could be overwritten, which `fuse` caps at 16.
std::optional<std::uint32_t> in_place_operand(const Preplan& plan, StepIndex index,
                                              const IdVector<TensorId, char>& borrowed);

}  // namespace wick::compiler
