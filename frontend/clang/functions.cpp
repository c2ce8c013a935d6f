#include "frontend/clang/functions.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Stmt.h>

#include "frontend/clang/calls.h"
#include "frontend/clang/memory.h"

namespace wick::frontend::check {
namespace {

class FunctionReader {
 public:
  FunctionReader(Context& context, const Globals& globals, Kernels& kernels, Program& program,
                 const clang::FunctionDecl* declaration)
      : context_(context),
        globals_(globals),
        program_(program),
        declaration_(declaration),
        memory_(context, globals, function_),
        calls_(context, kernels, memory_) {}

  Function read() {
    function_.name = declaration_->getNameAsString();
    function_.place = context_.place(declaration_->getLocation());
    require_plain_function(context_, declaration_);
    if (!declaration_->getReturnType()->isVoidType())
      context_.refuse(declaration_->getLocation(), "this function returns nothing");
    function_.is_noexcept = true;
    if (globals_.weights_values != nullptr) memory_.set_weights(globals_.weights_values);
    for (const clang::ParmVarDecl* parameter : declaration_->parameters()) add(parameter);
    for (const clang::Stmt* statement : statements_of(context_, declaration_))
      context_.attempt([&] { read_statement(statement); });
    return std::move(function_);
  }

 private:
  void add(const clang::ParmVarDecl* parameter) {
    const Parameter read = read_parameter(context_, globals_, parameter);
    for (const Parameter& other : function_.parameters) {
      const bool is_tensor = context_.operand_type(parameter->getType()).has_value();
      if (!is_tensor && other.kind == read.kind)
        context_.refuse(parameter->getBeginLoc(), "there is such a parameter already");
    }
    if (read.kind == Parameter::Kind::kWeights && memory_.weights() != nullptr)
      context_.refuse(parameter->getBeginLoc(), "the constants stand in this file");
    const auto position = static_cast<std::uint32_t>(function_.parameters.size());
    function_.parameters.push_back(read);
    switch (read.kind) {
      case Parameter::Kind::kWeights:
        memory_.set_weights(parameter);
        break;
      case Parameter::Kind::kState:
        memory_.set_state(parameter);
        break;
      case Parameter::Kind::kArena:
        memory_.set_arena(parameter);
        break;
      case Parameter::Kind::kInput:
        memory_.add_parameter(parameter, Name::Kind::kInput, read.type, position);
        break;
      case Parameter::Kind::kDonated:
        memory_.add_parameter(parameter, Name::Kind::kDonated, read.type, position);
        break;
      case Parameter::Kind::kOutput:
        memory_.add_parameter(parameter, Name::Kind::kOutput, read.type, position);
        break;
    }
  }

