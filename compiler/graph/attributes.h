// The attributes of a call, from what was written to what the record asks for.
#pragma once

#include <vector>

#include "compiler/ops/record.h"

namespace wick::compiler {

// Every attribute that `op` knows and that was written or has a default, in the kind that the
// record states. An integer may stand for a number, "2.0" for an integer, "inf" for a number, the
// name of a dtype for a dtype, and pairs for ranges. Faults go to `faults`.
ops::Attributes complete_attributes(const ops::OpRecord& op, const ops::Attributes& written,
                                    std::vector<ops::Inference::Fault>& faults);

}  // namespace wick::compiler
