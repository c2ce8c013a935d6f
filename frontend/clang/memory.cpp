#include "frontend/clang/memory.h"

#include <string>

#include "frontend/check/names.h"

namespace wick::frontend::check {
llvm::ArrayRef<clang::TemplateArgumentLoc> written_arguments(const clang::CallExpr* call) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
  return name == nullptr ? llvm::ArrayRef<clang::TemplateArgumentLoc>()
                         : name->template_arguments();
}

void Memory::add_parameter(const clang::ParmVarDecl* parameter, Name::Kind kind,
                           const TensorType& type, std::uint32_t position) {
  Name name;
  name.kind = kind;
  name.text = parameter->getNameAsString();
  name.type = type;
  name.parameter = position;
  for (const Name& other : function_.names) name.index += other.kind == kind ? 1 : 0;
  name.place = context_.place(parameter->getLocation());
  names_[parameter] = add(std::move(name));
}

std::uint32_t Memory::add(Name name) {
  function_.names.push_back(std::move(name));
  return static_cast<std::uint32_t>(function_.names.size() - 1);
}

std::uint32_t Memory::declare(const clang::VarDecl* local) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(Context::plain(local->getInit()));
  if (call == nullptr)
    context_.refuse(local->getInit(), "a name stands for what a function of the runtime gives");
  Name name = read_call(call);
  name.text = local->getNameAsString();
  name.place = context_.place(local->getLocation());
  return names_[local] = add(std::move(name));
}

std::uint32_t Memory::read(const clang::Expr* written) {
  const clang::Expr* const expression = Context::plain(written);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return read_member(member);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    Name name = read_call(call);
    name.text = context_.text(call->getSourceRange());
    name.place = context_.place(call->getBeginLoc());
    return add(std::move(name));
  }
  const clang::ValueDecl* const declaration = Context::named(expression);
  if (declaration != nullptr) {
    const auto known = names_.find(declaration);
    if (known != names_.end()) return known->second;
    if (context_.runtime_name(declaration) == "kNoWorkspace") {
      Name name;
      name.kind = Name::Kind::kNoWorkspace;
      name.text = "wick::kNoWorkspace";
      name.place = context_.place(expression);
      return names_[declaration] = add(std::move(name));
    }
  }
  context_.refuse(expression, "this is no name for memory");
}

std::uint32_t Memory::read_member(const clang::MemberExpr* member) {
  const clang::ValueDecl* const field = member->getMemberDecl();
  const clang::ValueDecl* const object = Context::named(member->getBase());
  const auto known = names_.find(field);
  if (known != names_.end() && (object == weights_ || object == state_)) return known->second;
  Name name;
  name.text = context_.text(member->getSourceRange());
  name.place = context_.place(member->getBeginLoc());
  const std::optional<TensorType> panels = context_.panels_operand(member->getType());
  const std::optional<TensorType> type = panels ? panels : context_.operand_type(member->getType());
  if (object != nullptr && type && !member->isArrow()) {
    name.type = *type;
    name.panels = panels.has_value();
    const auto weight = globals_.weights.find(field);
    if (object == weights_ && weight != globals_.weights.end()) {
      name.kind = Name::Kind::kConstant;
      name.index = weight->second;
      return names_[field] = add(std::move(name));
    }
    const auto bound = globals_.bound.find(field);
    if (object == state_ && bound != globals_.bound.end()) {
      name.kind = Name::Kind::kBound;
      name.index = bound->second;
      return names_[field] = add(std::move(name));
    }
  }
  context_.refuse(member, "this is no constant and no bound parameter");
}

// ---- Functions of the runtime that give memory
// ---------------------------------------------------

Name Memory::read_call(const clang::CallExpr* call) {
  const clang::FunctionDecl* const function = Context::callee(call);
  const llvm::StringRef name = function == nullptr ? "" : context_.runtime_name(function);
  if (name == "slot") return read_slot(call);
  if (name == "workspace" || name == "heap_workspace") return read_workspace(call);
  if (name == "heap_slot") {
    Name slot;
    slot.kind = Name::Kind::kHeapSlot;
    slot.type = described(call, 1);
    return slot;
  }
  if (name == "in_place" || name == "view" || name == "reuse") return read_derived(call, name);
  context_.refuse(call, "this call gives no memory: a slot, a view, a workspace");
}

const clang::TemplateArgumentLoc& Memory::template_argument(const clang::CallExpr* call,
                                                            unsigned index, unsigned least,
                                                            unsigned most) {
  const llvm::ArrayRef<clang::TemplateArgumentLoc> arguments = written_arguments(call);
  if (arguments.size() < least || arguments.size() > most)
    context_.refuse(call, "this call states more, or less, than emitted code states");
  return arguments[index];
}

