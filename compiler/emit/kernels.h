// The kernels section: lambdas, and the programs of rows, each under the equation it computes.
#pragma once

#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/symbols.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// Lambdas in the order of their first use. Fills `symbols.bodies` and `symbols.rows`.
std::vector<Line> kernel_lines(const Plan& plan, Symbols& symbols);

// The lambda of a row program.
std::string rows_name(const Symbols& symbols, KernelId kernel);

}  // namespace wick::compiler::cpp
