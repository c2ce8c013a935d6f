// The checker of emitted code, which this program may have been built without.
#pragma once

#include <string>
#include <string_view>

#include "compiler/graph/graph.h"
#include "frontend/clang/check.h"
#include "frontend/clang/style.h"

namespace wick::frontend {

// Whether it is there. If not, nothing below may be called.
bool has_checker();

// frontend/clang/check.h
check::Verdict check_emitted(const check::SourceText& source, const check::SourceText& header,
                             const compiler::Graph* graph, const check::Packed& packed,
                             check::Form form);

// frontend/clang/style.h
std::string nearest_style_file(const std::string& path);
check::Restyled restyle_emitted(std::string_view text, const std::string& path,
                                const std::string& style_file);

// What to say where the checker is asked for and missing.
inline constexpr const char* kNoChecker = "this wick was built without the checker of emitted code";
inline constexpr const char* kNoCheckerHint = "the checker needs LLVM and Clang 19.1 at build time";

}  // namespace wick::frontend
