// wick compile GRAPH… -o DIR
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "frontend/cli/exit_code.h"

namespace wick::frontend {

// Adds the command; the function it returns carries it out once the command line was read.
// Response files that the line came from are among what the outputs depend on.
std::function<ExitCode()> add_compile_command(CLI::App& app,
                                              std::vector<std::string> response_files);

}  // namespace wick::frontend
