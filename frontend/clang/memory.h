// Names for memory inside a function: what expressions like `wick::slot<T>(arena, kX)`,
// `weights.w0` or `h0` stand for.
#pragma once

#include <map>
#include <string>

#include "frontend/clang/context.h"
#include "frontend/clang/globals.h"

namespace wick::frontend::check {

class Memory {
 public:
  Memory(Context& context, const Globals& globals, Function& function)
      : context_(context), globals_(globals), function_(function) {}

  // A parameter that is a tensor.
  void add_parameter(const clang::ParmVarDecl* parameter, Name::Kind kind, const TensorType& type,
                     std::uint32_t position);

  // Where the function finds what it does not make itself.
  void set_arena(const clang::ValueDecl* arena) { arena_ = arena; }
  void set_state(const clang::ValueDecl* state) { state_ = state; }
  void set_weights(const clang::ValueDecl* weights) { weights_ = weights; }
  const clang::ValueDecl* arena() const { return arena_; }
  const clang::ValueDecl* state() const { return state_; }
  const clang::ValueDecl* weights() const { return weights_; }

  // `const auto NAME = …;`: an index in Function::names.
  std::uint32_t declare(const clang::VarDecl* local);

  // What an expression names: an index in Function::names. Refuses one that names no memory.
  std::uint32_t read(const clang::Expr* expression);

  const Name& name(std::uint32_t index) const { return function_.names[index]; }

 private:
  enum class Base { kArena, kState, kNothing };

  std::uint32_t add(Name name);
  std::uint32_t read_member(const clang::MemberExpr* member);
  Name read_call(const clang::CallExpr* call);
  Name read_slot(const clang::CallExpr* call);
  Name read_workspace(const clang::CallExpr* call);
  Name read_derived(const clang::CallExpr* call, llvm::StringRef function);
  void require_in_place(const clang::CallExpr* call, const Name& name);
  void require_view(const clang::CallExpr* call, const Name& name);
  Base base(const clang::Expr* expression);
  // The template argument `index` of a call as it is written.
  const clang::TemplateArgumentLoc& template_argument(const clang::CallExpr* call, unsigned index,
                                                      unsigned least, unsigned most);
  TensorType described(const clang::CallExpr* call, unsigned most_arguments);

  Context& context_;
  const Globals& globals_;
  Function& function_;
  const clang::ValueDecl* arena_ = nullptr;
  const clang::ValueDecl* state_ = nullptr;
  const clang::ValueDecl* weights_ = nullptr;
  std::map<const clang::ValueDecl*, std::uint32_t> names_;
};

// The template arguments that a call writes, outermost function first.
llvm::ArrayRef<clang::TemplateArgumentLoc> written_arguments(const clang::CallExpr* call);

}  // namespace wick::frontend::check
