// The tensors that a user hands to `wick run`.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/tensor/host_tensor.h"
#include "frontend/cli/console.h"
#include "frontend/cli/exit_code.h"

namespace wick::frontend {

struct InputFiles {
  std::vector<std::string> paths;  // in the order of Graph::inputs
  std::vector<compiler::HostTensor> tensors;
};

// Reads "NAME=FILE.npy" for each input of the graph. Faults have been told when it returns an exit
// code: all wrong, repeated and missing names at once (usage), then every tensor of another dtype
// or shape (bad input) or file that cannot be read (input or output).
std::variant<InputFiles, ExitCode> read_inputs(const compiler::Graph& graph,
                                               const std::vector<std::string>& arguments,
                                               const Console& console);

}  // namespace wick::frontend
