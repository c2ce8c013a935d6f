// Text as people and JSON readers may see it: nothing invisible, nothing invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wick::frontend {

struct Character {
  std::uint32_t code = 0;  // of a byte that is part of no character: the byte
  std::size_t length = 1;  // in bytes
  bool valid = true;
};

// The character that begins at `at`, which is less than the size of the text. Overlong forms and
// surrogates are not valid.
Character character_at(std::string_view text, std::size_t at);

// The character as a terminal may show it, and how many columns that takes. Controls, invalid bytes
// and characters that hide or reorder text are spelt out: "\x1b", "<U+202E>". A tab is itself.
struct Visible {
  std::string text;
  std::size_t width = 1;
};
Visible visible(std::string_view text, const Character& character, std::size_t at);

// The whole text that way.
std::string visible(std::string_view text);

// The text as a JSON string, in quotes. Invalid bytes become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace wick::frontend
