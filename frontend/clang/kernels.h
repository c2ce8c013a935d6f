// The kernels and row programs of a file, each read once for every list of element types that it is
// used with.
//
// A kernel is generic, so what its text means is only settled by an instantiation. The runtime is
// not instantiated (see parse.h); this class asks Clang for two instantiations itself: one with
// single lanes, one with vectors. Both, and the text as written, must have one structure, and hence
// so has every other.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/clang/context.h"
#include "frontend/clang/lambda.h"

namespace clang {
class Sema;
}

namespace wick::frontend::check {

class Kernels {
 public:
  Kernels(Context& context, clang::Sema& sema, Program& program);

  // A constant of the file that holds a lambda.
  void declare(const clang::VarDecl* variable);

  // Whether an expression names a lambda of the file.
  bool is_lambda(const clang::Expr* expression) const;

  // The kernel that `use` names, with parameters of these types: an index in Program::kernels.
  std::uint32_t kernel(const clang::Expr* use, const std::vector<DType>& types);
  DType result_type(std::uint32_t kernel) const { return results_[kernel]; }

  // The row program that `use` names, on results and operands of these types: an index in
  // Program::row_programs.
  std::uint32_t rows(const clang::Expr* use, const std::vector<DType>& results,
                     const std::vector<DType>& operands);

  // Refuses lambdas that nothing used: nobody has looked at what they say.
  void report_unused();

 private:
  using Key = std::pair<const clang::VarDecl*, std::vector<DType>>;

  const Lambda& lambda(const clang::Expr* use);
  std::uint32_t read(const Lambda& lambda, const std::vector<DType>& types,
                     clang::SourceLocation use);
  const clang::FunctionDecl* instantiate(const Lambda& lambda, const std::vector<DType>& types,
                                         Lanes lanes, clang::SourceLocation use);
  clang::QualType lanes_type(DType dtype, Lanes lanes);

  Context& context_;
  clang::Sema& sema_;
  Program& program_;
  clang::ClassTemplateDecl* lanes_ = nullptr;
  std::vector<const clang::VarDecl*> order_;
  std::map<const clang::VarDecl*, Lambda> lambdas_;
  std::map<const clang::VarDecl*, bool> is_used_;
  std::map<const clang::VarDecl*, KernelBody> open_bodies_;
  std::map<std::pair<DType, Lanes>, clang::QualType> lanes_types_;
  std::map<Key, std::uint32_t> kernels_;
  std::map<Key, std::uint32_t> rows_;
  std::vector<DType> results_;  // of each kernel
};

}  // namespace wick::frontend::check
