// Prints elementwise_calls.cpp: for every elementwise record and every dtype it takes, the
// expression that the record says it is emitted as.
#include <cstdio>
#include <string>

#include "compiler/ops/record.h"
#include "tests/ops/elementwise_calls.h"

namespace wick::compiler {
namespace {

using ops::ElementwiseText;
using ops::OpRecord;

std::string cpp_name(DType dtype) { return std::string(info(dtype).cpp_name); }

// One call's dtypes: `dtype` where an operand takes it, else what it takes.
std::vector<DType> operand_dtypes(const OpRecord& op, DType dtype) {
  std::vector<DType> dtypes;
  for (const ops::OperandSpec& operand : op.operands) {
    DType chosen = dtype;
    for (std::size_t i = 0; !operand.dtypes.contains(chosen); ++i) chosen = static_cast<DType>(i);
    dtypes.push_back(chosen);
  }
  return dtypes;
}

DType result_dtype(const OpRecord& op, const std::vector<DType>& operands, DType wanted) {
  std::vector<ops::TensorType> types;
  for (const DType dtype : operands) types.push_back({dtype, Layout()});
  ops::Inference inference;
  inference.operands = types;
  inference.stated_dtype = wanted;
  for (const ops::AttributeSpec& attribute : op.attributes) {
    inference.attributes.set(attribute.name, *attribute.default_value);
  }
  op.infer(inference);
  return inference.results.at(0).dtype;
}

std::string expression(const OpRecord& op, DType first, DType result) {
  static constexpr const char* kNames[] = {"a", "b", "c"};
  const std::string token(op.text.token);
  switch (op.text.form) {
    case ElementwiseText::Form::kInfix:
      return "a " + token + " b";
    case ElementwiseText::Form::kPrefix:
      return token + "a";
    case ElementwiseText::Form::kCast:
      return "wick::cast<" + cpp_name(result) + ">(a)";
    default:
      break;
  }
  std::string text = "wick::" + token + "(";
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    text += std::string(i > 0 ? ", " : "") + kNames[i];
  }
  for (const std::string_view literal : op.text.literals) {
    text += ", static_cast<" + cpp_name(first) + ">(" +
            std::to_string(testing::sample_number(literal)) + ")";
  }
  return text + ")";
}

void print_call(const OpRecord& op, const std::vector<DType>& operands, DType result) {
  std::string parameters, types, dtypes;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    parameters += std::string(i > 0 ? ", " : "") + "auto " + static_cast<char>('a' + i);
    types += ", " + cpp_name(operands[i]);
    dtypes += std::string(i > 0 ? ", " : "") + "static_cast<DType>(" +
              std::to_string(static_cast<int>(operands[i])) + ")";
  }
  std::printf(
      "    {\"%s\", {%s}, static_cast<DType>(%d),\n"
      "     [](const void* const* operands, void* result, std::size_t count) {\n"
      "       run_kernel<%s%s>([](%s) { return %s; }, operands, result, count);\n"
      "     }},\n",
      std::string(op.name).c_str(), dtypes.c_str(), static_cast<int>(result),
      cpp_name(result).c_str(), types.c_str(), parameters.c_str(),
      expression(op, operands[0], result).c_str());
}

void print_record(const OpRecord& op) {
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!op.operands.back().dtypes.contains(dtype)) continue;
    const std::vector<DType> operands = operand_dtypes(op, dtype);
    if (!op.uses_dtype) {
      print_call(op, operands, result_dtype(op, operands, dtype));
      continue;
    }
    for (std::size_t k = 0; k < kDTypes.size(); ++k) {
      print_call(op, operands, static_cast<DType>(k));
    }
  }
}

}  // namespace
}  // namespace wick::compiler

int main() {
  using namespace wick::compiler;
  std::printf(
      "// Written by print_elementwise_calls.\n"
      "#include \"tests/ops/elementwise_calls.h\"\n\n"
      "namespace wick::compiler::testing {\n\n"
      "std::span<const ElementwiseCall> elementwise_calls() {\n"
      "  static const std::vector<ElementwiseCall> calls = {\n");
  for (const ops::OpRecord* op : ops::all()) {
    if (op->fusion == ops::FusionClass::kElementwise) print_record(*op);
  }
  std::printf("  };\n  return calls;\n}\n\n}  // namespace wick::compiler::testing\n");
}
