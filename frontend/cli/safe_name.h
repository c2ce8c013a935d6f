// Names from a graph as names of files.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace wick::frontend {

// A stem that no tool needs to quote: ASCII letters, digits, _ and -, the rest as _; at most 100 of
// them, not beginning with -. "model" if nothing is left.
std::string safe_stem(std::string_view name);

// File names for values, no two alike: characters that a file name or a terminal might not take as
// _, at most 100 bytes, never hidden. The first who asks gets the name, later ones _2, _3 ….
class FileNames {
 public:
  // `ending` with its dot.
  std::string unique(std::string_view name, std::string_view ending);

 private:
  std::set<std::string> taken_;
};

}  // namespace wick::frontend
