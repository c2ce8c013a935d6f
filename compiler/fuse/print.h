// A fused graph as people read it (`--emit=fused`) and as Graphviz draws it (`--emit=dot`).
#pragma once

#include <string>

#include "compiler/fuse/fused_graph.h"

namespace wick::compiler {

// The kernels in order, each with its operands, its results and the statements it computes at each
// element:
//
//   fused "digits": 5 kernels
//
//   kernel 0: map, computes "x"
//     reads "pixels" f32[1, 64]
//     writes "x" f32[1, 64]
//     element: ("pixels") -> "x"
//       "x" = div("pixels", 16)
//
// Row programs list their passes. Equal bodies are one body, so its names are those of the first
// kernel that has it. Cost: linear.
std::string to_text(const FusedGraph& fused);

// The kernels as boxes, inputs, constants and outputs as ellipses, tensors as edges with their
// types, in the language of Graphviz. Any name is safe. Cost: linear.
std::string to_dot(const FusedGraph& fused);

}  // namespace wick::compiler
