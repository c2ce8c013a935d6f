// Where in a text something stands: bytes to lines and columns, JSON pointers to bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json/source_file.h"

namespace wick::frontend {

// Both count from 1; columns count Unicode characters, and each byte that belongs to none. A tab is
// one column.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

// Cost: one pass over the text, O(n log n) in offsets. An offset past the end stands for the end.
std::vector<LineColumn> lines_of(std::string_view text, std::span<const std::size_t> offsets);

// The values that JSON pointers (RFC 6901) name; of a pointer that leads nowhere the value where it
// gets lost, which is the whole text at worst. Scalars are given in full, of objects and lists the
// opening bracket.
//
// Cost: one pass over the text, as far as the last value wanted. The text need not be JSON; the
// pass ends where it is none.
std::vector<TextSpan> locate(std::string_view text, std::span<const std::string> pointers);

// The content of a JSON string without its quotes, escapes decoded.
std::string decoded(std::string_view written);

}  // namespace wick::frontend
