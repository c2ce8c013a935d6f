#include "compiler/plan/pack/skyline.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <queue>
#include <utility>

namespace wick::compiler::pack {
namespace {

// Maximum over a range of sections, and assignment to a range: a segment tree whose assignments are
// pushed down lazily. An assigned value is never below what it replaces.
class Skyline {
 public:
  explicit Skyline(std::size_t sections) {
    while (leaves_ < sections) leaves_ *= 2;
    nodes_.assign(2 * leaves_, {});
  }

  std::int64_t highest(std::size_t first, std::size_t last) const {
    return highest(1, 0, leaves_, first, last);
  }

  void assign(std::size_t first, std::size_t last, std::int64_t value) {
    assign(1, 0, leaves_, first, last, value);
  }

 private:
  struct Node {
    std::int64_t max = 0;  // over the node's sections
    bool uniform = true;   // all of them have the value `max`
  };

  std::int64_t highest(std::size_t node, std::size_t from, std::size_t to, std::size_t first,
                       std::size_t last) const {
    if (last <= from || to <= first) return 0;
    if (nodes_[node].uniform || (first <= from && to <= last)) return nodes_[node].max;
    const std::size_t middle = (from + to) / 2;
    return std::max(highest(2 * node, from, middle, first, last),
                    highest(2 * node + 1, middle, to, first, last));
  }

  void assign(std::size_t node, std::size_t from, std::size_t to, std::size_t first,
              std::size_t last, std::int64_t value) {
    if (last <= from || to <= first) return;
    if (first <= from && to <= last) {
      nodes_[node] = {value, true};
      return;
    }
    if (nodes_[node].uniform) nodes_[2 * node] = nodes_[2 * node + 1] = nodes_[node];
    const std::size_t middle = (from + to) / 2;
    assign(2 * node, from, middle, first, last, value);
    assign(2 * node + 1, middle, to, first, last, value);
    nodes_[node] = {std::max(nodes_[2 * node].max, nodes_[2 * node + 1].max), false};
  }

  std::size_t leaves_ = 1;
  std::vector<Node> nodes_;
};

// For each block the highest load of its sections: a sparse table would need O(n log n) memory, the
// segment tree has all that is needed.
std::vector<std::int64_t> busiest_sections(const Instance& instance) {
  Skyline loads(instance.load.size());
  for (std::size_t s = 0; s < instance.load.size(); ++s) loads.assign(s, s + 1, instance.load[s]);
  std::vector<std::int64_t> result;
  result.reserve(instance.blocks.size());
  for (const Block& block : instance.blocks) {
    result.push_back(loads.highest(block.first, block.last));
  }
  return result;
}

// The blocks in order of the key; the other criteria decide between equals.
std::vector<std::uint32_t> sorted_by(const Instance& instance, SkylineKey key) {
  const std::vector<std::int64_t> busiest = busiest_sections(instance);
  const auto criteria = [&](std::uint32_t index) {
    const Block& block = instance.blocks[index];
    const double load = static_cast<double>(busiest[index]);
    const double span = block.last - block.first;
    const double size = static_cast<double>(block.size);
    switch (key) {
      case SkylineKey::kBusiest:
        return std::array<double, 3>{load, span, size};
      case SkylineKey::kLongest:
        return std::array<double, 3>{span, load, size};
      case SkylineKey::kArea:
        return std::array<double, 3>{span * size, load, span};
      case SkylineKey::kLargest:
        return std::array<double, 3>{size, span, load};
    }
    return std::array<double, 3>{};
  };
  std::vector<std::pair<std::array<double, 3>, std::uint32_t>> keyed;
  keyed.reserve(instance.blocks.size());
  for (std::uint32_t i = 0; i < instance.blocks.size(); ++i) keyed.emplace_back(criteria(i), i);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::uint32_t> order;
  order.reserve(keyed.size());
  for (const auto& entry : keyed) order.push_back(entry.second);
  return order;
}

}  // namespace

std::optional<Placement> skyline(const Instance& instance, SkylineKey key, std::int64_t max_pops) {
  const std::vector<std::uint32_t> order = sorted_by(instance, key);
  Placement placement;
  placement.offsets.assign(order.size(), 0);
  Skyline floor(instance.load.size());

  using Entry = std::pair<std::int64_t, std::uint32_t>;  // lowest offset when last seen, rank
  std::vector<Entry> entries;
  entries.reserve(order.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) entries.emplace_back(0, rank);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap(std::greater<>(),
                                                                      std::move(entries));
  for (std::int64_t pops = 0; !heap.empty(); ++pops) {
    if (pops == max_pops) return std::nullopt;
    const auto [seen, rank] = heap.top();
    heap.pop();
    const Block& block = instance.blocks[order[rank]];
    const std::int64_t offset = align_up(floor.highest(block.first, block.last), block.alignment);
    if (offset != seen) {
      heap.emplace(offset, rank);
      continue;
    }
    placement.offsets[order[rank]] = offset;
    placement.height = std::max(placement.height, offset + block.size);
    floor.assign(block.first, block.last, offset + block.size);
  }
  return placement;
}

}  // namespace wick::compiler::pack
