// One walk in topological order makes the new graph: each live node is looked at when its operands
// are as simple as they get, so what its simplification makes possible further down is seen on the
// way. A second walk, backwards, finds what nobody needs any more. At last products of one left
// operand are joined where that pays (join_products.h).
#include "compiler/simplify/simplify.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "compiler/graph/builder.h"
#include "compiler/graph/infer.h"
#include "compiler/simplify/common.h"
#include "compiler/simplify/constants.h"
#include "compiler/simplify/join_products.h"
#include "compiler/simplify/live.h"
#include "compiler/simplify/rewrites.h"

namespace wick::compiler {
namespace {

// Nodes that stand as they stood.
bool is_pinned(const Node& node) {
  return node.cache || node.op->traits.identity || node.op->fusion == ops::FusionClass::kPack;
}

class Simplifier {
 public:
  Simplifier(const Graph& graph, const SimplifyOptions& options)
      : graph_(graph),
        builder_(graph.name, graph.description),
        folder_(options),
        new_ids_(graph.values.size()),
        new_outputs_(graph.values.size()),
        is_output_(graph.output_marks()),
        uses_(graph.values.size(), 0) {
    for (const Node& node : graph.nodes) {
      for (const ValueId operand : node.operands) ++uses_[operand];
    }
    builder_.reserve(graph.nodes.size(), graph.values.size());
    nodes_.reserve(graph.nodes.size());
  }

  Graph run();

 private:
  void visit(const Node& node);
  bool fold(const Node& old, const Node& node, const std::vector<ops::TensorType>& types);
  bool share(const Node& old, const Node& node, const std::vector<ops::TensorType>& types);
  void replace(ValueId old, ValueId value, std::uint32_t position);
  void keep(const Node& old, const Node& node);
  bool may_be_renamed(ValueId value) const;

  const Graph& graph_;
  GraphBuilder builder_;
  Folder folder_;
  UniformConstants uniform_;
  KnownNodes nodes_;
  KnownViews views_;
  IdVector<ValueId, ValueId> new_ids_;
  // Where an output is another value than what its readers read: a second name for it.
  IdVector<ValueId, ValueId> new_outputs_;
  IdVector<ValueId, char> is_output_;
  IdVector<ValueId, std::uint32_t> uses_;
  IdVector<ValueId, bool> is_named_after_output_;  // of the new graph
};

// True if the value may take the name of an output: it was made by a node, which is no longer
// needed under its own name.
bool Simplifier::may_be_renamed(ValueId value) const {
  const Graph& graph = builder_.so_far();
  if (graph.values[value].kind != ValueKind::kResult) return false;
  if (is_pinned(graph.nodes[graph.values[value].producer])) return false;
  return value.index() >= is_named_after_output_.size() || !is_named_after_output_[value];
}

// Readers of `old` read `value` from now on. If `old` is an output its name is kept.
void Simplifier::replace(ValueId old, ValueId value, std::uint32_t position) {
  new_ids_[old] = value;
  new_outputs_[old] = value;
  if (is_output_[old] == 0) return;
  const std::string& name = graph_.values[old].name;
  if (builder_.value(value).name == name) return;
  ValueId named = value;
  if (may_be_renamed(value)) {
    builder_.rename(value, name);
  } else {
    named = builder_.renamed(value, name, position);
  }
  is_named_after_output_.resize(builder_.so_far().values.size(), false);
  is_named_after_output_[named] = true;
  new_outputs_[old] = named;
}

// f(constants) = constants
bool Simplifier::fold(const Node& old, const Node& node,
                      const std::vector<ops::TensorType>& types) {
  const bool replaces = std::ranges::all_of(old.operands, [&](ValueId operand) {
    return uses_[operand] == 1 && is_output_[operand] == 0;
  });
  auto results = folder_.fold(builder_.so_far(), node, types, replaces);
  if (!results) return false;
  for (std::size_t i = 0; i < results->size(); ++i) {
    const ValueId result = old.results[i];
    HostTensor& data = (*results)[i];
    const bool is_number = data.shape().rank() == 0 && is_output_[result] == 0;
    const ValueId value = is_number ? builder_.literal(std::move(data), old.position)
                                    : builder_.constant(graph_.values[result].name, std::move(data),
                                                        old.description, old.position);
    replace(result, value, old.position);
  }
  return true;
}

// f(x) and f(x) are one value.
bool Simplifier::share(const Node& old, const Node& node,
                       const std::vector<ops::TensorType>& types) {
  const auto known =
      nodes_.find_or_enter(builder_.so_far(), node, types, builder_.so_far().nodes.next_id());
  if (!known) return false;
  const std::vector<ValueId> results = builder_.so_far().nodes[*known].results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    replace(old.results[i], results[i], old.position);
  }
  return true;
}

void Simplifier::keep(const Node& old, const Node& node) {
  const NodeId id = builder_.copy(graph_, node, node.operands);
  const Graph& graph = builder_.so_far();
  const bool is_view = node.op->fusion == ops::FusionClass::kLayout && !is_pinned(node);
  is_named_after_output_.resize(graph.values.size(), false);
  for (std::size_t i = 0; i < old.results.size(); ++i) {
    const ValueId result = graph.nodes[id].results[i];
    new_ids_[old.results[i]] = new_outputs_[old.results[i]] = result;
    is_named_after_output_[result] = is_output_[old.results[i]];
    if (!is_view || node.operands.empty()) continue;
    const ops::TensorType& operand = graph.values[node.operands[0]].type;
    const Shape& shape = graph.values[result].type.shape();
    const auto layout = view_layout(*node.op, operand.layout, node.attributes, shape, i);
    if (layout) views_.enter(result, views_.storage_of(node.operands[0]), *layout);
  }
}

void Simplifier::visit(const Node& old) {
  Node node = old;
  for (ValueId& operand : node.operands) operand = new_ids_[operand];
  std::vector<ops::TensorType> types;
  for (const ValueId result : old.results) types.push_back(graph_.values[result].type);
  if (is_pinned(node)) {
    nodes_.find_or_enter(builder_.so_far(), node, types, builder_.so_far().nodes.next_id());
    return keep(old, node);
  }
  if (fold(old, node, types)) return;
  if (types.size() == 1) {
    const auto value = rewrite({builder_.so_far(), uniform_, views_}, node, types[0]);
    if (value) return replace(old.results[0], *value, old.position);
  }
  if (!share(old, node, types)) keep(old, node);
}

Graph Simplifier::run() {
  for (const Input& input : graph_.inputs) {
    new_ids_[input.value] = new_outputs_[input.value] = builder_.copy(graph_, input);
  }
  for (const Constant& constant : graph_.constants) {
    new_ids_[constant.value] = new_outputs_[constant.value] = builder_.copy(graph_, constant);
  }
  const IdVector<NodeId, bool> live = live_nodes(graph_);
  for (const NodeId id : ids(graph_.nodes)) {
    if (live[id]) visit(graph_.nodes[id]);
  }
  for (const Output& output : graph_.outputs) {
    builder_.output(new_outputs_[output.value], output.position);
  }
  return builder_.finish();
}

}  // namespace

Graph simplify(const Graph& graph, const SimplifyOptions& options) {
  Graph simpler = join_products(Simplifier(graph, options).run());
  const IdVector<NodeId, bool> cached = options.cache_constant_cones
                                            ? constant_frontier(simpler)
                                            : IdVector<NodeId, bool>(simpler.nodes.size(), false);
  return without_dead_code(std::move(simpler), cached);
}

}  // namespace wick::compiler
