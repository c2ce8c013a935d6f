// Reads what a kernel computes. In the lambda as written, operands have no type yet: an operator is
// a BinaryOperator or names a set of candidates, a call names a function template. In an
// instantiation both are resolved to functions of the runtime. One reader serves both.
#include <clang/AST/Stmt.h>

#include <map>

#include "compiler/ops/record.h"
#include "frontend/clang/lambda.h"

namespace wick::frontend::check {
namespace {

const char* token_of(clang::OverloadedOperatorKind kind) {
  switch (kind) {
    case clang::OO_Plus:
    case clang::OO_Minus:
    case clang::OO_Star:
    case clang::OO_Slash:
    case clang::OO_EqualEqual:
    case clang::OO_ExclaimEqual:
    case clang::OO_Less:
    case clang::OO_LessEqual:
    case clang::OO_Greater:
    case clang::OO_GreaterEqual:
      return clang::getOperatorSpelling(kind);
    default:
      return nullptr;
  }
}

// Whether some operation is written as a call of that function.
bool is_operation(std::string_view function) {
  using Form = compiler::ops::ElementwiseText::Form;
  for (const compiler::ops::OpRecord* record : compiler::ops::all()) {
    if (record->text.form == Form::kCall && record->text.token == function) return true;
  }
  return false;
}

class BodyReader {
 public:
  BodyReader(Context& context, Lanes lanes)
      : context_(context), lanes_(lanes), is_open_(lanes == Lanes::kOpen) {}

  KernelBody read(const clang::FunctionDecl* function) {
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      Expression expression;
      expression.index = static_cast<std::uint32_t>(parameter->getFunctionScopeIndex());
      expression.place = context_.place(parameter->getLocation());
      names_[parameter] = add(std::move(expression), parameter->getType());
    }
    const llvm::ArrayRef<clang::Stmt*> statements = statements_of(context_, function);
    if (statements.empty()) context_.refuse(function->getLocation(), "a kernel returns a value");
    for (const clang::Stmt* statement : statements.drop_back()) {
      const clang::VarDecl* const local = local_of(context_, statement);
      names_[local] = read_value(local->getInit());
    }
    const auto* last = llvm::dyn_cast<clang::ReturnStmt>(statements.back());
    if (last == nullptr || last->getRetValue() == nullptr)
      context_.refuse(statements.back(), "a kernel ends in `return ...;`");
    body_.result = read_value(last->getRetValue());
    body_.dtype = body_.expressions[body_.result].dtype;
    return std::move(body_);
  }

 private:
  std::uint32_t add(Expression expression, clang::QualType type) {
    if (const std::optional<DType> dtype = element(type)) {
      expression.dtype = *dtype;
    } else if (!is_open_) {
      context_.refuse(location_, "this is no value of an element type");
    }
    body_.expressions.push_back(std::move(expression));
    return static_cast<std::uint32_t>(body_.expressions.size() - 1);
  }

  // The dtype of Lanes<E, N>, or of a scalar that stands for all lanes.
  std::optional<DType> element(clang::QualType type) const {
    type = type.getNonReferenceType();
    const auto* lanes = context_.runtime_class(type);
    if (lanes == nullptr) return context_.dtype_of(type);
    if (lanes->getName() != "Lanes") return std::nullopt;
    const std::int64_t count = lanes->getTemplateArgs()[1].getAsIntegral().getExtValue();
    if (count != 1 && count != static_cast<std::int64_t>(lanes_)) return std::nullopt;
    return context_.dtype_of(lanes->getTemplateArgs()[0].getAsType());
  }

  std::uint32_t read_value(const clang::Expr* written) {
    const clang::Expr* const expression = Context::plain(written);
    location_ = expression->getExprLoc();
    if (const auto* in_brackets = llvm::dyn_cast<clang::ParenExpr>(expression))
      return read_value(in_brackets->getSubExpr());
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      const auto known = names_.find(name->getDecl());
      if (known != names_.end()) return known->second;
    }
    if (is_literal(expression)) return read_literal(expression);
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
      return read_operator_call(call);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
      const char* const token =
          token_of(clang::BinaryOperator::getOverloadedOperator(binary->getOpcode()));
      if (!is_open_ || token == nullptr) refuse(expression);
      return read_operator(expression, token, {binary->getLHS(), binary->getRHS()});
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      if (!is_open_ || unary->getOpcode() != clang::UO_Minus) refuse(expression);
      return read_operator(expression, "-", {unary->getSubExpr()});
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return read_call(call);
    refuse(expression);
  }

  [[noreturn]] void refuse(const clang::Expr* expression) {
    context_.refuse(expression,
                    "a kernel computes with its parameters, literals and functions of "
                    "the runtime only");
  }

  // ---- Literals ----

