// Topological order of a graph given as numbers: shared by verification and by stages that change a
// graph.
#pragma once

#include <cstdint>
#include <vector>

namespace wick::compiler {

// Who reads whom: node i reads the nodes producers[first[i]] … producers[first[i + 1] - 1]. A
// producer may be named more than once.
struct Reads {
  std::vector<std::uint32_t> first = {0};
  std::vector<std::uint32_t> producers;

  std::size_t node_count() const { return first.size() - 1; }
  // Closes the list of the next node.
  void end_node() { first.push_back(static_cast<std::uint32_t>(producers.size())); }
};

// Producers before readers; of the nodes that could stand next, the smallest number. Nodes on a
// cycle, and those that depend on one, are left out. Cost: O(n log n), no recursion.
std::vector<std::uint32_t> topological_order(const Reads& reads);

// The cycles that keep nodes out of `order`: each node of a cycle is read by the next, the last by
// the first, and the smallest stands first. Cycles found share no node; while there is any, at
// least one is found. Cost: linear.
std::vector<std::vector<std::uint32_t>> find_cycles(const Reads& reads,
                                                    const std::vector<std::uint32_t>& order);

}  // namespace wick::compiler
