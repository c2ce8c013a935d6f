#include "frontend/clang/lambda.h"

#include <clang/AST/Stmt.h>

namespace wick::frontend::check {

Lambda lambda_of(Context& context, const clang::VarDecl* variable) {
  const clang::Expr* const init = variable->getInit();
  const auto* lambda =
      init == nullptr ? nullptr : llvm::dyn_cast<clang::LambdaExpr>(Context::plain(init));
  if (lambda == nullptr)
    context.refuse(variable->getLocation(), "'" + variable->getNameAsString() + "' is no kernel");
  if (lambda->capture_size() != 0 || lambda->getCaptureDefault() != clang::LCD_None)
    context.refuse(lambda->getBeginLoc(), "a kernel captures nothing");
  const clang::CXXMethodDecl* const call = lambda->getCallOperator();
  if (lambda->isMutable() || lambda->hasExplicitResultType() || !call->isConst() ||
      call->hasAttrs() || call->getExceptionSpecType() != clang::EST_None)
    context.refuse(lambda->getBeginLoc(), "a kernel is written [](auto a, auto b) { ... }");
  for (const clang::ParmVarDecl* parameter : call->parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->getAs<clang::TemplateTypeParmType>() == nullptr || type.hasLocalQualifiers() ||
        parameter->isParameterPack() || parameter->hasDefaultArg() || parameter->hasAttrs() ||
        !parameter->getIdentifier())
      context.refuse(parameter->getBeginLoc(), "a kernel's parameters are written `auto name`");
  }
  return {variable, call, lambda->getLambdaClass()->getDependentLambdaCallOperator()};
}

llvm::ArrayRef<clang::Stmt*> statements_of(Context& context, const clang::FunctionDecl* function) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
  if (body == nullptr) context.refuse(function->getLocation(), "this function has no body");
  return {body->body_begin(), body->body_end()};
}

const clang::VarDecl* local_of(Context& context, const clang::Stmt* statement) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declaration == nullptr || !declaration->isSingleDecl())
    context.refuse(statement, "here stands `const auto name = ...;`");
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
  if (variable == nullptr || variable->getStorageClass() != clang::SC_None ||
      !variable->getType().isConstQualified() || variable->hasAttrs() || variable->isConstexpr() ||
      variable->getType()->isReferenceType() || variable->getInit() == nullptr ||
      variable->getInitStyle() != clang::VarDecl::CInit ||
      variable->getTSCSpec() != clang::TSCS_unspecified)
    context.refuse(statement, "here stands `const auto name = ...;`");
  return variable;
}

}  // namespace wick::frontend::check
