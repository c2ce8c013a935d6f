#include "frontend/check/constants.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace wick::frontend::check {
namespace {

using compiler::HostTensor;
using compiler::kMaxRank;

// Bytes of `outer` blocks of `extent` equal runs of `run` bytes: true if in each block all runs are
// equal.
bool repeats(std::span<const std::byte> bytes, std::size_t outer, std::size_t extent,
             std::size_t run) {
  for (std::size_t i = 0; i < outer; ++i) {
    const std::byte* block = bytes.data() + i * extent * run;
    if (std::memcmp(block, block + run, (extent - 1) * run) != 0) return false;
  }
  return true;
}

}  // namespace

std::int64_t byte_size(compiler::DType dtype, const Shape& shape) {
  return shape.element_count() * static_cast<std::int64_t>(size_of(dtype));
}

HostTensor elements(const HostTensor& storage, const Layout& layout) {
  HostTensor result(storage.dtype(), layout.shape());
  const std::size_t size = size_of(storage.dtype());
  const std::size_t rank = layout.shape().rank();
  std::array<std::int64_t, kMaxRank> index{};
  std::int64_t offset = layout.offset();
  std::byte* to = result.mutable_bytes().data();
  for (std::int64_t i = 0; i < result.element_count(); ++i, to += size) {
    std::memcpy(to, storage.bytes().data() + static_cast<std::size_t>(offset) * size, size);
    for (std::size_t axis = rank; axis-- > 0;) {
      offset += layout.stride(axis);
      if (++index[axis] < layout.shape()[axis]) break;
      offset -= layout.shape()[axis] * layout.stride(axis);
      index[axis] = 0;
    }
  }
  return result;
}

HostTensor from_panels(compiler::DType dtype, const Shape& shape,
                       std::span<const std::byte> bytes) {
  HostTensor matrix(dtype, shape);
  const std::size_t size = size_of(dtype);
  const auto rows = static_cast<std::size_t>(shape[0]);
  const std::size_t row_bytes = static_cast<std::size_t>(shape[1]) * size;
  constexpr std::size_t kPanel = 64;
  std::byte* const to = matrix.mutable_bytes().data();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t at = 0; at < row_bytes; at += kPanel) {
      const std::size_t width = std::min(kPanel, row_bytes - at);
      std::memcpy(to + row * row_bytes + at, bytes.data() + at * rows + row * width, width);
    }
  }
  return matrix;
}

std::pair<HostTensor, Layout> distilled(const HostTensor& data) {
  const Shape& shape = data.shape();
  const std::size_t rank = shape.rank();
  std::array<std::int64_t, kMaxRank> extents{}, strides{};
  for (std::size_t axis = 0; axis < rank; ++axis) extents[axis] = shape[axis];
  std::vector<std::byte> kept;  // empty: everything
  std::span<const std::byte> bytes = data.bytes();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (extents[axis] == 1) continue;
    std::size_t outer = 1, run = size_of(data.dtype());
    for (std::size_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>(extents[i]);
    for (std::size_t i = axis + 1; i < rank; ++i) run *= static_cast<std::size_t>(extents[i]);
    const auto extent = static_cast<std::size_t>(extents[axis]);
    if (!repeats(bytes, outer, extent, run)) continue;
    std::vector<std::byte> shorter(outer * run);
    for (std::size_t i = 0; i < outer; ++i)
      std::memcpy(shorter.data() + i * run, bytes.data() + i * extent * run, run);
    kept = std::move(shorter);
    bytes = kept;
    extents[axis] = 1;
  }
  std::int64_t count = 1;
  for (std::size_t axis = rank; axis-- > 0;) {
    if (extents[axis] > 1) strides[axis] = count;
    count *= extents[axis];
  }
  const Layout layout(shape, std::span<const std::int64_t>(strides.data(), rank), 0);
  const std::array<std::int64_t, 1> flat{count};
  const Shape flat_shape = Shape::of(std::span<const std::int64_t>(flat));
  if (kept.empty()) {
    const auto owner = std::make_shared<const HostTensor>(data);
    return {HostTensor(data.dtype(), flat_shape, owner->bytes(), owner), layout};
  }
  HostTensor core(data.dtype(), flat_shape);
  std::memcpy(core.mutable_bytes().data(), kept.data(), kept.size());
  return {std::move(core), layout};
}

}  // namespace wick::frontend::check
