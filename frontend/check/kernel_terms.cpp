#include "frontend/check/kernel_terms.h"

#include <utility>

namespace wick::frontend::check {

using compiler::ops::ElementwiseText;
using compiler::ops::FusionClass;
using compiler::ops::OpRecord;

namespace {

std::string key_of(ElementwiseText::Form form, std::string_view token) {
  if (form == ElementwiseText::Form::kCast) token = {};
  return std::to_string(static_cast<int>(form)) + std::string(token);
}

ElementwiseText::Form form_of(Expression::Kind kind) {
  switch (kind) {
    case Expression::Kind::kInfix:
      return ElementwiseText::Form::kInfix;
    case Expression::Kind::kPrefix:
      return ElementwiseText::Form::kPrefix;
    case Expression::Kind::kCall:
      return ElementwiseText::Form::kCall;
    case Expression::Kind::kCast:
      return ElementwiseText::Form::kCast;
    default:
      return ElementwiseText::Form::kNone;
  }
}

}  // namespace

WrittenOps::WrittenOps() {
  for (const OpRecord* op : compiler::ops::all()) {
    if (op->fusion == FusionClass::kElementwise) {
      elementwise_.emplace(key_of(op->text.form, op->text.token), op);
    } else if (!op->call.function.empty()) {
      calls_.emplace(std::string(op->call.function) + ":" + std::string(op->call.reducer), op);
      if (!op->call.transposed.empty()) calls_.emplace(std::string(op->call.transposed) + ":", op);
    }
  }
}

const OpRecord* WrittenOps::elementwise(const Expression& expression) const {
  const auto found = elementwise_.find(key_of(form_of(expression.kind), expression.token));
  if (found == elementwise_.end()) return nullptr;
  const OpRecord& op = *found->second;
  const std::size_t count = op.operands.size() + op.text.literals.size();
  return expression.operands.size() == count ? &op : nullptr;
}

const OpRecord* WrittenOps::call(const std::string& function, const std::string& reducer) const {
  const auto found = calls_.find(function + ":" + reducer);
  return found == calls_.end() ? nullptr : found->second;
}

Kernels::Kernels(const Program& program, Algebra& algebra, std::vector<Finding>& findings)
    : program_(program), algebra_(algebra), findings_(findings), uses_(program.kernels.size(), 0) {
  for (const Function& function : program.functions) {
    for (const Statement& statement : function.statements) count(statement.arguments);
  }
  for (const RowProgram& rows : program.row_programs) {
    for (const RowStatement& statement : rows.statements) {
      if (has(statement.kernel)) ++uses_[statement.kernel];
    }
  }
}

void Kernels::count(const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (argument.kind == Argument::Kind::kKernel && has(argument.index)) ++uses_[argument.index];
    count(argument.nested);
  }
}

TermView Kernels::unknown(const Expression& expression, const Shape& shape, std::string why) {
  findings_.push_back({expression.place, std::move(why), {}, {}});
  return algebra_.unknown(expression.dtype, shape);
}

TermView Kernels::value_of(const Kernel& kernel, const Expression& expression,
                           const std::vector<TermView>& operands,
                           const std::vector<TermView>& values, const Shape& shape) {
  if (expression.kind == Expression::Kind::kParameter) {
    if (expression.index < operands.size()) return operands[expression.index];
    return unknown(expression, shape, "`" + kernel.name + "` is given too few operands");
  }
  if (expression.kind == Expression::Kind::kLiteral) return algebra_.literal(expression.literal);
  const OpRecord* op = ops_.elementwise(expression);
  std::vector<TermView> read;
  for (const std::uint32_t operand : expression.operands) {
    if (operand < values.size()) read.push_back(values[operand]);
  }
  if (op == nullptr || read.size() != expression.operands.size()) {
    return unknown(expression, shape,
                   "no operation is written `" + expression.token + "` with " +
                       std::to_string(expression.operands.size()) + " operands");
  }
  return algebra_.elementwise(*op, expression.dtype, std::move(read), shape);
}

TermView Kernels::apply(std::uint32_t index, const std::vector<TermView>& operands,
                        const Shape& shape) {
  const Kernel& kernel = program_.kernels[index];
  const Place use = algebra_.origin.place;
  std::vector<TermView> values;
  values.reserve(kernel.expressions.size());
  for (const Expression& expression : kernel.expressions) {
    if (uses_[index] == 1) algebra_.origin.place = expression.place;
    values.push_back(value_of(kernel, expression, operands, values, shape));
  }
  algebra_.origin.place = use;
  if (kernel.result < values.size()) return values[kernel.result];
  findings_.push_back({kernel.place, "`" + kernel.name + "` has no result", {}, {}});
  return algebra_.unknown(DType::kF32, shape);
}

}  // namespace wick::frontend::check
