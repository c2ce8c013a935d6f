#include "frontend/check/packed.h"

#include <algorithm>
#include <iterator>

#include "wick/hash.h"

namespace wick::frontend::check {

Packed Packed::of_pieces(const std::vector<std::span<const std::byte>>& pieces) {
  Packed packed;
  std::int64_t offset = 0;
  for (const std::span<const std::byte> bytes : pieces) {
    packed.pieces_.push_back({offset, bytes});
    offset += static_cast<std::int64_t>(bytes.size());
  }
  return packed;
}

std::int64_t Packed::size() const {
  if (pieces_.empty()) return 0;
  return pieces_.back().offset + static_cast<std::int64_t>(pieces_.back().bytes.size());
}

std::uint64_t Packed::hash() const {
  Hash64 hash;
  for (const Piece& piece : pieces_) hash.update(piece.bytes.data(), piece.bytes.size());
  return hash.digest();
}

std::optional<std::span<const std::byte>> Packed::at(std::int64_t offset, std::int64_t size) const {
  if (offset < 0 || size < 0) return std::nullopt;
  if (size == 0) return std::span<const std::byte>();
  const auto after = std::ranges::upper_bound(pieces_, offset, {}, &Piece::offset);
  if (after == pieces_.begin()) return std::nullopt;
  const Piece& piece = *std::prev(after);
  const auto has = static_cast<std::int64_t>(piece.bytes.size());
  const std::int64_t skipped = offset - piece.offset;
  if (skipped > has || size > has - skipped) return std::nullopt;
  return piece.bytes.subspan(static_cast<std::size_t>(skipped), static_cast<std::size_t>(size));
}

}  // namespace wick::frontend::check
