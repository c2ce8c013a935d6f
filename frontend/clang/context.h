// What all parts of the reader share: places, findings, and the questions they ask of Clang's AST.
//
// A part that meets something it cannot accept calls `refuse`, which notes the finding and throws
// Refused; whoever goes through a list (of declarations, of statements) catches it and goes on with
// the next. No frame of Clang lies between the two.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/check/program.h"
#include "frontend/clang/places.h"

namespace wick::frontend::check {

struct Refused {};

// So many findings are enough for one reading.
inline constexpr std::size_t kMostFindings = 20;

class Context {
 public:
  Context(clang::ASTContext& ast, std::vector<Finding>& findings)
      : ast_(ast), findings_(findings) {}

  clang::ASTContext& ast() const { return ast_; }

  Place place(clang::SourceLocation location) const {
    return place_in(ast_.getSourceManager(), location);
  }
  Place place(const clang::Expr* expression) const { return place(expression->getExprLoc()); }

  // After a few findings the others are passed over: one edit may lead to many.
  void report(clang::SourceLocation location, std::string message, std::string hint = {});
  bool has_findings() const { return !findings_.empty(); }
  // Something that a file lacks: told at its start.
  void report_lack(Place::File file, std::string message);
  [[noreturn]] void refuse(clang::SourceLocation location, std::string message,
                           std::string hint = {});
  [[noreturn]] void refuse(const clang::Stmt* statement, std::string message,
                           std::string hint = {});

  // Calls `read`; a refusal ends that call alone.
  template <class F>
  void attempt(F&& read) {
    try {
      read();
    } catch (const Refused&) {
    }
  }

  // The text between two locations, as it stands in the file.
  std::string text(clang::SourceRange range) const;

  // ---- Declarations ----

  // Whether it stands in the source or its header.
  bool is_emitted(const clang::Decl* declaration) const;
  // Whether it has no other attributes than alignas.
  static bool is_only_aligned(const clang::Decl* declaration);
  // The name of something that the runtime declares in namespace wick itself; empty for anything
  // else.
  llvm::StringRef runtime_name(const clang::NamedDecl* declaration) const;

  // ---- Types ----

  std::optional<DType> dtype_of(clang::QualType type) const;
  // wick::NAME<...>, const or not, and no reference.
  const clang::ClassTemplateSpecializationDecl* runtime_class(clang::QualType type) const;
  bool is_class(clang::QualType type, llvm::StringRef name) const;
  // The tensor that T of In<T>, Slot<T> … describes, or nothing.
  std::optional<TensorType> operand_type(clang::QualType type) const;
  // The tensor described by wick::Tensor<...> or wick::Strided<...>.
  std::optional<TensorType> tensor_type(clang::QualType description) const;
  // The row-major matrix whose elements wick::Panels<...> holds in another order.
  std::optional<TensorType> panels_type(clang::QualType description) const;
  // … and In<wick::Panels<...>>.
  std::optional<TensorType> panels_operand(clang::QualType type) const;
  // std::byte*, std::size_t …: a type of namespace std or a built-in one, as it is spelt.
  bool is_type(clang::QualType type, llvm::StringRef spelling) const;

  // ---- Expressions ----

  // Without what the language adds by itself: conversions to a base, copies of handles, cleanups.
  static const clang::Expr* plain(const clang::Expr* expression);
  // The declaration that a plain name stands for, or null.
  static const clang::ValueDecl* named(const clang::Expr* expression);
  // A non-negative constant written as a number, or by the name of a constant of the file.
  std::int64_t constant(const clang::Expr* expression);
  // The same for a number that may be negative.
  std::int64_t integer(const clang::Expr* expression);
  // The value of any constant expression of an arithmetic type.
  std::optional<Literal> value(const clang::Expr* expression) const;
  // The function that a call calls, or null.
  static const clang::FunctionDecl* callee(const clang::CallExpr* call);

 private:
  clang::ASTContext& ast_;
  std::vector<Finding>& findings_;
};

}  // namespace wick::frontend::check
