// A hash table of numbers that stand for things kept elsewhere: eight bytes an entry and no
// allocation per entry, so that tables of millions stay near the processor.
//
// Requires: less than 2^32 - 1 things; hashes are well mixed in all their bits. Cost: amortised
// constant. Entries are forgotten all at once or not at all, and nothing depends on the order of
// entries.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/support/prefetch.h"

namespace wick::compiler {

// A hash of a text that serves the table: mixed once more, for places are taken from lower bits.
inline std::uint64_t mixed_hash(std::string_view text) {
  const std::uint64_t hash = std::hash<std::string_view>()(text) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

class HashIndex {
 public:
  // Room for `count` entries without growing.
  void reserve(std::size_t count) {
    const std::size_t wanted = std::bit_ceil(2 * count + 16);
    if (wanted > entries_.size()) grow_to(wanted);
  }

  // Forgets every entry and keeps the room.
  void clear() {
    if (count_ == 0) return;
    entries_.assign(entries_.size(), Entry{});
    count_ = 0;
  }

  // Asks the processor for the entry of this hash, which is soon to be looked at: in a large table
  // most of a look-up is waiting for memory.
  void prefetch(std::uint64_t hash) const {
    if (!entries_.empty()) compiler::prefetch(&entries_[tag_of(hash) & (entries_.size() - 1)]);
  }

  // The number that was entered with this hash and for which `is_same` holds, if there is one.
  template <class IsSame>
  std::optional<std::uint32_t> find(std::uint64_t hash, IsSame&& is_same) const {
    if (entries_.empty()) return std::nullopt;
    const Entry& entry = entries_[place(hash, is_same)];
    if (entry.number == kFree) return std::nullopt;
    return entry.number;
  }

  // As `find`; enters `number` if nothing is found.
  template <class IsSame>
  std::optional<std::uint32_t> find_or_enter(std::uint64_t hash, std::uint32_t number,
                                             IsSame&& is_same) {
    reserve(count_ + 1);
    Entry& entry = entries_[place(hash, is_same)];
    if (entry.number != kFree) return entry.number;
    entry = {tag_of(hash), number};
    ++count_;
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;

  // The tag is the half of the hash that decides on the place.
  struct Entry {
    std::uint32_t tag = 0;
    std::uint32_t number = kFree;
  };
  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  }

  // The entry looked for, or the free one where it would be.
  template <class IsSame>
  std::size_t place(std::uint64_t hash, IsSame&& is_same) const {
    const std::uint32_t tag = tag_of(hash);
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = tag & mask;
    while (entries_[at].number != kFree &&
           !(entries_[at].tag == tag && is_same(entries_[at].number))) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow_to(std::size_t size) {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(size));
    const std::size_t mask = size - 1;
    for (const Entry& entry : old) {
      if (entry.number == kFree) continue;
      std::size_t at = entry.tag & mask;
      while (entries_[at].number != kFree) at = (at + 1) & mask;
      entries_[at] = entry;
    }
  }

  std::vector<Entry> entries_;  // a power of two of them, at most half of them taken
  std::size_t count_ = 0;
};

}  // namespace wick::compiler
