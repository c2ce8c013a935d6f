// Which nodes are computed together: the decisions of fusion, before any loop is written.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/fuse/fuse.h"
#include "compiler/fuse/fused_graph.h"
#include "compiler/graph/graph.h"

namespace wick::compiler {

using ClusterId = Id<struct ClusterTag>;

// In a cluster with reductions, how often a node is computed: for each element of a row, or once
// per row.
enum class Level : std::uint8_t { kElement, kScalar };

// A set of nodes that becomes one kernel. Only the results of roots exist in memory; every other
// value is read inside the cluster alone.
struct Cluster {
  NodeId root;
  ShortVector<NodeId, 2> more_roots;  // of a row program with several results, after `root`
  ShortVector<NodeId, 2> nodes;       // in topological order once finished
  bool fusible = false;  // elementwise operations, reductions and products: the others stand alone
  Shape elements;        // what the loop runs over
  NodeId product;        // the product whose finished elements the cluster works on, if any
  ShortVector<NodeId, 2> reductions;
  std::vector<std::int64_t> axes;    // of the reductions
  bool rows = false;                 // elements are read after a reduction of theirs: a row program
  ShortVector<ValueId, 4> operands;  // values from outside, each once (at most, while growing)
};

struct Clusters {
  IdVector<ClusterId, Cluster> clusters;
  IdVector<NodeId, ClusterId> of;  // invalid: the node is dead
  IdVector<NodeId, Level> level;
  std::vector<FusionRefusal> refusals;
};

// The shape that is left of `elements` with the extents of `axes` made 1.
Shape kept_shape(const Shape& elements, const std::vector<std::int64_t>& axes);

// Guarantees: no cycle between clusters; a value read by several clusters, given out or cached is a
// root; at most kMostStatements nodes and kMostOperands operands each. Nodes that nothing needs
// belong to no cluster. Cost: linear in nodes and operands.
Clusters find_clusters(const Graph& graph, const FuseOptions& options);

// g++ -O3 takes more than proportionally longer for longer kernels.
inline constexpr std::size_t kMostStatements = 64;
inline constexpr std::size_t kMostOperands = 16;
inline constexpr std::size_t kMostResults = 8;  // of a row program
// The longest row of a row program, in elements: what stays in a first-level cache while passes go
// over it.
inline constexpr std::int64_t kLongestRow = 32768;

}  // namespace wick::compiler
