#include "compiler/simplify/rewrites.h"

#include <array>

#include "compiler/graph/infer.h"

namespace wick::compiler {
namespace {

using Rewrite = std::optional<ValueId> (*)(const RewriteContext&, const Node&,
                                           const ops::TensorType&);

bool same_type(const ops::TensorType& a, const ops::TensorType& b) {
  return a.dtype == b.dtype && a.shape() == b.shape();
}

std::optional<ValueId> if_of_type(const RewriteContext& context, ValueId value,
                                  const ops::TensorType& type) {
  if (!same_type(context.graph.values[value].type, type)) return std::nullopt;
  return value;
}

// f(x, e) = x, where the record promises it for every x, and x is not broadcast.
std::optional<ValueId> right_identity(const RewriteContext& context, const Node& node,
                                      const ops::TensorType& type) {
  const auto& element = node.op->traits.right_identity;
  if (!element || node.operands.size() != 2) return std::nullopt;
  if (!context.uniform.is_filled_with(context.graph, node.operands[1], *element)) {
    return std::nullopt;
  }
  return if_of_type(context, node.operands[0], type);
}

// f(e, x) = x, likewise.
std::optional<ValueId> left_identity(const RewriteContext& context, const Node& node,
                                     const ops::TensorType& type) {
  const auto& element = node.op->traits.left_identity;
  if (!element || node.operands.size() != 2) return std::nullopt;
  if (!context.uniform.is_filled_with(context.graph, node.operands[0], *element)) {
    return std::nullopt;
  }
  return if_of_type(context, node.operands[1], type);
}

// The node that gives the only operand, if it calls the same operation with the same attributes.
const Node* same_call_below(const Graph& graph, const Node& node) {
  if (node.operands.size() != 1) return nullptr;
  const Value& operand = graph.values[node.operands[0]];
  if (operand.kind != ValueKind::kResult) return nullptr;
  const Node& below = graph.nodes[operand.producer];
  const bool same = below.op == node.op && below.operands.size() == 1 &&
                    below.results.size() == 1 && below.attributes == node.attributes;
  return same ? &below : nullptr;
}

// f(f(x)) = x
std::optional<ValueId> involution(const RewriteContext& context, const Node& node,
                                  const ops::TensorType& type) {
  if (!node.op->traits.involution) return std::nullopt;
  const Node* below = same_call_below(context.graph, node);
  if (below == nullptr) return std::nullopt;
  return if_of_type(context, below->operands[0], type);
}

// f(f(x)) = f(x)
std::optional<ValueId> idempotence(const RewriteContext& context, const Node& node,
                                   const ops::TensorType& type) {
  if (!node.op->traits.idempotent) return std::nullopt;
  if (same_call_below(context.graph, node) == nullptr) return std::nullopt;
  return if_of_type(context, node.operands[0], type);
}

// view(storage, layout) = any other value that shows this layout of this storage: views that change
// nothing, transposes that cancel, cuts that were made before.
std::optional<ValueId> same_view(const RewriteContext& context, const Node& node,
                                 const ops::TensorType& type) {
  if (node.op->fusion != ops::FusionClass::kLayout || node.operands.empty()) return std::nullopt;
  const Value& operand = context.graph.values[node.operands[0]];
  const auto layout = view_layout(*node.op, operand.type.layout, node.attributes, type.shape(), 0);
  if (!layout) return std::nullopt;
  const auto known =
      context.views.find(context.graph, context.views.storage_of(node.operands[0]), *layout);
  return known ? if_of_type(context, *known, type) : std::nullopt;
}

constexpr std::array<Rewrite, 5> kRewrites = {right_identity, left_identity, involution,
                                              idempotence, same_view};

}  // namespace

std::optional<ValueId> rewrite(const RewriteContext& context, const Node& node,
                               const ops::TensorType& type) {
  for (const Rewrite rule : kRewrites) {
    if (const auto value = rule(context, node, type)) return value;
  }
  return std::nullopt;
}

}  // namespace wick::compiler
