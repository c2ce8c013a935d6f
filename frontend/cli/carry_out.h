// Around the work of every command.
#pragma once

#include <functional>

#include "frontend/cli/console.h"
#include "frontend/cli/exit_code.h"

namespace wick::frontend {

// Does the work of a command. What it throws is told as an error and gets its exit code.
ExitCode guarded(const Console& console, const std::function<ExitCode()>& work);

// The same, with the SARIF log behind it if that is wanted.
ExitCode carry_out(const Console& console, const std::function<ExitCode()>& work);

}  // namespace wick::frontend
