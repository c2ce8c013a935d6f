// The runtime's headers, which are a part of the program, so that it needs nothing beside it.
#pragma once

#include <span>
#include <string_view>

namespace wick::frontend {

struct RuntimeHeader {
  std::string_view name;  // "map.h", included as "wick/map.h"
  std::string_view text;
};

// In the order of their names. Defined in a file that the build makes of runtime/wick.
std::span<const RuntimeHeader> runtime_headers();

}  // namespace wick::frontend
