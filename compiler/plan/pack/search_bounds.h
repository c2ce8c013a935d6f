// What can be deduced about a part of the search without branching.
//
// For each block a lower bound of its offset, and for each section the test that what remains still
// fits above the lowest of them, what has higher bounds above those:
//
//     target ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─      A section fails if floor + remaining > target.
//              |   remaining   |           `due` = target - remaining: some block of the
//     floor  ─ +───────────────+           section must start at `due` or below.
//              |  never used   |
//     placed ──+───────────────+
//
// The lower bounds come from
// - rest: a block is never below what is placed in its sections;
// - support: in a packing in which nothing can move down, a block that was skipped is supported by
//   one of the unplaced blocks that overlap it;
// - size: if two blocks cannot both stand above the first one's lower bound and below the target,
//   the first one must be above the second;
// - due: if only one block can start a section in time, what does not fit below it is above it.
//
// The last two rules are applied until nothing changes, at most three times.
//
// Cost of one call: O(m log m + s + o) for m members, s sections of all of them, and o overlaps of
// those that are skipped, large or forced.
#pragma once

#include "compiler/plan/pack/search_state.h"

namespace wick::compiler::pack {

class SearchBounds {
 public:
  SearchBounds(const Instance& instance, const Overlaps& overlaps, const SearchState& state);

  /// False if `part` cannot be packed below `target` with all offsets at `level` or above.
  bool hold(const Part& part, std::int64_t level, std::int64_t target);

  /// After `hold`, for the blocks and sections of its part:
  std::int64_t lower(BlockIndex block) const { return lower_[block]; }
  std::int64_t slack(std::size_t section) const { return slack_[section]; }

  /// Operations so far, the measure of all budgets.
  std::int64_t work() const { return work_; }

 private:
  bool raise_skipped(const Part& part, std::int64_t level);
  bool raise_large(const Part& part, std::int64_t target, bool& changed);
  void raise_forced(const Part& part, std::int64_t target, bool& changed);
  void find_forced(const Part& part, std::int64_t target);
  bool sections_fit(const Part& part, std::int64_t target);

  const Instance& instance_;
  const Overlaps& overlaps_;
  const SearchState& state_;
  std::vector<std::int64_t> lower_;      // by block
  std::vector<std::int64_t> latest_;     // by block: it must start here or below
  std::vector<std::int64_t> slack_;      // by section: target - floor - remaining
  std::vector<std::int64_t> stacked_;    // by section, scratch
  std::vector<BlockIndex> falling_;      // members by lower bound, highest first, scratch
  std::vector<std::uint32_t> starters_;  // by section: how many can start it in time
  std::vector<BlockIndex> starter_;      // by section: which, if it is only one
  std::int64_t work_ = 0;
};

}  // namespace wick::compiler::pack
