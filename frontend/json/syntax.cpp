// nlohmann/json checks the grammar and decodes strings; this file adds what its SAX interface does
// not tell: where things are, and numbers as they were written.
//
// The parser reads ahead by at most one character, and only after a number. So each token is found
// from the end of the one before: white space, commas and colons are passed over, and what stands
// there is the token. Its end is known from its kind; for a string, which may contain escapes, it
// is the place up to which the parser has read, which a counting iterator notes down.
#include "frontend/json/syntax.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

#include "compiler/support/text.h"

namespace wick::frontend {
namespace {

// Walks over characters and notes in `reached` how far the reading has come.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  const char** reached_;
};

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The length of the Unicode character at the start of `text`, roughly: for marking it.
std::size_t character_length(std::string_view text) {
  std::size_t length = text.empty() ? 0 : 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
    ++length;
  }
  return length;
}

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"'[', '{', or a literal", "a value"},
    {"string literal", "string"},
    {"number literal", "number"},
    {"true literal", "true"},
    {"false literal", "false"},
    {"null literal", "null"},
    {"invalid literal", "this is no value"},
};

// The parser's own words for what is wrong, without the place and the text read last, which we say
// better: "unexpected ']'; expected …".
std::string core_of(std::string_view what) {
  const std::size_t begin = what.find(" - ");
  std::string_view core = begin == std::string_view::npos ? what : what.substr(begin + 3);
  core = core.substr(0, core.find("; last read"));
  if (core.starts_with("invalid string: ")) core.remove_prefix(16);
  std::string words(core);
  for (const auto& [theirs, ours] : kWords) {
    const std::size_t at = words.find(theirs);
    if (at != std::string::npos) words.replace(at, theirs.size(), ours);
  }
  return words;
}

class Sax {
 public:
  using json = nlohmann::json;

  Sax(std::string_view text, JsonEvents& events) : text_(text), events_(events) {
    if (text.starts_with(kByteOrderMark)) last_end_ = kByteOrderMark.size();
    reached_ = text.data() + last_end_;
  }

  std::optional<SyntaxError> run() {
    const char* begin = text_.data();
    const CountingIterator first(begin, &reached_), last(begin + text_.size(), &reached_);
    const bool complete = json::sax_parse(first, last, this);
    // A NUL character looks like the end of the input to the parser.
    if (complete && !error_) {
      last_end_ = std::min(last_end_, text_.size());
      const std::size_t rest = skip(false);
      if (rest < text_.size()) fail({rest, 1}, "unexpected text after the end of the graph");
    }
    return std::move(error_);
  }

  bool null() { return events_.null(token(4)); }
  bool boolean(bool value) { return events_.flag(value, token(value ? 4 : 5)); }
  bool number_integer(json::number_integer_t) { return whole_number(); }
  bool number_unsigned(json::number_unsigned_t) { return whole_number(); }
  bool number_float(json::number_float_t, const std::string& read) { return number(read.size()); }
  bool string(const std::string& value) { return events_.text(value, string_token()); }
  bool key(const std::string& name) { return events_.key(name, string_token()); }
  bool binary(json::binary_t&) { return false; }

  bool start_object(std::size_t) { return deeper() && events_.begin_object(token(1)); }
  bool start_array(std::size_t) { return deeper() && events_.begin_array(token(1)); }
  bool end_object() {
    --depth_;
    return events_.end_object(token(1));
  }
  bool end_array() {
    --depth_;
    return events_.end_array(token(1));
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& why) {
    const std::string_view what = why.what();
    if (what.find("number overflow") != std::string_view::npos) {
      const std::size_t begin = skip(true);
      const std::size_t length = number_length(begin);
      fail({begin, length},
           "the number " + shown(text_.substr(begin, length)) + " is beyond the range of f64",
           "infinity is written \"inf\" or \"-inf\", in quotes");
    } else {
      explain(core_of(what));
    }
    return false;
  }

 private:
  bool fail(TextSpan where, std::string message, std::string hint = {}) {
    error_ = SyntaxError{where, std::move(message), std::move(hint)};
    return false;
  }

  static std::string shown(std::string_view written) {
    constexpr std::size_t kMost = 40;
    return std::string(written.substr(0, kMost)) + (written.size() > kMost ? "..." : "");
  }

