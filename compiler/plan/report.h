// Memory in figures: what the plan needs, the least that any packing of it could need, and what
// each step of planning saved.
#pragma once

#include <string>

#include "compiler/plan/plan.h"

namespace wick::compiler {

// Fills in `plan.report`, but for what packing has already said there. Linear in steps and slots.
void measure(Plan& plan);

}  // namespace wick::compiler
