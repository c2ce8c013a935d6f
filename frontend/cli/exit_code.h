// What the program's exit code says.
#pragma once

namespace wick::frontend {

enum class ExitCode : int {
  kOk = 0,
  kBadInput = 1,
  kUsage = 2,
  kOverBudget = 3,
  kCheckFailed = 4,
  kInputOutput = 5,
  kBug = 70,  // EX_SOFTWARE of sysexits.h
};

}  // namespace wick::frontend
