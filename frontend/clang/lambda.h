// The lambdas of an emitted file: their shape, and what one of their bodies computes.
#pragma once

#include <clang/AST/DeclCXX.h>

#include <string>
#include <vector>

#include "frontend/clang/context.h"

namespace wick::frontend::check {

// A lambda without captures whose parameters are all `auto`, the value of a constant of the file.
struct Lambda {
  const clang::VarDecl* variable = nullptr;
  const clang::CXXMethodDecl* call = nullptr;      // as written
  clang::FunctionTemplateDecl* generic = nullptr;  // null if there are no parameters
  std::string name() const { return variable->getNameAsString(); }
};

// Refuses a variable that is anything else.
Lambda lambda_of(Context& context, const clang::VarDecl* variable);

// The statements of a body, the last of which may be a return.
llvm::ArrayRef<clang::Stmt*> statements_of(Context& context, const clang::FunctionDecl* function);

// `const auto NAME = …;`, or a refusal.
const clang::VarDecl* local_of(Context& context, const clang::Stmt* statement);

// How many lanes a kernel's operands have; kOpen: the lambda as it is written, where that and the
// names of types and functions are open.
enum class Lanes : unsigned { kOpen = 0, kOne = 1, kVector = 4 };

// What the body of a kernel computes: of the open one, or of an instantiation, where everything is
// resolved. Both give the same expressions if the text means the same in both. Of the open one,
// dtypes mean nothing.
struct KernelBody {
  std::vector<Expression> expressions;
  std::uint32_t result = 0;
  DType dtype = DType::kF32;
};
KernelBody read_kernel_body(Context& context, const clang::FunctionDecl* body, Lanes lanes);

// Whether two readings of one kernel say the same; with `typed`, in the same types.
bool same_structure(const KernelBody& a, const KernelBody& b, bool typed);

}  // namespace wick::frontend::check
