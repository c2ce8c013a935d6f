// Running another program.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wick::frontend {

struct ProcessResult {
  int exit_code = 0;   // 128 plus the signal that ended it, as shells count
  std::string output;  // both streams; at most the first 64 KiB
};

// Runs `arguments[0]`, looked for in PATH, without a shell in between and with nothing on its
// standard input. Nothing if it cannot be started.
std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments);

}  // namespace wick::frontend
