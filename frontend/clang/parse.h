// Runs Clang over an emitted file, in memory: a fixed target, a file system that holds nothing but
// the file, its header, the runtime and the shims.
//
// Bodies of the runtime's functions are skipped where the language allows it, so that a statement
// of emitted code costs the checking of its types and not the instantiation of a kernel.
#pragma once

#include <functional>
#include <vector>

#include "frontend/check/program.h"
#include "frontend/clang/read.h"

namespace clang {
class FileID;
class Sema;
}  // namespace clang

namespace wick::frontend::check {

// Calls `use` with the file understood and Sema alive, if nothing is wrong with it; adds to
// `findings` what Clang reports, during `use` as well.
void parse(const SourceText& source, const SourceText& header, std::vector<Finding>& findings,
           const std::function<void(clang::Sema&)>& use);

}  // namespace wick::frontend::check
