#include "frontend/cli/response_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/support/text.h"
#include "frontend/json/mapped_file.h"

namespace wick::frontend {
namespace {

constexpr std::size_t kLargest = std::size_t{16} << 20;
constexpr std::size_t kDeepest = 16;
constexpr std::size_t kMost = 1000;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The words of a text; nothing if a quote is not closed.
std::optional<std::vector<std::string>> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // of a word, which may be empty: ''
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (!is_space(c)) {
      word += c;
      inside = true;
    } else if (inside) {
      words.push_back(std::exchange(word, {}));
      inside = false;
    }
  }
  if (quote != '\0') return std::nullopt;
  if (inside) words.push_back(std::move(word));
  return words;
}

class Expander {
 public:
  std::optional<ResponseError> add(const std::vector<std::string>& arguments, std::size_t depth) {
    for (const std::string& argument : arguments) {
      if (argument.size() < 2 || argument.front() != '@') {
        line_.arguments.push_back(argument);
      } else if (auto error = add_file(argument.substr(1), depth)) {
        return error;
      }
    }
    return std::nullopt;
  }

  CommandLine take() { return std::move(line_); }

 private:
  std::optional<ResponseError> add_file(const std::string& path, std::size_t depth) {
    const std::string name = "the response file " + compiler::quoted(path);
    if (depth == kDeepest) {
      return ResponseError{name + " stands in 16 others", "does one of them name itself?"};
    }
    const auto opened = MappedFile::open(path);
    if (const auto* error = std::get_if<FileError>(&opened)) {
      return ResponseError{
          "@ stands before a response file, and " + error->message,
          "a file whose own name begins with @ is written " + compiler::quoted("./@" + path),
          ExitCode::kInputOutput};
    }
    const std::string_view text = std::get<std::shared_ptr<const MappedFile>>(opened)->text();
    read_ += text.size();
    ++count_;
    if (text.size() > kLargest) return ResponseError{name + " is larger than 16 MiB", ""};
    if (read_ > kLargest || count_ > kMost) {
      return ResponseError{
          "more than 16 MiB or 1,000 response files, the last of them " + compiler::quoted(path),
          "do they name one another again and again?"};
    }
    if (text.find('\0') != std::string_view::npos) {
      return ResponseError{name + " holds a zero byte", "is it text?"};
    }
    const auto words = words_of(text);
    if (!words) {
      return ResponseError{name + " ends within quotes",
                           "close them, or write \\' or \\\" for the character itself"};
    }
    if (std::ranges::find(line_.response_files, path) == line_.response_files.end()) {
      line_.response_files.push_back(path);
    }
    return add(*words, depth + 1);
  }

  CommandLine line_;
  // What is named twice counts twice: short files that name each other are long when expanded.
  std::size_t read_ = 0;  // bytes
  std::size_t count_ = 0;
};

}  // namespace

std::variant<CommandLine, ResponseError> expand_response_files(
    const std::vector<std::string>& arguments) {
  Expander expander;
  if (auto error = expander.add(arguments, 0)) return std::move(*error);
  return expander.take();
}

}  // namespace wick::frontend
