#include "frontend/json/writer.h"

#include <array>
#include <charconv>
#include <string_view>

#include "compiler/support/text.h"
#include "frontend/json/number.h"
#include "frontend/json/unicode.h"

namespace wick::frontend {
namespace {

using compiler::GraphDescription;
using compiler::HostTensor;
namespace ops = compiler::ops;

// One object on one line.
class Line {
 public:
  void key(std::string_view name) {
    text_ += text_.size() > 1 ? ", " : "";
    text_ += json_string(name) + ": ";
  }
  void raw(std::string_view name, std::string_view value) {
    key(name);
    text_ += value;
  }
  void text(std::string_view name, std::string_view value) { raw(name, json_string(value)); }
  void text_unless_empty(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void flag_if(std::string_view name, bool value) {
    if (value) raw(name, "true");
  }
  std::string take() { return std::move(text_) + "}"; }

 private:
  std::string text_ = "{";
};

std::string list(const auto& items, auto&& text_of) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ", ";
    text += text_of(item);
  }
  return text + "]";
}

std::string integer_list(const std::vector<std::int64_t>& integers) {
  return list(integers, [](std::int64_t value) { return std::to_string(value); });
}

std::string string_list(const std::vector<std::string>& strings) {
  return list(strings, [](const std::string& value) { return json_string(value); });
}

template <class Float>
std::string float_text(Float value) {
  std::string text = compiler::shortest(value);
  return is_non_finite(text) ? json_string(text) : text;
}

std::string range_text(const ops::Range& range) {
  const auto end = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string("null");
  };
  if (range == ops::Range{}) return "null";
  const std::string step = range.step == 1 ? "" : ", " + std::to_string(range.step);
  return "[" + end(range.start) + ", " + end(range.stop) + step + "]";
}

struct AttributeText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(const std::string& value) const { return json_string(value); }
  std::string operator()(const ops::Integers& value) const { return integer_list(value); }
  std::string operator()(const ops::Ranges& value) const { return list(value, range_text); }
  std::string operator()(const ops::Pairs& value) const {
    return list(value, [](const auto& pair) { return integer_list({pair[0], pair[1]}); });
  }
  std::string operator()(const ops::Parts&) const {
    throw compiler::InternalError("parts are not written: describe() makes them sizes");
  }
  std::string operator()(const ops::Strides&) const {
    throw compiler::InternalError("strides are not written: describe() makes them ranges");
  }
  std::string operator()(compiler::DType value) const { return json_string(name_of(value)); }
};

std::string values_text(const HostTensor& tensor) {
  std::string text = "[";
  compiler::dispatch(tensor.dtype(), [&](auto zero) {
    using E = decltype(zero);
    for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
      if (i > 0) text += ", ";
      const E value = tensor.at<E>(i);
      if constexpr (std::is_same_v<E, bool>) {
        text += value ? "true" : "false";
      } else if constexpr (std::is_floating_point_v<E>) {
        text += float_text(value);
      } else {
        text += std::to_string(value);
      }
    }
  });
  return text + "]";
}

std::string input_line(const compiler::InputDescription& input) {
  Line line;
  line.text("name", input.name);
  line.text("dtype", name_of(input.dtype));
  line.raw("shape", integer_list(input.shape));
  if (input.parameter) line.text("role", "parameter");
  line.flag_if("donate", input.donate);
  line.text_unless_empty("description", input.description);
  return line.take();
}

// The file that a large constant came from, if it still is what was read there.
const FileReference* reference_of(const compiler::ConstantDescription& constant,
                                  const ReadFiles* files) {
  if (files == nullptr || constant.data.element_count() <= kMostInlineElements) return nullptr;
  const auto found = files->constants.find(constant.name);
  if (found == files->constants.end()) return nullptr;
  return found->second.data == constant.data.bytes().data() ? &found->second : nullptr;
}

std::string constant_line(const compiler::ConstantDescription& constant, const ReadFiles* files) {
  const auto extents = constant.data.shape().extents();
  Line line;
  line.text("name", constant.name);
  line.text("dtype", name_of(constant.data.dtype()));
  line.raw("shape", integer_list({extents.begin(), extents.end()}));
  if (const FileReference* reference = reference_of(constant, files)) {
    line.text("file", reference->file);
    if (reference->file.ends_with(".safetensors")) line.text("tensor", reference->tensor);
  } else {
    line.raw("values", values_text(constant.data));
  }
  line.text_unless_empty("description", constant.description);
  return line.take();
}

std::string operand_text(const compiler::OperandDescription& operand) {
  if (const auto* name = std::get_if<std::string>(&operand.what)) return json_string(*name);
  const std::string& text = std::get<compiler::Literal>(operand.what).text;
  return is_non_finite(text) ? json_string(text) : text;
}

std::string node_line(const compiler::NodeDescription& node) {
  Line line;
  line.text_unless_empty("name", node.name);
  line.text("op", node.op);
  if (!node.operands.empty()) line.raw("inputs", list(node.operands, operand_text));
  for (const auto& [name, value] : node.attributes.entries()) {
    line.raw(name, std::visit(AttributeText(), value));
  }
  if (!node.outputs.empty()) line.raw("outputs", string_list(node.outputs));
  if (node.dtype) line.text("dtype", name_of(*node.dtype));
  if (node.shape) line.raw("shape", integer_list(*node.shape));
  line.flag_if("cache", node.cache);
  line.text_unless_empty("description", node.description);
  return line.take();
}

// A list of objects, one a line.
void append_table(std::string& out, std::string_view key, const auto& items, auto&& line_of) {
  out += "  " + json_string(key) + ": [";
  bool first = true;
  for (const auto& item : items) {
    out += first ? "\n    " : ",\n    ";
    out += line_of(item);
    first = false;
  }
  out += first ? "],\n" : "\n  ],\n";
}

}  // namespace

std::string to_json(const GraphDescription& graph, const ReadFiles* files) {
  std::string out = "{\n  \"wick\": 1,\n";
  out += "  \"name\": " + json_string(graph.name) + ",\n";
  if (!graph.description.empty()) {
    out += "  \"description\": " + json_string(graph.description) + ",\n";
  }
  if (!graph.inputs.empty()) append_table(out, "inputs", graph.inputs, input_line);
  if (!graph.constants.empty()) {
    append_table(out, "constants", graph.constants,
                 [&](const auto& constant) { return constant_line(constant, files); });
  }
  append_table(out, "nodes", graph.nodes, node_line);
  return out + "  \"outputs\": " + string_list(graph.outputs) + "\n}\n";
}

std::string to_json(const compiler::Graph& graph, const ReadFiles* files) {
  return to_json(describe(graph), files);
}

}  // namespace wick::frontend
