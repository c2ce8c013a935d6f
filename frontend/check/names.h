// Names for memory by themselves: each stays inside of what it names, and is aligned.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// The bytes of a tensor's elements, packed.
std::int64_t bytes_of(const TensorType& type);

// Whether the name stays inside of the arena, the state or its base; a finding if not.
bool is_inside(const Program& program, const Function& function, const Name& name,
               std::vector<Finding>& findings);

// The same of the packed constants, and of the arena and the state themselves.
void check_declarations(const Program& program, std::vector<Finding>& findings);

}  // namespace wick::frontend::check
