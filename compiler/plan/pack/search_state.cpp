#include "compiler/plan/pack/search_state.h"

#include <algorithm>
#include <tuple>

namespace wick::compiler::pack {

Overlaps::Overlaps(const Instance& instance) {
  const std::vector<Block>& blocks = instance.blocks;
  const auto count = static_cast<BlockIndex>(blocks.size());
  by_index.resize(count);
  twin.assign(count, kNoBlock);
  for (BlockIndex i = 0; i < count; ++i) {
    for (BlockIndex j = i + 1; j < count && blocks[j].first < blocks[i].last; ++j) {
      by_index[i].push_back(j);
      by_index[j].push_back(i);
    }
    const auto identity = [&](BlockIndex block) {
      return std::tie(blocks[block].first, blocks[block].last, blocks[block].size,
                      blocks[block].alignment);
    };
    if (i > 0 && identity(i - 1) == identity(i)) twin[i] = i - 1;
  }
  by_size = by_index;
  for (std::vector<BlockIndex>& others : by_size) {
    std::sort(others.begin(), others.end(), [&](BlockIndex a, BlockIndex b) {
      return blocks[a].size != blocks[b].size ? blocks[a].size > blocks[b].size : a < b;
    });
  }
}

SearchState::SearchState(const Instance& instance, const Overlaps& overlaps)
    : instance_(instance), overlaps_(overlaps) {
  reset();
}

void SearchState::reset() {
  rest_.assign(instance_.blocks.size(), 0);
  skipped_.assign(instance_.blocks.size(), 0);
  placed_.assign(instance_.blocks.size(), 0);
  remaining_ = instance_.load;
  trail_.clear();
}

void SearchState::place(BlockIndex block) {
  const Block& placed = instance_.blocks[block];
  placed_[block] = 1;
  for (std::uint32_t s = placed.first; s < placed.last; ++s) remaining_[s] -= placed.size;
  const std::int64_t top = end(block);
  for (const BlockIndex other : overlaps_.by_index[block]) {
    if (placed_[other] || top <= rest_[other]) continue;
    trail_.push_back({other, skipped(other), rest_[other]});
    rest_[other] = align_up(top, instance_.blocks[other].alignment);
    skipped_[other] = 0;
  }
}

void SearchState::unplace(BlockIndex block) {
  const Block& placed = instance_.blocks[block];
  placed_[block] = 0;
  for (std::uint32_t s = placed.first; s < placed.last; ++s) remaining_[s] += placed.size;
}

void SearchState::skip(BlockIndex block) {
  trail_.push_back({block, skipped(block), rest_[block]});
  skipped_[block] = 1;
}

void SearchState::undo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change& change = trail_.back();
    skipped_[change.block] = change.skipped;
    rest_[change.block] = change.rest;
  }
}

StateHash SearchState::hash(const Part& part, std::int64_t target) const {
  StateHash hash;
  hash.add(static_cast<std::uint64_t>(target), UINT64_MAX);
  for (const BlockIndex member : part.members) {
    hash.add(2 * static_cast<std::uint64_t>(rest_[member]) + (skipped(member) ? 1U : 0U), member);
  }
  return hash;
}

}  // namespace wick::compiler::pack
