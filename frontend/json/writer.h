// Graphs in the graph language: what `--emit=graph` and `--emit=simplified` print.
#pragma once

#include <string>

#include "compiler/graph/description.h"
#include "compiler/graph/graph.h"
#include "frontend/json/reader.h"

namespace wick::frontend {

// Constants of more elements than this refer to the file they came from, if they came from one.
inline constexpr std::int64_t kMostInlineElements = 64;

// The graph as somebody could have written it. Nodes stand in the graph's order, attributes are all
// given, also those that have their default. A literal that the language cannot write where it
// stands (no other operand says its dtype) becomes a constant of rank 0.
compiler::GraphDescription describe(const compiler::Graph& graph);

// As text, one input, constant or node a line. Numbers are as short as they can be and read back
// as the same bits (NaNs as one value). `files` are those of the reading that the graph comes from.
// Cost: linear.
std::string to_json(const compiler::GraphDescription& graph, const ReadFiles* files = nullptr);
std::string to_json(const compiler::Graph& graph, const ReadFiles* files = nullptr);

}  // namespace wick::frontend
