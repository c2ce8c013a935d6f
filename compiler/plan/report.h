// Memory in figures: what the plan needs, the least that any packing of it could need, and what
// each step of planning saved.
#pragma once

#include <string>

#include "compiler/plan/plan.h"

namespace wick::compiler {

// Fills in `plan.report`, but for what ordering and packing have already said there. Linear in
// steps and slots.
void measure(Plan& plan);

// By how much the arena exceeds the lower bound, in percent of it.
double gap_percent(const MemoryReport& report);

// The report for people: a table of figures with what each means, and the slots alive at the peak.
std::string report_text(const Plan& plan);

// The same figures for programs: one JSON object. All sizes in bytes.
std::string report_json(const Plan& plan);

}  // namespace wick::compiler