  bool is_literal(const clang::Expr* expression) const {
    if (expression->isTypeDependent()) return false;
    if (const auto* minus = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      return minus->getOpcode() == clang::UO_Minus &&
             is_literal(Context::plain(minus->getSubExpr()));
    }
    if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expression))
      return is_braced_integer(cast);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      const llvm::StringRef constant = context_.runtime_name(name->getDecl());
      return constant == "infinity" || constant == "nan" || constant == "scalar";
    }
    return llvm::isa<clang::FloatingLiteral, clang::CXXBoolLiteralExpr>(expression);
  }

  // std::int32_t{-3}
  bool is_braced_integer(const clang::CXXFunctionalCastExpr* cast) const {
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(Context::plain(cast->getSubExpr()));
    return list != nullptr && list->getNumInits() == 1 && cast->isListInitialization() &&
           list->getInit(0)->getType()->isIntegerType();
  }

  std::uint32_t read_literal(const clang::Expr* expression) {
    const std::optional<Literal> value = context_.value(expression);
    if (!value) context_.refuse(expression, "this literal has no value");
    Expression result;
    result.kind = Expression::Kind::kLiteral;
    result.literal = *value;
    result.place = context_.place(expression->getBeginLoc());
    return add(std::move(result), expression->getType());
  }

  // ---- Operators and calls ----

  std::uint32_t read_operator_call(const clang::CXXOperatorCallExpr* call) {
    const char* const token = token_of(call->getOperator());
    if (token == nullptr) refuse(call);
    require_runtime(call, call->getDirectCallee());
    return read_operator(call, token, {call->arguments().begin(), call->arguments().end()});
  }

  // Operators have no name, so it is their scope that says whose they are.
  void require_runtime(const clang::Expr* call, const clang::FunctionDecl* function) {
    if (is_open_ && function == nullptr) return;
    const auto* scope =
        function == nullptr
            ? nullptr
            : llvm::dyn_cast<clang::NamespaceDecl>(function->getDeclContext()->getRedeclContext());
    if (scope == nullptr || scope->getQualifiedNameAsString() != "wick" ||
        context_.is_emitted(function))
      context_.refuse(call, "a kernel calls functions of the runtime only");
  }

  std::uint32_t read_operator(const clang::Expr* whole, const char* token,
                              std::vector<const clang::Expr*> operands) {
    Expression expression;
    expression.kind = operands.size() == 2 ? Expression::Kind::kInfix : Expression::Kind::kPrefix;
    if (operands.size() == 1 && token != std::string_view("-")) refuse(whole);
    expression.token = token;
    for (const clang::Expr* operand : operands) expression.operands.push_back(read_value(operand));
    location_ = whole->getExprLoc();
    expression.place = context_.place(whole->getExprLoc());
    return add(std::move(expression), whole->getType());
  }

  std::uint32_t read_call(const clang::CallExpr* call) {
    Expression expression;
    expression.kind = Expression::Kind::kCall;
    expression.place = context_.place(call->getBeginLoc());
    bool has_arguments = false;  // of the template
    const clang::Expr* const called = call->getCallee()->IgnoreParenImpCasts();
    if (const auto* open = llvm::dyn_cast<clang::UnresolvedLookupExpr>(called)) {
      const auto* scope =
          open->getQualifier() == nullptr ? nullptr : open->getQualifier()->getAsNamespace();
      if (!is_open_ || scope == nullptr || scope->getQualifiedNameAsString() != "wick" ||
          open->decls().empty())
        refuse(call);
      expression.token = context_.runtime_name(*open->decls_begin()).str();
      has_arguments = open->hasExplicitTemplateArgs();
    } else if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(called)) {
      require_runtime(call, llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()));
      expression.token = context_.runtime_name(name->getDecl()).str();
      has_arguments = name->hasExplicitTemplateArgs();
    }
    const bool is_cast = expression.token == "cast";
    if (expression.token.empty() || has_arguments != is_cast) refuse(call);
    if (is_cast) {
      expression.kind = Expression::Kind::kCast;
    } else if (!is_operation(expression.token)) {
      context_.refuse(call, "'wick::" + expression.token + "' is no operation of kernels");
    }
    for (const clang::Expr* operand : call->arguments())
      expression.operands.push_back(read_value(operand));
    location_ = call->getExprLoc();
    return add(std::move(expression), call->getType());
  }

  Context& context_;
  Lanes lanes_;
  bool is_open_;
  KernelBody body_;
  std::map<const clang::ValueDecl*, std::uint32_t> names_;
  clang::SourceLocation location_;
};

}  // namespace

KernelBody read_kernel_body(Context& context, const clang::FunctionDecl* body, Lanes lanes) {
  return BodyReader(context, lanes).read(body);
}

bool same_structure(const KernelBody& a, const KernelBody& b, bool typed) {
  if (a.expressions.size() != b.expressions.size() || a.result != b.result) return false;
  for (std::size_t i = 0; i < a.expressions.size(); ++i) {
    const Expression& x = a.expressions[i];
    const Expression& y = b.expressions[i];
    if (x.kind != y.kind || x.index != y.index || x.token != y.token || x.operands != y.operands ||
        x.literal.bits != y.literal.bits || x.literal.dtype != y.literal.dtype ||
        (typed && x.dtype != y.dtype))
      return false;
  }
  return true;
}

}  // namespace wick::frontend::check
