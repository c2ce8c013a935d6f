// Says of each text on standard input (its length as eight bytes, little-endian, then its bytes)
// whether the reader accepts its structure: a line "accepted" or "refused" each.
#include <array>
#include <cstdint>
#include <iostream>
#include <string>

#include "frontend/json/reader.h"

int main() {
  std::array<char, 8> length_bytes;
  while (std::cin.read(length_bytes.data(), 8)) {
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;) {
      length = (length << 8) | static_cast<unsigned char>(length_bytes[i]);
    }
    std::string text(static_cast<std::size_t>(length), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(length));
    const auto source = wick::frontend::SourceFile::of_text("graph.json", std::move(text));
    wick::compiler::Diagnostics diagnostics;
    const bool accepted = wick::frontend::has_valid_structure(source, diagnostics);
    std::cout << (accepted ? "accepted" : "refused") << '\n';
  }
}
