#include "compiler/graph/order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace wick::compiler {
namespace {

// The same edges seen from the other end.
struct Readers {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> nodes;
};

Readers readers_of(const Reads& reads) {
  const std::size_t count = reads.node_count();
  Readers readers{std::vector<std::uint32_t>(count + 1, 0),
                  std::vector<std::uint32_t>(reads.producers.size())};
  for (const std::uint32_t producer : reads.producers) ++readers.first[producer + 1];
  for (std::size_t i = 0; i < count; ++i) readers.first[i + 1] += readers.first[i];
  std::vector<std::uint32_t> next(readers.first.begin(), readers.first.end() - 1);
  for (std::uint32_t node = 0; node < count; ++node) {
    for (std::uint32_t at = reads.first[node]; at < reads.first[node + 1]; ++at) {
      readers.nodes[next[reads.producers[at]]++] = node;
    }
  }
  return readers;
}

constexpr std::uint32_t kNone = 0xffffffff;

// A producer of `node` that is itself kept out of the order.
std::uint32_t blocking_producer(const Reads& reads, const std::vector<bool>& ordered,
                                std::uint32_t node) {
  for (std::uint32_t at = reads.first[node]; at < reads.first[node + 1]; ++at) {
    if (!ordered[reads.producers[at]]) return reads.producers[at];
  }
  return kNone;
}

}  // namespace

std::vector<std::uint32_t> topological_order(const Reads& reads) {
  const std::size_t count = reads.node_count();
  const Readers readers = readers_of(reads);
  std::vector<std::uint32_t> waiting_for(count);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t node = 0; node < count; ++node) {
    waiting_for[node] = reads.first[node + 1] - reads.first[node];
    if (waiting_for[node] == 0) ready.push(node);
  }
  std::vector<std::uint32_t> order;
  order.reserve(count);
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (std::uint32_t at = readers.first[node]; at < readers.first[node + 1]; ++at) {
      if (--waiting_for[readers.nodes[at]] == 0) ready.push(readers.nodes[at]);
    }
  }
  return order;
}

std::vector<std::vector<std::uint32_t>> find_cycles(const Reads& reads,
                                                    const std::vector<std::uint32_t>& order) {
  const std::size_t count = reads.node_count();
  std::vector<bool> ordered(count, false);
  for (const std::uint32_t node : order) ordered[node] = true;
  // Every node left out reads another one left out, so a walk from reader to producer must come
  // back to itself or meet an earlier walk.
  std::vector<std::uint32_t> walk_of(count, kNone);
  std::vector<std::vector<std::uint32_t>> cycles;
  for (std::uint32_t start = 0; start < count; ++start) {
    if (ordered[start] || walk_of[start] != kNone) continue;
    std::vector<std::uint32_t> walk;
    std::uint32_t node = start;
    while (walk_of[node] == kNone) {
      walk_of[node] = start;
      walk.push_back(node);
      node = blocking_producer(reads, ordered, node);
    }
    if (walk_of[node] != start) continue;
    std::vector<std::uint32_t> cycle(std::ranges::find(walk, node), walk.end());
    std::ranges::reverse(cycle);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

}  // namespace wick::compiler
