#include "frontend/cli/findings.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace wick::frontend {
namespace {

using check::Place;

// The first byte of each line.
std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

// What a caret should stand under: the word at the place, else one character.
std::size_t length_at(std::string_view text, std::size_t offset) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::size_t length = 0;
  while (offset + length < text.size() && is_word(text[offset + length])) ++length;
  return std::max<std::size_t>(length, offset < text.size() ? 1 : 0);
}

compiler::Diagnostics in_file(const std::vector<check::Finding>& findings, Place::File file,
                              std::string_view text, const NodeOfLine& node_of) {
  compiler::Diagnostics diagnostics;
  const std::vector<std::size_t> starts = line_starts(text);
  for (const check::Finding& finding : findings) {
    if (finding.place.file != file) continue;
    compiler::Site site;
    site.pointer = finding.pointer;
    if (site.pointer.empty() && node_of && file == Place::File::kSource) {
      LineNode node = node_of(finding.place.line);
      site.pointer = std::move(node.pointer);
      site.node = std::move(node.name);
    }
    const std::size_t line = std::min<std::size_t>(std::max(finding.place.line, 1u), starts.size());
    const std::size_t column = std::max(finding.place.column, 1u);
    site.offset = std::min(starts[line - 1] + column - 1, text.size());
    site.length = length_at(text, site.offset);
    diagnostics.error(std::move(site), finding.message, finding.hint);
  }
  return diagnostics;
}

}  // namespace

void print_findings(const std::vector<check::Finding>& findings, const CheckedFiles& files,
                    const Console& console, const NodeOfLine& node_of) {
  for (const Place::File file : {Place::File::kSource, Place::File::kHeader}) {
    const SourceFile& text = file == Place::File::kSource ? files.source : files.header;
    console.print(in_file(findings, file, text.text(), node_of), text, SarifRule::kCheckFailed);
  }
}

}  // namespace wick::frontend
