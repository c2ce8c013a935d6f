#include "compiler/graph/print.h"

#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

std::string list_text(std::span<const std::int64_t> numbers) {
  std::vector<std::string> parts;
  for (const std::int64_t number : numbers) parts.push_back(std::to_string(number));
  return "[" + joined(parts, ", ") + "]";
}

std::string end_text(const std::optional<std::int64_t>& end) {
  return end ? std::to_string(*end) : "null";
}

struct AttributeText {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return shortest(number); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const ops::Integers& numbers) const { return list_text(numbers); }
  std::string operator()(DType dtype) const { return std::string(name_of(dtype)); }
  std::string operator()(const ops::Ranges& ranges) const {
    std::vector<std::string> parts;
    for (const ops::Range& range : ranges) {
      parts.push_back("[" + end_text(range.start) + ", " + end_text(range.stop) + ", " +
                      std::to_string(range.step) + "]");
    }
    return "[" + joined(parts, ", ") + "]";
  }
  std::string operator()(const ops::Pairs& pairs) const {
    std::vector<std::string> parts;
    for (const auto& pair : pairs) parts.push_back(list_text(pair));
    return "[" + joined(parts, ", ") + "]";
  }
  // The sizes, as they are written; where a part begins follows.
  std::string operator()(const ops::Parts& parts) const {
    ops::Integers sizes;
    for (const ops::Part& part : parts) sizes.push_back(part.size);
    return list_text(sizes);
  }
  // start:step:count, which cannot be taken for a range as it is written.
  std::string operator()(const ops::Strides& strides) const {
    std::vector<std::string> parts;
    for (const ops::Stride& stride : strides) {
      parts.push_back(std::to_string(stride.start) + ":" + std::to_string(stride.step) + ":" +
                      std::to_string(stride.count));
    }
    return "[" + joined(parts, ", ") + "]";
  }
};

std::string scalar_text(const HostTensor& scalar) {
  return dispatch(scalar.dtype(), [&](auto zero) -> std::string {
    using E = decltype(zero);
    const E value = scalar.at<E>(0);
    if constexpr (std::is_same_v<E, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<E>) {
      return shortest(value);
    } else {
      return std::to_string(value);
    }
  });
}

std::string value_text(const ops::TensorType& type) {
  std::string text = type_text(type.dtype, type.shape());
  if (!type.layout.is_packed()) {
    text += " strides " + list_text(type.layout.strides());
    if (type.layout.offset() != 0) text += " offset " + std::to_string(type.layout.offset());
  }
  return text;
}

std::string node_text(const Graph& graph, const Node& node) {
  std::vector<std::string> results, arguments;
  for (const ValueId result : node.results) {
    const Value& value = graph.values[result];
    results.push_back(quoted(value.name) + ": " + value_text(value.type));
  }
  for (const ValueId operand : node.operands) arguments.push_back(operand_text(graph, operand));
  if (!node.attributes.empty()) arguments.push_back(attributes_text(node.attributes));
  return joined(results, ", ") + " = " + std::string(node.op->name) + "(" +
         joined(arguments, ", ") + ")" + (node.cache ? " [cache]" : "");
}

}  // namespace

std::string operand_text(const Graph& graph, ValueId value) {
  const Value& found = graph.values[value];
  if (found.kind == ValueKind::kLiteral) return scalar_text(graph.constant_of(value).data);
  return quoted(found.name);
}

std::string attributes_text(const ops::Attributes& attributes) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : attributes.entries()) {
    parts.push_back(name + "=" + std::visit(AttributeText(), value));
  }
  return joined(parts, ", ");
}

std::string attributes_text(const ops::Attributes& attributes, std::size_t result) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : attributes.entries()) {
    const auto* parts = std::get_if<ops::Parts>(&value);
    texts.push_back(parts == nullptr ? name + "=" + std::visit(AttributeText(), value)
                                     : name + "[" + std::to_string(result) +
                                           "]=" + std::to_string((*parts)[result].size));
  }
  return joined(texts, ", ");
}

std::string to_text(const Graph& graph) {
  std::string text = "graph " + quoted(graph.name) + "\n";
  for (const Input& input : graph.inputs) {
    const Value& value = graph.values[input.value];
    text += "input " + quoted(value.name) + ": " + value_text(value.type);
    if (input.parameter) text += " [parameter]";
    if (input.donate) text += " [donate]";
    text += "\n";
  }
  for (const Constant& constant : graph.constants) {
    const Value& value = graph.values[constant.value];
    if (value.kind == ValueKind::kLiteral) continue;
    text += "constant " + quoted(value.name) + ": " + value_text(value.type) + "\n";
  }
  for (const Node& node : graph.nodes) text += node_text(graph, node) + "\n";
  for (const Output& output : graph.outputs) {
    text += "output " + operand_text(graph, output.value) + "\n";
  }
  return text;
}

}  // namespace wick::compiler