  void read_statement(const clang::Stmt* written) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(written)) {
      read_local(declaration);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(written)) {
      read_once(branch);
    } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(written)) {
      read_call(expression);
    } else {
      context_.refuse(written, "emitted functions consist of declarations and calls");
    }
  }

  // ---- Declarations ----

  void read_local(const clang::DeclStmt* statement) {
    const clang::VarDecl* const local = local_of(context_, statement);
    if (is_weights_view(local)) {
      memory_.set_weights(local);
      return;
    }
    if (context_.is_type(local->getType().getUnqualifiedType(), "std::byte *")) {
      const clang::ValueDecl* const array = Context::named(local->getInit());
      if (array == nullptr || array != globals_.static_arena || memory_.arena() != nullptr)
        context_.refuse(statement, "only the static arena has a pointer of its own");
      memory_.set_arena(local);
      return;
    }
    require_auto(local);
    Statement declared;
    declared.kind = Statement::Kind::kDeclare;
    declared.place = context_.place(statement->getBeginLoc());
    declared.index = memory_.declare(local);
    function_.statements.push_back(std::move(declared));
  }

  void require_auto(const clang::VarDecl* local) {
    const clang::TypeSourceInfo* const type = local->getTypeSourceInfo();
    if (type == nullptr || type->getType()->getContainedAutoType() == nullptr)
      context_.refuse(local->getLocation(), "a name for memory is declared `const auto`");
  }

  // const Weights weights = weights_at(NAME_weights);
  bool is_weights_view(const clang::VarDecl* local) {
    const auto* record = local->getType()->getAsCXXRecordDecl();
    if (record == nullptr || record != globals_.weights_record) return false;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(local->getInit()));
    if (call == nullptr || Context::callee(call) == nullptr || globals_.weights_at == nullptr ||
        Context::callee(call)->getCanonicalDecl() != globals_.weights_at->getCanonicalDecl() ||
        call->getNumArgs() != 1 || globals_.packed == nullptr ||
        Context::named(call->getArg(0)) != globals_.packed || memory_.weights() != nullptr)
      context_.refuse(local->getInit(), "the constants are the view of this file's weights");
    return true;
  }

  // ---- Calls ----

  void read_call(const clang::Expr* expression) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(expression));
    const clang::FunctionDecl* const callee = call == nullptr ? nullptr : Context::callee(call);
    if (callee == nullptr || llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call))
      context_.refuse(expression, "this statement is no call of the runtime");
    const llvm::StringRef name = context_.runtime_name(callee);
    if (globals_.functions.contains(callee->getCanonicalDecl())) {
      function_.statements.push_back(read_part(call, Statement::Kind::kCall));
    } else if (name == "free" || name == "retire") {
      read_free(call, name == "free" ? Statement::Kind::kFree : Statement::Kind::kRetire);
    } else if (name == "enter" || name == "leave") {
      read_border(call, name == "enter" ? Statement::Kind::kEnter : Statement::Kind::kLeave);
    } else {
      function_.statements.push_back(calls_.read(call));
    }
  }

  void read_free(const clang::CallExpr* call, Statement::Kind kind) {
    Statement statement;
    statement.kind = kind;
    statement.place = context_.place(call->getBeginLoc());
    const clang::Expr* const what = Context::plain(call->getArg(0));
    if (!llvm::isa<clang::DeclRefExpr>(what) || !written_arguments(call).empty())
      context_.refuse(call, "what is freed is a name of this function");
    statement.index = memory_.read(what);
    function_.statements.push_back(std::move(statement));
  }

  // wick::enter(arena, kArenaBytes, parameters…) and wick::leave(arena, kArenaBytes)
  void read_border(const clang::CallExpr* call, Statement::Kind kind) {
    Statement statement;
    statement.kind = kind;
    statement.place = context_.place(call->getBeginLoc());
    const clang::Expr* const arena = Context::plain(call->getArg(0));
    const bool is_arena = memory_.arena() != nullptr && Context::named(arena) == memory_.arena();
    const bool is_none =
        memory_.arena() == nullptr && llvm::isa<clang::CXXNullPtrLiteralExpr>(arena);
    if (!is_arena && !is_none) context_.refuse(arena, "a function opens and closes its own arena");
    statement.bytes = context_.constant(call->getArg(1));
    for (unsigned i = 2; i < call->getNumArgs(); ++i) {
      const clang::ValueDecl* const parameter = Context::named(call->getArg(i));
      if (parameter == nullptr || !llvm::isa<clang::ParmVarDecl>(parameter))
        context_.refuse(call->getArg(i), "here stands a parameter of this function");
      Argument argument;
      argument.index = memory_.read(call->getArg(i));
      argument.place = context_.place(call->getArg(i)->getBeginLoc());
      statement.arguments.push_back(std::move(argument));
    }
    function_.statements.push_back(std::move(statement));
  }

  // A call of an earlier function of the file. Everything is passed under the name it has there.
  Statement read_part(const clang::CallExpr* call, Statement::Kind kind) {
    const clang::FunctionDecl* const part = Context::callee(call);
    const auto known = part == nullptr ? globals_.functions.end()
                                       : globals_.functions.find(part->getCanonicalDecl());
    if (known == globals_.functions.end())
      context_.refuse(call, "this calls no part of the program");
    Statement statement;
    statement.kind = kind;
    statement.index = known->second;
    statement.place = context_.place(call->getBeginLoc());
    const std::vector<Parameter>& parameters = program_.functions[known->second].parameters;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const clang::Expr* const written = call->getArg(i);
      const clang::ValueDecl* const value = Context::named(written);
      if (value == nullptr || i >= parameters.size() ||
          value->getNameAsString() != parameters[i].name)
        context_.refuse(written, "a part of the program is called with the parameters it names");
      if (value == memory_.arena() || value == memory_.state() || value == memory_.weights())
        continue;
      if (!llvm::isa<clang::ParmVarDecl>(value))
        context_.refuse(written, "a part of the program takes parameters only");
      statement.arguments.push_back(calls_.operand(written, part->getParamDecl(i)->getType()));
    }
    return statement;
  }

  // if (state.once.begin()) { prepare(…); state.once.finish(); }
  void read_once(const clang::IfStmt* branch) {
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
    if (branch->hasElseStorage() || branch->hasInitStorage() || branch->hasVarStorage() ||
        branch->isConstexpr() || body == nullptr || body->size() != 2 ||
        !is_once(branch->getCond(), "begin") || !is_once(body->body_begin()[1], "finish"))
      context_.refuse(branch,
                      "the one branch of emitted code is the first call: "
                      "if (state.once.begin()) { prepare(...); state.once.finish(); }");
    const auto* first = llvm::dyn_cast<clang::Expr>(body->body_begin()[0]);
    const auto* call =
        first == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(Context::plain(first));
    if (call == nullptr) context_.refuse(body, "the first call prepares what is cached");
    function_.statements.push_back(read_part(call, Statement::Kind::kOnce));
  }

  bool is_once(const clang::Stmt* statement, llvm::StringRef method) const {
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    const auto* call = expression == nullptr
                           ? nullptr
                           : llvm::dyn_cast<clang::CXXMemberCallExpr>(Context::plain(expression));
    if (call == nullptr || !call->getMethodDecl()->getDeclName().isIdentifier() ||
        call->getMethodDecl()->getName() != method || call->getNumArgs() != 0)
      return false;
    const auto* once =
        llvm::dyn_cast<clang::MemberExpr>(Context::plain(call->getImplicitObjectArgument()));
    return once != nullptr && globals_.once != nullptr && once->getMemberDecl() == globals_.once &&
           memory_.state() != nullptr && Context::named(once->getBase()) == memory_.state();
  }

  Context& context_;
  const Globals& globals_;
  Program& program_;
  const clang::FunctionDecl* declaration_;
  Function function_;
  Memory memory_;
  Calls calls_;
};

}  // namespace

