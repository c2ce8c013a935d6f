// The C face: a header for C11 and a unit of its own that calls the emitted function, so that the
// emitted source stays what it is.
#pragma once

#include <string>

#include "compiler/emit/emit.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/weights.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// digits_c.h: sizes as macros, one function for each of the C++ interface, and digits_model().
std::string c_header(const Plan& plan, const Symbols& symbols, const WeightsLayout& weights,
                     const EmitOptions& options);

// digits_c.cpp
std::string c_source(const Plan& plan, const Symbols& symbols, const WeightsLayout& weights,
                     const EmitOptions& options);

}  // namespace wick::compiler::cpp
