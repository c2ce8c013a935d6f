#include "frontend/cli/help.h"

#include <sstream>
#include <vector>

namespace wick::frontend {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kLeft = 30;

std::string names_text(const CLI::Option& option, bool is_positional) {
  if (is_positional) return option.get_type_name();
  std::string text;
  for (const std::string& name : option.get_snames()) text += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) text += "--" + name + ", ";
  text.resize(text.size() - 2);
  if (!option.get_option_text().empty()) return text + option.get_option_text();
  // Behind the colon stand the limits, which the text beside mentions where they matter.
  const std::string type = option.get_type_name().substr(0, option.get_type_name().find(':'));
  return type.empty() ? text : text + " " + type;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(word);
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return lines;
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string text = "  " + names_text(*option, is_positional);
  const bool beside = text.size() + 2 <= kLeft;
  text += beside ? std::string(kLeft - text.size(), ' ') : "\n" + std::string(kLeft, ' ');
  bool first = true;
  for (const std::string& line : wrapped(option->get_description(), kColumns - kLeft)) {
    text += (first ? "" : std::string(kLeft, ' ')) + line + "\n";
    first = false;
  }
  return text;
}

}  // namespace wick::frontend
