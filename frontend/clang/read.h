// From emitted C++ to the checker's records, by way of Clang's AST.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// A file by its name as #include writes it, and its text.
struct SourceText {
  std::string name;
  std::string text;
};

struct Reading {
  std::optional<Program> program;  // if nothing was wrong
  std::vector<Finding> findings;   // what does not compile, or is nothing that wick emits
};

// Reads an emitted source file and its header. Everything else that they include is the runtime,
// which wick carries with it; the target is fixed, so that the verdict is the same on every
// machine.
//
// Errors: a text that Clang refuses, and everything that docs/generated-code.md does not list, with
// its place. Never throws on a wrong text.
Reading read_program(const SourceText& source, const SourceText& header);

}  // namespace wick::frontend::check
