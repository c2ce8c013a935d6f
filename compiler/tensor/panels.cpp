#include "compiler/tensor/panels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "compiler/support/check.h"

namespace wick::compiler {

std::int64_t panel_width(DType dtype) { return 64 / static_cast<std::int64_t>(size_of(dtype)); }

HostTensor in_panels(const HostTensor& matrix) {
  check(matrix.shape().rank() == 2, "in_panels: a matrix has two axes");
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  const std::size_t size = size_of(matrix.dtype());
  HostTensor result(matrix.dtype(), *Shape::make(std::vector{rows * columns}));
  std::byte* to = result.mutable_bytes().data();
  const std::byte* const from = matrix.bytes().data();
  for (std::int64_t first = 0; first < columns; first += panel_width(matrix.dtype())) {
    const std::int64_t width = std::min(panel_width(matrix.dtype()), columns - first);
    const std::size_t run = static_cast<std::size_t>(width) * size;
    for (std::int64_t row = 0; row < rows; ++row, to += run) {
      std::memcpy(to, from + static_cast<std::size_t>(row * columns + first) * size, run);
    }
  }
  return result;
}

}  // namespace wick::compiler
