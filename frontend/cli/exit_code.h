// What the program's exit code says.
#pragma once

namespace wick::frontend {

enum class ExitCode : int {
  kOk = 0,
  kBadInput = 1,     // the graph, or a tensor that was handed in, is wrong
  kUsage = 2,        // the command line is wrong
  kOverBudget = 3,   // the plan needs more than --max-arena
  kCheckFailed = 4,  // the emitted code was refused by the checker
  kInputOutput = 5,  // a file cannot be read or written, a program cannot be run
  kBug = 70,         // EX_SOFTWARE of sysexits.h
};

}  // namespace wick::frontend
