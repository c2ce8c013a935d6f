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

// The numbers of `keys`, in the order of the keys and then of the numbers. Times are steps of a
// program, and sections are numbered: if keys lie close together, they are counted out.
std::vector<std::uint32_t> order_of(const std::vector<std::int64_t>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  const auto [least, most] = std::ranges::minmax(keys);
  const std::uint64_t range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  if (range > 4 * keys.size()) {
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
    return order;
  }
  std::vector<std::uint32_t> next(range + 2);
  for (const std::int64_t key : keys) ++next[static_cast<std::size_t>(key - least) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    order[next[static_cast<std::size_t>(keys[i] - least)]++] = i;
  }
  return order;
}

// Numbers the sections, gives each block its own, and counts the overlapping pairs.
void assign_sections(const Problem& problem, Instance& instance) {
  std::vector<std::int64_t> lower, upper;
  lower.reserve(instance.blocks.size());
  upper.reserve(instance.blocks.size());
  for (const std::size_t index : instance.origin) {
    lower.push_back(problem.buffers[index].lower);
    upper.push_back(problem.buffers[index].upper);
  }
  const std::vector<std::uint32_t> births = order_of(lower);
  const std::vector<std::uint32_t> deaths = order_of(upper);
  std::uint32_t section = 0;
  std::int64_t alive = 0;
  auto dead = deaths.begin();
  for (const std::uint32_t born : births) {
    // Deaths come before births of the same time: intervals are half-open.
    const auto before = dead;
    for (; upper[*dead] <= lower[born]; ++dead, --alive) instance.blocks[*dead].last = section + 1;
    if (dead != before) ++section;
    instance.blocks[born].first = section;
    instance.pairs += alive++;
  }
  for (; dead != deaths.end(); ++dead) instance.blocks[*dead].last = section + 1;
  instance.load.assign(std::size_t{section} + 1, 0);
}

void sort_blocks(Instance& instance) {
  std::vector<std::int64_t> firsts;
  firsts.reserve(instance.blocks.size());
  for (const Block& block : instance.blocks) firsts.push_back(block.first);
  std::vector<std::uint32_t> order = order_of(firsts);
  const auto in_section = [&](std::uint32_t a, std::uint32_t b) {
    const Block& x = instance.blocks[a];
    const Block& y = instance.blocks[b];
    return std::tie(x.last, x.size, x.alignment, a) < std::tie(y.last, y.size, y.alignment, b);
  };
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(begin, order.end(), [&](std::uint32_t i) {
      return instance.blocks[i].first != instance.blocks[*begin].first;
    });
    if (!std::is_sorted(begin, end, in_section)) std::sort(begin, end, in_section);
    begin = end;
  }
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
