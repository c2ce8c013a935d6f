// The state of the tree search: what is placed, and where each other block would come to rest.
//
// A block *rests* on the highest end of what is placed in its sections, rounded up to its
// alignment. It is *skipped* once the search has moved past that place: it will never be placed
// there, but it may be lifted by something placed below it later, and then rests anew and is no
// longer skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/plan/pack/failed_states.h"
#include "compiler/plan/pack/instance.h"

namespace wick::compiler::pack {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex kNoBlock = UINT32_MAX;

/// Above every offset and end, and small enough to add a size to.
inline constexpr std::int64_t kNever = INT64_MAX / 2;

/// For each block those that overlap it in time. O(pairs) memory.
struct Overlaps {
  explicit Overlaps(const Instance& instance);

  std::vector<std::vector<BlockIndex>> by_index;
  std::vector<std::vector<BlockIndex>> by_size;  // largest first
  std::vector<BlockIndex> twin;  // the previous block of equal lifetime, size and alignment
};

/// Unplaced blocks whose sections, taken together, form one range without a gap. Nothing outside
/// the part influences what can still be done with it.
struct Part {
  std::span<const BlockIndex> members;  // by first section
  std::uint32_t first = 0;              // sections [first, last)
  std::uint32_t last = 0;
};

class SearchState {
 public:
  SearchState(const Instance& instance, const Overlaps& overlaps);

  /// Nothing is placed, nothing is skipped.
  void reset();

  /// Places `block` where it rests. What rests above is lifted, as long as the trail remembers.
  void place(BlockIndex block);

  /// Takes `block` away. What it lifted stays where it is until `undo`.
  void unplace(BlockIndex block);

  void skip(BlockIndex block);

  /// Changes of `rest` and `skipped` since `mark()` gave this number are taken back.
  void undo(std::size_t mark);
  std::size_t mark() const { return trail_.size(); }

  bool placed(BlockIndex block) const { return placed_[block] != 0; }
  bool skipped(BlockIndex block) const { return skipped_[block] != 0; }
  std::int64_t rest(BlockIndex block) const { return rest_[block]; }
  std::int64_t end(BlockIndex block) const { return rest_[block] + instance_.blocks[block].size; }

  /// Units in `section` that are still to be placed.
  std::int64_t remaining(std::size_t section) const { return remaining_[section]; }

  /// All that decides whether `part` can still be packed below `target`.
  StateHash hash(const Part& part, std::int64_t target) const;

  /// Offsets of the placed blocks.
  const std::vector<std::int64_t>& offsets() const { return rest_; }

 private:
  struct Change {
    BlockIndex block;
    bool skipped;
    std::int64_t rest;
  };

  const Instance& instance_;
  const Overlaps& overlaps_;
  std::vector<std::int64_t> rest_;  // by block; of a placed block its offset
  std::vector<char> skipped_;
  std::vector<char> placed_;
  std::vector<std::int64_t> remaining_;  // by section
  std::vector<Change> trail_;
};

}  // namespace wick::compiler::pack
