#include "compiler/tensor/layout.h"

#include "compiler/support/check.h"

namespace wick::compiler {

Layout::Layout(const Shape& shape) : shape_(shape) {
  std::int64_t stride = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    strides_[axis] = stride;
    stride *= std::max<std::int64_t>(shape[axis], 1);
  }
}

Layout::Layout(const Shape& shape, std::span<const std::int64_t> strides, std::int64_t offset)
    : shape_(shape), offset_(offset) {
  check(strides.size() == shape.rank(), "Layout: one stride per axis");
  std::ranges::copy(strides, strides_.begin());
}

bool Layout::is_contiguous() const {
  if (!shape_.has_elements()) return true;
  std::int64_t inner = 1;
  for (std::size_t axis = shape_.rank(); axis-- > 0;) {
    if (shape_[axis] > 1 && strides_[axis] != inner) return false;
    inner *= shape_[axis];
  }
  return true;
}

Layout::Extent Layout::extent() const {
  if (!shape_.has_elements()) return {};
  Extent range{offset_, offset_ + 1};
  for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
    const std::int64_t reach = (shape_[axis] - 1) * strides_[axis];
    (reach < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

std::string Layout::to_string() const {
  std::string text = shape_.to_string();
  if (is_packed()) return text;
  text += " strides [";
  for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(strides_[axis]);
  }
  text += "]";
  if (offset_ != 0) text += " offset " + std::to_string(offset_);
  return text;
}

Layout permuted(const Layout& layout, std::span<const std::int64_t> permutation) {
  check(permutation.size() == layout.shape().rank(), "permuted: one entry per axis");
  std::array<std::int64_t, kMaxRank> extents{}, strides{};
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    const auto axis = static_cast<std::size_t>(permutation[i]);
    extents[i] = layout.shape()[axis];
    strides[i] = layout.stride(axis);
  }
  const std::size_t rank = permutation.size();
  return Layout(Shape::of(std::span<const std::int64_t>(extents.data(), rank)),
                std::span<const std::int64_t>(strides.data(), rank), layout.offset());
}

Layout sliced(const Layout& layout, std::size_t axis, std::int64_t start, std::int64_t step,
              std::int64_t count) {
  std::array<std::int64_t, kMaxRank> extents{}, strides{};
  std::ranges::copy(layout.shape().extents(), extents.begin());
  std::ranges::copy(layout.strides(), strides.begin());
  extents[axis] = count;
  strides[axis] = count > 1 ? layout.stride(axis) * step : layout.stride(axis);
  const std::size_t rank = layout.shape().rank();
  const std::int64_t shift = count > 0 ? start * layout.stride(axis) : 0;
  return Layout(Shape::of(std::span<const std::int64_t>(extents.data(), rank)),
                std::span<const std::int64_t>(strides.data(), rank), layout.offset() + shift);
}

Layout broadcast_layout(const Layout& layout, const Shape& shape) {
  check(broadcasts_to(layout.shape(), shape), "broadcast_layout: shapes do not fit");
  std::array<std::int64_t, kMaxRank> strides{};
  const std::size_t added = shape.rank() - layout.shape().rank();
  for (std::size_t axis = added; axis < shape.rank(); ++axis) {
    const bool stretched = layout.shape()[axis - added] == 1 && shape[axis] != 1;
    strides[axis] = stretched ? 0 : layout.stride(axis - added);
  }
  return Layout(shape, std::span<const std::int64_t>(strides.data(), shape.rank()),
                layout.offset());
}

namespace {

// Axes of extent > 1, neighbours merged where one stride serves both: what a reshape has to cut up
// anew.
struct Run {
  std::int64_t extent;
  std::int64_t stride;
};

std::vector<Run> merged_runs(const Layout& layout) {
  std::vector<Run> runs;
  for (std::size_t axis = 0; axis < layout.shape().rank(); ++axis) {
    const std::int64_t extent = layout.shape()[axis];
    const std::int64_t stride = layout.stride(axis);
    if (extent == 1) continue;
    if (!runs.empty() && runs.back().stride == stride * extent) {
      runs.back() = {runs.back().extent * extent, stride};
    } else {
      runs.push_back({extent, stride});
    }
  }
  return runs;
}

}  // namespace

std::optional<Layout> reshaped(const Layout& layout, const Shape& shape) {
  check(layout.shape().element_count() == shape.element_count(), "reshaped: counts differ");
  if (!shape.has_elements() || layout.is_contiguous()) {
    return Layout(shape, Layout(shape).strides(), layout.offset());
  }
  std::vector<Run> runs = merged_runs(layout);
  std::array<std::int64_t, kMaxRank> strides{};
  std::int64_t unit = 1;  // for axes of extent 1 any stride does: keep the inner one's
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    const std::int64_t extent = shape[axis];
    if (extent == 1) {
      strides[axis] = unit;
      continue;
    }
    if (!runs.empty() && runs.back().extent == 1) runs.pop_back();
    if (runs.empty() || runs.back().extent % extent != 0) return std::nullopt;
    strides[axis] = runs.back().stride;
    runs.back() = {runs.back().extent / extent, runs.back().stride * extent};
    unit = runs.back().stride;
  }
  return Layout(shape, std::span<const std::int64_t>(strides.data(), shape.rank()),
                layout.offset());
}

}  // namespace wick::compiler
