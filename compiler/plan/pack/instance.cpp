#include "compiler/plan/pack/instance.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace wick::compiler::pack {
namespace {

bool takes_space(const Buffer& buffer) { return buffer.size > 0 && buffer.lower < buffer.upper; }

// The unit of offsets: see the header. Sizes are rounded up to the common alignment first, which
// loses nothing, because no block can start inside such a unit.
std::int64_t find_unit(const Problem& problem, const std::vector<std::size_t>& origin) {
  std::int64_t common = 0;
  std::int64_t widest = 1;
  for (const std::size_t index : origin) {
    common = std::gcd(common, problem.buffers[index].alignment);
    widest = std::max(widest, problem.buffers[index].alignment);
  }
  if (common != widest) return std::max<std::int64_t>(common, 1);
  std::int64_t unit = 0;
  for (const std::size_t index : origin) {
    unit = std::gcd(unit, align_up(problem.buffers[index].size, common));
  }
  return std::max<std::int64_t>(unit, 1);
}

struct Event {
  std::int64_t time;
  bool birth;  // deaths sort before births of the same time: intervals are half-open
  std::uint32_t block;

  bool operator<(const Event& other) const {
    return std::tie(time, birth) < std::tie(other.time, other.birth);
  }
};

// Numbers the sections, gives each block its own, and counts the overlapping pairs.
void assign_sections(const Problem& problem, Instance& instance) {
  std::vector<Event> events;
  events.reserve(2 * instance.blocks.size());
  for (std::size_t i = 0; i < instance.blocks.size(); ++i) {
    const Buffer& buffer = problem.buffers[instance.origin[i]];
    events.push_back({buffer.lower, true, static_cast<std::uint32_t>(i)});
    events.push_back({buffer.upper, false, static_cast<std::uint32_t>(i)});
  }
  std::sort(events.begin(), events.end());

  std::uint32_t section = 0;
  std::int64_t alive = 0;
  bool death_since_birth = false;
  for (const Event& event : events) {
    Block& block = instance.blocks[event.block];
    if (event.birth) {
      if (death_since_birth) ++section;
      death_since_birth = false;
      block.first = section;
      instance.pairs += alive++;
    } else {
      death_since_birth = true;
      block.last = section + 1;
      --alive;
    }
  }
  instance.load.assign(std::size_t{section} + 1, 0);
}

void sort_blocks(Instance& instance) {
  std::vector<std::uint32_t> order(instance.blocks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Block& x = instance.blocks[a];
    const Block& y = instance.blocks[b];
    return std::tie(x.first, x.last, x.size, x.alignment, a) <
           std::tie(y.first, y.last, y.size, y.alignment, b);
  });
  std::vector<Block> blocks;
  std::vector<std::size_t> origin;
  blocks.reserve(order.size());
  origin.reserve(order.size());
  for (const std::uint32_t index : order) {
    blocks.push_back(instance.blocks[index]);
    origin.push_back(instance.origin[index]);
  }
  instance.blocks = std::move(blocks);
  instance.origin = std::move(origin);
}

void measure_load(Instance& instance) {
  const std::size_t sections = instance.load.size();
  std::vector<std::int64_t> change(sections + 1, 0);
  for (const Block& block : instance.blocks) {
    change[block.first] += block.size;
    change[block.last] -= block.size;
  }
  std::int64_t alive = 0;
  for (std::size_t s = 0; s < sections; ++s) {
    alive += change[s];
    instance.load[s] = alive;
    instance.bound = std::max(instance.bound, alive);
  }
}

}  // namespace

Instance make_instance(const Problem& problem) {
  Instance instance;
  std::int64_t common = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (!takes_space(problem.buffers[i])) continue;
    instance.origin.push_back(i);
    common = std::gcd(common, problem.buffers[i].alignment);
  }
  if (instance.origin.empty()) return instance;
  instance.unit = find_unit(problem, instance.origin);
  instance.blocks.reserve(instance.origin.size());
  for (const std::size_t index : instance.origin) {
    const Buffer& buffer = problem.buffers[index];
    instance.blocks.push_back({0, 0, align_up(buffer.size, common) / instance.unit,
                               std::max<std::int64_t>(buffer.alignment / instance.unit, 1)});
  }
  assign_sections(problem, instance);
  sort_blocks(instance);
  measure_load(instance);
  return instance;
}

Instance reversed(const Instance& instance) {
  Instance result = instance;
  const auto sections = static_cast<std::uint32_t>(instance.load.size());
  for (Block& block : result.blocks) {
    const std::uint32_t first = block.first;
    block.first = sections - block.last;
    block.last = sections - first;
  }
  std::reverse(result.load.begin(), result.load.end());
  return result;
}

}  // namespace wick::compiler::pack
