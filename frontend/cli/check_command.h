// wick check MODEL.cpp
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "frontend/cli/exit_code.h"

namespace wick::frontend {

// Adds the command; the function it returns carries it out once the command line was read.
std::function<ExitCode()> add_check_command(CLI::App& app);

}  // namespace wick::frontend
