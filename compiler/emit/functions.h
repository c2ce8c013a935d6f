// The functions of the program section: prepare, the parts of a long program, and run.
#pragma once

#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/emit.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/types.h"
#include "compiler/emit/weights.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// Each function takes what its statements use; run takes what the header says. A program in parts
// calls them in order. (Slots of the heap storage are local to one function, so there a program
// stays in one part.)
std::vector<Line> function_lines(const Plan& plan, const EmitOptions& options,
                                 const Symbols& symbols, const WeightsLayout& weights,
                                 TypeTable& types);

}  // namespace wick::compiler::cpp
