// The judge of packings. Shares no code with the packers: it sweeps the caller's buffers, not the
// normal form, and keeps the living ranges ordered by offset. As they were disjoint before a birth,
// only the two neighbours of the new range can overlap it.

#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/plan/pack/pack.h"

namespace wick::compiler::pack {
namespace {

std::string describe(const Problem& problem, const std::vector<std::int64_t>& offsets,
                     std::size_t index) {
  const Buffer& buffer = problem.buffers[index];
  return "buffer " + std::to_string(index) + " (alive [" + std::to_string(buffer.lower) + ", " +
         std::to_string(buffer.upper) + "), bytes [" + std::to_string(offsets[index]) + ", " +
         std::to_string(offsets[index] + buffer.size) + "))";
}

std::optional<std::string> find_misplaced(const Problem& problem,
                                          const std::vector<std::int64_t>& offsets) {
  if (offsets.size() != problem.buffers.size()) {
    return std::to_string(offsets.size()) + " offsets for " +
           std::to_string(problem.buffers.size()) + " buffers";
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < 0) return describe(problem, offsets, i) + " starts below 0";
    if (offsets[i] % problem.buffers[i].alignment != 0) {
      return describe(problem, offsets, i) + " is not aligned to " +
             std::to_string(problem.buffers[i].alignment);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_overlap(const Problem& problem,
                                        const std::vector<std::int64_t>& offsets) {
  if (auto misplaced = find_misplaced(problem, offsets)) return misplaced;

  std::vector<std::tuple<std::int64_t, bool, std::size_t>> events;  // time, is a birth, buffer
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.size == 0 || buffer.lower == buffer.upper) continue;
    events.emplace_back(buffer.lower, true, i);
    events.emplace_back(buffer.upper, false, i);
  }
  std::sort(events.begin(), events.end());

  std::map<std::int64_t, std::size_t> alive;  // by offset
  for (const auto& event : events) {
    const std::size_t index = std::get<2>(event);
    const bool birth = std::get<1>(event);
    if (!birth) {
      alive.erase(offsets[index]);
      continue;
    }
    const auto overlap = [&](std::size_t other) {
      return describe(problem, offsets, std::min(index, other)) + " overlaps " +
             describe(problem, offsets, std::max(index, other));
    };
    const auto above = alive.lower_bound(offsets[index]);
    if (above != alive.end() && above->first < offsets[index] + problem.buffers[index].size) {
      return overlap(above->second);
    }
    if (above != alive.begin()) {
      const std::size_t below = std::prev(above)->second;
      if (offsets[below] + problem.buffers[below].size > offsets[index]) return overlap(below);
    }
    alive.emplace(offsets[index], index);
  }
  return std::nullopt;
}

}  // namespace wick::compiler::pack
