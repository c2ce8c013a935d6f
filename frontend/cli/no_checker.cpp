// Stands for checker.cpp where wick is built without LLVM.
#include "compiler/support/check.h"
#include "frontend/cli/checker.h"

namespace wick::frontend {

bool has_checker() { return false; }

check::Verdict check_emitted(const check::SourceText&, const check::SourceText&,
                             const compiler::Graph*, const check::Packed&, check::Form) {
  throw compiler::InternalError(kNoChecker);
}

std::string nearest_style_file(const std::string&) { throw compiler::InternalError(kNoChecker); }

check::Restyled restyle_emitted(std::string_view, const std::string&, const std::string&) {
  throw compiler::InternalError(kNoChecker);
}

}  // namespace wick::frontend
