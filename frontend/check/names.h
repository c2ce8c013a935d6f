// Names for memory by themselves: each stays inside of what it names, and is aligned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// "`h0`"
std::string in_ticks(std::string_view name);

// "[0, 384)"
std::string range_text(std::int64_t begin, std::int64_t end);

// Whether a result may be written over what a name of this kind stands for.
bool is_writable(Name::Kind kind);

// Whether a tensor of `type` takes the place of one of type `of`, element by element.
bool fits_in_place(const TensorType& type, const TensorType& of);

// The bytes of a tensor's elements, packed.
std::int64_t bytes_of(const TensorType& type);

// Whether the name stays inside of the arena, the state or its base; a finding if not.
bool is_inside(const Program& program, const Function& function, const Name& name,
               std::vector<Finding>& findings);

// The same of the packed constants, and of the arena and the state themselves.
void check_declarations(const Program& program, std::vector<Finding>& findings);

}  // namespace wick::frontend::check
