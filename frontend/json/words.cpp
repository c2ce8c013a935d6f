#include "frontend/json/words.h"

#include "compiler/support/text.h"

namespace wick::frontend {

std::string excerpt(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string pointer_token(std::string_view name) {
  std::string token = "/";
  for (const char c : name) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return compiler::grouped(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace wick::frontend
