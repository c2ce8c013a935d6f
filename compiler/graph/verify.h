// From what was written to what is meant: the last place where an input can be wrong.
#pragma once

#include <optional>

#include "compiler/graph/description.h"
#include "compiler/graph/graph.h"
#include "compiler/support/diagnostics.h"

namespace wick::compiler {

// Looks up names, reads literals in the dtype of their group, orders the nodes, infers every dtype,
// shape and layout, and checks all of it. Several errors are reported in one run; a node whose
// operands are in error is passed over in silence.
//
// Guarantees: the graph satisfies what graph.h says, or there is an error for each thing found
// wrong and no graph. Cost: O(n log n) in nodes and operands.
std::optional<Graph> verify(GraphDescription description, Diagnostics& diagnostics);

}  // namespace wick::compiler
