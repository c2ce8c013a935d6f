#include "compiler/emit/code.h"

#include <algorithm>
#include <array>

namespace wick::compiler::cpp {
namespace {

constexpr std::size_t kColumns = 100;

class Renderer {
 public:
  Rendered run(const std::vector<Line>& lines) {
    render_all(lines, 0);
    return std::move(result_);
  }

 private:
  // A statement or raw line in one or more physical lines, its comment not yet placed.
  struct Laid {
    std::vector<std::string> lines;
    std::string comment;
  };

  void put(std::string_view text) {
    result_.text += text;
    result_.text += '\n';
    ++line_;
  }

  void render_all(const std::vector<Line>& lines, std::size_t indent) {
    for (std::size_t i = 0; i < lines.size();) {
      const Line& line = lines[i];
      switch (line.kind) {
        case Line::Kind::kRaw:
        case Line::Kind::kStatement:
          i = render_run(lines, i, indent);
          continue;
        case Line::Kind::kBlank:
          put("");
          break;
        case Line::Kind::kComment:
          render_comment(line.text, indent);
          break;
        case Line::Kind::kSection:
          render_section(line.text);
          break;
        case Line::Kind::kBlock:
          render_block(line, indent + line.indent);
          break;
      }
      ++i;
    }
  }

  // What a namespace or a linkage specification holds is not indented.
  void render_block(const Line& line, std::size_t indent) {
    const std::string spaces(indent, ' ');
    const bool flush = line.text.starts_with("namespace") || line.text.starts_with("extern");
    note_origin(line);
    put(spaces + line.text);
    render_all(line.lines, flush ? indent : indent + 2);
    put(spaces + line.tail);
  }

  void note_origin(const Line& line) {
    if (line.node.valid()) result_.origins.push_back({line_, line.node});
  }

  // Statements that follow each other: their comments begin in one column.
  std::size_t render_run(const std::vector<Line>& lines, std::size_t from, std::size_t indent) {
    std::size_t to = from;
    std::vector<Laid> laid;
    while (to < lines.size() &&
           (lines[to].kind == Line::Kind::kRaw || lines[to].kind == Line::Kind::kStatement)) {
      laid.push_back({lay_out(lines[to], indent), lines[to].comment});
      ++to;
    }
    const std::size_t column = column_for(laid);
    for (std::size_t i = from; i < to; ++i) put_laid(lines[i], laid[i - from], column, indent);
    return to;
  }

  // Where most comments find room beside their statements; the first of such columns. The others
  // stand above.
  static std::size_t column_for(const std::vector<Laid>& laid) {
    std::array<int, kColumns + 2> change{};
    for (const Laid& each : laid) {
      if (each.comment.empty() || least_column(each) > most_column(each)) continue;
      ++change[least_column(each)];
      --change[most_column(each) + 1];
    }
    std::size_t column = 0;
    int most = 0, count = 0;
    for (std::size_t at = 0; at < change.size(); ++at) {
      count += change[at];
      if (count <= most) continue;
      most = count;
      column = at;
    }
    return column;
  }

  static std::size_t least_column(const Laid& laid) { return laid.lines.back().size() + 2; }
  static std::size_t most_column(const Laid& laid) {
    const std::size_t need = laid.comment.size() + 3;
    return need < kColumns ? kColumns - need : 0;
  }

  void put_laid(const Line& line, Laid& laid, std::size_t column, std::size_t indent) {
    std::string& last = laid.lines.back();
    if (!laid.comment.empty()) {
      if (least_column(laid) <= column && column <= most_column(laid)) {
        last += std::string(column - last.size(), ' ') + "// " + laid.comment;
      } else {
        render_comment(laid.comment, indent);
      }
    }
    note_origin(line);
    for (const std::string& text : laid.lines) put(text);
  }

