// Random graphs that are awkward to plan: views of views, values read many times, outputs in every
// role, cached cones, donated inputs, tensors without elements.
#pragma once

#include <cstdint>

#include "compiler/graph/graph.h"

namespace wick::compiler::testing {

struct RandomGraphOptions {
  int nodes = 12;
  bool cached = true;  // parameters, and cached nodes over them
};

// The same graph for the same seed and options, on every machine.
Graph random_graph(std::uint32_t seed, const RandomGraphOptions& options = {});

}  // namespace wick::compiler::testing
