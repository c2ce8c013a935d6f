#include "compiler/fuse/bodies.h"

#include <algorithm>

#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

// The nodes among `nodes` that `result` needs, in order.
std::vector<NodeId> needed_nodes(const Graph& graph, std::span<const NodeId> nodes, ValueId result,
                                 const std::function<bool(ValueId)>& is_given) {
  std::vector<NodeId> needed;
  if (is_given(result)) return needed;
  std::vector<ValueId> wanted = {result};
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[nodes[i]];
    if (std::ranges::find(wanted, node.results[0]) == wanted.end()) continue;
    needed.push_back(nodes[i]);
    for (const ValueId operand : node.operands) {
      if (!is_given(operand)) wanted.push_back(operand);
    }
  }
  std::ranges::reverse(needed);
  return needed;
}

class Slicer {
 public:
  Slicer(const Graph& graph, bool inline_constants)
      : graph_(graph), inline_constants_(inline_constants) {}

  void add(NodeId id) {
    const Node& node = graph_.nodes[id];
    const Value& value = graph_.values[node.results[0]];
    BodyStatement statement{node.op, node.attributes, {}, value.type.dtype, value.name, id};
    const bool all_constant = std::ranges::all_of(
        node.operands, [&](ValueId operand) { return may_be_literal(operand); });
    for (const ValueId operand : node.operands) {
      statement.operands.push_back(read(operand, !all_constant));
    }
    known_.emplace_back(node.results[0],
                        BodyOperand{BodyOperand::Kind::kStatement,
                                    static_cast<std::uint32_t>(slice_.body.statements.size()),
                                    {}});
    slice_.body.statements.push_back(std::move(statement));
  }

  // A kernel works on lanes: an operation reads at least one value that is not a literal.
  BodyOperand read(ValueId id, bool as_literal) {
    for (const auto& [value, operand] : known_) {
      if (value == id) return operand;
    }
    const Value& value = graph_.values[id];
    if (as_literal && inline_constants_ && may_be_literal(id)) {
      return {BodyOperand::Kind::kLiteral, 0, Scalar::of_tensor(graph_.constant_of(id).data)};
    }
    const BodyOperand parameter{
        BodyOperand::Kind::kParameter, static_cast<std::uint32_t>(slice_.parameters.size()), {}};
    slice_.body.parameters.push_back({value.name, value.type.dtype});
    slice_.parameters.push_back(id);
    known_.emplace_back(id, parameter);
    return parameter;
  }

  Slice finish(ValueId result) {
    slice_.body.result = read(result, true);
    slice_.body.dtype = graph_.values[result].type.dtype;
    return std::move(slice_);
  }

 private:
  bool may_be_literal(ValueId id) const {
    return graph_.is_constant(id) && graph_.values[id].type.shape().rank() == 0 &&
           graph_.values[id].type.dtype != DType::kBool;
  }

  const Graph& graph_;
  bool inline_constants_;
  Slice slice_;
  std::vector<std::pair<ValueId, BodyOperand>> known_;
};

std::string equation_key(const Body& body) {
  std::string key;
  const auto add = [&](std::uint64_t number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  const auto add_operand = [&](const BodyOperand& operand) {
    add(static_cast<std::uint64_t>(operand.kind));
    add(operand.index);
    add(static_cast<std::uint64_t>(operand.literal.dtype));
    add(operand.literal.bits);
  };
  for (const BodyParameter& parameter : body.parameters)
    add(static_cast<std::uint64_t>(parameter.dtype));
  for (const BodyStatement& statement : body.statements) {
    key += statement.op->name;
    add(statement.operands.size());
    for (const BodyOperand& operand : statement.operands) add_operand(operand);
    add(static_cast<std::uint64_t>(statement.dtype));
    for (const std::string_view literal : statement.op->text.literals) {
      const double number = statement.attributes.number(literal);
      key.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
  }
  add_operand(body.result);
  return key;
}

}  // namespace

Slice slice_body(const Graph& graph, std::span<const NodeId> nodes, ValueId result,
                 const std::function<bool(ValueId)>& is_given) {
  const std::vector<NodeId> needed = needed_nodes(graph, nodes, result, is_given);
  for (const bool inline_constants : {true, false}) {
    Slicer slicer(graph, inline_constants);
    for (const NodeId id : needed) slicer.add(id);
    Slice slice = slicer.finish(result);
    if (!slice.parameters.empty() || !inline_constants) return slice;
  }
  throw InternalError("slice_body: unreachable");
}

ConstantNodes constant_nodes(const Graph& graph) {
  ConstantNodes constant(graph.nodes.size(), 0);
  for (const NodeId id : ids(graph.nodes)) {
    constant[id] = std::ranges::all_of(graph.nodes[id].operands, [&](ValueId operand) {
      const Value& value = graph.values[operand];
      return value.kind == ValueKind::kResult ? constant[value.producer] != 0
                                              : graph.is_constant(operand);
    });
  }
  return constant;
}

BodyId BodyTable::intern(Body body) {
  std::string key = equation_key(body);
  const auto found = by_equation_.find(key);
  if (found != by_equation_.end()) return found->second;
  const BodyId id = bodies_.push_back(std::move(body));
  by_equation_.emplace(std::move(key), id);
  return id;
}

}  // namespace wick::compiler