  static std::vector<std::string> lay_out(const Line& line, std::size_t indent) {
    const std::string spaces(indent, ' ');
    if (line.kind == Line::Kind::kRaw) return {spaces + line.text};
    const std::string whole = spaces + line.text + line.call.on_one_line() + ";";
    if (whole.size() <= kColumns || line.call.arguments.empty()) return {whole};
    std::vector<std::string> lines = {spaces + line.text + line.call.callee + "("};
    std::string current = spaces + "    ";
    for (std::size_t i = 0; i < line.call.arguments.size(); ++i) {
      const bool last = i + 1 == line.call.arguments.size();
      const std::string argument = line.call.arguments[i] + (last ? ");" : ",");
      const bool empty = current.size() == indent + 4;
      if (!empty && current.size() + 1 + argument.size() > kColumns) {
        lines.push_back(current);
        current = spaces + "    " + argument;
      } else {
        current += (empty ? "" : " ") + argument;
      }
    }
    lines.push_back(current);
    return lines;
  }

  void render_section(const std::string& title) {
    const std::string head = "// ---- " + title + " ";
    put(head + std::string(head.size() < kColumns ? kColumns - head.size() : 0, '-'));
  }

  // Words are kept whole; lines after the first stand two spaces further in than the first. Spaces
  // inside a line that fits are kept, those at its end are not.
  void render_comment(std::string_view whole, std::size_t indent) {
    const std::string text(whole.substr(0, whole.find_last_not_of(' ') + 1));
    const std::string head = std::string(indent, ' ') + "//";
    if (text.empty()) return put(head);
    const std::string further(std::min(text.find_first_not_of(' '), kColumns / 2) + 3, ' ');
    std::string current = head;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = text.find(' ', text.find_first_not_of(' ', at));
      end = std::min(end, text.size());
      const std::string word = text.substr(at, end - at);
      if (current.size() + 1 + word.size() > kColumns && current.size() > head.size() + 3) {
        put(current);
        current = head + further + word;
      } else {
        current += " " + word;
      }
      at = end + 1;
    }
    put(current);
  }

  Rendered result_;
  std::uint32_t line_ = 1;
};

}  // namespace

std::string Call::on_one_line() const {
  if (callee.empty()) return arguments.empty() ? "" : arguments[0];
  std::string text = callee + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + arguments[i];
  return text + ")";
}

// The code point at the start of `text` and its length in bytes; a byte that is not UTF-8 stands
// for itself.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  const std::size_t length = first < 0x80    ? 1
                             : first >= 0xf0 ? 4
                             : first >= 0xe0 ? 3
                             : first >= 0xc0 ? 2
                                             : 1;
  if (length == 1 || length > text.size()) return {first, 1};
  std::uint32_t point = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = (point << 6) | (byte(i) & 0x3f);
  return {point, length};
}

Line blank() { return {}; }

Line comment(std::string text) {
  Line line;
  line.kind = Line::Kind::kComment;
  line.text = std::move(text);
  return line;
}

Line section(std::string title) {
  Line line;
  line.kind = Line::Kind::kSection;
  line.text = std::move(title);
  return line;
}

Line raw(std::string text, std::string comment) {
  Line line;
  line.kind = Line::Kind::kRaw;
  line.text = std::move(text);
  line.comment = std::move(comment);
  return line;
}

Line statement(std::string prefix, Call call, std::string comment) {
  Line line;
  line.kind = Line::Kind::kStatement;
  line.text = std::move(prefix);
  line.call = std::move(call);
  line.comment = std::move(comment);
  return line;
}

Line block(std::string head, std::vector<Line> lines, std::string tail) {
  Line line;
  line.kind = Line::Kind::kBlock;
  line.text = std::move(head);
  line.lines = std::move(lines);
  line.tail = std::move(tail);
  return line;
}

Rendered render(const std::vector<Line>& lines) { return Renderer().run(lines); }

std::string hexadecimal(std::uint32_t point) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  for (int shift = point > 0xffff ? 20 : 12; shift >= 0; shift -= 4) {
    result += kDigits[(point >> shift) & 15];
  }
  return result;
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (bool after_question = false; !text.empty();) {
    const auto [point, length] = decode(text);
    text.remove_prefix(length);
    const bool in_a_row = point == '?' && (after_question || text.starts_with('?'));
    after_question = point == '?';
    if (point >= 0x20 && point < 0x7f && point != '\\' && !in_a_row) {
      result += static_cast<char>(point);
      continue;
    }
    result += "<U+" + hexadecimal(point) + ">";
  }
  return result;
}

}  // namespace wick::compiler::cpp
