// From a verified graph back to how it could have been written.
#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>

#include "compiler/graph/infer.h"
#include "compiler/support/text.h"
#include "frontend/json/number.h"
#include "frontend/json/writer.h"

namespace wick::frontend {
namespace {

using compiler::Constant;
using compiler::DType;
using compiler::Graph;
using compiler::GraphDescription;
using compiler::HostTensor;
using compiler::Node;
using compiler::NodeDescription;
using compiler::Value;
using compiler::ValueId;
using compiler::ValueKind;
namespace ops = compiler::ops;

std::vector<std::int64_t> extents_of(const compiler::Shape& shape) {
  return {shape.extents().begin(), shape.extents().end()};
}

std::string literal_text(const HostTensor& scalar) {
  switch (scalar.dtype()) {
    case DType::kF32:
      return compiler::shortest(scalar.at<float>(0));
    case DType::kF64:
      return compiler::shortest(scalar.at<double>(0));
    case DType::kBool:
      return scalar.at<bool>(0) ? "true" : "false";
    default:
      return compiler::dispatch(
          scalar.dtype(), [&](auto zero) { return std::to_string(scalar.at<decltype(zero)>(0)); });
  }
}

// A slice as one would write it: an end before the first element is an open one.
ops::Ranges written(const ops::Strides& strides) {
  ops::Ranges ranges;
  for (const ops::Stride& stride : strides) {
    ops::Range range{stride.start, stride.start + stride.count * stride.step, stride.step};
    if (stride.count == 0) range.stop = range.start;
    if (*range.stop < 0) range.stop.reset();
    ranges.push_back(range);
  }
  return ranges;
}

ops::Integers written(const ops::Parts& parts) {
  ops::Integers sizes;
  for (const ops::Part& part : parts) sizes.push_back(part.size);
  return sizes;
}

ops::AttributeValue written(const ops::AttributeValue& value) {
  if (const auto* strides = std::get_if<ops::Strides>(&value)) return written(*strides);
  if (const auto* parts = std::get_if<ops::Parts>(&value)) return written(*parts);
  if (const auto* dtype = std::get_if<DType>(&value)) return std::string(name_of(*dtype));
  return value;
}

class Describer {
 public:
  explicit Describer(const Graph& graph) : graph_(graph) {
    for (const Value& value : graph.values) names_.insert(value.name);
  }

  GraphDescription run() {
    result_.name = graph_.name;
    result_.description = graph_.description;
    for (const compiler::Input& input : graph_.inputs) {
      const Value& value = graph_.values[input.value];
      result_.inputs.push_back({value.name, value.type.dtype, extents_of(value.type.shape()),
                                input.parameter, input.donate, input.description});
    }
    for (const Constant& constant : graph_.constants) {
      const Value& value = graph_.values[constant.value];
      if (value.kind != ValueKind::kConstant) continue;
      result_.constants.push_back({value.name, constant.data, constant.description});
    }
    for (const Node& node : graph_.nodes) add_node(node);
    for (const compiler::Output& output : graph_.outputs) {
      result_.outputs.push_back(graph_.values[output.value].name);
    }
    return std::move(result_);
  }

 private:
  void add_node(const Node& node) {
    NodeDescription described;
    described.op = node.op->name;
    described.cache = node.cache;
    described.description = node.description;
    const Value& first = graph_.values[node.results.front()];
    if (node.results.size() == 1) {
      described.name = first.name;
    } else {
      for (const ValueId id : node.results) described.outputs.push_back(graph_.values[id].name);
    }
    const bool literals_only =
        !node.operands.empty() && std::ranges::all_of(node.operands, [&](ValueId id) {
          return graph_.values[id].kind == ValueKind::kLiteral;
        });
    if (node.op->uses_dtype || literals_only) described.dtype = first.type.dtype;
    if (node.op->uses_shape) described.shape = extents_of(first.type.shape());
    for (const ops::AttributeSpec& spec : node.op->attributes) {
      const ops::AttributeValue* value = node.attributes.find(spec.name);
      if (value != nullptr) described.attributes.set(spec.name, written(*value));
    }
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      described.operands.push_back(operand(node, i, described.dtype));
    }
    result_.nodes.push_back(std::move(described));
  }

  compiler::OperandDescription operand(const Node& node, std::size_t index,
                                       std::optional<DType> stated) {
    const ValueId id = node.operands[index];
    const Value& value = graph_.values[id];
    if (value.kind != ValueKind::kLiteral) return {value.name};
    const HostTensor& data = graph_.constant_of(id).data;
    std::string text = literal_text(data);
    const bool taken = is_non_finite(text) && names_.contains(text);
    if (!taken && dtype_is_clear(node, index, stated)) {
      return {compiler::Literal{std::move(text)}};
    }
    const std::string name = fresh_name(data.dtype(), text);
    result_.constants.push_back({name, data, {}});
    return {name};
  }

  // Whether a number in this place would be read in the dtype that it has.
  bool dtype_is_clear(const Node& node, std::size_t index, std::optional<DType> stated) const {
    const char group = compiler::operand_spec(*node.op, index).group;
    std::uint8_t allowed = ops::kAnyDType.bits;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const ops::OperandSpec& spec = compiler::operand_spec(*node.op, i);
      if (spec.group != group) continue;
      if (graph_.values[node.operands[i]].kind != ValueKind::kLiteral) return true;
      allowed &= spec.dtypes.bits;
    }
    const DType dtype = graph_.values[node.operands[index]].type.dtype;
    if (stated && ops::DTypeSet{allowed}.contains(*stated)) return dtype == *stated;
    if (std::has_single_bit(allowed)) return true;
    return allowed == ops::kIndices.bits && dtype == DType::kI64;
  }

  std::string fresh_name(DType dtype, const std::string& text) {
    const std::string wanted = std::string(name_of(dtype)) + " " + text;
    std::string name = wanted;
    for (int number = 2; !names_.insert(name).second; ++number) {
      name = wanted + " " + std::to_string(number);
    }
    return name;
  }

  const Graph& graph_;
  GraphDescription result_;
  std::unordered_set<std::string> names_;
};

}  // namespace

GraphDescription describe(const Graph& graph) { return Describer(graph).run(); }

}  // namespace wick::frontend
