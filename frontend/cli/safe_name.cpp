#include "frontend/cli/safe_name.h"

namespace wick::frontend {
namespace {

constexpr std::size_t kLongest = 100;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

// Cut at the first byte of a character.
std::string_view cut(std::string_view text) {
  if (text.size() <= kLongest) return text;
  std::size_t length = kLongest;
  while (length > 0 && is_continuation(text[length])) --length;
  return text.substr(0, length);
}

}  // namespace

std::string safe_stem(std::string_view name) {
  std::string stem;
  for (const char c : name.substr(0, kLongest)) {
    stem += is_alphanumeric(c) || c == '-' ? c : '_';
  }
  if (stem.empty()) return "model";
  if (stem.front() == '-') stem.front() = '_';
  return stem;
}

std::string FileNames::unique(std::string_view name, std::string_view ending) {
  std::string stem;
  for (const char c : cut(name)) {
    const bool other_script = static_cast<unsigned char>(c) >= 0x80;
    const bool kept = is_alphanumeric(c) || other_script || c == '-' || c == '_' || c == '.';
    stem += kept ? c : '_';
  }
  if (stem.empty()) stem = "output";
  if (stem.front() == '.' || stem.front() == '-') stem.front() = '_';
  std::string file = stem + std::string(ending);
  for (int number = 2; !taken_.insert(file).second; ++number) {
    file = stem + "_" + std::to_string(number) + std::string(ending);
  }
  return file;
}

}  // namespace wick::frontend
