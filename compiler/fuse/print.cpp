#include "compiler/fuse/print.h"

#include <algorithm>

#include "compiler/graph/print.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

// A node of a drawing shows at most this many of its kernel's nodes by name.
constexpr std::size_t kMostDrawnNodes = 8;
constexpr std::size_t kLongestDrawnName = 60;

std::string_view kind_text(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kLayout:
      return "layout";
    case KernelKind::kPack:
      return "pack";
    case KernelKind::kMap:
      return "map";
    case KernelKind::kReduce:
      return "reduce";
    case KernelKind::kRows:
      return "rows";
    case KernelKind::kProduct:
      return "product";
    case KernelKind::kCall:
      return kernel.op->name;
  }
  return "";
}

std::string_view kind_text(RowPass::Kind kind) {
  switch (kind) {
    case RowPass::Kind::kReduce:
      return "reduce";
    case RowPass::Kind::kKeep:
      return "keep";
    case RowPass::Kind::kScalar:
      return "scalar";
    case RowPass::Kind::kWrite:
      return "write";
  }
  return "";
}

std::string literal_text(const Scalar& literal) {
  return dispatch(literal.dtype, [&](auto zero) -> std::string {
    using E = decltype(zero);
    const E value = literal.as<E>();
    if constexpr (std::is_same_v<E, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<E>) {
      return shortest(value);
    } else {
      return std::to_string(value);
    }
  });
}

std::string axes_text(const std::vector<std::int64_t>& axes) {
  std::vector<std::string> parts;
  for (const std::int64_t axis : axes) parts.push_back(std::to_string(axis));
  return "[" + joined(parts, ", ") + "]";
}

class Printer {
 public:
  explicit Printer(const FusedGraph& fused) : fused_(fused) {}

  std::string print() {
    const std::size_t count = fused_.kernels.size();
    text_ = "fused " + quoted(fused_.graph->name) + ": " + grouped(static_cast<int>(count)) +
            (count == 1 ? " kernel\n" : " kernels\n");
    for (const KernelId id : ids(fused_.kernels)) print_kernel(id);
    text_ += "\noutputs\n";
    for (const TensorId id : fused_.outputs) text_ += "  " + tensor_text(id) + "\n";
    return std::move(text_);
  }

 private:
  void print_kernel(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    text_ += "\nkernel " + std::to_string(id.index()) + ": ";
    text_ += kind_text(kernel);
    if (!kernel.axes.empty()) text_ += " over axes " + axes_text(kernel.axes);
    if (!kernel.order.empty()) text_ += " with its axes in the order " + axes_text(kernel.order);
    if (!kernel.nodes.empty()) text_ += ", computes " + nodes_text(kernel.nodes);
    if (kernel.cache) text_ += ", kept across calls";
    text_ += "\n";
    for (const TensorId operand : kernel.operands) {
      text_ += "  reads " + tensor_text(operand) + "\n";
    }
    for (const TensorId result : kernel.results) {
      text_ += "  writes " + tensor_text(result) + "\n";
    }
    if (kernel.workspace.count > 0) {
      text_ += "  workspace " + grouped(kernel.workspace.count) + " bytes\n";
    }
    print_work(kernel);
  }

  void print_work(const Kernel& kernel) {
    if (kernel.kind == KernelKind::kLayout) {
      for (std::size_t i = 0; i < kernel.views.size(); ++i) {
        const std::size_t result = i + 1 == kernel.views.size() ? kernel.view_index : 0;
        text_ += "  by " + operation_text(kernel.views[i], result) + "\n";
      }
    } else if (kernel.kind == KernelKind::kReduce) {
      if (kernel.body.valid()) print_body("terms", kernel.body, "  ");
      text_ += "  reduces by " + std::string(kernel.op->name) + "\n";
    } else if (kernel.kind == KernelKind::kRows) {
      for (std::size_t i = 0; i < kernel.passes.size(); ++i) print_pass(kernel, i);
    } else if (kernel.kind == KernelKind::kCall) {
      if (kernel.attributes.empty()) return;
      text_ += "  with " + attributes_text(kernel.attributes) + "\n";
    } else if (kernel.kind == KernelKind::kProduct && specialises(kernel)) {
      text_ += "  multiplies by " + std::string(kernel.op->name) + "(" +
               attributes_text(kernel.attributes) + ")\n";
    } else if (kernel.body.valid()) {
      print_body("element", kernel.body, "  ");
    }
    if (kernel.results_body.valid()) print_body("results", kernel.results_body, "  ");
  }

  // Whether attributes say which of its kind a product is.
  static bool specialises(const Kernel& kernel) {
    return !kernel.op->call.template_arguments.empty();
  }

  void print_pass(const Kernel& kernel, std::size_t index) {
    const RowPass& pass = kernel.passes[index];
    std::vector<std::string> operands;
    for (const RowOperand& operand : pass.operands) {
      operands.push_back(row_operand_text(kernel, operand));
    }
    text_ += "  pass " + std::to_string(index) + ": ";
    text_ += kind_text(pass.kind);
    if (pass.kind == RowPass::Kind::kReduce) text_ += " by " + std::string(pass.reducer);
    const std::string result = pass.kind == RowPass::Kind::kWrite
                                   ? quoted(fused_.tensors[kernel.results[pass.result]].name)
                                   : quoted(pass.name);
    text_ += " " + result + " from " + joined(operands, ", ") + "\n";
    if (pass.body.valid()) print_body("element", pass.body, "    ");
  }

  std::string row_operand_text(const Kernel& kernel, const RowOperand& operand) const {
    if (operand.kind != RowOperand::Kind::kOperand) {
      return quoted(kernel.passes[operand.index].name);
    }
    return quoted(fused_.tensors[kernel.operands[operand.index]].name);
  }

