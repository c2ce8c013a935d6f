#include "compiler/fuse/row_program.h"

#include <algorithm>
#include <unordered_map>

namespace wick::compiler {
namespace {

using ops::FusionClass;

class Passes {
 public:
  Passes(const Graph& graph, const Clusters& clusters, const Cluster& cluster, Kernel& kernel,
         const std::function<std::uint32_t(ValueId)>& operand_index,
         const std::function<BodyId(Body)>& intern)
      : graph_(graph),
        clusters_(clusters),
        cluster_(cluster),
        kernel_(kernel),
        operand_index_(operand_index),
        intern_(intern) {}

  void build() {
    roots_ = {cluster_.root};
    roots_.insert(roots_.end(), cluster_.more_roots.begin(), cluster_.more_roots.end());
    choose_boundaries();
    for (const NodeId id : cluster_.nodes) {
      const ValueId value = graph_.nodes[id].results[0];
      if (is_reduction(id)) {
        add_pass(RowPass::Kind::kReduce, graph_.nodes[id].operands[0], value,
                 graph_.nodes[id].op->call.reducer);
      } else if (boundaries_.contains(value)) {
        const bool scalar = clusters_.level[id] == Level::kScalar;
        add_pass(scalar ? RowPass::Kind::kScalar : RowPass::Kind::kKeep, value, value);
        if (!scalar) reserve_row(value);
      }
    }
    for (std::uint32_t i = 0; i < roots_.size(); ++i) {
      const ValueId root = graph_.nodes[roots_[i]].results[0];
      add_pass(RowPass::Kind::kWrite, root, root);
      kernel_.passes.back().result = i;
    }
  }

 private:
  bool is_reduction(NodeId id) const {
    return graph_.nodes[id].op->fusion == FusionClass::kReduction;
  }
  bool is_expensive(NodeId id) const {
    return graph_.nodes[id].op->traits.cost == ops::Cost::kExpensive;
  }

  // Finds the values that get a pass of their own. Nodes are walked from the root back; `needing`
  // holds for each value of elements the passes in which it is computed, each named by the node
  // that asks for it, or that it writes.
  void choose_boundaries() {
    std::unordered_map<ValueId, std::vector<NodeId>> needing;
    const auto need = [&](ValueId value, NodeId pass) {
      std::vector<NodeId>& passes = needing[value];
      if (std::ranges::find(passes, pass) == passes.end()) passes.push_back(pass);
    };
    for (const NodeId root : roots_) need(graph_.nodes[root].results[0], root);  // the writes
    for (std::size_t i = cluster_.nodes.size(); i-- > 0;) {
      const NodeId id = cluster_.nodes[i];
      const Node& node = graph_.nodes[id];
      const ValueId value = node.results[0];
      std::vector<NodeId> passes = needing[value];
      if (is_reduction(id)) {
        passes = {id};
      } else if (passes.size() > 1 && (is_expensive(id) || clusters_.level[id] == Level::kScalar)) {
        boundaries_.insert({value, 0});
        passes = {id};
      } else if (clusters_.level[id] == Level::kScalar && feeds_elements(value)) {
        boundaries_.insert({value, 0});
        passes = {id};
      }
      for (const ValueId operand : node.operands) {
        for (const NodeId pass : passes) need(operand, pass);
      }
    }
  }

  // True if a value computed once per row is read for each element.
  bool feeds_elements(ValueId value) const {
    return std::ranges::any_of(cluster_.nodes, [&](NodeId id) {
      const bool elements = is_reduction(id) || clusters_.level[id] == Level::kElement;
      return elements &&
             std::ranges::find(graph_.nodes[id].operands, value) != graph_.nodes[id].operands.end();
    });
  }

  void add_pass(RowPass::Kind kind, ValueId computed, ValueId named,
                std::string_view reducer = {}) {
    const auto is_given = [&](ValueId value) {
      return source_.contains(value) || !is_inside(value);
    };
    const Slice slice = slice_body(graph_, cluster_.nodes, computed, is_given);
    RowPass pass;
    pass.kind = kind;
    pass.name = graph_.values[named].name;
    pass.reducer = reducer;
    if (kind != RowPass::Kind::kWrite && is_root(named)) pass.name = "row_" + pass.name;
    for (const ValueId parameter : slice.parameters) {
      const auto found = source_.find(parameter);
      pass.operands.push_back(found != source_.end() ? found->second
                                                     : RowOperand{RowOperand::Kind::kOperand,
                                                                  operand_index_(parameter)});
    }
    if (!slice.body.is_identity()) pass.body = intern_(slice.body);
    const auto same = std::ranges::find_if(kernel_.passes, [&](const RowPass& other) {
      return kind == RowPass::Kind::kReduce && other.kind == kind && other.reducer == reducer &&
             other.body == pass.body && other.operands == pass.operands;
    });
    const auto index = static_cast<std::uint32_t>(same - kernel_.passes.begin());
    const bool kept = kind == RowPass::Kind::kKeep;
    if (kind != RowPass::Kind::kWrite)
      source_[named] = {kept ? RowOperand::Kind::kKept : RowOperand::Kind::kScalar, index};
    if (same == kernel_.passes.end()) kernel_.passes.push_back(std::move(pass));
  }

  bool is_root(ValueId value) const {
    return std::ranges::any_of(roots_,
                               [&](NodeId root) { return graph_.nodes[root].results[0] == value; });
  }

  bool is_inside(ValueId value) const {
    const Value& v = graph_.values[value];
    return v.kind == ValueKind::kResult && std::ranges::binary_search(cluster_.nodes, v.producer);
  }

  void reserve_row(ValueId value) {
    std::int64_t length = 1;
    for (const std::int64_t axis : cluster_.axes)
      length *= cluster_.elements[static_cast<std::size_t>(axis)];
    const auto size = static_cast<std::int64_t>(size_of(graph_.values[value].type.dtype));
    kernel_.workspace += round_up(Bytes{length * size});
  }

  const Graph& graph_;
  const Clusters& clusters_;
  const Cluster& cluster_;
  Kernel& kernel_;
  const std::function<std::uint32_t(ValueId)>& operand_index_;
  const std::function<BodyId(Body)>& intern_;
  std::vector<NodeId> roots_;
  std::unordered_map<ValueId, char> boundaries_;  // values with a pass of their own
  std::unordered_map<ValueId, RowOperand>
      source_;  // where later passes find what earlier ones made
};

}  // namespace

void build_row_program(const Graph& graph, const Clusters& clusters, const Cluster& cluster,
                       Kernel& kernel, const std::function<std::uint32_t(ValueId)>& operand_index,
                       const std::function<BodyId(Body)>& intern) {
  Passes(graph, clusters, cluster, kernel, operand_index, intern).build();
}

}  // namespace wick::compiler
