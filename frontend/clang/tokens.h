// The first look at an emitted file: its characters and tokens, before Clang's parser sees them.
//
// Emitted code uses few of C++'s words. What else may stand there (casts, loops, templates,
// assembly, conditionals of the preprocessor …) is refused here, at its place and in plain words.
// So the parser never meets a text that could make it include a file, loop in constant evaluation
// or templates, or recurse without bound.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// Findings of one file, in its order; after a few the rest is passed over. `included` is the header
// that a source may include; empty for the header itself. Cost: linear in the text.
std::vector<Finding> check_tokens(std::string_view text, Place::File file,
                                  std::string_view included);

}  // namespace wick::frontend::check