void require_plain_function(Context& context, const clang::FunctionDecl* function) {
  const auto* type = function->getType()->getAs<clang::FunctionProtoType>();
  if (type == nullptr || type->getExceptionSpecType() != clang::EST_BasicNoexcept)
    context.refuse(function->getLocation(), "'" + function->getNameAsString() + "' is not noexcept",
                   "emitted functions throw nothing");
  if (function->isVariadic() || function->isConstexpr() || function->hasAttrs() ||
      !function->getDeclName().isIdentifier() || function->isDeleted() ||
      function->getTemplatedKind() != clang::FunctionDecl::TK_NonTemplate)
    context.refuse(function->getLocation(), "this is no function that wick emits");
}

Parameter read_parameter(Context& context, const Globals& globals,
                         const clang::ParmVarDecl* parameter) {
  Parameter result;
  result.name = parameter->getNameAsString();
  result.place = context.place(parameter->getLocation());
  const bool has_odd_attributes = llvm::any_of(
      parameter->attrs(),
      [](const clang::Attr* attribute) { return attribute->getKind() != clang::attr::Unused; });
  if (result.name.empty() || parameter->hasDefaultArg() || has_odd_attributes)
    context.refuse(parameter->getBeginLoc(), "a parameter has a type and a name");
  const clang::QualType type = parameter->getType();
  if (context.is_type(type, "std::byte *")) {
    result.kind = Parameter::Kind::kArena;
    return result;
  }
  if (const auto* reference = type->getAs<clang::LValueReferenceType>()) {
    const clang::QualType object = reference->getPointeeType();
    const auto* record = object->getAsCXXRecordDecl();
    const bool is_state = record != nullptr && record == globals.state_record;
    const bool is_weights = record != nullptr && record == globals.weights_record;
    if ((is_state && !object.isConstQualified()) || (is_weights && object.isConstQualified())) {
      result.kind = is_state ? Parameter::Kind::kState : Parameter::Kind::kWeights;
      return result;
    }
  }
  const auto* special = context.runtime_class(type);
  const llvm::StringRef name = special == nullptr ? "" : special->getName();
  const std::optional<TensorType> tensor = context.operand_type(type);
  if (!tensor || type.isConstQualified() || !(name == "In" || name == "Out" || name == "InOut"))
    context.refuse(parameter->getBeginLoc(), "an emitted function takes no such parameter");
  result.kind = name == "In"    ? Parameter::Kind::kInput
                : name == "Out" ? Parameter::Kind::kOutput
                                : Parameter::Kind::kDonated;
  result.type = *tensor;
  return result;
}

void read_function(Context& context, Globals& globals, Kernels& kernels, Program& program,
                   const clang::FunctionDecl* function) {
  Function read = FunctionReader(context, globals, kernels, program, function).read();
  globals.functions[function->getCanonicalDecl()] =
      static_cast<std::uint32_t>(program.functions.size());
  program.functions.push_back(std::move(read));
}

}  // namespace wick::frontend::check
