#include "frontend/check/kernel_terms.h"

#include <algorithm>
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

TermView kernel_term(Algebra& algebra, const WrittenOps& ops, const Kernel& kernel,
                     const std::vector<TermView>& operands, const Shape& shape,
                     std::vector<Finding>& findings) {
  const std::string result = algebra.origin.name;
  std::vector<TermView> values;
  values.reserve(kernel.expressions.size());
  for (const Expression& expression : kernel.expressions) {
    algebra.origin = {{}, expression.place, result};
    const auto unknown = [&](const std::string& why) {
      findings.push_back({expression.place, why, {}, {}});
      return algebra.unknown(expression.dtype, shape);
    };
    if (expression.kind == Expression::Kind::kParameter) {
      values.push_back(expression.index < operands.size()
                           ? operands[expression.index]
                           : unknown("`" + kernel.name + "` is given too few operands"));
      continue;
    }
    if (expression.kind == Expression::Kind::kLiteral) {
      values.push_back(algebra.literal(expression.literal));
      continue;
    }
    const OpRecord* op = ops.elementwise(expression);
    const bool known = std::ranges::all_of(
        expression.operands, [&](std::uint32_t operand) { return operand < values.size(); });
    if (op == nullptr || !known) {
      values.push_back(unknown("no operation is written `" + expression.token + "` with " +
                               std::to_string(expression.operands.size()) + " operands"));
      continue;
    }
    std::vector<TermView> read;
    for (const std::uint32_t operand : expression.operands) read.push_back(values[operand]);
    values.push_back(algebra.elementwise(*op, expression.dtype, std::move(read), shape));
  }
  algebra.origin = {{}, kernel.place, result};
  if (kernel.result < values.size()) return values[kernel.result];
  findings.push_back({kernel.place, "`" + kernel.name + "` has no result", {}, {}});
  return algebra.unknown(DType::kF32, shape);
}

}  // namespace wick::frontend::check