  void print_body(std::string_view what, BodyId id, const std::string& indent) {
    const Body& body = fused_.bodies[id];
    std::vector<std::string> parameters;
    for (const BodyParameter& parameter : body.parameters) {
      parameters.push_back(quoted(parameter.name));
    }
    text_ += indent + std::string(what) + ": (" + joined(parameters, ", ") + ") -> " +
             operand_text(body, body.result) + "\n";
    for (const BodyStatement& statement : body.statements) {
      std::vector<std::string> arguments;
      for (const BodyOperand& operand : statement.operands) {
        arguments.push_back(operand_text(body, operand));
      }
      if (!statement.attributes.empty()) arguments.push_back(attributes_text(statement.attributes));
      text_ += indent + "  " + quoted(statement.name) + " = " + std::string(statement.op->name) +
               "(" + joined(arguments, ", ") + ")\n";
    }
  }

  static std::string operand_text(const Body& body, const BodyOperand& operand) {
    switch (operand.kind) {
      case BodyOperand::Kind::kParameter:
        return quoted(body.parameters[operand.index].name);
      case BodyOperand::Kind::kStatement:
        return quoted(body.statements[operand.index].name);
      case BodyOperand::Kind::kLiteral:
        return literal_text(operand.literal);
    }
    return "";
  }

  std::string tensor_text(TensorId id) const {
    const FusedTensor& tensor = fused_.tensors[id];
    return quoted(tensor.name) + " " + type_text(tensor.dtype, tensor.shape) +
           (tensor.panels ? " in panels" : "");
  }

  std::string operation_text(NodeId id, std::size_t result) const {
    const Node& node = fused_.graph->nodes[id];
    return std::string(node.op->name) + "(" + attributes_text(node.attributes, result) + ")";
  }

  std::string nodes_text(std::span<const NodeId> nodes) const {
    std::vector<std::string> names;
    for (const NodeId id : nodes) {
      names.push_back(quoted(fused_.graph->values[fused_.graph->nodes[id].results[0]].name));
    }
    return joined(names, ", ");
  }

  const FusedGraph& fused_;
  std::string text_;
};

// A name as the inside of a quoted Graphviz string: long ones cut, at a character's first byte.
std::string drawn(const std::string& name) {
  std::size_t length = std::min(name.size(), kLongestDrawnName);
  while (length < name.size() && length > 0 &&
         (static_cast<unsigned char>(name[length]) & 0xc0u) == 0x80u) {
    --length;
  }
  std::string text;
  for (const char c : name.substr(0, length)) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return length < name.size() ? text + "..." : text;
}

class Drawing {
 public:
  explicit Drawing(const FusedGraph& fused) : fused_(fused) {}

  std::string draw() {
    text_ = "digraph \"" + drawn(fused_.graph->name) + "\" {\n" +
            "  node [fontname=\"Helvetica\", shape=box];\n  edge [fontname=\"Helvetica\"];\n";
    for (const TensorId id : ids(fused_.tensors)) draw_leaf(id);
    for (const KernelId id : ids(fused_.kernels)) draw_kernel(id);
    for (std::size_t i = 0; i < fused_.outputs.size(); ++i) {
      const std::string node = "out" + std::to_string(i);
      text_ += "  " + node + " [shape=ellipse, label=\"output " +
               drawn(fused_.tensors[fused_.outputs[i]].name) + "\"];\n";
      draw_edge(fused_.outputs[i], node);
    }
    return text_ + "}\n";
  }

 private:
  void draw_leaf(TensorId id) {
    const FusedTensor& tensor = fused_.tensors[id];
    if (tensor.kind == TensorKind::kResult) return;
    const bool constant = tensor.kind == TensorKind::kConstant;
    text_ += "  t" + std::to_string(id.index()) + " [shape=ellipse" +
             (constant ? ", style=dashed" : "") + ", label=\"" +
             (constant ? "constant " : "input ") + drawn(tensor.name) + "\"];\n";
  }

  void draw_kernel(KernelId id) {
    const Kernel& kernel = fused_.kernels[id];
    std::string label = std::to_string(id.index()) + ": " + std::string(kind_text(kernel));
    const std::size_t shown = std::min(kernel.nodes.size(), kMostDrawnNodes);
    for (std::size_t i = 0; i < shown; ++i) {
      const Node& node = fused_.graph->nodes[kernel.nodes[i]];
      label += "\\n" + drawn(fused_.graph->values[node.results[0]].name) + " = " +
               std::string(node.op->name);
    }
    if (shown < kernel.nodes.size()) {
      label += "\\n" + std::to_string(kernel.nodes.size() - shown) + " more";
    }
    text_ += "  k" + std::to_string(id.index()) + " [label=\"" + label + "\"];\n";
    for (const TensorId operand : kernel.operands) {
      draw_edge(operand, "k" + std::to_string(id.index()));
    }
  }

  void draw_edge(TensorId from, const std::string& to) {
    const FusedTensor& tensor = fused_.tensors[from];
    const std::string source = tensor.kind == TensorKind::kResult
                                   ? "k" + std::to_string(tensor.producer.index())
                                   : "t" + std::to_string(from.index());
    text_ += "  " + source + " -> " + to + " [label=\"" + type_text(tensor.dtype, tensor.shape) +
             "\"];\n";
  }

  const FusedGraph& fused_;
  std::string text_;
};

}  // namespace

std::string to_text(const FusedGraph& fused) { return Printer(fused).print(); }

std::string to_dot(const FusedGraph& fused) { return Drawing(fused).draw(); }

}  // namespace wick::compiler
