// Response files: command lines that are too long for a shell stand in a file, as GCC takes them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "frontend/cli/exit_code.h"

namespace wick::frontend {

struct CommandLine {
  std::vector<std::string> arguments;       // without the program's name
  std::vector<std::string> response_files;  // that were read, each once
};

struct ResponseError {
  std::string message;
  std::string hint;
  ExitCode code = ExitCode::kUsage;
};

// Replaces each argument @FILE by the words of FILE, which may name further files; paths are
// relative to the current folder. Words are separated by white space; '…' and "…" keep it, and a
// backslash, in quotes too, takes the next character as it is. At most 16 MiB a file, 16 files
// deep.
std::variant<CommandLine, ResponseError> expand_response_files(
    const std::vector<std::string>& arguments);

}  // namespace wick::frontend