  // The next place after the last token that is not white space (nor, if asked, a separator).
  std::size_t skip(bool separators) const {
    std::size_t at = last_end_;
    while (at < text_.size() &&
           (is_space(text_[at]) || (separators && (text_[at] == ',' || text_[at] == ':')))) {
      ++at;
    }
    return at;
  }

  TextSpan token(std::size_t length) {
    const std::size_t begin = skip(true);
    last_end_ = begin + length;
    return {begin, length};
  }

  TextSpan string_token() {
    return token(static_cast<std::size_t>(reached_ - text_.data()) - skip(true));
  }

  std::size_t number_length(std::size_t begin) const {
    const std::size_t end = text_.find_first_not_of("0123456789+-.eE", begin);
    return std::min(end, text_.size()) - begin;
  }

  bool whole_number() {
    const std::size_t begin = skip(true);
    std::size_t end = begin + (text_[begin] == '-' ? 1 : 0);
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    return number(end - begin);
  }

  bool number(std::size_t length) {
    const TextSpan where = token(length);
    if (length > kLongestNumber) {
      return fail(where, "a number of " + std::to_string(length) + " characters",
                  "no more than " + std::to_string(kLongestNumber) + " are ever needed");
    }
    return events_.number(text_.substr(where.offset, length), where);
  }

  bool deeper() {
    if (++depth_ <= kDeepestNesting) return true;
    return fail(token(1), "nested deeper than " + std::to_string(kDeepestNesting) + " levels");
  }

  // Turns the parser's complaint into a place, a sentence and, for the usual slips, advice.
  void explain(std::string core) {
    const std::size_t reached = static_cast<std::size_t>(reached_ - text_.data());
    const std::size_t token_begin = skip(true);
    std::size_t at = reached > 0 ? reached - 1 : 0;
    if (core.starts_with("unexpected end of input")) {
      if (token_begin < text_.size() && text_[token_begin] == '\0') {
        return fail_at(token_begin, "unexpected NUL character");
      }
      at = text_.size();
      if (token_begin >= text_.size() && last_end_ == 0) core = "the text is empty";
    } else if (core.starts_with("missing closing quote") ||
               core.starts_with("control character U+000A")) {
      at = std::min(token_begin, text_.size());
      core = "this string has no closing quote";
    } else if (core.starts_with("unexpected '")) {
      at = punctuation_at(token_begin, at);
    } else if (core.starts_with("unexpected") || core.starts_with("this is no value") ||
               core.starts_with("invalid number")) {
      at = token_begin;
    }
    fail_at(std::min(at, text_.size()), "not JSON: " + core);
  }

  // An unexpected separator, bracket or brace: the parser has just read it.
  std::size_t punctuation_at(std::size_t token_begin, std::size_t read_last) const {
    constexpr std::string_view kPunctuation = "[]{},:";
    const bool there =
        read_last < text_.size() && kPunctuation.find(text_[read_last]) != std::string_view::npos;
    return there ? read_last : token_begin;
  }

  void fail_at(std::size_t at, std::string message) {
    fail({at, std::max<std::size_t>(1, character_length(text_.substr(at, 4)))}, std::move(message),
         advice(at));
  }

  std::string advice(std::size_t at) const {
    const std::string_view rest = text_.substr(at);
    std::size_t before = at;
    while (before > 0 && is_space(text_[before - 1])) --before;
    const bool after_comma = before > 0 && text_[before - 1] == ',';
    if (after_comma && (rest.starts_with(']') || rest.starts_with('}'))) {
      return "remove the comma before it";
    }
    if (rest.starts_with('/') || rest.starts_with('#')) {
      return "JSON has no comments; graph, inputs, constants and nodes take a \"description\"";
    }
    if (rest.starts_with('\'')) return "strings are written in double quotes";
    constexpr std::string_view kNotNumbers[] = {"NaN", "nan", "Inf", "inf", "-Inf", "-inf"};
    for (const std::string_view word : kNotNumbers) {
      if (rest.starts_with(word)) return "write \"inf\", \"-inf\" or \"nan\", in quotes";
    }
    return {};
  }

  std::string_view text_;
  JsonEvents& events_;
  const char* reached_ = nullptr;
  std::size_t last_end_ = 0;
  std::size_t depth_ = 0;
  std::optional<SyntaxError> error_;
};

}  // namespace

std::optional<SyntaxError> read_json(std::string_view text, JsonEvents& events) {
  return Sax(text, events).run();
}

}  // namespace wick::frontend
