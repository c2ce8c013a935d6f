// The program section: one statement per step, with the names for memory in front and the frees
// behind.
#pragma once

#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/types.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// The statements of a program, in order, and which tensors they read.
struct ProgramText {
  std::vector<Line> lines;
  IdVector<TensorId, char> read;
};
ProgramText program_text(const Plan& plan, const Program& program, const Symbols& symbols,
                         TypeTable& types);

// The constants for offsets into the arena and the state, of the slots of one program.
std::vector<Line> offset_lines(const Plan& plan, const Symbols& symbols);

// "1,024 bytes at 64"
std::string bytes_text(Bytes bytes);

}  // namespace wick::compiler::cpp
