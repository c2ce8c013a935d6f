// The bytes of the packed weights: one file, or the pieces that a file is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wick::frontend::check {

// Borrows the bytes; nothing is copied, for there may be more of them than memory.
class Packed {
 public:
  Packed() = default;
  // Implicit: a file is what packed weights usually are.
  Packed(std::span<const std::byte> file)  // NOLINT(google-explicit-constructor)
      : pieces_{{0, file}} {}
  Packed(const std::vector<std::byte>& file)  // NOLINT(google-explicit-constructor)
      : Packed(std::span(file)) {}

  // One behind the other, no constant in more than one of them.
  static Packed of_pieces(const std::vector<std::span<const std::byte>>& pieces);

  // Of all pieces, in bytes.
  std::int64_t size() const;

  // XXH64 of all bytes. Cost: linear.
  std::uint64_t hash() const;

  // The bytes [offset, offset + size); nothing if there are none such.
  std::optional<std::span<const std::byte>> at(std::int64_t offset, std::int64_t size) const;

 private:
  struct Piece {
    std::int64_t offset = 0;
    std::span<const std::byte> bytes;
  };
  std::vector<Piece> pieces_;  // by offset
};

}  // namespace wick::frontend::check
