// What a graph says, as terms: one side of the proof of faithfulness.
#pragma once

#include "compiler/graph/graph.h"
#include "frontend/check/algebra.h"

namespace wick::frontend::check {

// What each value of `graph` is computed from; meaningless for values that no output needs. The op
// records say what each node means. Nodes of constants are evaluated by their records where these
// promise the same bits on every machine and the constants are not too large (constants.h).
//
// Requires: a valid graph, composites expanded (compiler/graph/expand.h). Cost: linear, but for the
// evaluation of constants.
compiler::IdVector<compiler::ValueId, TermView> graph_terms(const compiler::Graph& graph,
                                                            Algebra& algebra);

// The bits of an attribute that is written as a literal of this dtype.
Literal attribute_literal(const compiler::ops::Attributes& attributes, std::string_view name,
                          DType dtype);

// The template arguments of a call as numbers: each list after its length.
std::vector<std::int64_t> template_numbers(const compiler::ops::RuntimeCall& call,
                                           const compiler::ops::Attributes& attributes);

}  // namespace wick::frontend::check
