#include "compiler/plan/pack/search_bounds.h"

#include <algorithm>

namespace wick::compiler::pack {

SearchBounds::SearchBounds(const Instance& instance, const Overlaps& overlaps,
                           const SearchState& state)
    : instance_(instance),
      overlaps_(overlaps),
      state_(state),
      lower_(instance.blocks.size()),
      latest_(instance.blocks.size()),
      slack_(instance.load.size()),
      stacked_(instance.load.size()),
      starters_(instance.load.size()),
      starter_(instance.load.size()) {}

bool SearchBounds::hold(const Part& part, std::int64_t level, std::int64_t target) {
  constexpr int kRounds = 3;
  work_ += static_cast<std::int64_t>(part.members.size()) * 4;
  if (!raise_skipped(part, level)) return false;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    if (!raise_large(part, target, changed) || !sections_fit(part, target)) return false;
    raise_forced(part, target, changed);
    if (!changed) return true;
  }
  return sections_fit(part, target);
}

// The support of a skipped block may be skipped itself: a second pass sees what the first one
// found.
bool SearchBounds::raise_skipped(const Part& part, std::int64_t level) {
  constexpr int kPasses = 2;
  for (const BlockIndex member : part.members) {
    lower_[member] = state_.skipped(member) ? level : state_.rest(member);
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const BlockIndex member : part.members) {
      if (!state_.skipped(member)) continue;
      std::int64_t support = kNever;
      for (const BlockIndex other : overlaps_.by_index[member]) {
        if (state_.placed(other)) continue;
        support = std::min(support, lower_[other] + instance_.blocks[other].size);
      }
      work_ += static_cast<std::int64_t>(overlaps_.by_index[member].size());
      if (support == kNever) return false;
      lower_[member] = align_up(support, instance_.blocks[member].alignment);
    }
  }
  return true;
}

bool SearchBounds::raise_large(const Part& part, std::int64_t target, bool& changed) {
  for (const BlockIndex member : part.members) {
    const std::int64_t size = instance_.blocks[member].size;
    std::int64_t lower = lower_[member];
    for (const BlockIndex other : overlaps_.by_size[member]) {
      ++work_;
      if (lower + size + instance_.blocks[other].size <= target) break;
      if (!state_.placed(other)) {
        lower = std::max(lower, lower_[other] + instance_.blocks[other].size);
      }
    }
    if (lower == lower_[member]) continue;
    if (lower + size > target) return false;
    lower_[member] = lower;
    changed = true;
  }
  return true;
}

// Sets `latest_` for the blocks that alone can start one of their sections in time.
void SearchBounds::find_forced(const Part& part, std::int64_t target) {
  std::fill(starters_.begin() + part.first, starters_.begin() + part.last, 0U);
  for (const BlockIndex member : part.members) {
    const Block& block = instance_.blocks[member];
    latest_[member] = kNever;
    for (std::uint32_t s = block.first; s < block.last; ++s) {
      if (lower_[member] + state_.remaining(s) > target) continue;
      ++starters_[s];
      starter_[s] = member;
    }
    work_ += (block.last - block.first) / 2;
  }
  for (std::uint32_t s = part.first; s < part.last; ++s) {
    if (starters_[s] != 1) continue;
    std::int64_t& latest = latest_[starter_[s]];
    latest = std::min(latest, target - state_.remaining(s));
  }
}

void SearchBounds::raise_forced(const Part& part, std::int64_t target, bool& changed) {
  find_forced(part, target);
  for (const BlockIndex member : part.members) {
    if (latest_[member] == kNever) continue;
    const std::int64_t end = lower_[member] + instance_.blocks[member].size;
    for (const BlockIndex other : overlaps_.by_index[member]) {
      const bool fits_below = lower_[other] + instance_.blocks[other].size <= latest_[member];
      if (state_.placed(other) || fits_below || lower_[other] >= end) continue;
      lower_[other] = end;
      changed = true;
    }
    work_ += static_cast<std::int64_t>(overlaps_.by_index[member].size());
  }
}

// The blocks of a section are stacked, so for each bound those with this bound or a higher one must
// fit between it and the target. (This is the bound for one machine with release times of
// scheduling theory.) Taking the members from the highest bound down checks all of them in one
// pass.
bool SearchBounds::sections_fit(const Part& part, std::int64_t target) {
  falling_.assign(part.members.begin(), part.members.end());
  std::sort(falling_.begin(), falling_.end(),
            [this](BlockIndex a, BlockIndex b) { return lower_[a] > lower_[b]; });
  std::fill(stacked_.begin() + part.first, stacked_.begin() + part.last, 0);
  for (const BlockIndex member : falling_) {
    const Block& block = instance_.blocks[member];
    const std::int64_t room = target - lower_[member];
    for (std::uint32_t s = block.first; s < block.last; ++s) {
      stacked_[s] += block.size;
      slack_[s] = room - stacked_[s];
      if (slack_[s] < 0) return false;
    }
    work_ += (block.last - block.first) / 4;
  }
  return true;
}

}  // namespace wick::compiler::pack
