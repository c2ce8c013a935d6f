#include "compiler/ops/evaluate.h"

#include <algorithm>
#include <cstring>

namespace wick::compiler::ops {
namespace {

Layout with_axes(const Shape& shape, std::span<const std::int64_t> axes, bool chosen) {
  const Layout packed(shape);
  std::array<std::int64_t, kMaxRank> extents{}, strides{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const bool listed = std::ranges::find(axes, static_cast<std::int64_t>(axis)) != axes.end();
    if (listed != chosen) continue;
    extents[rank] = shape[axis];
    strides[rank++] = packed.stride(axis);
  }
  return Layout(Shape::of(std::span<const std::int64_t>(extents.data(), rank)),
                std::span<const std::int64_t>(strides.data(), rank), 0);
}

}  // namespace

Layout along_axes(const Shape& shape, std::span<const std::int64_t> axes) {
  return with_axes(shape, axes, true);
}

Layout across_axes(const Shape& shape, std::span<const std::int64_t> axes) {
  return with_axes(shape, axes, false);
}

HostTensor make_result(const Evaluation& evaluation, std::size_t index) {
  return HostTensor(evaluation.types[index].dtype, evaluation.types[index].shape());
}

void evaluate_move(Evaluation& evaluation, std::size_t operand, const Layout& layout) {
  const HostTensor& from = evaluation.operands[operand];
  HostTensor result(from.dtype(), layout.shape());
  const std::size_t size = size_of(from.dtype());
  std::byte* to = result.mutable_bytes().data();
  for_each_offset(layout, [&](std::int64_t offset) {
    std::memcpy(to, from.bytes().data() + static_cast<std::size_t>(offset) * size, size);
    to += size;
  });
  evaluation.results.push_back(std::move(result));
}

HostTensor scalar_of(double value, DType dtype) {
  return dispatch(dtype,
                  [&](auto zero) { return HostTensor::scalar(converted<decltype(zero)>(value)); });
}

}  // namespace wick::compiler::ops
