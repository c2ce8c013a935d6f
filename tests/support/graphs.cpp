#include "tests/support/graphs.h"

#include <set>
#include <stdexcept>
#include <unordered_set>

#include "compiler/support/text.h"

namespace wick::compiler::testing {

Operand::Operand(double number) : what(Literal{shortest(number)}) {}

Described::Described(std::string name) { description.name = std::move(name); }

Described& Described::input(std::string name, DType dtype, std::vector<std::int64_t> shape) {
  InputDescription input;
  input.name = std::move(name);
  input.dtype = dtype;
  input.shape = std::move(shape);
  description.inputs.push_back(std::move(input));
  return *this;
}

Described& Described::parameter(std::string name, DType dtype, std::vector<std::int64_t> shape) {
  input(std::move(name), dtype, std::move(shape));
  description.inputs.back().parameter = true;
  return *this;
}

Described& Described::donated(std::string name, DType dtype, std::vector<std::int64_t> shape) {
  input(std::move(name), dtype, std::move(shape));
  description.inputs.back().donate = true;
  return *this;
}

Described& Described::constant(std::string name, HostTensor data) {
  description.constants.push_back({std::move(name), std::move(data), {}});
  return *this;
}

Described& Described::node(std::string name, std::string op, std::vector<Operand> operands,
                           ops::Attributes attributes) {
  NodeDescription node;
  node.name = std::move(name);
  node.op = std::move(op);
  for (Operand& operand : operands) node.operands.push_back({std::move(operand.what)});
  node.attributes = std::move(attributes);
  description.nodes.push_back(std::move(node));
  return *this;
}

Described& Described::nodes(std::vector<std::string> results, std::string op,
                            std::vector<Operand> operands, ops::Attributes attributes) {
  node({}, std::move(op), std::move(operands), std::move(attributes));
  description.nodes.back().outputs = std::move(results);
  return *this;
}

Described& Described::dtype(DType dtype) {
  description.nodes.back().dtype = dtype;
  return *this;
}

Described& Described::shape(std::vector<std::int64_t> shape) {
  description.nodes.back().shape = std::move(shape);
  return *this;
}

Described& Described::cached() {
  description.nodes.back().cache = true;
  return *this;
}

Described& Described::output(std::string name) {
  description.outputs.push_back(std::move(name));
  return *this;
}

Graph Described::verified() const {
  Diagnostics diagnostics;
  auto graph = verify(description, diagnostics);
  if (!graph) throw std::runtime_error("the graph of a test is wrong:\n" + to_text(diagnostics));
  return std::move(*graph);
}

std::string Described::errors() const {
  Diagnostics diagnostics;
  verify(description, diagnostics);
  return to_text(diagnostics);
}

std::string to_text(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    text += diagnostic.site.pointer + ": " + diagnostic.message;
    if (!diagnostic.hint.empty()) text += " (" + diagnostic.hint + ")";
    text += "\n";
  }
  return text;
}

bool has_value(const Graph& graph, std::string_view name) {
  for (const Value& value : graph.values) {
    if (value.name == name) return true;
  }
  return false;
}

ValueId value_named(const Graph& graph, std::string_view name) {
  for (const ValueId id : ids(graph.values)) {
    if (graph.values[id].name == name) return id;
  }
  throw std::runtime_error("no value is named " + quoted(name));
}

const Node& node_named(const Graph& graph, std::string_view name) {
  const Value& value = graph.values[value_named(graph, name)];
  if (value.kind != ValueKind::kResult) {
    throw std::runtime_error(quoted(name) + " is not the result of a node");
  }
  return graph.nodes[value.producer];
}

namespace {

std::string broken_table(const Graph& graph) {
  std::unordered_set<std::string_view> names;
  for (const ValueId id : ids(graph.values)) {
    const Value& value = graph.values[id];
    const bool is_literal = value.kind == ValueKind::kLiteral;
    if (is_literal != value.name.empty()) return "a name is missing, or a literal has one";
    if (!is_literal && !names.insert(value.name).second) {
      return "two values are named " + quoted(value.name);
    }
    switch (value.kind) {
      case ValueKind::kInput:
        if (graph.inputs[value.index].value != id) return value.name + " is not its own input";
        break;
      case ValueKind::kConstant:
      case ValueKind::kLiteral: {
        const Constant& constant = graph.constants[value.index];
        if (constant.value != id) return value.name + " is not its own constant";
        if (constant.data.dtype() != value.type.dtype ||
            constant.data.shape() != value.type.shape()) {
          return value.name + " has data of another type";
        }
        break;
      }
      case ValueKind::kResult: {
        const Node& node = graph.nodes[value.producer];
        if (value.index >= node.results.size() || node.results[value.index] != id) {
          return value.name + " is not a result of its producer";
        }
        break;
      }
    }
  }
  return {};
}

// Kahn's algorithm on a std::set, the definition itself: of the nodes that could stand next, the
// one with the smallest position, and of those of one position the one that stands first.
std::string broken_order(const Graph& graph) {
  std::vector<std::size_t> waiting(graph.nodes.size(), 0);
  std::vector<std::vector<NodeId>> readers(graph.nodes.size());
  std::set<std::pair<std::uint32_t, NodeId>> ready;
  for (const NodeId id : ids(graph.nodes)) {
    for (const ValueId operand : graph.nodes[id].operands) {
      const Value& value = graph.values[operand];
      if (value.kind != ValueKind::kResult) continue;
      if (value.producer >= id) return "a node stands before what it reads";
      ++waiting[id.index()];
      readers[value.producer.index()].push_back(id);
    }
    if (waiting[id.index()] == 0) ready.insert({graph.nodes[id].position, id});
  }
  for (const NodeId id : ids(graph.nodes)) {
    if (ready.begin()->first != graph.nodes[id].position) {
      return "node " + std::to_string(id.index()) + " does not stand where its position says";
    }
    ready.erase({graph.nodes[id].position, id});
    for (const NodeId reader : readers[id.index()]) {
      if (--waiting[reader.index()] == 0) ready.insert({graph.nodes[reader].position, reader});
    }
  }
  return {};
}

}  // namespace

std::string broken_promise(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op == nullptr || node.results.empty()) return "a node without operation or results";
    for (const ValueId operand : node.operands) {
      if (operand.index() >= graph.values.size()) return "an operand that does not exist";
    }
  }
  for (const Output& output : graph.outputs) {
    if (output.value.index() >= graph.values.size()) return "an output that does not exist";
  }
  const std::string table = broken_table(graph);
  return table.empty() ? broken_order(graph) : table;
}

}  // namespace wick::compiler::testing
