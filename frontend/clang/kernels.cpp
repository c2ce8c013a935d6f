#include "frontend/clang/kernels.h"

#include <clang/Sema/Sema.h>

#include "frontend/clang/rows.h"

namespace wick::frontend::check {
namespace {

clang::QualType element_type(const clang::ASTContext& ast, DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return ast.FloatTy;
    case DType::kF64:
      return ast.DoubleTy;
    case DType::kI8:
      return ast.SignedCharTy;
    case DType::kU8:
      return ast.UnsignedCharTy;
    case DType::kI32:
      return ast.IntTy;
    case DType::kI64:
      return ast.LongTy;
    case DType::kBool:
      return ast.BoolTy;
  }
  return {};
}

}  // namespace

Kernels::Kernels(Context& context, clang::Sema& sema, Program& program)
    : context_(context), sema_(sema), program_(program) {
  clang::ASTContext& ast = context.ast();
  const auto find = [&](const clang::DeclContext* scope, const char* name) -> clang::NamedDecl* {
    const auto found = scope->lookup(&ast.Idents.get(name));
    return found.empty() ? nullptr : found.front();
  };
  const auto* wick =
      llvm::dyn_cast_or_null<clang::NamespaceDecl>(find(ast.getTranslationUnitDecl(), "wick"));
  if (wick != nullptr)
    lanes_ = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(find(wick, "Lanes"));
}

void Kernels::declare(const clang::VarDecl* variable) {
  lambdas_.emplace(variable, lambda_of(context_, variable));
  order_.push_back(variable);
}

bool Kernels::is_lambda(const clang::Expr* expression) const {
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(Context::named(expression));
  return variable != nullptr && lambdas_.contains(variable);
}

const Lambda& Kernels::lambda(const clang::Expr* use) {
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(Context::named(use));
  const auto known = lambdas_.find(variable);
  if (known == lambdas_.end())
    context_.refuse(use, "here stands the name of a kernel of this file");
  is_used_[variable] = true;
  return known->second;
}

std::uint32_t Kernels::kernel(const clang::Expr* use, const std::vector<DType>& types) {
  const Lambda& which = lambda(use);
  const auto known = kernels_.find({which.variable, types});
  if (known != kernels_.end()) return known->second;
  if (types.size() != which.call->getNumParams()) {
    context_.refuse(use, "'" + which.name() + "' takes " +
                             std::to_string(which.call->getNumParams()) + " operands, and " +
                             std::to_string(types.size()) + " are passed");
  }
  const std::uint32_t index = read(which, types, use->getExprLoc());
  kernels_.emplace(Key{which.variable, types}, index);
  return index;
}

std::uint32_t Kernels::read(const Lambda& lambda, const std::vector<DType>& types,
                            clang::SourceLocation use) {
  auto open = open_bodies_.find(lambda.variable);
  if (open == open_bodies_.end()) {
    const Lanes lanes = lambda.generic != nullptr ? Lanes::kOpen : Lanes::kOne;
    KernelBody body = read_kernel_body(context_, lambda.call, lanes);
    open = open_bodies_.emplace(lambda.variable, std::move(body)).first;
  }
  KernelBody single = open->second;
  if (lambda.generic != nullptr) {
    single = read_kernel_body(context_, instantiate(lambda, types, Lanes::kOne, use), Lanes::kOne);
    const KernelBody vector =
        read_kernel_body(context_, instantiate(lambda, types, Lanes::kVector, use), Lanes::kVector);
    if (!same_structure(single, vector, true) || !same_structure(open->second, single, false))
      context_.refuse(lambda.variable->getLocation(),
                      "'" + lambda.name() + "' means different things for different operands");
  }
  Kernel kernel;
  kernel.name = lambda.name();
  kernel.place = context_.place(lambda.variable->getLocation());
  for (const clang::ParmVarDecl* parameter : lambda.call->parameters())
    kernel.parameters.push_back(parameter->getNameAsString());
  kernel.parameter_types = types;
  kernel.expressions = std::move(single.expressions);
  kernel.result = single.result;
  program_.kernels.push_back(std::move(kernel));
  results_.push_back(single.dtype);
  return static_cast<std::uint32_t>(program_.kernels.size() - 1);
}

const clang::FunctionDecl* Kernels::instantiate(const Lambda& lambda,
                                                const std::vector<DType>& types, Lanes lanes,
                                                clang::SourceLocation use) {
  std::vector<clang::TemplateArgument> arguments;
  for (const DType type : types) arguments.emplace_back(lanes_type(type, lanes));
  clang::FunctionDecl* const function = sema_.InstantiateFunctionDeclaration(
      lambda.generic, clang::TemplateArgumentList::CreateCopy(context_.ast(), arguments), use);
  if (function != nullptr) sema_.InstantiateFunctionDefinition(use, function, false, true);
  if (function == nullptr || function->getBody() == nullptr || function->isInvalidDecl() ||
      context_.ast().getDiagnostics().hasErrorOccurred())
    throw Refused{};  // Clang has said why
  return function;
}

clang::QualType Kernels::lanes_type(DType dtype, Lanes lanes) {
  clang::QualType& type = lanes_types_[{dtype, lanes}];
  if (!type.isNull()) return type;
  clang::ASTContext& ast = context_.ast();
  const clang::SourceLocation nowhere = lanes_->getLocation();
  const clang::QualType element = element_type(ast, dtype);
  clang::Expr* const count = clang::IntegerLiteral::Create(
      ast, llvm::APInt(32, static_cast<unsigned>(lanes)), ast.IntTy, nowhere);
  clang::TemplateArgumentListInfo arguments(nowhere, nowhere);
  arguments.addArgument(
      {clang::TemplateArgument(element), ast.getTrivialTypeSourceInfo(element, nowhere)});
  arguments.addArgument({clang::TemplateArgument(count), count});
  type =
      sema_.CheckTemplateIdType(clang::TemplateName(lanes_), nowhere, arguments).getCanonicalType();
  return type;
}

std::uint32_t Kernels::rows(const clang::Expr* use, const std::vector<DType>& results,
                            const std::vector<DType>& operands) {
  const Lambda& which = lambda(use);
  std::vector<DType> types = results;
  types.insert(types.end(), operands.begin(), operands.end());
  const auto known = rows_.find({which.variable, types});
  if (known != rows_.end()) return known->second;
  RowProgram program = read_row_program(context_, *this, which, results, operands, use);
  program_.row_programs.push_back(std::move(program));
  const auto index = static_cast<std::uint32_t>(program_.row_programs.size() - 1);
  rows_.emplace(Key{which.variable, types}, index);
  return index;
}

void Kernels::report_unused() {
  for (const clang::VarDecl* variable : order_) {
    if (is_used_.contains(variable)) continue;
    context_.report(variable->getLocation(),
                    "'" + variable->getNameAsString() + "' is used by no statement");
  }
}

}  // namespace wick::frontend::check
