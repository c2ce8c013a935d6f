// All pointers are found in one pass. They are laid into a tree, a token per edge; the pass walks
// the text and the tree together, goes down where the tree does, and jumps over all other values.
#include "frontend/json/locate.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>

namespace wick::frontend {
namespace {

struct Branch {
  std::map<std::string, std::size_t, std::less<>> by_key;
  std::map<std::size_t, std::size_t> by_index;  // the same edges, where the token is an index
  std::size_t parent = 0;
  std::optional<TextSpan> found;
};

class PointerTree {
 public:
  PointerTree() : branches_(1) {}

  // The branch that the pointer leads to.
  std::size_t add(std::string_view pointer) {
    std::size_t at = 0;
    while (!pointer.empty()) {
      pointer.remove_prefix(1);
      const std::size_t end = std::min(pointer.find('/'), pointer.size());
      at = child(at, token(pointer.substr(0, end)));
      pointer.remove_prefix(end);
    }
    return at;
  }

  Branch& operator[](std::size_t index) { return branches_[index]; }
  std::size_t size() const { return branches_.size(); }

 private:
  static std::string token(std::string_view written) {
    std::string token;
    for (std::size_t i = 0; i < written.size(); ++i) {
      const bool escape = written[i] == '~' && i + 1 < written.size();
      token += escape ? (written[++i] == '1' ? '/' : '~') : written[i];
    }
    return token;
  }

  std::size_t child(std::size_t parent, const std::string& token) {
    const auto [at, fresh] = branches_[parent].by_key.try_emplace(token, branches_.size());
    if (!fresh) return at->second;
    const std::size_t index = at->second;
    std::size_t number = 0;
    const auto parsed = std::from_chars(token.data(), token.data() + token.size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == token.data() + token.size()) {
      branches_[parent].by_index.emplace(number, index);
    }
    branches_.emplace_back();
    branches_.back().parent = parent;
    return index;
  }

  std::vector<Branch> branches_;
};

class Scanner {
 public:
  Scanner(std::string_view text, PointerTree& tree)
      : text_(text), tree_(tree), missing_(tree.size()) {}

  // Reads the value that begins here as the one of `branch`. Recursion is as deep as the pointers.
  void value(std::size_t branch) {
    skip_space();
    if (at_ >= text_.size()) return stop();
    const std::size_t begin = at_;
    const char opening = text_[at_];
    if (!tree_[branch].found) {
      if (opening == '{' || opening == '[') {
        tree_[branch].found = TextSpan{begin, 1};
      } else {
        skip_value();
        tree_[branch].found = TextSpan{begin, at_ - begin};
      }
      --missing_;
    } else {
      return skip_value();  // a second value under one key
    }
    if (opening == '{') object(branch);
    if (opening == '[') array(branch);
  }

 private:
  bool done() const { return stopped_ || missing_ == 0; }
  void stop() { stopped_ = true; }

  void object(std::size_t branch) {
    ++at_;
    while (!done()) {
      skip_space();
      if (!at('"')) return leave('}');
      const std::size_t begin = at_ + 1;
      skip_string();
      const std::string_view written = text_.substr(begin, std::max(at_, begin + 1) - begin - 1);
      skip_space();
      if (!at(':')) return stop();
      ++at_;
      const auto& edges = tree_[branch].by_key;
      const auto edge = written.find('\\') == std::string_view::npos ? edges.find(written)
                                                                     : edges.find(decoded(written));
      edge != edges.end() ? value(edge->second) : skip_value();
      if (done() || !comma()) return leave('}');
    }
  }

  void array(std::size_t branch) {
    ++at_;
    for (std::size_t index = 0; !done(); ++index) {
      skip_space();
      if (at(']')) return leave(']');
      const auto& edges = tree_[branch].by_index;
      const auto edge = edges.find(index);
      edge != edges.end() ? value(edge->second) : skip_value();
      if (done() || !comma()) return leave(']');
    }
  }

  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }

  bool comma() {
    skip_space();
    if (!at(',')) return false;
    ++at_;
    return true;
  }

  void leave(char closing) {
    if (!at(closing)) return stop();
    ++at_;
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  void skip_string() {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += std::size_t{text_[at_] == '\\' ? 2u : 1u};
    }
    if (at_ >= text_.size()) {
      at_ = text_.size();
      return stop();
    }
    ++at_;
  }

  void skip_value() {
    skip_space();
    std::size_t depth = 0;
    do {
      if (at_ >= text_.size()) return stop();
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return stop();
        --depth;
        ++at_;
      } else if (depth > 0) {
        ++at_;
      } else {
        return skip_word();
      }
    } while (depth > 0 && !stopped_);
  }

  // A number, true, false or null.
  void skip_word() {
    const std::size_t end = text_.find_first_of(" \t\r\n,]}:\"", at_);
    if (end == at_) return stop();
    at_ = std::min(end, text_.size());
  }

  std::string_view text_;
  PointerTree& tree_;
  std::size_t at_ = 0;
  std::size_t missing_;  // branches not found yet
  bool stopped_ = false;
};

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6));
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3F));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

std::uint32_t code_unit(std::string_view written, std::size_t at) {
  std::uint32_t unit = 0;
  const std::string_view digits = written.substr(std::min(at, written.size()), 4);
  std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return unit;
}

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }

}  // namespace

std::string decoded(std::string_view written) {
  std::string text;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\' || i + 1 == written.size()) {
      text += written[i];
      continue;
    }
    const char escape = written[++i];
    if (escape != 'u') {
      constexpr std::string_view kNames = "bfnrt", kCodes = "\b\f\n\r\t";
      const std::size_t name = kNames.find(escape);
      text += name == std::string_view::npos ? escape : kCodes[name];
      continue;
    }
    std::uint32_t code = code_unit(written, i + 1);
    i += 4;
    if (is_high_surrogate(code) && written.substr(i + 1, 2) == "\\u") {
      code = 0x10000 + ((code - 0xD800) << 10) + ((code_unit(written, i + 3) - 0xDC00) & 0x3FF);
      i += 6;
    }
    append_utf8(text, code);
  }
  return text;
}

std::vector<LineColumn> lines_of(std::string_view text, std::span<const std::size_t> offsets) {
  std::vector<std::size_t> order(offsets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return offsets[i]; });
  std::vector<LineColumn> places(offsets.size());
  std::size_t line = 1, line_begin = 0;
  for (const std::size_t i : order) {
    const std::size_t offset = std::min(offsets[i], text.size());
    for (std::size_t end = text.find('\n', line_begin); end < offset;
         end = text.find('\n', line_begin)) {
      ++line;
      line_begin = end + 1;
    }
    const std::string_view before = text.substr(line_begin, offset - line_begin);
    const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    const auto inside = std::ranges::count_if(before, continuation);
    places[i] = {line, before.size() - static_cast<std::size_t>(inside) + 1};
  }
  return places;
}

std::vector<TextSpan> locate(std::string_view text, std::span<const std::string> pointers) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  PointerTree tree;
  std::vector<std::size_t> branches;
  for (const std::string& pointer : pointers) branches.push_back(tree.add(pointer));
  Scanner(text.substr(begin), tree).value(0);
  std::vector<TextSpan> spans;
  for (std::size_t branch : branches) {
    while (branch != 0 && !tree[branch].found) branch = tree[branch].parent;
    TextSpan span = tree[branch].found.value_or(TextSpan{});
    span.offset += begin;
    spans.push_back(span);
  }
  return spans;
}

}  // namespace wick::frontend
