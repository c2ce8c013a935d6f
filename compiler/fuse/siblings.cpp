// A group of clusters becomes one kernel, at the place of its first one. Its members
//
//   - run over the same elements along the same axes, rows that fit in a cache;
//   - read the same rows, and the same values that other kernels compute, but for results of other
//     members, of which there is one per row.
//
// Why no cycle arises: every member depends on all values that any member reads from other kernels.
// A way from a member out of the group and back in would end in such a value, which depends on the
// member then, and on which the member depends: a cycle before groups were made. The same holds for
// ways through several groups.
#include "compiler/fuse/siblings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

using ops::FusionClass;

constexpr const char* kApartNotInnermost =
    "they read the same elements, but the reduced axes are not innermost";
constexpr const char* kApartLong =
    "they read the same elements, but in rows too long to stay in cache from one to the other";
constexpr const char* kApartShort =
    "they read the same elements, but in rows so short that results count as much as elements";
constexpr const char* kApartAxes = "they read the same elements, but along other axes";
constexpr const char* kApartReads =
    "they read the same elements, but other values besides, or are together more than a kernel "
    "takes";
constexpr const char* kApartDropped =
    "they read the same elements, but one goes on with values that lack the reduced axes";
constexpr const char* kApartMemory =
    "they read the same elements, but together a result of all elements would cost memory";

// In elements. What shorter rows save is not worth the results' longer lives.
constexpr std::int64_t kShortestRow = 8;

class Siblings {
 public:
  Siblings(const Graph& graph, Clusters& clusters)
      : graph_(graph), clusters_(clusters), is_output_(graph.output_marks()) {}

  void merge() {
    const auto reduces = [](const Cluster& cluster) { return !cluster.reductions.empty(); };
    if (std::ranges::none_of(clusters_.clusters, reduces)) return;
    for (const NodeId id : ids(graph_.nodes)) {
      const ClusterId cluster = clusters_.of[id];
      if (cluster.valid() && clusters_.clusters[cluster].root == id) visit(cluster);
    }
    find_outer_reads();
    for (Cluster& cluster : clusters_.clusters) forget_inner_results(cluster);
    std::erase_if(clusters_.refusals, [&](const FusionRefusal& refusal) {
      return clusters_.of[refusal.producer] == clusters_.of[refusal.consumer];
    });
  }

 private:
  // What the members of a group have in common.
  struct Key {
    std::vector<std::int64_t> space;  // extents, then axes
    std::vector<ValueId> reads;       // rows, and what other kernels compute; sorted
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  const Shape& shape_of(ValueId value) const { return graph_.values[value].type.shape(); }
  bool is_reduction(NodeId id) const {
    return graph_.nodes[id].op->fusion == FusionClass::kReduction;
  }
  ValueId result_of(NodeId id) const { return graph_.nodes[id].results[0]; }

  void visit(ClusterId id) {
    const Cluster& cluster = clusters_.clusters[id];
    if (!cluster.fusible || cluster.product.valid() || graph_.nodes[cluster.root].cache) return;
    const char* reason = why_apart(cluster);
    if (reason == nullptr) {
      if (const auto leader = leader_for(cluster)) return join(*leader, id);
    }
    if (cluster.reductions.empty()) return;
    note(cluster, reason);
    if (reason == nullptr) groups_.emplace(key_of(cluster, cluster.axes, {}), id);
  }

  // Why a cluster can be in no group at all; null if it can.
  const char* why_apart(const Cluster& cluster) const {
    if (cluster.reductions.empty()) return nullptr;  // elements of a result: axes are the group's
    const auto rank = static_cast<std::int64_t>(cluster.elements.rank());
    std::int64_t length = 1;
    for (std::size_t i = 0; i < cluster.axes.size(); ++i) {
      const std::int64_t axis = cluster.axes[cluster.axes.size() - 1 - i];
      if (axis != rank - 1 - static_cast<std::int64_t>(i)) return kApartNotInnermost;
      length *= cluster.elements[static_cast<std::size_t>(axis)];
    }
    if (length > kLongestRow) return kApartLong;
    if (length < kShortestRow || !cluster.elements.has_elements()) return kApartShort;
    if (!ends_in_scalars(cluster)) return kApartDropped;
    return may_live_on(cluster) ? nullptr : kApartMemory;
  }

