// Diagnostics and the places in the text that they are about, for everything that shows them.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/support/diagnostics.h"
#include "frontend/json/locate.h"

namespace wick::frontend {

struct Placed {
  const compiler::Diagnostic* diagnostic = nullptr;
  TextSpan where;
  LineColumn at;
  LineColumn end;  // behind the last character
};

// In the order of the text. Cost: one pass over it.
std::vector<Placed> place(const compiler::Diagnostics& diagnostics, std::string_view text);

// "error", "warning", "note"
std::string_view severity_text(compiler::Severity severity);

}  // namespace wick::frontend
