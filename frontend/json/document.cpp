#include "frontend/json/document.h"

#include "frontend/json/graph_events.h"

namespace wick::frontend {

std::string excerpt(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

Document read_document(std::string_view text, Findings& findings) {
  GraphEvents events(findings);
  if (const auto error = read_json(text, events)) events.stop(*error);
  return events.take();
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

}  // namespace wick::frontend
