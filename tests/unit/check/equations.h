// Kernels for tests of the checker, put together by hand: each expression stands on a line of its
// own, counted from 1001.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/check/program.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check::testing {

Literal f32_literal(float value);
Literal i32_literal(std::int32_t value);

// A kernel under construction. Each function appends an expression and gives its index; the last
// one is the result.
class Equation {
 public:
  explicit Equation(std::string name) { kernel_.name = std::move(name); }

  std::uint32_t parameter(DType dtype = DType::kF32);
  std::uint32_t literal(Literal literal);
  std::uint32_t infix(const std::string& token, std::uint32_t a, std::uint32_t b,
                      DType dtype = DType::kF32);
  std::uint32_t prefix(const std::string& token, std::uint32_t a);
  std::uint32_t call(const std::string& token, std::vector<std::uint32_t> operands,
                     DType dtype = DType::kF32);
  std::uint32_t cast(DType dtype, std::uint32_t a);

  // Enters the kernel into the file: the argument that names it, or its index.
  Argument in(Source& source) const;
  std::uint32_t number_in(Source& source) const;

 private:
  std::uint32_t add(Expression::Kind kind, const std::string& token,
                    std::vector<std::uint32_t> operands, DType dtype);
  Kernel kernel_;
};

// k(a) = wick::token(a); k(a, b) = a token b.
Argument unary(Source& source, const std::string& token);
Argument binary(Source& source, const std::string& token);

Argument reducer(const std::string& name);
Argument number(Literal literal);

// ---- Row programs -------------------------------------------------------------------------------

RowArgument parameter_at(std::uint32_t index);
RowArgument local_at(std::uint32_t index);
RowStatement row_reduce(const std::string& reducer, std::vector<RowArgument> arguments,
                        std::uint32_t kernel = RowStatement::kNoKernel);
RowStatement row_keep(std::uint32_t kernel, std::vector<RowArgument> arguments);
RowStatement row_scalar(std::uint32_t kernel, std::vector<RowArgument> arguments);
RowStatement row_write(std::uint32_t kernel, std::vector<RowArgument> arguments);
// Enters the program into the file.
Argument rows(Source& source, std::vector<RowStatement> statements);

}  // namespace wick::frontend::check::testing
