// Row programs: lambdas on a `row`, read from their open text, for nothing in them but the kernels
// depends on types.
#pragma once

#include "frontend/clang/lambda.h"

namespace wick::frontend::check {

class Kernels;

// The statements of a row program on results and operands of these types. Types of locals follow
// from the statements: a kept row has the type it states, a reduced value that of its terms.
RowProgram read_row_program(Context& context, Kernels& kernels, const Lambda& lambda,
                            const std::vector<DType>& results, const std::vector<DType>& operands,
                            const clang::Expr* use);

// The operator that `wick::Sum{}` names: "Sum".
std::string reducer_of(Context& context, const clang::Expr* expression);

}  // namespace wick::frontend::check
