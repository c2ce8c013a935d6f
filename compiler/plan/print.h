// A plan as people read it (`--emit=plan`), and its lifetimes as other solvers do
// (`--emit=lifetimes`).
#pragma once

#include <string>
#include <string_view>

#include "compiler/plan/plan.h"

namespace wick::compiler {

// The seed's word for a placement: "in place", "reference (slot)", "fresh" ….
std::string_view name_of(Placement placement);

// How people call a storage: "h0", "output y", "workspace of y".
std::string name_of(const Plan& plan, StorageId storage);

// The storages with their sizes, offsets and lifetimes, then the steps of both programs: what each
// computes, where the result is and why, and what is free afterwards. Linear.
std::string to_text(const Plan& plan);

// The slots in the format of `wick pack`: those of `prepare` first, then those of `run` at later
// times, since both programs use the same arena. Linear.
std::string lifetimes_csv(const Plan& plan);

}  // namespace wick::compiler
