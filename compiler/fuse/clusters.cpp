// Greedy growth from consumers to producers. Nodes are visited in reverse topological order, so
// every user of a node has found its cluster before the node is looked at. A node joins the cluster
// of its users if they all are in one, if nothing outside needs its value, and if that cluster's
// loop visits exactly the node's elements: so nothing is ever computed twice, and no cycle can
// arise (a path out of the cluster and back would need a user outside).
//
// A cluster begins as a map over the root's elements. What it becomes depends on who joins:
//
//   an elementwise node of the loop's shape            stays what it is
//   a product of the loop's shape                      a product with an epilogue; takes no second
//   one a reduction whose result has the loop's shape      a reduction with an epilogue; the loop
//   now runs over its operand, and
//                                                      what was there before is computed once per
//                                                      row
//   a reduction of the loop's elements, read by them   a row program: several passes over a row
//
// For softmax(x) = e / sum(e), e = exp(x - max(x)): div is the root; sum joins (row program); exp
// joins, read by div and sum; sub joins; max joins. One kernel, and x its only operand.
//
// Clusters that read the same rows become one at last: siblings.h.
#include "compiler/fuse/clusters.h"

#include <algorithm>

#include "compiler/fuse/siblings.h"

namespace wick::compiler {
namespace {

using ops::FusionClass;

constexpr const char* kSeveralKernels = "its value is read by several kernels";
constexpr const char* kNeededOutside = "its value is an output or cached";
constexpr const char* kNotFusible = "the reader works on whole tensors, not on elements";
constexpr const char* kOtherShape =
    "its elements are not those of the reader's loop, it would be computed more than once";
constexpr const char* kFull = "the kernel has reached its limit of operations or operands";
constexpr const char* kOtherAxes = "the reader's row program reduces other axes";
constexpr const char* kProductReads = "a product reads whole rows and columns of it";
constexpr const char* kProductThere = "the reader already finishes a product";
constexpr const char* kLeftToProduct = "it finishes a product: left to the product's epilogue";
constexpr const char* kNotInnermost = "the reduced axes are not innermost";
constexpr const char* kLongRow = "the row is too long to stay in cache between passes";
constexpr const char* kNoKeptAxes = "a reduction read by elements has to keep its axes";

bool innermost(const std::vector<std::int64_t>& axes, std::size_t rank) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[axes.size() - 1 - i] != static_cast<std::int64_t>(rank - 1 - i)) return false;
  }
  return true;
}

std::int64_t row_length(const Shape& elements, const std::vector<std::int64_t>& axes) {
  std::int64_t length = 1;
  for (const std::int64_t axis : axes) length *= elements[static_cast<std::size_t>(axis)];
  return length;
}

// Who reads each value: lists that share one table, since most have one entry.
class UserLists {
 public:
  UserLists() = default;
  UserLists(std::size_t values, std::size_t nodes) : ends_(values) { entries_.reserve(2 * nodes); }

  void add(ValueId value, NodeId user) {
    Ends& ends = ends_[value];
    const auto at = static_cast<std::uint32_t>(entries_.size());
    if (ends.first == kNone) {
      ends.first = at;
    } else {
      entries_[ends.last].next = at;
    }
    ends.last = at;
    entries_.push_back({user, kNone});
  }

  bool empty(ValueId value) const { return ends_[value].first == kNone; }
  // Of a list that is not empty.
  NodeId front(ValueId value) const { return entries_[ends_[value].first].user; }
  NodeId back(ValueId value) const { return entries_[ends_[value].last].user; }

