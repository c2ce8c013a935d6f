#include "compiler/plan/pack/best_fit.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace wick::compiler::pack {
namespace {

// The free ranges below the top of the arena. No two of them touch, and none touches the top: what
// is freed there lowers the top.
class FreeRanges {
 public:
  std::int64_t take(std::int64_t size, std::int64_t alignment) {
    auto fit = by_size_.lower_bound({size, 0});
    // A range of the right size may be misaligned; a few are tried before one that surely fits.
    for (int tries = 0; alignment > 1 && fit != by_size_.end(); ++tries, ++fit) {
      if (align_up(fit->second, alignment) + size <= fit->second + fit->first) break;
      if (tries == kTries) {
        fit = by_size_.lower_bound({size + alignment - 1, 0});
        break;
      }
    }
    if (fit == by_size_.end()) return extend(size, alignment);
    const std::int64_t start = fit->second;
    const std::int64_t end = start + fit->first;
    const std::int64_t offset = align_up(start, alignment);
    by_start_.erase(start);
    by_size_.erase(fit);
    add(start, offset);
    add(offset + size, end);
    return offset;
  }

  void give_back(std::int64_t start, std::int64_t end) {
    auto next = by_start_.lower_bound(start);
    if (next != by_start_.end() && next->first == end) {
      end = next->second;
      by_size_.erase({next->second - next->first, next->first});
      next = by_start_.erase(next);
    }
    if (next != by_start_.begin()) {
      const auto previous = std::prev(next);
      if (previous->second == start) {
        start = previous->first;
        by_size_.erase({previous->second - previous->first, previous->first});
        by_start_.erase(previous);
      }
    }
    if (end == top_) {
      top_ = start;
    } else {
      add(start, end);
    }
  }

 private:
  static constexpr int kTries = 8;

  std::int64_t extend(std::int64_t size, std::int64_t alignment) {
    const std::int64_t offset = align_up(top_, alignment);
    add(top_, offset);
    top_ = offset + size;
    return offset;
  }

  void add(std::int64_t start, std::int64_t end) {
    if (start == end) return;
    by_start_.emplace(start, end);
    by_size_.emplace(end - start, start);
  }

  std::map<std::int64_t, std::int64_t> by_start_;            // start -> end
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;  // (size, start)
  std::int64_t top_ = 0;
};

std::vector<std::uint32_t> order_of_birth(const Instance& instance, BirthOrder order) {
  std::vector<std::uint32_t> result(instance.blocks.size());
  std::iota(result.begin(), result.end(), 0U);
  const auto key = [&](const Block& block) {
    const double span = block.last - block.first;
    switch (order) {
      case BirthOrder::kLargest:
        return static_cast<double>(block.size);
      case BirthOrder::kLongest:
        return span;
      case BirthOrder::kBusiestArea:
        return span * static_cast<double>(block.size);
    }
    return 0.0;
  };
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    const Block& x = instance.blocks[a];
    const Block& y = instance.blocks[b];
    if (x.first != y.first) return x.first < y.first;
    const double key_x = key(x);
    const double key_y = key(y);
    return key_x != key_y ? key_x > key_y : a < b;
  };
  // Programs are often in that order as they are.
  if (!std::ranges::is_sorted(result, is_before)) std::ranges::sort(result, is_before);
  return result;
}

// Counting sort by section of death.
std::vector<std::uint32_t> order_of_death(const Instance& instance) {
  std::vector<std::uint32_t> start(instance.load.size() + 2, 0);
  for (const Block& block : instance.blocks) ++start[block.last + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> result(instance.blocks.size());
  for (std::uint32_t i = 0; i < result.size(); ++i) {
    result[start[instance.blocks[i].last]++] = i;
  }
  return result;
}

}  // namespace

Placement best_fit(const Instance& instance, BirthOrder order) {
  Placement placement;
  placement.offsets.assign(instance.blocks.size(), 0);
  FreeRanges free_ranges;
  const std::vector<std::uint32_t> deaths = order_of_death(instance);
  std::size_t dead = 0;
  for (const std::uint32_t index : order_of_birth(instance, order)) {
    const Block& block = instance.blocks[index];
    for (; instance.blocks[deaths[dead]].last <= block.first; ++dead) {
      const std::int64_t offset = placement.offsets[deaths[dead]];
      free_ranges.give_back(offset, offset + instance.blocks[deaths[dead]].size);
    }
    const std::int64_t offset = free_ranges.take(block.size, block.alignment);
    placement.offsets[index] = offset;
    placement.height = std::max(placement.height, offset + block.size);
  }
  return placement;
}

}  // namespace wick::compiler::pack
