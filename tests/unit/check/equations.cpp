#include "tests/unit/check/equations.h"

#include <cstring>
#include <utility>

namespace wick::frontend::check::testing {

Literal f32_literal(float value) {
  Literal literal{DType::kF32, 0};
  std::memcpy(&literal.bits, &value, sizeof(value));
  return literal;
}

Literal i32_literal(std::int32_t value) {
  Literal literal{DType::kI32, 0};
  std::memcpy(&literal.bits, &value, sizeof(value));
  return literal;
}

std::uint32_t Equation::add(Expression::Kind kind, const std::string& token,
                            std::vector<std::uint32_t> operands, DType dtype) {
  Expression expression;
  expression.kind = kind;
  expression.token = token;
  expression.operands = std::move(operands);
  expression.dtype = dtype;
  const auto index = static_cast<std::uint32_t>(kernel_.expressions.size());
  expression.place = {1001 + index, 9};
  kernel_.expressions.push_back(std::move(expression));
  kernel_.result = index;
  return index;
}

std::uint32_t Equation::parameter(DType dtype) {
  const std::uint32_t index = add(Expression::Kind::kParameter, {}, {}, dtype);
  kernel_.expressions[index].index = static_cast<std::uint32_t>(kernel_.parameters.size());
  kernel_.parameters.push_back("p" + std::to_string(kernel_.parameters.size()));
  kernel_.parameter_types.push_back(dtype);
  return index;
}

std::uint32_t Equation::literal(Literal literal) {
  const std::uint32_t index = add(Expression::Kind::kLiteral, {}, {}, literal.dtype);
  kernel_.expressions[index].literal = literal;
  return index;
}

std::uint32_t Equation::infix(const std::string& token, std::uint32_t a, std::uint32_t b,
                              DType dtype) {
  return add(Expression::Kind::kInfix, token, {a, b}, dtype);
}

std::uint32_t Equation::prefix(const std::string& token, std::uint32_t a) {
  return add(Expression::Kind::kPrefix, token, {a}, kernel_.expressions[a].dtype);
}

std::uint32_t Equation::call(const std::string& token, std::vector<std::uint32_t> operands,
                             DType dtype) {
  return add(Expression::Kind::kCall, token, std::move(operands), dtype);
}

std::uint32_t Equation::cast(DType dtype, std::uint32_t a) {
  return add(Expression::Kind::kCast, "cast", {a}, dtype);
}

std::uint32_t Equation::number_in(Source& source) const {
  source.program().kernels.push_back(kernel_);
  return static_cast<std::uint32_t>(source.program().kernels.size() - 1);
}

Argument Equation::in(Source& source) const {
  Argument argument;
  argument.kind = Argument::Kind::kKernel;
  argument.index = number_in(source);
  return argument;
}

Argument unary(Source& source, const std::string& token) {
  Equation equation(token);
  equation.call(token, {equation.parameter()});
  return equation.in(source);
}

Argument binary(Source& source, const std::string& token) {
  Equation equation("binary");
  const std::uint32_t a = equation.parameter(), b = equation.parameter();
  equation.infix(token, a, b);
  return equation.in(source);
}

Argument reducer(const std::string& name) {
  Argument argument;
  argument.kind = Argument::Kind::kReducer;
  argument.text = name;
  return argument;
}

Argument number(Literal literal) {
  Argument argument;
  argument.kind = Argument::Kind::kLiteral;
  argument.literal = literal;
  return argument;
}

// ---- Row programs -------------------------------------------------------------------------------

RowArgument parameter_at(std::uint32_t index) { return {RowArgument::Kind::kParameter, index, {}}; }
RowArgument local_at(std::uint32_t index) { return {RowArgument::Kind::kLocal, index, {}}; }

namespace {

RowStatement statement(RowStatement::Kind kind, std::uint32_t kernel,
                       std::vector<RowArgument> arguments) {
  RowStatement statement;
  statement.kind = kind;
  statement.kernel = kernel;
  statement.arguments = std::move(arguments);
  return statement;
}

}  // namespace

RowStatement row_reduce(const std::string& reducer, std::vector<RowArgument> arguments,
                        std::uint32_t kernel) {
  RowStatement reduce = statement(RowStatement::Kind::kReduce, kernel, std::move(arguments));
  reduce.reducer = reducer;
  return reduce;
}

RowStatement row_keep(std::uint32_t kernel, std::vector<RowArgument> arguments) {
  return statement(RowStatement::Kind::kKeep, kernel, std::move(arguments));
}

RowStatement row_scalar(std::uint32_t kernel, std::vector<RowArgument> arguments) {
  return statement(RowStatement::Kind::kScalar, kernel, std::move(arguments));
}

RowStatement row_write(std::uint32_t kernel, std::vector<RowArgument> arguments) {
  return statement(RowStatement::Kind::kWrite, kernel, std::move(arguments));
}

Argument rows(Source& source, std::vector<RowStatement> statements) {
  RowProgram program;
  program.name = "row_program";
  for (std::size_t i = 0; i < statements.size(); ++i) {
    statements[i].name = "local" + std::to_string(i);
    statements[i].place = {static_cast<std::uint32_t>(501 + i), 3};
  }
  program.statements = std::move(statements);
  source.program().row_programs.push_back(std::move(program));
  Argument argument;
  argument.kind = Argument::Kind::kRowProgram;
  argument.index = static_cast<std::uint32_t>(source.program().row_programs.size() - 1);
  return argument;
}

}  // namespace wick::frontend::check::testing
