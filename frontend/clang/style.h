// The form of emitted code, by the library of clang-format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// The first place where clang-format in the style of docs/emitted.clang-format would change the
// text; none if it is a fixed point.
std::vector<Finding> check_style(std::string_view text, Place::File file);

// The text in the style of a .clang-format file's contents; an error's text if they are not valid.
struct Restyled {
  std::string text;
  std::string error;
};
Restyled restyle(std::string_view text, std::string_view configuration);

// The nearest .clang-format or _clang-format in the folder of a path, which need not exist, and
// those above it; empty if there is none.
std::string nearest_style_file(const std::string& path);

// The text in the style that clang-format would take for a file of this path: that of `style_file`,
// or, if it is empty, of the nearest one. The text need not exist as a file.
Restyled restyle_file(std::string_view text, const std::string& path,
                      const std::string& style_file);

}  // namespace wick::frontend::check
