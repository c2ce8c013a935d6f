// Constants as C++ tokens.
#pragma once

#include <string>
#include <string_view>

#include "compiler/tensor/scalar.h"

namespace wick::compiler::cpp {

// A typed literal of exactly this value: "2.0f", "-0.5", "std::int32_t{3}", "true",
// "wick::infinity<float>", "wick::scalar<float, 0x7fc00001u>" (a NaN with a payload). Negative ones
// stand in no parentheses: they are written as operands of functions and after operators with a
// space.
std::string literal(Scalar scalar);

// The same value where C++ knows the type from the context: an element of an array.
std::string element_literal(Scalar scalar);

// Any bytes as a string literal of C and C++: printable ASCII stays, everything else is octal.
std::string string_literal(std::string_view text);

// The same number as people write it, for comments.
std::string literal_text(Scalar scalar);

}  // namespace wick::compiler::cpp
