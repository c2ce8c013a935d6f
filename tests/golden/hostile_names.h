// Graphs whose names try to break emitted code, and the same graphs with tame names.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/description.h"

namespace wick::golden {

// Names that a graph may have and C++ may not: keywords, reserved names, macros, our own names,
// digits, punctuation, other scripts, ends of comments, literals and lines, directives, attacks on
// the reader's eye, and very long ones.
const std::vector<std::string>& hostile_strings();

// How many variants there are. Over all of them each string is once an input, a constant, a value
// computed on the way and an output.
inline constexpr std::size_t kVariants = 4;

// A graph of every kind of kernel whose names, graph's name and descriptions are hostile strings;
// if `tame`, the same graph with names v0, v1, … and no descriptions.
compiler::GraphDescription hostile_graph(std::size_t variant, bool tame = false);

}  // namespace wick::golden
