// docs/emitted.clang-format, which is a part of the program.
#pragma once

#include <string_view>

namespace wick::frontend::check {

// Defined in a file that the build makes.
std::string_view emitted_style();

}  // namespace wick::frontend::check
