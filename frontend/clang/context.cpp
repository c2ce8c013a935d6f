#include "frontend/clang/context.h"

#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace wick::frontend::check {
namespace {

std::uint64_t bits_of(const clang::APValue& value) {
  if (value.isFloat()) return value.getFloat().bitcastToAPInt().getZExtValue();
  return value.getInt().getZExtValue();
}

// Integers of a template argument or a pack of them.
bool append_integers(const clang::TemplateArgument& argument, std::vector<std::int64_t>& values) {
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    return llvm::all_of(argument.pack_elements(), [&](const clang::TemplateArgument& element) {
      return append_integers(element, values);
    });
  }
  if (argument.getKind() != clang::TemplateArgument::Integral) return false;
  values.push_back(argument.getAsIntegral().getExtValue());
  return true;
}

}  // namespace

void Context::report(clang::SourceLocation location, std::string message, std::string hint) {
  if (findings_.size() >= kMostFindings) return;
  Place where = place(location);
  if (where.line == 0) where = {1, 1, Place::File::kSource};
  findings_.push_back({where, std::move(message), std::move(hint), {}});
}

void Context::report_lack(Place::File file, std::string message) {
  findings_.push_back({{1, 1, file}, std::move(message), {}, {}});
}

void Context::refuse(clang::SourceLocation location, std::string message, std::string hint) {
  report(location, std::move(message), std::move(hint));
  throw Refused{};
}

void Context::refuse(const clang::Stmt* statement, std::string message, std::string hint) {
  refuse(statement->getBeginLoc(), std::move(message), std::move(hint));
}

std::string Context::text(clang::SourceRange range) const {
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                     ast_.getSourceManager(), ast_.getLangOpts())
      .str();
}

// ---- Declarations
// --------------------------------------------------------------------------------

bool Context::is_emitted(const clang::Decl* declaration) const {
  return place(declaration->getLocation()).line != 0;
}

bool Context::is_only_aligned(const clang::Decl* declaration) {
  return llvm::all_of(declaration->attrs(), [](const clang::Attr* attribute) {
    return attribute->getKind() == clang::attr::Aligned;
  });
}

llvm::StringRef Context::runtime_name(const clang::NamedDecl* declaration) const {
  const auto* scope =
      llvm::dyn_cast<clang::NamespaceDecl>(declaration->getDeclContext()->getRedeclContext());
  if (scope == nullptr || !scope->getDeclContext()->getRedeclContext()->isTranslationUnit() ||
      scope->getName() != "wick" || is_emitted(declaration) ||
      !declaration->getDeclName().isIdentifier())
    return {};
  return declaration->getName();
}

// ---- Types
// ---------------------------------------------------------------------------------------

std::optional<DType> Context::dtype_of(clang::QualType type) const {
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  if (builtin == nullptr) return std::nullopt;
  switch (builtin->getKind()) {
    case clang::BuiltinType::Float:
      return DType::kF32;
    case clang::BuiltinType::Double:
      return DType::kF64;
    case clang::BuiltinType::SChar:
      return DType::kI8;
    case clang::BuiltinType::UChar:
      return DType::kU8;
    case clang::BuiltinType::Int:
      return DType::kI32;
    case clang::BuiltinType::Long:
      return DType::kI64;
    case clang::BuiltinType::Bool:
      return DType::kBool;
    default:
      return std::nullopt;
  }
}

const clang::ClassTemplateSpecializationDecl* Context::runtime_class(clang::QualType type) const {
  const auto* special = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getCanonicalType()->getAsCXXRecordDecl());
  return special != nullptr && !runtime_name(special).empty() ? special : nullptr;
}

bool Context::is_class(clang::QualType type, llvm::StringRef name) const {
  const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
  return record != nullptr && runtime_name(record) == name;
}

std::optional<TensorType> Context::operand_type(clang::QualType type) const {
  static constexpr const char* kOperands[] = {"In", "Out", "InOut", "Slot", "HeapSlot"};
  const auto* special = runtime_class(type);
  if (special == nullptr || llvm::find(kOperands, special->getName()) == std::end(kOperands))
    return std::nullopt;
  return tensor_type(special->getTemplateArgs()[0].getAsType());
}

