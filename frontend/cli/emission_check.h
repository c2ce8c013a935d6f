// The check of what `wick compile` has emitted, in memory, before any of it is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "frontend/cli/console.h"
#include "frontend/cli/exit_code.h"

namespace wick::frontend {

// Nothing if the emitted code is proven; what was found has been told when it returns an exit code.
// A fault is a bug of ours, and the message says so.
std::optional<ExitCode> check_emission(const compiler::Compilation& compilation,
                                       const std::string& file_name, const Console& console);

// The emitted files with their C++ in the user's style: that of `style_file`, or, if it is empty,
// of the .clang-format found from `folder` upward. Nothing if there is none, which has been told.
std::optional<std::vector<compiler::EmittedFile>> restyled(const compiler::Emission& emission,
                                                           const std::string& folder,
                                                           const std::string& style_file,
                                                           const Console& console);

}  // namespace wick::frontend
