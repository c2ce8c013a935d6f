#include "compiler/simplify/live.h"

#include <algorithm>
#include <utility>

#include "compiler/graph/builder.h"
#include "compiler/graph/infer.h"

namespace wick::compiler {
namespace {

// What a value depends on, beyond constants.
enum class Dependence : std::uint8_t {
  kFree,       // a constant, or as good as one: a view of a constant, a node without operands
  kConstants,  // computed from constants
  kCall,       // inputs: differs from call to call, or from binding to binding
};

// True if the results are the operand's bytes themselves.
bool is_free(const Graph& graph, const Node& node) {
  if (node.operands.empty()) return true;
  const Layout& operand = graph.values[node.operands[0]].type.layout;
  if (node.op->fusion == ops::FusionClass::kPack) return operand.is_packed();
  if (node.op->fusion != ops::FusionClass::kLayout) return false;
  const Shape& result = graph.values[node.results[0]].type.shape();
  return view_layout(*node.op, operand, node.attributes, result, 0).has_value();
}

Dependence dependence_of(const Graph& graph, const Node& node,
                         const IdVector<ValueId, Dependence>& values) {
  Dependence most = Dependence::kFree;
  for (const ValueId operand : node.operands) most = std::max(most, values[operand]);
  if (most == Dependence::kFree && (node.cache || !is_free(graph, node))) {
    return Dependence::kConstants;
  }
  return most;
}

IdVector<ValueId, Dependence> dependences(const Graph& graph) {
  IdVector<ValueId, Dependence> values(graph.values.size(), Dependence::kFree);
  for (const Input& input : graph.inputs) values[input.value] = Dependence::kCall;
  for (const Node& node : graph.nodes) {
    const Dependence dependence = dependence_of(graph, node, values);
    for (const ValueId result : node.results) values[result] = dependence;
  }
  return values;
}

bool any_needed(const Node& node, const IdVector<ValueId, char>& needed) {
  for (const ValueId result : node.results) {
    if (needed[result] != 0) return true;
  }
  return false;
}

}  // namespace

IdVector<NodeId, bool> live_nodes(const Graph& graph) {
  IdVector<NodeId, bool> live(graph.nodes.size(), false);
  IdVector<ValueId, char> needed = graph.output_marks();
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[NodeId(i)];
    if (!any_needed(node, needed)) continue;
    live[NodeId(i)] = true;
    for (const ValueId operand : node.operands) needed[operand] = 1;
  }
  return live;
}

IdVector<NodeId, bool> constant_frontier(const Graph& graph) {
  const IdVector<ValueId, Dependence> values = dependences(graph);
  IdVector<NodeId, bool> frontier(graph.nodes.size(), false);
  IdVector<ValueId, char> needed = graph.output_marks();
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const NodeId id(i);
    const Node& node = graph.nodes[id];
    if (!any_needed(node, needed)) continue;
    const bool varies = values[node.results[0]] == Dependence::kCall;
    if (varies || (is_free(graph, node) && !node.cache)) {
      for (const ValueId operand : node.operands) needed[operand] = 1;
    } else {
      frontier[id] = true;
    }
  }
  return frontier;
}

Graph without_dead_code(Graph graph, const IdVector<NodeId, bool>& cached) {
  const IdVector<NodeId, bool> live = live_nodes(graph);
  for (const NodeId id : ids(graph.nodes)) graph.nodes[id].cache |= cached[id];
  IdVector<ValueId, char> used = graph.output_marks();
  for (const NodeId id : ids(graph.nodes)) {
    if (!live[id]) continue;
    for (const ValueId operand : graph.nodes[id].operands) used[operand] = 1;
  }

  const bool all_used = std::ranges::all_of(
      graph.constants, [&](const Constant& constant) { return used[constant.value] != 0; });
  if (all_used && std::ranges::find(live, false) == live.end()) return graph;

  GraphBuilder builder(graph.name, graph.description);
  builder.reserve(graph.nodes.size(), graph.values.size());
  IdVector<ValueId, ValueId> new_ids(graph.values.size());
  for (const Input& input : graph.inputs) new_ids[input.value] = builder.copy(graph, input);
  for (const Constant& constant : graph.constants) {
    if (used[constant.value] != 0) new_ids[constant.value] = builder.copy(graph, constant);
  }
  for (const NodeId id : ids(graph.nodes)) {
    if (!live[id]) continue;
    const Node& node = graph.nodes[id];
    std::vector<ValueId> operands;
    for (const ValueId operand : node.operands) operands.push_back(new_ids[operand]);
    const NodeId copy = builder.copy(graph, node, std::move(operands));
    for (std::size_t i = 0; i < node.results.size(); ++i) {
      new_ids[node.results[i]] = builder.so_far().nodes[copy].results[i];
    }
  }
  for (const Output& output : graph.outputs) {
    builder.output(new_ids[output.value], output.position);
  }
  return builder.finish();
}

}  // namespace wick::compiler
