#include "compiler/reference/interpreter.h"

#include <utility>

#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

// Inputs and constants in their places, results still empty.
IdVector<ValueId, HostTensor> given_values(const Graph& graph, std::span<const HostTensor> inputs) {
  check(inputs.size() == graph.inputs.size(), "evaluate: wrong number of inputs");
  IdVector<ValueId, HostTensor> values(graph.values.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value& value = graph.values[graph.inputs[i].value];
    check(inputs[i].dtype() == value.type.dtype && inputs[i].shape() == value.type.shape(),
          "evaluate: an input of another dtype or shape");
    values[graph.inputs[i].value] = inputs[i];
  }
  for (const Constant& constant : graph.constants) values[constant.value] = constant.data;
  return values;
}

void evaluate_into(const Graph& graph, NodeId id, IdVector<ValueId, HostTensor>& values) {
  const Node& node = graph.nodes[id];
  std::vector<HostTensor> operands;
  operands.reserve(node.operands.size());
  for (const ValueId operand : node.operands) operands.push_back(values[operand]);
  std::vector<HostTensor> results = evaluate_node(graph, id, operands);
  for (std::size_t i = 0; i < results.size(); ++i) {
    values[node.results[i]] = std::move(results[i]);
  }
}

// How many operands and outputs read each value.
IdVector<ValueId, std::size_t> reader_counts(const Graph& graph) {
  IdVector<ValueId, std::size_t> readers(graph.values.size(), 0);
  for (const Node& node : graph.nodes) {
    for (const ValueId operand : node.operands) ++readers[operand];
  }
  for (const Output& output : graph.outputs) ++readers[output.value];
  return readers;
}

}  // namespace

IdVector<ValueId, HostTensor> evaluate(const Graph& graph, std::span<const HostTensor> inputs) {
  auto values = given_values(graph, inputs);
  for (const NodeId id : ids(graph.nodes)) evaluate_into(graph, id, values);
  return values;
}

std::vector<HostTensor> evaluate_outputs(const Graph& graph, std::span<const HostTensor> inputs) {
  auto values = given_values(graph, inputs);
  auto readers = reader_counts(graph);
  for (const NodeId id : ids(graph.nodes)) {
    evaluate_into(graph, id, values);
    for (const ValueId operand : graph.nodes[id].operands) {
      if (--readers[operand] == 0) values[operand] = HostTensor();
    }
    for (const ValueId result : graph.nodes[id].results) {
      if (readers[result] == 0) values[result] = HostTensor();
    }
  }
  std::vector<HostTensor> outputs;
  for (const Output& output : graph.outputs) outputs.push_back(values[output.value]);
  return outputs;
}

std::vector<HostTensor> evaluate_node(const Graph& graph, NodeId id,
                                      std::span<const HostTensor> operands) {
  const Node& node = graph.nodes[id];
  std::vector<ops::TensorType> types;
  types.reserve(node.results.size());
  for (const ValueId result : node.results) {
    // What is evaluated is packed, whatever layout the result has in the graph.
    const ops::TensorType& type = graph.values[result].type;
    types.push_back({type.dtype, Layout(type.shape())});
  }
  ops::Evaluation evaluation{operands, node.attributes, types, {}};
  node.op->evaluate(evaluation);
  check(evaluation.results.size() == node.results.size(), "evaluate: wrong number of results");
  return std::move(evaluation.results);
}

}  // namespace wick::compiler
