#include "frontend/json/unicode.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace wick::frontend {
namespace {

struct Range {
  std::uint32_t first, last;
  bool contains(std::uint32_t code) const { return code >= first && code <= last; }
};

bool in(std::uint32_t code, const auto& ranges) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return range.contains(code); });
}

// Characters without a picture of their own, or that reorder what follows them.
constexpr Range kHidden[] = {{0x00, 0x08},     {0x0A, 0x1F},      {0x7F, 0x9F},
                             {0xAD, 0xAD},     {0x061C, 0x061C},  {0x200B, 0x200F},
                             {0x2028, 0x202E}, {0x2060, 0x206F},  {0xFEFF, 0xFEFF},
                             {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};
// Marks that are drawn over the character before them.
constexpr Range kCombining[] = {
    {0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
// Characters of two columns, by Unicode's East Asian Width, roughly.
constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                           {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                           {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

std::string hex(std::uint32_t code, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  while (code != 0 || text.size() < digits) {
    text += kDigits[code & 15];
    code >>= 4;
  }
  std::ranges::reverse(text);
  return text;
}

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return {first, 1, true};
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const std::size_t length = first < 0xC0 ? 1u : first < 0xE0 ? 2u : first < 0xF0 ? 3u : 4u;
  const Character byte{first, 1, false};
  if (length == 1 || first >= 0xF8) return byte;
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned next = byte_at(text, at + i);
    if ((next & 0xC0) != 0x80) return byte;
    code = (code << 6) | (next & 0x3F);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[length] || code > 0x10FFFF || surrogate) return byte;
  return {code, length, true};
}

Visible visible(std::string_view text, const Character& character, std::size_t at) {
  if (!character.valid || character.code < 0x20 || character.code == 0x7F) {
    if (character.code == '\t') return {"\t", 1};
    return {"\\x" + hex(character.code, 2), 4};
  }
  if (in(character.code, kHidden)) {
    std::string spelt = "<U+" + hex(character.code, 4) + ">";
    const std::size_t width = spelt.size();
    return {std::move(spelt), width};
  }
  const std::size_t width = in(character.code, kCombining) ? 0u
                            : in(character.code, kWide)    ? 2u
                                                           : 1u;
  return {std::string(text.substr(at, character.length)), width};
}

std::string visible(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    shown += visible(text, character, at).text;
    at += character.length;
  }
  return shown;
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (!character.valid) {
      json += "\xEF\xBF\xBD";
    } else if (character.code == '"' || character.code == '\\') {
      json += {'\\', text[at]};
    } else if (character.code == '\n') {
      json += "\\n";
    } else if (character.code == '\t') {
      json += "\\t";
    } else if (character.code < 0x20 || character.code == 0x7F) {
      json += "\\u" + hex(character.code, 4);
    } else {
      json += text.substr(at, character.length);
    }
    at += character.length;
  }
  return json + '"';
}

}  // namespace wick::frontend
