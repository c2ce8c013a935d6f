#include "frontend/json/placed.h"

#include <algorithm>
#include <string>

namespace wick::frontend {

using compiler::Diagnostic;
using compiler::Diagnostics;
using compiler::Severity;
using compiler::Site;

std::vector<Placed> place(const Diagnostics& diagnostics, std::string_view text) {
  std::vector<Placed> placed;
  std::vector<std::string> pointers;
  std::vector<std::size_t> unplaced;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const Site& site = diagnostic.site;
    if (site.offset == Site::kUnknown) {
      pointers.push_back(site.pointer);
      unplaced.push_back(placed.size());
    }
    placed.push_back({&diagnostic, {std::min(site.offset, text.size()), site.length}, {}, {}});
  }
  if (!pointers.empty()) {
    const std::vector<TextSpan> found = locate(text, pointers);
    for (std::size_t i = 0; i < found.size(); ++i) placed[unplaced[i]].where = found[i];
  }
  std::vector<std::size_t> offsets;
  for (const Placed& one : placed) {
    offsets.push_back(one.where.offset);
    offsets.push_back(one.where.offset + one.where.length);
  }
  const std::vector<LineColumn> lines = lines_of(text, offsets);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    placed[i].at = lines[2 * i];
    placed[i].end = lines[2 * i + 1];
  }
  std::ranges::stable_sort(placed, {}, [](const Placed& one) { return one.where.offset; });
  return placed;
}

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

}  // namespace wick::frontend
