#include "compiler/tensor/layout.h"

#include <algorithm>
#include <vector>

#include "compiler/support/check.h"

namespace wick::compiler {

constinit const Layout::Entry Layout::kScalar;

std::uint64_t Layout::Places::hash() const {
  std::uint64_t hash = mixed_hash(shape.entry_->key.hash(), static_cast<std::uint64_t>(offset));
  for (const std::int64_t stride : span()) {
    hash = mixed_hash(hash, static_cast<std::uint64_t>(stride));
  }
  return hash;
}

bool Layout::Places::operator==(const Places& other) const {
  return shape == other.shape && offset == other.offset && std::ranges::equal(span(), other.span());
}

Layout::Entry::Entry(const Places& places) : key(places) {
  if (!key.shape.has_elements()) return;
  std::int64_t inner = 1;
  for (std::size_t axis = key.shape.rank(); axis-- > 0;) {
    contiguous &= key.shape[axis] == 1 || key.strides[axis] == inner;
    inner *= key.shape[axis];
  }
}

const Layout::Entry& Layout::entry_of(const Places& places) {
  if (places.shape.rank() == 0 && places.offset == 0) return kScalar;
  return Interner<Places, Entry>::intern(places);
}

const Layout::Entry& Layout::packed_entry(const Shape& shape) {
  std::atomic<const void*>& packed = shape.entry_->packed;
  if (const void* known = packed.load(std::memory_order_acquire)) {
    return *static_cast<const Entry*>(known);
  }
  Places places{.shape = shape};
  std::int64_t stride = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    places.strides[axis] = stride;
    stride *= std::max<std::int64_t>(shape[axis], 1);
  }
  const Entry& entry = entry_of(places);
  packed.store(&entry, std::memory_order_release);
  return entry;
}

Layout::Layout(const Shape& shape) : entry_(&packed_entry(shape)) {}

Layout::Layout(const Shape& shape, std::span<const std::int64_t> strides, std::int64_t offset) {
  check(strides.size() == shape.rank(), "Layout: one stride per axis");
  Places places{.shape = shape, .offset = offset};
  std::ranges::copy(strides, places.strides.begin());
  entry_ = &entry_of(places);
}

Layout::Extent Layout::extent() const {
  if (!shape().has_elements()) return {};
  Extent range{offset(), offset() + 1};
  for (std::size_t axis = 0; axis < shape().rank(); ++axis) {
    const std::int64_t reach = (shape()[axis] - 1) * stride(axis);
    (reach < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

std::string Layout::to_string() const {
  std::string text = shape().to_string();
  if (is_packed()) return text;
  text += " strides [";
  for (std::size_t axis = 0; axis < shape().rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(stride(axis));
  }
  text += "]";
  if (offset() != 0) text += " offset " + std::to_string(offset());
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
