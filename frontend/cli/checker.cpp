#include "frontend/cli/checker.h"

namespace wick::frontend {

bool has_checker() { return true; }

check::Verdict check_emitted(const check::SourceText& source, const check::SourceText& header,
                             const compiler::Graph* graph, const check::Packed& packed,
                             check::Form form) {
  return check::check(source, header, graph, packed, form);
}

std::string nearest_style_file(const std::string& path) { return check::nearest_style_file(path); }

check::Restyled restyle_emitted(std::string_view text, const std::string& path,
                                const std::string& style_file) {
  return check::restyle_file(text, path, style_file);
}

}  // namespace wick::frontend