  // A row program reads what there is one of per row with the axes kept. Where they are dropped,
  // what is made of a reduction may read numbers besides, but no other values.
  bool ends_in_scalars(const Cluster& cluster) const {
    const Shape kept = kept_shape(cluster.elements, cluster.axes);
    for (const NodeId id : cluster.nodes) {
      if (is_reduction(id) || clusters_.level[id] != Level::kScalar) continue;
      if (shape_of(result_of(id)) == kept) continue;
      for (const ValueId operand : graph_.nodes[id].operands) {
        const bool inside = std::ranges::find(cluster.operands, operand) == cluster.operands.end();
        if (!inside && shape_of(operand).element_count() != 1) return false;
      }
    }
    return true;
  }

  bool has_elements(const Cluster& cluster, ValueId value) const {
    return shape_of(value) == cluster.elements;
  }

  // A result of all elements is an output, and could not overwrite the rows anyway.
  bool may_live_on(const Cluster& cluster) const {
    const ValueId result = result_of(cluster.root);
    if (!has_elements(cluster, result)) return true;
    return is_output_[result] != 0 && std::ranges::none_of(cluster.operands, [&](ValueId operand) {
             return has_elements(cluster, operand) && may_be_overwritten(operand);
           });
  }

  bool may_be_overwritten(ValueId value) const {
    const Value& v = graph_.values[value];
    return v.kind == ValueKind::kResult ||
           (v.kind == ValueKind::kInput && graph_.inputs[v.index].donate);
  }

  // The values that decide about the group of a cluster, without those in `members`.
  Key key_of(const Cluster& cluster, const std::vector<std::int64_t>& axes,
             const std::vector<ValueId>& members) const {
    Key key;
    key.space.assign(cluster.elements.extents().begin(), cluster.elements.extents().end());
    key.space.insert(key.space.end(), axes.begin(), axes.end());
    for (const ValueId operand : cluster.operands) {
      const bool counts =
          graph_.values[operand].kind == ValueKind::kResult || has_elements(cluster, operand);
      const bool is_member = std::ranges::find(members, operand) != members.end();
      if (counts && !is_member) key.reads.push_back(operand);
    }
    std::ranges::sort(key.reads);
    return key;
  }

  std::vector<ValueId> results_of(const Cluster& cluster) const {
    std::vector<ValueId> results = {result_of(cluster.root)};
    for (const NodeId root : cluster.more_roots) results.push_back(result_of(root));
    return results;
  }

  // The first cluster of the group that `cluster` belongs to.
  std::optional<ClusterId> leader_for(const Cluster& cluster) const {
    for (const ValueId operand : cluster.operands) {
      if (graph_.values[operand].kind != ValueKind::kResult) continue;
      const ClusterId id = clusters_.of[graph_.values[operand].producer];
      const Cluster& leader = clusters_.clusters[id];
      if (leader.reductions.empty() || !reads_scalars(cluster, leader)) continue;
      const auto group = groups_.find(key_of(cluster, leader.axes, results_of(leader)));
      if (group != groups_.end() && group->second == id && has_room(leader, cluster)) return id;
    }
    if (cluster.reductions.empty()) return std::nullopt;
    const auto group = groups_.find(key_of(cluster, cluster.axes, {}));
    if (group == groups_.end()) return std::nullopt;
    const bool room = has_room(clusters_.clusters[group->second], cluster);
    return room ? std::optional(group->second) : std::nullopt;
  }

  // Whether what `cluster` reads of the group is there once per row, with the axes kept.
  bool reads_scalars(const Cluster& cluster, const Cluster& leader) const {
    if (!cluster.reductions.empty() && cluster.axes != leader.axes) return false;
    const Shape kept = kept_shape(leader.elements, leader.axes);
    return std::ranges::all_of(results_of(leader), [&](ValueId result) {
      const bool reads = std::ranges::find(cluster.operands, result) != cluster.operands.end();
      return !reads || shape_of(result) == kept;
    });
  }

