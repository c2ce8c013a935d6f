// The functions of an emitted file: run, prepare and the parts, statement by statement.
#pragma once

#include "frontend/clang/globals.h"
#include "frontend/clang/kernels.h"

namespace wick::frontend::check {

// Reads one function with a body and appends it to `program`. Functions it calls were read before
// it. Statements that cannot be accepted are reported, and the rest is read.
void read_function(Context& context, Globals& globals, Kernels& kernels, Program& program,
                   const clang::FunctionDecl* function);

// The kind of a parameter and, for tensors, its type; refuses what no emitted function takes.
Parameter read_parameter(Context& context, const Globals& globals,
                         const clang::ParmVarDecl* parameter);

// `name(...) noexcept` in the namespace of the file, returning `result`; refuses anything more.
void require_plain_function(Context& context, const clang::FunctionDecl* function);

}  // namespace wick::frontend::check
