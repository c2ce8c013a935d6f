// The statements that compute: calls of the runtime's entry points, each checked against a table of
// what it takes, which follows docs/generated-code.md.
#pragma once

#include "frontend/clang/kernels.h"
#include "frontend/clang/memory.h"

namespace wick::frontend::check {

// Reads calls of one function of the file.
class Calls {
 public:
  Calls(Context& context, Kernels& kernels, Memory& memory)
      : context_(context), kernels_(kernels), memory_(memory) {}

  // A call of one of the entry points, or a refusal.
  Statement read(const clang::CallExpr* call);

  // An operand in memory, used as `parameter` of a runtime function says.
  Argument operand(const clang::Expr* expression, clang::QualType parameter,
                   bool may_be_panels = false);

 private:
  // What the operands of a call have told so far about the types of its kernel.
  struct Types {
    std::vector<DType> results;  // of Out and InOut
    std::vector<DType> reads;    // of In that come before the kernel
    std::optional<DType> made;   // of the elements that the statement stores
  };

  void read_template_arguments(const clang::CallExpr* call, std::string_view kinds,
                               Statement& statement);
  TemplateArgument read_list(const clang::TemplateArgumentLoc& written, char kind);
  Argument read_argument(const clang::CallExpr* call, unsigned index, char kind, Types& types);
  Argument read_kernel(const clang::CallExpr* call, unsigned index, std::vector<DType> types);
  Argument read_rows(const clang::CallExpr* call, unsigned index);
  std::vector<DType> dtypes_of_results(const clang::CallExpr* call);
  Argument read_pack(const clang::CallExpr* outer, unsigned index, char kind, Types& types);
  std::vector<DType> dtypes_from(const clang::CallExpr* call, unsigned first);
  void require_reducer(const clang::CallExpr* call, const clang::Expr* written,
                       llvm::StringRef reducer);
  void require_stored(const clang::CallExpr* call, const Types& types);

  Context& context_;
  Kernels& kernels_;
  Memory& memory_;
};

}  // namespace wick::frontend::check