TensorType Memory::described(const clang::CallExpr* call, unsigned most_arguments) {
  const clang::TemplateArgumentLoc& written = template_argument(call, 0, 1, most_arguments);
  std::optional<TensorType> type;
  if (written.getArgument().getKind() == clang::TemplateArgument::Type)
    type = context_.tensor_type(written.getArgument().getAsType());
  if (!type) context_.refuse(written.getLocation(), "here stands the type of a tensor");
  return *type;
}

Memory::Base Memory::base(const clang::Expr* written) {
  const clang::Expr* const expression = Context::plain(written);
  if (llvm::isa<clang::CXXNullPtrLiteralExpr>(expression)) return Base::kNothing;
  const clang::ValueDecl* const name = Context::named(expression);
  if (name != nullptr && name == arena_) return Base::kArena;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression);
  if (member != nullptr && member->getMemberDecl() == globals_.state_bytes && state_ != nullptr &&
      Context::named(member->getBase()) == state_)
    return Base::kState;
  context_.refuse(expression, "slots lie in the arena or in the bytes of the state");
}

Name Memory::read_slot(const clang::CallExpr* call) {
  Name name;
  name.type = described(call, 1);
  name.bytes = bytes_of(name.type);
  const Base from = base(call->getArg(0));
  name.kind = from == Base::kArena   ? Name::Kind::kSlot
              : from == Base::kState ? Name::Kind::kStateSlot
                                     : Name::Kind::kNothing;
  name.offset = context_.constant(call->getArg(1));
  if (!name.type.layout.is_packed()) context_.refuse(call, "a slot is row-major");
  if (from == Base::kNothing && name.bytes != 0)
    context_.refuse(call->getArg(0), "only a tensor without elements has no memory");
  return name;
}

Name Memory::read_workspace(const clang::CallExpr* call) {
  Name name;
  const clang::Expr* const bytes = [&] {
    const clang::TemplateArgumentLoc& written = template_argument(call, 0, 1, 1);
    if (written.getArgument().getKind() != clang::TemplateArgument::Expression)
      context_.refuse(written.getLocation(), "here stands a number of bytes");
    return written.getSourceExpression();
  }();
  name.bytes = context_.constant(bytes);
  name.kind = Name::Kind::kHeapWorkspace;
  if (call->getNumArgs() == 2) {
    const Base from = base(call->getArg(0));
    if (from == Base::kNothing) context_.refuse(call->getArg(0), "scratch memory is missing");
    name.kind = from == Base::kArena ? Name::Kind::kWorkspace : Name::Kind::kStateWorkspace;
    name.offset = context_.constant(call->getArg(1));
  }
  return name;
}

// in_place, view and reuse: another name for memory that has one.
Name Memory::read_derived(const clang::CallExpr* call, llvm::StringRef function) {
  Name name;
  const bool is_view = function == "view";
  name.type = described(call, is_view ? 2 : 1);
  name.kind = is_view               ? Name::Kind::kView
              : function == "reuse" ? Name::Kind::kReuse
                                    : Name::Kind::kInPlace;
  name.base = read(call->getArg(0));
  if (function_.names[name.base].panels)
    context_.refuse(call->getArg(0), "a constant in panels is read by products alone");
  if (is_view) {
    require_view(call, name);
    if (written_arguments(call).size() == 2) {
      const clang::TemplateArgumentLoc& offset = written_arguments(call)[1];
      if (offset.getArgument().getKind() != clang::TemplateArgument::Expression)
        context_.refuse(offset.getLocation(), "here stands the number of the first element");
      name.offset = context_.integer(offset.getSourceExpression());
    }
  } else {
    require_in_place(call, name);
  }
  return name;
}

void Memory::require_view(const clang::CallExpr* call, const Name& name) {
  if (function_.names[name.base].type.dtype != name.type.dtype)
    context_.refuse(call, "a view keeps the element type");
}

// What static_asserts of the runtime say, which are not instantiated here.
void Memory::require_in_place(const clang::CallExpr* call, const Name& name) {
  const Name& under = function_.names[name.base];
  if (!is_writable(under.kind))
    context_.refuse(call, "'" + under.text + "' is only read, and cannot be written in place");
  if (!name.type.layout.is_packed()) context_.refuse(call, "what is written is row-major");
  if (name.kind == Name::Kind::kReuse) {
    const compiler::Bytes size{bytes_of(name.type)};
    if (compiler::round_up(size) != compiler::round_up(compiler::Bytes{bytes_of(under.type)}))
      context_.refuse(call, "memory is reused for tensors of one size");
    return;
  }
  if (!fits_in_place(name.type, under.type))
    context_.refuse(call, "in place keeps the number of elements and their size");
}

}  // namespace wick::frontend::check
