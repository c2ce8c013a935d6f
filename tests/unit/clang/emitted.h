// Emitted files for the tests of the checker: those of the repository, and a small one to break.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/clang/read.h"

namespace wick::frontend::check::testing {

// "samples/digits/digits": the source and the header of that path in the repository.
struct Emitted {
  SourceText source;
  SourceText header;
  Reading read() const { return read_program(source, header); }
};
Emitted emitted(const std::string& stem);

// The stems of every sample and golden case.
std::vector<std::string> all_emitted();

// A small pair of files that the reader accepts: `scaled` is scanned into a slot, and the output is
// the slot's value through a kernel.
Emitted small();

// `small` with the first occurrence of `from` in its source (or header) replaced. Fails the test if
// there is none.
Emitted small_with(std::string_view from, std::string_view to);
Emitted small_with_header(std::string_view from, std::string_view to);

// "12:3 message" for each finding, "h12:3 message" for one in the header.
std::vector<std::string> lines_of(const std::vector<Finding>& findings);

}  // namespace wick::frontend::check::testing
