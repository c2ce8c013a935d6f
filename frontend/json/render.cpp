#include "frontend/json/render.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/json/placed.h"
#include "frontend/json/unicode.h"

namespace wick::frontend {
namespace {

using compiler::Diagnostic;
using compiler::Diagnostics;
using compiler::Severity;
using compiler::Site;

// ---- Text --------------------------------------------------------------------------------------

// Escape sequences, all empty without colour.
struct Colours {
  explicit Colours(bool on) {
    if (!on) return;
    bold = "\x1b[1m";
    error = "\x1b[1;31m";
    warning = "\x1b[1;35m";
    mark = "\x1b[1;32m";
    none = "\x1b[0m";
  }
  std::string_view of(Severity severity) const {
    return severity == Severity::kError ? error : warning;
  }
  std::string_view bold, error, warning, mark, none;
};

// The line of the text that a place is in, cut around it, and the marks below it.
class Excerpt {
 public:
  Excerpt(std::string_view text, TextSpan where) {
    const std::size_t before = text.substr(0, where.offset).rfind('\n');
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::size_t end = std::min(text.find('\n', where.offset), text.size());
    if (end > begin && end > where.offset && text[end - 1] == '\r') --end;
    const std::size_t from = end - begin <= kWhole ? begin : step_back(text, begin, where.offset);
    if (from > begin) {
      line_ += "...";
      marks_ += "   ";
    }
    std::size_t at = append(text, from, where.offset, ' ', kWhole);
    const std::size_t last = std::min(end, where.offset + std::max<std::size_t>(1, where.length));
    const std::size_t marked = marks_.size();
    const std::size_t most = end - begin <= kWhole ? kWhole : kAfter;
    at = append(text, at, last, '~', most);
    if (marks_.size() == marked) marks_ += '^';
    marks_[marked] = '^';
    at = append(text, at, end, '\0', most > columns_ ? most - columns_ : 0);
    if (at < end) line_ += "...";
  }

  const std::string& line() const { return line_; }
  const std::string& marks() const { return marks_; }

 private:
  static constexpr std::size_t kWhole = 120;  // bytes of a line that is not cut
  static constexpr std::size_t kBefore = 76;  // characters before the place
  static constexpr std::size_t kAfter = 64;   // from its beginning on

  static std::size_t step_back(std::string_view text, std::size_t begin, std::size_t from) {
    for (std::size_t steps = 0; steps < kBefore && from > begin; ++steps) {
      --from;
      while (from > begin && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) --from;
    }
    return from;
  }

  // Appends characters up to `end`, no more than `most`, each with `mark` below it (tabs below
  // tabs, so that the marks stay under what they mark). Returns where it stopped.
  std::size_t append(std::string_view text, std::size_t at, std::size_t end, char mark,
                     std::size_t most) {
    columns_ = 0;
    for (; at < end && columns_ < most; ++columns_) {
      const Character character = character_at(text, at);
      const Visible shown = visible(text, character, at);
      line_ += shown.text;
      if (mark == ' ' && shown.text == "\t") {
        marks_ += '\t';
      } else if (mark != '\0') {
        marks_.append(shown.width, mark);
      }
      at += character.length;
    }
    return at;
  }

  std::string line_;
  std::string marks_;
  std::size_t columns_ = 0;  // characters appended last
};

std::string gutter(const std::string& number) {
  constexpr std::size_t kWidth = 5;
  return std::string(number.size() < kWidth ? kWidth - number.size() : 0, ' ') + number;
}

void append_text(std::string& out, const Placed& placed, const SourceFile& source,
                 const Colours& colours) {
  const Diagnostic& diagnostic = *placed.diagnostic;
  const std::string line = std::to_string(placed.at.line);
  out += colours.bold;
  out += visible(source.name()) + ":" + line + ":" + std::to_string(placed.at.column) + ": ";
  out += colours.of(diagnostic.severity);
  out += severity_text(diagnostic.severity);
  out += ": ";
  out += colours.none;
  out += visible(diagnostic.message) + "\n";
  const Excerpt excerpt(source.text(), placed.where);
  const std::string blank = std::string(gutter(line).size(), ' ');
  out += gutter(line) + " | " + excerpt.line() + "\n";
  out += blank + " | ";
  out += colours.mark;
  out += excerpt.marks();
  out += colours.none;
  out += "\n";
  const Site& site = diagnostic.site;
  if (!site.pointer.empty() || !site.node.empty()) {
    const std::string node = site.node.empty() ? "" : "in " + json_string(site.node);
    out += blank + " = " + (site.pointer.empty() ? "" : "at " + visible(site.pointer));
    out += (site.pointer.empty() || node.empty() ? "" : ", ") + visible(node) + "\n";
  }
  if (!diagnostic.hint.empty()) out += blank + " = hint: " + visible(diagnostic.hint) + "\n";
}

std::string render_text(const std::vector<Placed>& placed, const Diagnostics& diagnostics,
                        const SourceFile& source, bool colour) {
  std::string out;
  std::size_t errors = 0;
  for (const Placed& one : placed) {
    append_text(out, one, source, Colours(colour));
    if (one.diagnostic->severity == Severity::kError) ++errors;
  }
  const std::size_t more = diagnostics.error_count() - errors;
  if (more > 0) {
    out += visible(source.name()) + ": " + std::to_string(more) +
           (more == 1 ? " more error is" : " more errors are") + " not shown\n";
  }
  return out;
}

// ---- JSON --------------------------------------------------------------------------------------

std::string render_json(const std::vector<Placed>& placed, const Diagnostics& diagnostics,
                        const SourceFile& source) {
  std::string out = "{\"errors\": " + std::to_string(diagnostics.error_count());
  out += ", \"diagnostics\": [";
  bool first = true;
  for (const Placed& one : placed) {
    const Diagnostic& diagnostic = *one.diagnostic;
    out += first ? "{" : ", {";
    first = false;
    out += "\"severity\": " + json_string(severity_text(diagnostic.severity));
    out += ", \"file\": " + json_string(source.name());
    out += ", \"line\": " + std::to_string(one.at.line);
    out += ", \"column\": " + std::to_string(one.at.column);
    out += ", \"offset\": " + std::to_string(one.where.offset);
    out += ", \"length\": " + std::to_string(one.where.length);
    out += ", \"pointer\": " + json_string(diagnostic.site.pointer);
    out += ", \"node\": " + json_string(diagnostic.site.node);
    out += ", \"message\": " + json_string(diagnostic.message);
    out += ", \"hint\": " + json_string(diagnostic.hint) + "}";
  }
  return out + "]}\n";
}

}  // namespace

std::string render(const Diagnostics& diagnostics, const SourceFile& source,
                   const RenderOptions& options) {
  const std::vector<Placed> placed = place(diagnostics, source.text());
  switch (options.format) {
    case RenderFormat::kJson:
      return render_json(placed, diagnostics, source);
    case RenderFormat::kSarif:
      return sarif_results(placed, source, options.rule);
    case RenderFormat::kText:
      break;
  }
  return render_text(placed, diagnostics, source, options.colour);
}

}  // namespace wick::frontend
