// The two files, declaration by declaration: what stands at the scope of their namespace.
#pragma once

#include "frontend/clang/context.h"

namespace clang {
class Sema;
}

namespace wick::frontend::check {

// Everything that the header and the source declare, in their order; refuses each declaration that
// wick does not emit. The result is complete only if nothing was reported.
Program read_declarations(Context& context, clang::Sema& sema);

}  // namespace wick::frontend::check
