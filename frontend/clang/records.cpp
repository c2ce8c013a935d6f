#include "frontend/clang/records.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Stmt.h>

#include "frontend/clang/functions.h"
#include "frontend/clang/lambda.h"
#include "frontend/clang/memory.h"

namespace wick::frontend::check {
namespace {

// A struct of fields alone.
void require_plain_record(Context& context, const clang::CXXRecordDecl* record) {
  bool is_plain = record->isStruct() && record->getNumBases() == 0 && !record->hasAttrs() &&
                  record->getDescribedClassTemplate() == nullptr &&
                  record->isThisDeclarationADefinition();
  for (const clang::Decl* member : record->decls())
    is_plain = is_plain && (member->isImplicit() || llvm::isa<clang::FieldDecl>(member));
  if (!is_plain)
    context.refuse(record->getLocation(), "this struct holds something else than fields");
}

// Whether a struct of that name was read before.
void require_first(Context& context, const clang::CXXRecordDecl* before,
                   const clang::CXXRecordDecl* record) {
  if (before != nullptr)
    context.refuse(record->getLocation(),
                   "there is a struct " + record->getNameAsString() + " already");
}

void append_bits(std::vector<std::byte>& bytes, const clang::APValue& value, std::size_t size) {
  const std::uint64_t bits = value.isFloat() ? value.getFloat().bitcastToAPInt().getZExtValue()
                                             : value.getInt().getZExtValue();
  for (std::size_t i = 0; i < size; ++i)
    bytes.push_back(static_cast<std::byte>((bits >> (8 * i)) & 0xFF));
}

// The elements of `constexpr float NAME_values[] = {…};`
std::vector<std::byte> read_values(Context& context, const clang::VarDecl* array,
                                   const TensorType& type) {
  const auto* shape = context.ast().getAsConstantArrayType(array->getType());
  const auto count = static_cast<std::uint64_t>(type.shape().element_count());
  if (shape == nullptr || context.dtype_of(shape->getElementType()) != type.dtype ||
      shape->getZExtSize() != std::max<std::uint64_t>(count, 1))
    context.refuse(array->getLocation(),
                   "the array does not hold the elements of " + type.shape().to_string());
  const clang::APValue* const values = array->evaluateValue();
  if (values == nullptr || !values->isArray())
    context.refuse(array->getLocation(), "the array has no constant values");
  std::vector<std::byte> bytes;
  for (unsigned i = 0; i < count; ++i) {
    const bool is_written = i < values->getArrayInitializedElts();
    append_bits(bytes, is_written ? values->getArrayInitializedElt(i) : values->getArrayFiller(),
                compiler::size_of(type.dtype));
  }
  return bytes;
}

// The one expression inside the braces of a field's initialiser, or null.
const clang::Expr* braced(const clang::FieldDecl* field) {
  if (field->getInClassInitStyle() != clang::ICIS_ListInit) return nullptr;
  const clang::Expr* init = Context::plain(field->getInClassInitializer());
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(init))
    init = list->getNumInits() == 1 ? Context::plain(list->getInit(0)) : nullptr;
  const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  return made == nullptr || made->getNumArgs() != 1 ? nullptr : Context::plain(made->getArg(0));
}

// A field `wick::In<T> name`, T in panels or not.
TensorType tensor_field(Context& context, const clang::FieldDecl* field, bool panels) {
  const bool is_operand = context.is_class(field->getType(), "In");
  const std::optional<TensorType> type = panels       ? context.panels_operand(field->getType())
                                         : is_operand ? context.operand_type(field->getType())
                                                      : std::nullopt;
  if (!type || field->isMutable() || field->hasAttrs() || field->getType().isConstQualified())
    context.refuse(field->getLocation(), "here stands `wick::In<T> name`");
  return *type;
}

}  // namespace

void read_weights(Context& context, Globals& globals, Program& program,
                  const clang::CXXRecordDecl* record) {
  require_first(context, globals.weights_record, record);
  require_plain_record(context, record);
  globals.weights_record = record;
  for (const clang::FieldDecl* field : record->fields()) {
    Weight weight;
    weight.name = field->getNameAsString();
    weight.panels = context.panels_operand(field->getType()).has_value();
    weight.type = tensor_field(context, field, weight.panels);
    weight.place = context.place(field->getLocation());
    if (!weight.type.layout.is_packed())
      context.refuse(field->getLocation(), "constants are row-major");
    if (weight.panels && field->hasInClassInitializer())
      context.refuse(field->getLocation(), "constants in panels stand in the weights file");
    if (field->hasInClassInitializer()) {
      const clang::Expr* const init = braced(field);
      const auto* array =
          init == nullptr ? nullptr : llvm::dyn_cast_or_null<clang::VarDecl>(Context::named(init));
      if (array == nullptr || !array->isConstexpr() || !context.is_emitted(array))
        context.refuse(field->getLocation(), "a constant is a view of an array of this file");
      weight.is_inline = true;
      weight.values = read_values(context, array, weight.type);
    }
    globals.weights[field] = static_cast<std::uint32_t>(program.weights.size());
    program.weights.push_back(std::move(weight));
  }
}

