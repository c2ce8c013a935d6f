#include "compiler/emit/lambdas.h"

#include "compiler/emit/literals.h"
#include "compiler/support/check.h"

namespace wick::compiler::cpp {
namespace {

using ops::ElementwiseText;

constexpr std::size_t kLongestEquation = 400;
constexpr std::size_t kColumns = 100;

// An attribute of an operation in the dtype of its result.
Scalar attribute_scalar(const BodyStatement& statement, std::string_view name) {
  return rounded_scalar(statement.attributes.number(name), statement.dtype);
}

// Graph names as a reader of an equation sees them.
std::string equation_operand(const Body& body, const BodyOperand& operand,
                             const std::vector<std::string>& statements, bool inside_operator) {
  if (operand.kind == BodyOperand::Kind::kLiteral) return literal_text(operand.literal);
  if (operand.kind == BodyOperand::Kind::kParameter)
    return identifier(body.parameters[operand.index].name);
  const std::string& text = statements[operand.index];
  const bool composed =
      body.statements[operand.index].op->text.form == ElementwiseText::Form::kInfix &&
      text.find(' ') != std::string::npos;
  return composed && inside_operator ? "(" + text + ")" : text;
}

std::string equation_statement(const Body& body, const BodyStatement& statement,
                               const std::vector<std::string>& statements) {
  const ElementwiseText& text = statement.op->text;
  const bool is_operator =
      text.form == ElementwiseText::Form::kInfix || text.form == ElementwiseText::Form::kPrefix;
  std::vector<std::string> operands;
  for (const BodyOperand& operand : statement.operands) {
    operands.push_back(equation_operand(body, operand, statements, is_operator));
  }
  if (text.form == ElementwiseText::Form::kInfix)
    return operands[0] + " " + std::string(text.token) + " " + operands[1];
  if (text.form == ElementwiseText::Form::kPrefix) return std::string(text.token) + operands[0];
  Call call{std::string(text.form == ElementwiseText::Form::kCast ? name_of(statement.dtype)
                                                                  : text.token),
            operands};
  for (const std::string_view name : text.literals)
    call.arguments.push_back(literal_text(attribute_scalar(statement, name)));
  return call.on_one_line();
}

}  // namespace

std::string operation_text(const BodyStatement& statement,
                           const std::vector<std::string>& operands) {
  const ElementwiseText& text = statement.op->text;
  switch (text.form) {
    case ElementwiseText::Form::kInfix:
      return operands[0] + " " + std::string(text.token) + " " + operands[1];
    case ElementwiseText::Form::kPrefix:
      return std::string(text.token) +
             (operands[0].starts_with(text.token) ? "(" + operands[0] + ")" : operands[0]);
    case ElementwiseText::Form::kCast:
      return "wick::cast<" + std::string(info(statement.dtype).cpp_name) + ">(" + operands[0] + ")";
    case ElementwiseText::Form::kCall:
      break;
    case ElementwiseText::Form::kNone:
      throw InternalError("an operation without text stands in a body");
  }
  Call call{"wick::" + std::string(text.token), operands};
  for (const std::string_view name : text.literals)
    call.arguments.push_back(literal(attribute_scalar(statement, name)));
  return call.on_one_line();
}

std::vector<Line> lambda(const Body& body, const std::string& name) {
  Scope scope;
  std::vector<std::string> parameters, statements;
  for (const BodyParameter& parameter : body.parameters)
    parameters.push_back(scope.unique(parameter.name));
  for (const BodyStatement& statement : body.statements)
    statements.push_back(scope.unique(statement.name));
  const auto written = [&](const BodyOperand& operand) {
    switch (operand.kind) {
      case BodyOperand::Kind::kParameter:
        return parameters[operand.index];
      case BodyOperand::Kind::kStatement:
        return statements[operand.index];
      case BodyOperand::Kind::kLiteral:
        return literal(operand.literal);
    }
    throw InternalError("an operand of no kind");
  };

  std::vector<Line> lines;
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    const BodyStatement& statement = body.statements[i];
    std::vector<std::string> operands;
    for (const BodyOperand& operand : statement.operands) operands.push_back(written(operand));
    const bool last = i + 1 == body.statements.size() &&
                      body.result.kind == BodyOperand::Kind::kStatement && body.result.index == i;
    const std::string prefix = last ? "return " : "const auto " + statements[i] + " = ";
    lines.push_back(raw(prefix + operation_text(statement, operands) + ";"));
    lines.back().node = statement.node;
    if (last) break;
  }
  const bool returned = !lines.empty() && lines.back().text.starts_with("return ");
  if (!returned) lines.push_back(raw("return " + written(body.result) + ";"));

  return lambda_lines(name, parameters, std::move(lines));
}

std::vector<Line> lambda_lines(const std::string& name, const std::vector<std::string>& parameters,
                               std::vector<Line> body) {
  std::string head = "[](";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    head += (i > 0 ? ", auto " : "auto ") + parameters[i];
  head += ") {";
  const std::string start = "constexpr auto " + name + " =";
  if (start.size() + 1 + head.size() <= kColumns)
    return {block(start + " " + head, std::move(body), "};")};
  Line indented = block(head, std::move(body), "};");
  indented.indent = 4;
  return {raw(start), std::move(indented)};
}

std::string equation(const Body& body) {
  std::vector<std::string> statements;
  for (const BodyStatement& statement : body.statements) {
    std::string text = equation_statement(body, statement, statements);
    if (text.size() > kLongestEquation) text = identifier(statement.name);
    statements.push_back(std::move(text));
  }
  return equation_operand(body, body.result, statements, false);
}

}  // namespace wick::compiler::cpp
