#include "compiler/graph/infer.h"

#include <utility>

#include "compiler/graph/attributes.h"
#include "compiler/support/check.h"
#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

std::string counted_operands(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " operand" : " operands");
}

void check_sizes(ops::Inference& inference) {
  for (const ops::TensorType& type : inference.results) {
    if (byte_count(type.shape(), type.dtype)) continue;
    inference.fail("", "the result " + type_text(type.dtype, type.shape()) + " needs more than " +
                           grouped(kMaxTensorBytes.count) + " bytes, the most a tensor may have");
  }
}

}  // namespace

std::string OperandCount::to_string() const {
  if (!most) return "at least " + counted_operands(least);
  if (least == *most) return counted_operands(least);
  return std::to_string(least) + " to " + counted_operands(*most);
}

OperandCount operand_count(const ops::OpRecord& op) {
  OperandCount count{0, op.operands.size()};
  for (const ops::OperandSpec& spec : op.operands) {
    if (!spec.optional) ++count.least;
    if (spec.variadic) count.most.reset();
  }
  return count;
}

const ops::OperandSpec& operand_spec(const ops::OpRecord& op, std::size_t index) {
  return op.operands[std::min(index, op.operands.size() - 1)];
}

std::string to_string(ops::DTypeSet dtypes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    if (dtypes.contains(static_cast<DType>(i))) names.emplace_back(kDTypes[i].name);
  }
  if (names.size() < 2) return joined(names, "");
  const std::string last = names.back();
  names.pop_back();
  return joined(names, ", ") + " or " + last;
}

std::optional<Layout> view_layout(const ops::OpRecord& op, const Layout& operand,
                                  const ops::Attributes& normal, const Shape& result,
                                  std::size_t index) {
  if (op.view == nullptr) return std::nullopt;
  return op.view(operand, normal, result, index);
}

ops::Inference infer(const ops::OpRecord& op, std::span<const ops::TensorType> operands,
                     const ops::Attributes& written, const Stated& stated) {
  ops::Inference inference;
  inference.operands = operands;
  inference.attributes = complete_attributes(op, written, inference.faults);
  if (!inference.faults.empty()) return inference;
  inference.stated_dtype = stated.dtype;
  inference.stated_shape = stated.shape;
  inference.named_results = stated.named_results;
  inference.normal = inference.attributes;
  op.infer(inference);
  if (inference.faults.empty()) check_sizes(inference);
  if (!inference.faults.empty()) return inference;
  check(!inference.results.empty(), "inference gave no results");
  for (std::size_t i = 0; i < inference.results.size(); ++i) {
    ops::TensorType& result = inference.results[i];
    if (operands.empty()) break;
    const auto layout = view_layout(op, operands[0].layout, inference.normal, result.shape(), i);
    if (layout) result.layout = *layout;
  }
  return inference;
}

}  // namespace wick::compiler
