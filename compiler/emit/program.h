// The program section: one statement per step, with the names for memory in front and the frees
// behind.
#pragma once

#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/types.h"
#include "compiler/plan/plan.h"

namespace wick::compiler::cpp {

// Which of a function's surroundings its statements use.
struct Usage {
  std::vector<char> inputs;  // of each input of the graph; bound ones are reached through the state
  std::vector<char> outputs;  // of each output
  bool weights = false;
  bool state = false;
  bool arena = false;
};

// The statements of the steps [begin, end) of a program, in order, and what they use.
struct ProgramText {
  std::vector<Line> lines;
  Usage used;
};
ProgramText program_text(const Plan& plan, const Program& program, StepIndex begin, StepIndex end,
                         const Symbols& symbols, TypeTable& types);

// The constants for offsets into the arena and the state, of the slots of one program.
std::vector<Line> offset_lines(const Plan& plan, const Symbols& symbols);

// "1,024 bytes at 64"
std::string bytes_text(Bytes bytes);

}  // namespace wick::compiler::cpp
