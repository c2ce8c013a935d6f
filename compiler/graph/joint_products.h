// Products of one left operand with constants, which one product could compute: attention's Q, K
// and V, the gates of a recurrent cell.
//
//   q = x @ Wq + bq        p = x @ [Wq | Wk | Wv] + [bq | bk | bv]
//   k = x @ Wk + bk   ->   q, k, v = columns of p
//   v = x @ Wv + bv
//
// No bit changes: the sum of an element runs over k in order, whatever columns there are besides.
// What is saved: a product computes whole vectors of columns, so that eight columns cost as much as
// sixteen; together they fill the vectors. What it costs: all results live until the last is read,
// and are read as columns of a wider matrix. Where columns fill whole vectors by themselves joining
// them has been measured to save nothing (128 x 256 by 256 x 256 thrice) or to lose a twentieth.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace wick::compiler {

// A group of at least two products.
struct JointProducts {
  // Nodes by stage, in each stage one for each product and in their order: the products themselves,
  // then elementwise operations that all of them go on with, alike but for constant rows.
  std::vector<std::vector<NodeId>> stages;
  std::vector<std::int64_t> columns;  // of each product
  const char* refusal = nullptr;      // why they stay apart; null if they are worth joining

  // The nodes whose results become columns of one result.
  const std::vector<NodeId>& last() const { return stages.back(); }
};

// In the order of their first products. Every node is in one group at most. Cost: O(n log n) in
// nodes and operands.
std::vector<JointProducts> find_joint_products(const Graph& graph);

}  // namespace wick::compiler