std::optional<TensorType> Context::tensor_type(clang::QualType description) const {
  const auto* special = runtime_class(description);
  if (special == nullptr) return std::nullopt;
  const clang::TemplateArgumentList& arguments = special->getTemplateArgs();
  if (arguments.size() != 2 || arguments[0].getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  std::vector<std::int64_t> numbers;
  if (!append_integers(arguments[1], numbers)) return std::nullopt;
  const clang::QualType first = arguments[0].getAsType();
  if (special->getName() == "Strided") {
    std::optional<TensorType> of = is_class(first, "Tensor") ? tensor_type(first) : std::nullopt;
    if (!of || numbers.size() != of->shape().rank()) return std::nullopt;
    return TensorType{of->dtype, compiler::Layout(of->shape(), numbers, 0)};
  }
  const std::optional<DType> dtype = dtype_of(first);
  const std::optional<compiler::Shape> shape = compiler::Shape::make(numbers);
  if (special->getName() != "Tensor" || !dtype || !shape) return std::nullopt;
  return TensorType{*dtype, compiler::Layout(*shape)};
}

std::optional<TensorType> Context::panels_type(clang::QualType description) const {
  const auto* special = runtime_class(description);
  if (special == nullptr || special->getName() != "Panels") return std::nullopt;
  const clang::TemplateArgumentList& arguments = special->getTemplateArgs();
  std::vector<std::int64_t> numbers;
  if (arguments.size() != 3 || arguments[0].getKind() != clang::TemplateArgument::Type ||
      !append_integers(arguments[1], numbers) || !append_integers(arguments[2], numbers))
    return std::nullopt;
  const std::optional<DType> dtype = dtype_of(arguments[0].getAsType());
  const std::optional<compiler::Shape> shape = compiler::Shape::make(numbers);
  if ((dtype != DType::kF32 && dtype != DType::kF64) || !shape || shape->rank() != 2)
    return std::nullopt;
  return TensorType{*dtype, compiler::Layout(*shape)};
}

std::optional<TensorType> Context::panels_operand(clang::QualType type) const {
  const auto* special = runtime_class(type);
  if (special == nullptr || special->getName() != "In") return std::nullopt;
  return panels_type(special->getTemplateArgs()[0].getAsType());
}

bool Context::is_type(clang::QualType type, llvm::StringRef spelling) const {
  clang::PrintingPolicy policy(ast_.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  return type.getCanonicalType().getAsString(policy) == spelling;
}

// ---- Expressions
// ---------------------------------------------------------------------------------

const clang::Expr* Context::plain(const clang::Expr* expression) {
  for (;;) {
    const clang::Expr* const before = expression;
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) {
      expression = cast->getSubExpr();
    } else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression)) {
      expression = full->getSubExpr();
    } else if (const auto* temporary =
                   llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) {
      expression = bound->getSubExpr();
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      // A copy that nobody wrote.
      if (!llvm::isa<clang::CXXTemporaryObjectExpr>(made) && made->getNumArgs() == 1 &&
          made->getConstructor()->isCopyOrMoveConstructor())
        expression = made->getArg(0);
    }
    if (expression == before) return expression;
  }
}

const clang::ValueDecl* Context::named(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(plain(expression));
  return name == nullptr ? nullptr : name->getDecl();
}

std::int64_t Context::constant(const clang::Expr* expression) {
  const clang::Expr* const written = plain(expression);
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named(written));
  const bool is_name = variable != nullptr && variable->isConstexpr() && is_emitted(variable) &&
                       variable->isFileVarDecl();
  const bool is_size = llvm::isa<clang::UnaryExprOrTypeTraitExpr>(written);
  clang::Expr::EvalResult result;
  if ((is_name || is_size || llvm::isa<clang::IntegerLiteral>(written)) &&
      expression->EvaluateAsInt(result, ast_)) {
    const llvm::APSInt& number = result.Val.getInt();
    if (number.isNonNegative() && number.getActiveBits() < 63) return number.getExtValue();
  }
  refuse(expression, "here stands a number, or a constant of this file that is one");
}

std::int64_t Context::integer(const clang::Expr* expression) {
  const auto* minus = llvm::dyn_cast<clang::UnaryOperator>(plain(expression));
  if (minus == nullptr || minus->getOpcode() != clang::UO_Minus) return constant(expression);
  return -constant(minus->getSubExpr());
}

std::optional<Literal> Context::value(const clang::Expr* expression) const {
  const std::optional<DType> dtype = dtype_of(expression->getType());
  clang::Expr::EvalResult result;
  if (!dtype || !expression->EvaluateAsRValue(result, ast_, true) || result.HasSideEffects ||
      !(result.Val.isInt() || result.Val.isFloat()))
    return std::nullopt;
  return Literal{*dtype, bits_of(result.Val)};
}

const clang::FunctionDecl* Context::callee(const clang::CallExpr* call) {
  return call->getDirectCallee();
}

}  // namespace wick::frontend::check
