#include "compiler/graph/builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/graph/infer.h"
#include "compiler/graph/order.h"
#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

std::uint32_t index32(std::size_t index) { return static_cast<std::uint32_t>(index); }

std::string literal_key(const HostTensor& scalar) {
  std::string key(1, static_cast<char>(scalar.dtype()));
  for (const std::byte byte : scalar.bytes()) key += static_cast<char>(byte);
  return key;
}

const ops::OpRecord& identity_record() {
  for (const ops::OpRecord* op : ops::all()) {
    if (op->traits.identity) return *op;
  }
  throw InternalError("no operation has the trait `identity`");
}

// Nodes in the order of their positions are the order that graph.h promises: each is ready when its
// turn comes, and none after it has a smaller position.
bool in_order_of_position(const Graph& graph) {
  return std::ranges::is_sorted(graph.nodes, {}, &Node::position);
}

// Nodes by position, then by the order they were added in: the numbers that topological_order sees.
std::vector<NodeId> by_position(const Graph& graph) {
  std::vector<NodeId> nodes;
  nodes.reserve(graph.nodes.size());
  for (const NodeId id : ids(graph.nodes)) nodes.push_back(id);
  std::ranges::stable_sort(nodes, {}, [&](NodeId id) { return graph.nodes[id].position; });
  return nodes;
}

void reorder_nodes(Graph& graph) {
  const std::vector<NodeId> nodes = by_position(graph);
  std::vector<std::uint32_t> rank(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) rank[nodes[i].index()] = index32(i);
  Reads reads;
  for (const NodeId id : nodes) {
    for (const ValueId operand : graph.nodes[id].operands) {
      const Value& value = graph.values[operand];
      if (value.kind != ValueKind::kResult) continue;
      reads.producers.push_back(rank[value.producer.index()]);
    }
    reads.end_node();
  }
  IdVector<NodeId, Node> sorted;
  sorted.reserve(nodes.size());
  for (const std::uint32_t at : topological_order(reads)) {
    const NodeId id = sorted.push_back(std::move(graph.nodes[nodes[at]]));
    for (const ValueId result : sorted[id].results) graph.values[result].producer = id;
  }
  check(sorted.size() == nodes.size(), "GraphBuilder: nodes form a cycle");
  graph.nodes = std::move(sorted);
}

}  // namespace

GraphBuilder::GraphBuilder(std::string name, std::string description) {
  graph_.name = std::move(name);
  graph_.description = std::move(description);
}

ValueId GraphBuilder::input(const Input& like, const Value& value) {
  const ValueId id = graph_.values.push_back({.name = value.name,
                                              .type = value.type,
                                              .kind = ValueKind::kInput,
                                              .index = index32(graph_.inputs.size())});
  graph_.inputs.push_back(like);
  graph_.inputs.back().value = id;
  return id;
}

ValueId GraphBuilder::constant(std::string name, HostTensor data, std::string description,
                               std::uint32_t position) {
  const ValueId id = graph_.values.push_back({.name = std::move(name),
                                              .type = {data.dtype(), Layout(data.shape())},
                                              .kind = ValueKind::kConstant,
                                              .index = index32(graph_.constants.size())});
  graph_.constants.push_back({id, std::move(data), std::move(description), position});
  return id;
}

ValueId GraphBuilder::literal(HostTensor scalar, std::uint32_t position) {
  check(scalar.shape().rank() == 0, "GraphBuilder: a literal has rank 0");
  const auto [at, is_new] = literals_.try_emplace(literal_key(scalar), graph_.values.next_id());
  if (!is_new) return at->second;
  const ValueId id = graph_.values.push_back({.name = {},
                                              .type = {scalar.dtype(), Layout(scalar.shape())},
                                              .kind = ValueKind::kLiteral,
                                              .index = index32(graph_.constants.size())});
  graph_.constants.push_back({id, std::move(scalar), {}, position});
  return id;
}

NodeId GraphBuilder::node(Node like, std::vector<std::string> result_names,
                          std::vector<ops::TensorType> result_types) {
  check(result_names.size() == result_types.size(), "GraphBuilder: one name per result");
  check(like.op != nullptr, "GraphBuilder: a node without an operation");
  const NodeId id = graph_.nodes.next_id();
  like.results.clear();
  for (std::size_t i = 0; i < result_types.size(); ++i) {
    ops::TensorType type = result_types[i];
    std::optional<Layout> layout;
    if (!like.operands.empty()) {
      layout = view_layout(*like.op, value(like.operands[0]).type.layout, like.attributes,
                           type.shape(), i);
    }
    type.layout = layout ? *layout : Layout(type.shape());
    like.results.push_back(graph_.values.push_back({.name = std::move(result_names[i]),
                                                    .type = type,
                                                    .kind = ValueKind::kResult,
                                                    .index = index32(i),
                                                    .producer = id}));
  }
  graph_.nodes.push_back(std::move(like));
  return id;
}