  template <class Predicate>
  bool all_of(ValueId value, Predicate&& predicate) const {
    for (std::uint32_t at = ends_[value].first; at != kNone; at = entries_[at].next) {
      if (!predicate(entries_[at].user)) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Ends {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  struct Entry {
    NodeId user;
    std::uint32_t next = kNone;
  };

  IdVector<ValueId, Ends> ends_;
  std::vector<Entry> entries_;
};

class Growth {
 public:
  Growth(const Graph& graph, const FuseOptions& options) : graph_(graph), options_(options) {}

  Clusters run() {
    const std::size_t count = graph_.nodes.size();
    result_.of = IdVector<NodeId, ClusterId>(count);
    result_.level = IdVector<NodeId, Level>(count, Level::kElement);
    users_ = UserLists(graph_.values.size(), count);
    needed_outside_ = graph_.output_marks();
    look_at_nodes();
    for (std::size_t i = count; i-- > 0;) visit(NodeId(i));
    for (Cluster& cluster : result_.clusters) std::ranges::reverse(cluster.nodes);
    return std::move(result_);
  }

 private:
  void visit(NodeId id) {
    const Node& node = graph_.nodes[id];
    const bool live = std::ranges::any_of(node.results, [&](ValueId value) {
      return needed_outside_[value] != 0 || !users_.empty(value);
    });
    if (!live) return;
    for (const ValueId operand : node.operands) {
      if (users_.empty(operand) || users_.back(operand) != id) users_.add(operand, id);
    }
    const char* refusal = options_.fuse ? join(id) : kNotFusible;
    if (refusal == nullptr) return;
    note_refusals(id, refusal);
    begin(id);
  }

  // All that is found on the way forward, in one walk: nodes are much memory.
  void look_at_nodes() {
    row_source_ = IdVector<ValueId, NodeId>(graph_.values.size());
    in_epilogue_ = IdVector<ValueId, char>(graph_.values.size(), 0);
    made_of_inputs_ = IdVector<ValueId, char>(graph_.values.size(), 1);
    for (const Input& input : graph_.inputs) made_of_inputs_[input.value] = input.donate ? 0 : 1;
    IdVector<ValueId, std::uint32_t> readers(graph_.values.size(), 0);
    bool has_products = false;
    for (const Node& node : graph_.nodes) {
      find_row_scalars(node);
      find_made_of_inputs(node);
      for (const ValueId operand : node.operands) ++readers[operand];
      has_products |= node.op->fusion == FusionClass::kProduct;
    }
    if (has_products) find_epilogues(readers);
  }

  // Values computed once per row from a reduction that keeps its axes, however many elementwise
  // steps after it: what makes a map over the rows' elements a row program. Their producers are
  // met, on the way back, before the reduction is.
  void find_row_scalars(const Node& node) {
    if (node.op->fusion == FusionClass::kReduction) {
      row_source_[node.results[0]] = graph_.values[node.results[0]].producer;
    } else if (node.op->fusion == FusionClass::kElementwise && !node.cache) {
      for (const ValueId operand : node.operands) {
        if (!row_source_[operand].valid() || shape_of(operand) != shape_of(node.results[0]))
          continue;
        row_source_[node.results[0]] = row_source_[operand];
      }
    }
  }

  // Values that elementwise operations, reductions and views make of inputs that are not donated,
  // and of constants.
  void find_made_of_inputs(const Node& node) {
    const FusionClass fusion = node.op->fusion;
    const bool is_light = fusion == FusionClass::kElementwise ||
                          fusion == FusionClass::kReduction || fusion == FusionClass::kLayout;
    const bool made =
        is_light && !node.cache && std::ranges::all_of(node.operands, [&](ValueId operand) {
          return made_of_inputs_[operand] != 0;
        });
    for (const ValueId result : node.results) made_of_inputs_[result] = made ? 1 : 0;
  }

  // Values that a product can hand over finished: its own, and what elementwise steps of one reader
  // each make of it. A row program, which would compute them in several passes, leaves them to the
  // product's epilogue.
  void find_epilogues(const IdVector<ValueId, std::uint32_t>& readers) {
    for (const Node& node : graph_.nodes) {
      const ValueId value = node.results[0];
      if (node.op->fusion == FusionClass::kProduct) in_epilogue_[value] = 1;
      if (node.op->fusion != FusionClass::kElementwise) continue;
      for (const ValueId operand : node.operands) {
        const bool handed_on = in_epilogue_[operand] != 0 && readers[operand] == 1;
        if (handed_on && shape_of(operand) == shape_of(value)) in_epilogue_[value] = 1;
      }
    }
  }

  void note_refusals(NodeId id, const char* reason) {
    if (!options_.fuse || !is_fusible(graph_.nodes[id])) return;
    const ValueId value = graph_.nodes[id].results[0];
    if (!users_.empty(value)) result_.refusals.push_back({id, users_.front(value), reason});
  }

  static bool is_fusible(const Node& node) {
    const FusionClass fusion = node.op->fusion;
    return fusion == FusionClass::kElementwise || fusion == FusionClass::kReduction ||
           fusion == FusionClass::kProduct;
  }

  const Shape& shape_of(ValueId value) const { return graph_.values[value].type.shape(); }

  void begin(NodeId id) {
    const Node& node = graph_.nodes[id];
    Cluster cluster;
    cluster.root = id;
    cluster.nodes = {id};
    cluster.fusible = is_fusible(node);
    cluster.elements = shape_of(node.results[0]);
    if (node.op->fusion == FusionClass::kProduct) cluster.product = id;
    if (node.op->fusion == FusionClass::kReduction) {
      cluster.reductions = {id};
      cluster.axes = node.attributes.integers("axes");
      cluster.elements = shape_of(node.operands[0]);
    }
    // What stands alone never grows, and may join a hundred thousand values.
    if (cluster.fusible) add_operands(cluster, node);
    result_.of[id] = result_.clusters.push_back(std::move(cluster));
  }

  void add_operands(Cluster& cluster, const Node& node) const {
    for (const ValueId operand : node.operands) {
      if (graph_.values[operand].kind == ValueKind::kLiteral) continue;
      if (std::ranges::find(cluster.operands, operand) == cluster.operands.end()) {
        cluster.operands.push_back(operand);
      }
    }
  }

  // Puts the node into its users' cluster and returns null, or says why not.
  const char* join(NodeId id) {
    const Node& node = graph_.nodes[id];
    if (!is_fusible(node)) return kNotFusible;
    const ValueId value = node.results[0];
    const bool given_out = needed_outside_[value] != 0;
    if (node.cache || (given_out && users_.empty(value))) return kNeededOutside;
    const ClusterId cluster_id = result_.of[users_.front(value)];
    const auto is_inside = [&](NodeId user) { return result_.of[user] == cluster_id; };
    if (!users_.all_of(value, is_inside)) return kSeveralKernels;
    Cluster& cluster = result_.clusters[cluster_id];
    if (!cluster.fusible) return kNotFusible;
    if (cluster.nodes.size() >= kMostStatements ||
        cluster.operands.size() + node.operands.size() > kMostOperands + 1) {
      return kFull;
    }
    if (given_out && !may_be_given_out(cluster, id)) return kNeededOutside;
    const char* refusal = fit(cluster, id);
    if (refusal != nullptr) return refusal;
    cluster.nodes.push_back(id);
    if (given_out) cluster.more_roots.push_back(id);
    const auto gone = std::ranges::remove(cluster.operands, value);
    cluster.operands.erase(gone.begin(), gone.end());
    add_operands(cluster, node);
    result_.of[id] = cluster_id;
    return nullptr;
  }

  // A row program may have further results, with one element per row. One with several results
  // overwrites none of its operands, so it costs memory unless these are the caller's.
  bool may_be_given_out(const Cluster& cluster, NodeId id) const {
    const Node& node = graph_.nodes[id];
    const Shape& shape = shape_of(node.results[0]);
    if (cluster.more_roots.size() + 2 > kMostResults || shape == cluster.elements) return false;
    if (made_of_inputs_[graph_.nodes[cluster.root].results[0]] == 0) return false;
    if (node.op->fusion == FusionClass::kReduction) return true;
    return node.op->fusion == FusionClass::kElementwise &&
           (cluster.rows || cluster.reductions.empty());
  }

  const char* fit(Cluster& cluster, NodeId id) {
    switch (graph_.nodes[id].op->fusion) {
      case FusionClass::kElementwise:
        return fit_elementwise(cluster, id);
      case FusionClass::kReduction:
        return fit_reduction(cluster, id);
      default:
        return fit_product(cluster, id);
    }
  }

  // At which level the users of a value read it; both, if they differ.
  struct Readers {
    bool element = false;
    bool scalar = false;
    bool product = false;  // the product itself reads it: whole rows and columns
  };
  Readers readers_of(const Cluster& cluster, ValueId value) const {
    Readers readers;
    users_.all_of(value, [&](NodeId user) {
      if (user == cluster.product) readers.product = true;
      const bool scalar = !is_reduction(user) && result_.level[user] == Level::kScalar;
      (scalar ? readers.scalar : readers.element) = true;
      return true;
    });
    return readers;
  }

  // True if a value computed once per row has a shape from which its readers read it rightly. A row
  // program keeps the reduced axes throughout, so that every operand of it broadcasts to the
  // elements; a reduction with an epilogue may drop them.
  bool fits_scalars(const Cluster& cluster, ValueId value, const Readers& readers) const {
    if (readers.element || cluster.rows)
      return shape_of(value) == kept_shape(cluster.elements, cluster.axes);
    return users_.all_of(value, [&](NodeId user) {
      return shape_of(graph_.nodes[user].results[0]) == shape_of(value);
    });
  }

  const char* fit_elementwise(Cluster& cluster, NodeId id) {
    const ValueId value = graph_.nodes[id].results[0];
    const Readers readers = readers_of(cluster, value);
    if (readers.product) return kProductReads;
    if (cluster.rows && in_epilogue_[value] != 0) return kLeftToProduct;
    if (shape_of(value) == cluster.elements && !readers.scalar) return nullptr;
    if (cluster.reductions.empty() && !cluster.rows && !cluster.product.valid() &&
        row_source_[value].valid()) {
      const Node& reduction = graph_.nodes[row_source_[value]];
      const char* refusal = fit_row_program(cluster, reduction);
      if (refusal != nullptr) return refusal;
      cluster.axes = reduction.attributes.integers("axes");
      cluster.rows = true;
    }
    const bool has_rows = cluster.rows || !cluster.reductions.empty();
    if (!has_rows || !fits_scalars(cluster, value, readers)) return kOtherShape;
    result_.level[id] = Level::kScalar;
    return nullptr;
  }

  const char* fit_product(Cluster& cluster, NodeId id) {
    if (cluster.product.valid()) return kProductThere;
    if (cluster.rows || !cluster.reductions.empty()) return kNotFusible;
    if (shape_of(graph_.nodes[id].results[0]) != cluster.elements) return kOtherShape;
    cluster.product = id;
    return nullptr;
  }

  const char* fit_reduction(Cluster& cluster, NodeId id) {
    const Node& node = graph_.nodes[id];
    const Shape& operand = shape_of(node.operands[0]);
    if (cluster.product.valid()) return kProductThere;
    const bool plain = cluster.reductions.empty() && !cluster.rows;
    if (plain && shape_of(node.results[0]) == cluster.elements) {
      for (const NodeId member : cluster.nodes) result_.level[member] = Level::kScalar;
      cluster.elements = operand;
      cluster.axes = node.attributes.integers("axes");
    } else {
      const char* refusal = fit_row_program(cluster, node);
      if (refusal != nullptr) return refusal;
      cluster.axes = node.attributes.integers("axes");
      cluster.rows = true;
    }
    cluster.reductions.push_back(id);
    return nullptr;
  }

  // Whether the cluster can be a row program with this reduction in it.
  const char* fit_row_program(const Cluster& cluster, const Node& node) const {
    const Shape& operand = shape_of(node.operands[0]);
    const auto& axes = node.attributes.integers("axes");
    if (operand != cluster.elements) return kOtherShape;
    const bool has_rows = cluster.rows || !cluster.reductions.empty();
    if (has_rows && axes != cluster.axes) return kOtherAxes;
    if (!innermost(axes, operand.rank())) return kNotInnermost;
    if (row_length(operand, axes) > kLongestRow) return kLongRow;
    const Shape kept = kept_shape(operand, axes);
    if (shape_of(node.results[0]) != kept) return kNoKeptAxes;
    for (const NodeId member : cluster.nodes) {
      const bool scalar = result_.level[member] == Level::kScalar || is_reduction(member);
      if (!scalar || shape_of(graph_.nodes[member].results[0]) == kept) continue;
      if (!is_reduction(member) && !reads_one_value(member)) return kNoKeptAxes;
    }
    return nullptr;
  }

  // Apart from numbers. What is computed from one reduction alone may lack the reduced axes: all
  // that matters is how the result is written.
  bool reads_one_value(NodeId id) const {
    return std::ranges::count_if(graph_.nodes[id].operands, [&](ValueId operand) {
             return shape_of(operand).element_count() != 1;
           }) <= 1;
  }

  bool is_reduction(NodeId id) const {
    return graph_.nodes[id].op->fusion == FusionClass::kReduction;
  }

  const Graph& graph_;
  const FuseOptions& options_;
  Clusters result_;
  UserLists users_;  // live ones only, each once
  IdVector<ValueId, char> needed_outside_;
  IdVector<ValueId, char> in_epilogue_;
  IdVector<ValueId, char> made_of_inputs_;
  IdVector<ValueId, NodeId>
      row_source_;  // the reduction that a value computed once per row comes from
};

}  // namespace

Shape kept_shape(const Shape& elements, const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> extents(elements.extents().begin(), elements.extents().end());
  for (const std::int64_t axis : axes) extents[static_cast<std::size_t>(axis)] = 1;
  return Shape::of(std::span<const std::int64_t>(extents));
}

Clusters find_clusters(const Graph& graph, const FuseOptions& options) {
  Clusters clusters = Growth(graph, options).run();
  if (options.fuse) merge_siblings(graph, clusters);
  return clusters;
}

}  // namespace wick::compiler
