// The workloads of the bench, translated by translate.py when this was built.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::workloads {

// The names of all neutral listings, and of those that became graphs; both sorted.
std::vector<std::string> listed();
std::vector<std::string> translated();

// A workload compiled into files and a namespace of its name. Throws std::runtime_error with the
// first message if the compiler refuses it.
compiler::Compilation compiled(const std::string& name, compiler::CompileOptions options = {});

// NAME/TENSOR.npy, as evaluate.py wrote it. Throws std::runtime_error if it cannot be read.
compiler::HostTensor tensor(const std::string& name, const std::string& tensor);

}  // namespace wick::workloads
