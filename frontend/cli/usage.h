// What to say about a command line that CLI11 could not read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace wick::frontend {

struct UsageError {
  std::string message;
  std::string hint;
};

// Says what to do about it. A misspelt command or option gets the nearest one there is as a hint.
// `arguments` without the program's name.
UsageError explain(const CLI::App& app, const std::vector<std::string>& arguments,
                   const CLI::ParseError& error);

}  // namespace wick::frontend
