// What C headers declare outside of any namespace. A namespace of such a name is an error wherever
// the header is included, and our own runtime includes some: a graph may be called "index", but
// <string.h> has a function of that name.
#pragma once

#include <string_view>

namespace wick::compiler::cpp {

// Of C11's library and of the POSIX headers that `wick/weights_file.h` includes, functions for
// other precisions and locales too; of `wick/c_api.h`; and every name that ends like a type of
// POSIX, _t.
bool is_global_name(std::string_view name);

}  // namespace wick::compiler::cpp