  bool has_room(const Cluster& leader, const Cluster& cluster) const {
    const auto is_whole = [&](ValueId result) { return has_elements(leader, result); };
    const std::vector<ValueId> results = results_of(cluster);
    const bool whole = std::ranges::any_of(results, is_whole);
    return leader.nodes.size() + cluster.nodes.size() <= kMostStatements &&
           leader.operands.size() + cluster.operands.size() <= kMostOperands &&
           leader.more_roots.size() + 1 + results.size() <= kMostResults &&
           !(whole && (!may_live_on(cluster) || std::ranges::any_of(results_of(leader), is_whole)));
  }

  void join(ClusterId leader_id, ClusterId id) {
    Cluster& leader = clusters_.clusters[leader_id];
    Cluster& cluster = clusters_.clusters[id];
    for (const NodeId node : cluster.nodes) {
      clusters_.of[node] = leader_id;
      leader.nodes.push_back(node);
    }
    std::sort(leader.nodes.begin(), leader.nodes.end());
    leader.more_roots.push_back(cluster.root);
    for (const NodeId root : cluster.more_roots) leader.more_roots.push_back(root);
    leader.rows = true;
    const std::vector<ValueId> results = results_of(leader);
    for (const ValueId operand : cluster.operands) {
      const bool known = std::ranges::find(leader.operands, operand) != leader.operands.end() ||
                         std::ranges::find(results, operand) != results.end();
      if (!known) leader.operands.push_back(operand);
    }
    for (const NodeId reduction : cluster.reductions) leader.reductions.push_back(reduction);
    cluster = Cluster();
  }

  // Which values are read from other kernels.
  void find_outer_reads() {
    read_outside_ = is_output_;
    for (const NodeId id : ids(graph_.nodes)) {
      if (!clusters_.of[id].valid()) continue;
      for (const ValueId operand : graph_.nodes[id].operands) {
        const Value& value = graph_.values[operand];
        if (value.kind != ValueKind::kResult) continue;
        if (clusters_.of[value.producer] != clusters_.of[id]) read_outside_[operand] = 1;
      }
    }
  }

  // What was read by other members alone needs no memory any more. A kernel stands at its root, so
  // that this stays the first of those behind which all operands are there.
  void forget_inner_results(Cluster& cluster) {
    if (cluster.more_roots.empty()) return;
    std::vector<NodeId> roots = {cluster.root};
    roots.insert(roots.end(), cluster.more_roots.begin(), cluster.more_roots.end());
    std::erase_if(roots, [&](NodeId root) { return read_outside_[result_of(root)] == 0; });
    std::ranges::sort(roots);
    const auto first = std::ranges::lower_bound(roots, cluster.root);
    check(first != roots.end(), "fuse: nobody reads a row program");
    cluster.root = *first;
    roots.erase(first);
    cluster.more_roots = roots;
  }

  // Says why a reduction is in no group with an earlier one that reads the same elements.
  void note(const Cluster& cluster, const char* reason) {
    std::vector<ValueId> rows;
    for (const ValueId operand : cluster.operands) {
      if (has_elements(cluster, operand)) rows.push_back(operand);
    }
    if (rows.empty()) return;
    std::ranges::sort(rows);
    const auto [at, is_first] = readers_.emplace(std::move(rows), Reader{cluster.root, reason});
    if (is_first) return;
    const Reader& first = at->second;
    const Cluster& other = clusters_.clusters[clusters_.of[first.root]];
    if (reason == nullptr) reason = first.reason;
    if (reason == nullptr) reason = other.axes != cluster.axes ? kApartAxes : kApartReads;
    clusters_.refusals.push_back({first.root, cluster.root, reason});
  }

  // The first reduction of some elements, and why it is in no group, if it is in none.
  struct Reader {
    NodeId root;
    const char* reason = nullptr;
  };

  const Graph& graph_;
  Clusters& clusters_;
  IdVector<ValueId, char> is_output_;
  IdVector<ValueId, char> read_outside_;  // outputs among them
  std::map<Key, ClusterId> groups_;
  std::map<std::vector<ValueId>, Reader> readers_;
};

}  // namespace

void merge_siblings(const Graph& graph, Clusters& clusters) { Siblings(graph, clusters).merge(); }

}  // namespace wick::compiler
