#include "compiler/simplify/join_products.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/builder.h"
#include "compiler/graph/joint_products.h"
#include "compiler/ops/cutting.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

constexpr std::size_t kMostNamed = 4;

// "q_k_v", or "g0_to_g9" of many.
std::string joined_name(const std::vector<std::string>& names) {
  if (names.size() > kMostNamed) return names.front() + "_to_" + names.back();
  return joined(names, "_");
}

// [rows, columns] or [columns], side by side.
HostTensor side_by_side(const std::vector<const HostTensor*>& parts) {
  const std::size_t rank = parts[0]->shape().rank();
  std::vector<std::int64_t> extents(parts[0]->shape().extents().begin(),
                                    parts[0]->shape().extents().end());
  extents.back() = 0;
  for (const HostTensor* part : parts) extents.back() += part->shape()[rank - 1];
  HostTensor whole(parts[0]->dtype(), Shape::of(extents));
  const auto rows = rank == 1 ? std::int64_t{1} : extents[0];
  auto to = whole.mutable_bytes().begin();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (const HostTensor* part : parts) {
      const auto size = static_cast<std::ptrdiff_t>(part->bytes().size()) / rows;
      to = std::copy_n(part->bytes().begin() + row * size, size, to);
    }
  }
  return whole;
}

class Joining {
 public:
  Joining(const Graph& graph, std::vector<JointProducts> groups)
      : graph_(graph),
        groups_(std::move(groups)),
        builder_(graph.name, graph.description),
        new_ids_(graph.values.size()),
        group_of_(graph.nodes.size(), kNone) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const std::vector<NodeId>& stage : groups_[i].stages) {
        for (const NodeId id : stage) group_of_[id] = i;
      }
    }
  }

  Graph run() {
    builder_.take_names(graph_);
    for (const Input& input : graph_.inputs) new_ids_[input.value] = builder_.copy(graph_, input);
    for (const Constant& constant : graph_.constants)
      new_ids_[constant.value] = builder_.copy(graph_, constant);
    for (const NodeId id : ids(graph_.nodes)) {
      if (group_of_[id] == kNone) {
        copy(id);
      } else if (groups_[group_of_[id]].stages[0][0] == id) {
        join(groups_[group_of_[id]]);
      }
    }
    for (const Output& output : graph_.outputs)
      builder_.output(new_ids_[output.value], output.position);
    return builder_.finish();
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void copy(NodeId id) {
    const Node& node = graph_.nodes[id];
    ValueList operands;
    for (const ValueId operand : node.operands) operands.push_back(new_ids_[operand]);
    const NodeId made = builder_.copy(graph_, node, std::move(operands));
    for (std::size_t i = 0; i < node.results.size(); ++i)
      new_ids_[node.results[i]] = builder_.so_far().nodes[made].results[i];
  }

  std::vector<std::string> names_of(const std::vector<ValueId>& values) const {
    std::vector<std::string> names;
    for (const ValueId value : values) names.push_back(graph_.values[value].name);
    return names;
  }

  static std::vector<ValueId> results_of(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<ValueId> results;
    for (const NodeId id : nodes) results.push_back(graph.nodes[id].results[0]);
    return results;
  }

  // The constants that the nodes read as operand `index`, as one.
  ValueId joint_constant(const std::vector<NodeId>& nodes, std::size_t index) {
    std::vector<const HostTensor*> parts;
    std::vector<ValueId> values;
    for (const NodeId id : nodes) {
      values.push_back(graph_.nodes[id].operands[index]);
      parts.push_back(&graph_.constant_of(values.back()).data);
    }
    const Constant& first = graph_.constant_of(values[0]);
    return builder_.constant(builder_.unique_name(joined_name(names_of(values))),
                             side_by_side(parts), "", first.position);
  }

  void join(const JointProducts& group) {
    std::int64_t columns = 0;
    for (const std::int64_t each : group.columns) columns += each;
    const std::string name = joined_name(names_of(results_of(graph_, group.last())));
    ValueId before, made;
    for (std::size_t stage = 0; stage < group.stages.size(); ++stage) {
      const std::vector<NodeId>& nodes = group.stages[stage];
      Node node = graph_.nodes[nodes[0]];
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const ValueId operand = node.operands[i];
        const bool is_left = stage == 0 && i == 0;
        node.operands[i] = is_left             ? new_ids_[operand]
                           : operand == before ? made
                                               : joint_constant(nodes, i);
      }
      before = graph_.nodes[nodes[0]].results[0];
      ops::TensorType type = graph_.values[before].type;
      std::vector<std::int64_t> extents(type.shape().extents().begin(),
                                        type.shape().extents().end());
      extents.back() = columns;
      type.layout = Layout(Shape::of(extents));
      const bool is_last = stage + 1 == group.stages.size();
      const std::string suffix = is_last      ? ""
                                 : stage == 0 ? ".product"
                                              : ".step" + std::to_string(stage);
      const NodeId id =
          builder_.node(std::move(node), {builder_.unique_name(name + suffix)}, {type});
      made = builder_.so_far().nodes[id].results[0];
    }
    cut(group, made);
  }

  void cut(const JointProducts& group, ValueId made) {
    const auto rank = static_cast<std::int64_t>(builder_.value(made).type.shape().rank());
    const std::vector<ValueId> results = results_of(graph_, group.last());
    const NodeId id =
        builder_.call(ops::cutting(), {made}, {{"axis", rank - 1}, {"sizes", group.columns}},
                      graph_.values[results[0]].name, graph_.nodes[group.last()[0]].position);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ValueId part = builder_.so_far().nodes[id].results[i];
      builder_.rename(part, graph_.values[results[i]].name);
      new_ids_[results[i]] = part;
    }
  }

  const Graph& graph_;
  std::vector<JointProducts> groups_;
  GraphBuilder builder_;
  IdVector<ValueId, ValueId> new_ids_;
  IdVector<NodeId, std::size_t> group_of_;
};

}  // namespace

Graph join_products(Graph graph) {
  std::vector<JointProducts> groups = find_joint_products(graph);
  std::erase_if(groups, [](const JointProducts& group) { return group.refusal != nullptr; });
  if (groups.empty()) return graph;
  return Joining(graph, std::move(groups)).run();
}

}  // namespace wick::compiler
