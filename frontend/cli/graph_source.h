// Reading the graph that a command works on.
#pragma once

#include <string>
#include <variant>

#include "compiler/graph/description.h"
#include "frontend/cli/console.h"
#include "frontend/cli/exit_code.h"
#include "frontend/json/reader.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

struct LoadedGraph {
  SourceFile source;
  compiler::GraphDescription description;
  ReadFiles files;
  compiler::Diagnostics diagnostics;  // warnings, so far
};

// Reads the graph of that path, "-" being standard input. Faults have been told when it returns an
// exit code.
std::variant<LoadedGraph, ExitCode> load_graph(const std::string& path, bool allow_outside,
                                               const Console& console);

}  // namespace wick::frontend
