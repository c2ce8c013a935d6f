// K x N matrices in k-major panels of 64 bytes: how a constant right factor of a product lies in
// the weights file, whatever instruction set will read it. The same as wick::Panels of the runtime.
//
//   f32, N = 40     panel 0: columns 0..15, K rows of 16 elements one after the other
//                   panel 1: columns 16..31
//                   the rest: columns 32..39, K rows of 8 elements
#pragma once

#include <cstdint>

#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

// Columns of a whole panel.
std::int64_t panel_width(DType dtype);

// The elements of `matrix`, of shape [K, N], in the order of panels. Same dtype, shape [K * N].
// Cost: linear.
HostTensor in_panels(const HostTensor& matrix);

}  // namespace wick::compiler
