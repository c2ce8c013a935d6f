// What the runtime uses of the C++ standard library, for a parse that touches no file system.
#pragma once

#include <span>
#include <string_view>

namespace wick::frontend::check {

struct Shim {
  std::string_view name;  // as #include writes it: "cstddef"
  std::string_view text;
};

// <cstddef> <cstdint> <cstring> <limits> <type_traits>: the names that runtime/wick uses, with the
// meaning that the standard gives them on the checker's target.
std::span<const Shim> standard_shims();

}  // namespace wick::frontend::check
