// A graph as text, for people and for tests: what `--emit=graph` and `--emit=simplified` show.
#pragma once

#include <string>

#include "compiler/graph/graph.h"

namespace wick::compiler {

// One line per input, constant, node and output:
//
//   graph "digits"
//   input "pixels": f32[1, 64]
//   constant "w0": f32[64, 96]
//   "x": f32[1, 64] = div("pixels", 16)
//   "s": f32[96] = sum("x", axes=[0], keepdims=false)
//   output "s"
//
// Marks follow in brackets: [parameter], [donate], [cache]. A layout that is not packed is spelt
// out. Cost: linear.
std::string to_text(const Graph& graph);

// The value as an operand: its quoted name, or the number itself.
std::string operand_text(const Graph& graph, ValueId value);

// "axes=[0], keepdims=false", in the order of names.
std::string attributes_text(const ops::Attributes& attributes);

// The same as far as they are about one of several results: of the parts that an axis is cut into,
// `sizes[2]=5`. Each result of a wide split is printed in constant time.
std::string attributes_text(const ops::Attributes& attributes, std::size_t result);

}  // namespace wick::compiler
