// Telling what the checker found, each at its place in the emitted file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/check/program.h"
#include "frontend/cli/console.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

struct CheckedFiles {
  SourceFile source;
  SourceFile header;
};

// The node of the graph that a line of the emitted source computes; both empty if it is none.
struct LineNode {
  std::string name;
  std::string pointer;  // into the graph file
};
using NodeOfLine = std::function<LineNode(std::uint32_t line)>;

// In the order of the files, the source first. What a finding itself says of the graph goes before
// `node_of`, which may be empty.
void print_findings(const std::vector<check::Finding>& findings, const CheckedFiles& files,
                    const Console& console, const NodeOfLine& node_of = {});

}  // namespace wick::frontend
