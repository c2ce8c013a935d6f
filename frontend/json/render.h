// Diagnostics as people and programs read them.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/support/diagnostics.h"
#include "frontend/json/sarif.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

enum class RenderFormat : std::uint8_t { kText, kJson, kSarif };

struct RenderOptions {
  bool colour = false;  // of text: escape sequences for a terminal
  RenderFormat format = RenderFormat::kText;
  SarifRule rule = SarifRule::kBadInput;
};

// In the order of the file. Text is GCC's form, so that editors find the place:
//
//   graph.json:7:42: error: there is no value "pixls"
//       7 |     {"name": "x", "op": "div", "inputs": ["pixls", 16]},
//         |                                           ^~~~~~~
//         = at /nodes/0/inputs/0, in "x"
//         = hint: did you mean "pixels"?
//
// JSON is one object on one line, {"errors": 1, "diagnostics": [...]}; each diagnostic has the
// keys severity, file, line, column, offset, length, pointer, node, message and hint. Offset and
// length count bytes, line and column count from 1, columns in characters.
//
// SARIF is the results alone, an object a line: frontend/json/sarif.h makes a log of them.
//
// Lines are cut to what surrounds the place; nothing of the file reaches a terminal as a control
// sequence. Cost: one pass over the text.
std::string render(const compiler::Diagnostics& diagnostics, const SourceFile& source,
                   const RenderOptions& options = {});

}  // namespace wick::frontend