void read_weights_at(Context& context, Globals& globals, Program& program,
                     const clang::FunctionDecl* function) {
  require_plain_function(context, function);
  const auto* result = function->getReturnType()->getAsCXXRecordDecl();
  if (result == nullptr || result != globals.weights_record || function->getNumParams() != 1 ||
      !context.is_type(function->getParamDecl(0)->getType(), "const std::byte *"))
    context.refuse(function->getLocation(), "weights_at makes Weights of the packed bytes");
  const llvm::ArrayRef<clang::Stmt*> statements = statements_of(context, function);
  const auto* last =
      statements.size() != 1 ? nullptr : llvm::dyn_cast<clang::ReturnStmt>(statements[0]);
  const auto* list = last == nullptr || last->getRetValue() == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::InitListExpr>(Context::plain(last->getRetValue()));
  if (list == nullptr || list->getNumInits() != program.weights.size())
    context.refuse(function->getLocation(), "weights_at returns one view for each constant");
  for (unsigned i = 0; i < list->getNumInits(); ++i) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(list->getInit(i)));
    const clang::FunctionDecl* const made = call == nullptr ? nullptr : Context::callee(call);
    if (made == nullptr || context.runtime_name(made) != "constant" ||
        written_arguments(call).size() != 1 || program.weights[i].is_inline ||
        Context::named(call->getArg(0)) != function->getParamDecl(0))
      context.refuse(list->getInit(i), "here stands wick::constant<T>(packed, offset)");
    program.weights[i].offset = context.constant(call->getArg(1));
  }
  globals.weights_at = function;
}

void read_state(Context& context, Globals& globals, Program& program,
                const clang::CXXRecordDecl* record) {
  require_first(context, globals.state_record, record);
  require_plain_record(context, record);
  globals.state_record = record;
  program.has_state = true;
  for (const clang::FieldDecl* field : record->fields()) {
    const clang::QualType type = field->getType();
    const auto* array = context.ast().getAsConstantArrayType(type);
    if (context.is_class(type, "Once") && globals.once == nullptr && !field->hasAttrs()) {
      globals.once = field;
    } else if (array != nullptr && context.is_type(array->getElementType(), "std::byte") &&
               globals.state_bytes == nullptr && !field->hasInClassInitializer() &&
               Context::is_only_aligned(field)) {
      globals.state_bytes = field;
      program.state_bytes = static_cast<std::int64_t>(array->getZExtSize());
      program.state_alignment =
          context.ast().toCharUnitsFromBits(field->getMaxAlignment()).getQuantity();
    } else {
      const TensorType tensor = tensor_field(context, field, false);
      const clang::Expr* const init = braced(field);
      if (init == nullptr || !llvm::isa<clang::CXXNullPtrLiteralExpr>(init))
        context.refuse(field->getLocation(), "a parameter that is not bound yet is {nullptr}");
      globals.bound[field] = static_cast<std::uint32_t>(program.bound.size());
      program.bound.push_back(
          {field->getNameAsString(), tensor, context.place(field->getLocation())});
    }
  }
}

void read_bind(Context& context, const Globals& globals, const clang::FunctionDecl* function) {
  require_plain_function(context, function);
  const unsigned count = function->getNumParams();
  const bool fits =
      function->getReturnType()->isVoidType() && count == globals.bound.size() + 1 &&
      read_parameter(context, globals, function->getParamDecl(0)).kind == Parameter::Kind::kState;
  const llvm::ArrayRef<clang::Stmt*> statements = statements_of(context, function);
  if (!fits || statements.size() != globals.bound.size())
    context.refuse(function->getLocation(), "bind sets each parameter of the state once");
  for (unsigned i = 1; i < count; ++i) {
    const clang::ParmVarDecl* const parameter = function->getParamDecl(i);
    const auto* expression = llvm::dyn_cast<clang::Expr>(statements[i - 1]);
    const auto* set = expression == nullptr
                          ? nullptr
                          : llvm::dyn_cast<clang::CXXOperatorCallExpr>(Context::plain(expression));
    const auto* member = set == nullptr || set->getOperator() != clang::OO_Equal
                             ? nullptr
                             : llvm::dyn_cast<clang::MemberExpr>(Context::plain(set->getArg(0)));
    if (member == nullptr || Context::named(member->getBase()) != function->getParamDecl(0) ||
        !globals.bound.contains(member->getMemberDecl()) ||
        globals.bound.at(member->getMemberDecl()) != i - 1 ||
        member->getMemberDecl()->getName() != parameter->getName() ||
        Context::named(set->getArg(1)) != parameter ||
        !context.ast().hasSameType(member->getMemberDecl()->getType(), parameter->getType()))
      context.refuse(statements[i - 1],
                     "bind sets each parameter from the one of its name, in the order of State");
  }
}

void read_reset(Context& context, const Globals& globals, const clang::FunctionDecl* function) {
  require_plain_function(context, function);
  const llvm::ArrayRef<clang::Stmt*> statements = statements_of(context, function);
  const auto* expression =
      statements.size() != 1 ? nullptr : llvm::dyn_cast<clang::Expr>(statements[0]);
  const auto* call = expression == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::CXXMemberCallExpr>(Context::plain(expression));
  const auto* once =
      call == nullptr
          ? nullptr
          : llvm::dyn_cast<clang::MemberExpr>(Context::plain(call->getImplicitObjectArgument()));
  if (function->getNumParams() != 1 || !function->getReturnType()->isVoidType() ||
      once == nullptr || globals.once == nullptr || once->getMemberDecl() != globals.once ||
      Context::named(once->getBase()) != function->getParamDecl(0) ||
      call->getMethodDecl()->getNameAsString() != "reset")
    context.refuse(function->getLocation(), "reset is { state.once.reset(); }");
}

}  // namespace wick::frontend::check
