// A call of compiled code on host tensors.
#pragma once

#include <span>
#include <vector>

#include "compiler/compile.h"
#include "compiler/tensor/host_tensor.h"
#include "frontend/cli/thunk.h"

namespace wick::frontend {

// Calls the function once, with an arena of 64-byte alignment, and returns its outputs in order.
// Inputs are copied where the function may write to them or their bytes are not aligned.
std::vector<compiler::HostTensor> call_native(Thunk thunk, const compiler::Compilation& compilation,
                                              const compiler::EmitOptions& options,
                                              std::span<const compiler::HostTensor> inputs);

}  // namespace wick::frontend