ValueId GraphBuilder::copy(const Graph& from, const Input& input) {
  return this->input(input, from.values[input.value]);
}

ValueId GraphBuilder::copy(const Graph& from, const Constant& constant) {
  const Value& value = from.values[constant.value];
  if (value.kind == ValueKind::kLiteral) return literal(constant.data, constant.position);
  return this->constant(value.name, constant.data, constant.description, constant.position);
}

NodeId GraphBuilder::copy(const Graph& from, const Node& node, ValueList operands) {
  std::vector<std::string> names;
  std::vector<ops::TensorType> types;
  for (const ValueId result : node.results) {
    names.push_back(from.values[result].name);
    types.push_back(from.values[result].type);
  }
  Node like = node;
  like.operands = std::move(operands);
  return this->node(std::move(like), std::move(names), std::move(types));
}

NodeId GraphBuilder::call(const ops::OpRecord& op, std::vector<ValueId> operands,
                          ops::Attributes attributes, std::string name, std::uint32_t position) {
  std::vector<ops::TensorType> types;
  for (const ValueId operand : operands) types.push_back(value(operand).type);
  ops::Inference inference = infer(op, types, attributes, {});
  if (!inference.faults.empty()) {
    throw InternalError("a stage made an illegal call of \"" + std::string(op.name) +
                        "\": " + inference.faults.front().message);
  }
  std::vector<std::string> names = {name};
  for (std::size_t i = 1; i < inference.results.size(); ++i) {
    names.push_back(unique_name(name + "." + std::to_string(i)));
  }
  Node node;
  node.op = &op;
  node.attributes = std::move(inference.normal);
  node.operands = std::move(operands);
  node.position = position;
  return this->node(std::move(node), std::move(names), std::move(inference.results));
}

ValueId GraphBuilder::renamed(ValueId value, std::string name, std::uint32_t position) {
  const NodeId id = call(identity_record(), {value}, {}, std::move(name), position);
  return graph_.nodes[id].results.front();
}

void GraphBuilder::rename(ValueId result, std::string name) {
  check(value(result).kind == ValueKind::kResult, "GraphBuilder: only a result can be renamed");
  graph_.values[result].name = std::move(name);
}

void GraphBuilder::entitle(ValueId result, std::string name, std::string description, bool cache) {
  rename(result, std::move(name));
  Node& node = graph_.nodes[value(result).producer];
  node.description = std::move(description);
  node.cache = cache;
}

void GraphBuilder::output(ValueId value, std::uint32_t position) {
  graph_.outputs.push_back({value, position});
}

std::pair<std::uint32_t, bool> GraphBuilder::use_name(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(used_names_.size());
  const auto is_same = [&](std::uint32_t other) { return used_names_[other].name == name; };
  const auto known = by_name_.find_or_enter(mixed_hash(name), next, is_same);
  if (known) return {*known, false};
  used_names_.push_back({std::string(name)});
  return {next, true};
}

// A name without a dot is met by none that is asked for. In most graphs no name has one, and then
// names made up for one node begin with its name and meet only each other: what is looked through
// stays small however large the graph is.
void GraphBuilder::reserve_names(const Graph& graph) {
  index_names();
  names_reserved_ = true;
  for (const Value& value : graph.values) {
    if (value.name.find('.') != std::string::npos) use_name(value.name);
  }
  dots_reserved_ = !used_names_.empty();
}

void GraphBuilder::take_names(const Graph& graph) {
  for (const Value& value : graph.values) use_name(value.name);
}

void GraphBuilder::names_of_next_node() {
  if (dots_reserved_) return;
  used_names_.clear();
  by_name_.clear();
}

void GraphBuilder::index_names() {
  if (names_reserved_) return;
  for (; indexed_ < graph_.values.size(); ++indexed_) {
    use_name(graph_.values[ValueId(indexed_)].name);
  }
}

std::string GraphBuilder::unique_name(std::string_view wanted) {
  index_names();
  check(!names_reserved_ || wanted.find('.') != std::string_view::npos,
        "GraphBuilder: a name without a dot is asked for after names were reserved");
  const auto [number, is_new] = use_name(wanted);
  if (is_new) return std::string(wanted);
  std::string name;
  do {
    name = std::string(wanted) + "." + std::to_string(++used_names_[number].asked + 1);
  } while (!use_name(name).second);
  return name;
}

Graph GraphBuilder::finish() {
  if (!in_order_of_position(graph_)) reorder_nodes(graph_);
  return std::move(graph_);
}

}  // namespace wick::compiler
