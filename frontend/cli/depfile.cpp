#include "frontend/cli/depfile.h"

#include <fstream>
#include <system_error>

namespace wick::frontend {

std::string escaped_for_make(const std::string& path) {
  std::string result;
  std::size_t backslashes = 0;
  for (const char c : path) {
    if (c == ' ' || c == '\t' || c == '#') {
      // Backslashes mean themselves, but before a character that needs one.
      result.append(backslashes + 1, '\\');
    } else if (c == '$') {
      result += '$';
    } else if (c == ':') {
      result += '\\';
    }
    result += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return result;
}

std::string depfile_text(const std::vector<std::string>& targets,
                         const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& target : targets) {
    text += (text.empty() ? "" : " ") + escaped_for_make(target);
  }
  text += ":";
  for (const std::string& input : inputs) text += " \\\n  " + escaped_for_make(input);
  return text + "\n";
}

bool is_depfile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line) || !line.ends_with(": \\")) return false;
  while (std::getline(file, line)) {
    if (!line.starts_with("  ")) return false;
  }
  return true;
}

std::string program_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

}  // namespace wick::frontend
