// The view that stages put in where one result stands for several.
#pragma once

#include "compiler/ops/record.h"

namespace wick::compiler::ops {

// Cuts a tensor into parts of `sizes` along `axis`, one result each.
const OpRecord& cutting();

}  // namespace wick::compiler::ops
