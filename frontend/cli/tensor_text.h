// Small tensors as people read them.
#pragma once

#include <string>

#include "compiler/tensor/host_tensor.h"

namespace wick::frontend {

// Tensors of more elements than this are told by their type alone.
inline constexpr std::int64_t kMostPrintedElements = 1000;

// "[[1, 2.5], [nan, -0]]", a line for each row of the last axis; numbers as short as they can be.
std::string tensor_text(const compiler::HostTensor& tensor);

}  // namespace wick::frontend
