// Views that reorder or leave out elements: permutations of axes, slices, and split.

#include <algorithm>
#include <array>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Permutation and slicing";

// Every operation of this family is its view: the elements at the view's offsets of a packed
// operand, for each result.
template <auto View>
void evaluate_view(Evaluation& evaluation) {
  const Layout packed(evaluation.operands[0].shape());
  for (std::size_t i = 0; i < evaluation.types.size(); ++i) {
    evaluate_move(evaluation, 0,
                  *View(packed, evaluation.attributes, evaluation.types[i].shape(), i));
  }
}

template <auto View>
OpRecord viewing(std::string_view name, std::string_view summary, std::string_view prose,
                 std::string_view example, void (*infer)(Inference&)) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kAnyDType),
      .fusion = FusionClass::kLayout,
      .traits = {.exactly_rounded = true},
      .infer = infer,
      .view = View,
      .evaluate = evaluate_view<View>,
  };
}

// ---- Permutations -------------------------------------------------------------------------------

void infer_transpose(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  std::array<std::int64_t, kMaxRank> extents{};
  const std::size_t rank = operand.shape().rank();
  std::ranges::reverse_copy(operand.shape().extents(), extents.begin());
  add_result(inference, operand.dtype, std::span<const std::int64_t>(extents.data(), rank));
}

std::optional<Layout> view_transpose(const Layout& operand, const Attributes&, const Shape&,
                                     std::size_t) {
  std::array<std::int64_t, kMaxRank> axes{};
  const std::size_t rank = operand.shape().rank();
  for (std::size_t i = 0; i < rank; ++i) axes[i] = static_cast<std::int64_t>(rank - 1 - i);
  return permuted(operand, std::span<const std::int64_t>(axes.data(), rank));
}

OpRecord transpose() {
  OpRecord record = viewing<view_transpose>(
      "transpose", "x with its axes reversed", "As numpy.transpose without axes.",
      R"({"name": "y", "op": "transpose", "inputs": ["x"]})", infer_transpose);
  record.traits.involution = true;
  return record;
}

void infer_transpose_axes(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const Integers& written = inference.attributes.integers("axes");
  const std::size_t rank = operand.shape().rank();
  if (written.size() != rank) {
    inference.fail("/axes", "expected one entry per axis of " + text_of(operand) + "; found " +
                                text_of(written));
    return;
  }
  if (!checked_axes(inference, AxesOf(operand))) return;
  Integers axes = written;
  std::array<std::int64_t, kMaxRank> extents{};
  for (std::size_t i = 0; i < rank; ++i) {
    if (axes[i] < 0) axes[i] += static_cast<std::int64_t>(rank);
    extents[i] = operand.shape()[static_cast<std::size_t>(axes[i])];
  }
  inference.normal.set("axes", std::move(axes));
  add_result(inference, operand.dtype, std::span<const std::int64_t>(extents.data(), rank));
}

std::optional<Layout> view_transpose_axes(const Layout& operand, const Attributes& attributes,
                                          const Shape&, std::size_t) {
  return permuted(operand, attributes.integers("axes"));
}

OpRecord transpose_axes() {
  OpRecord record = viewing<view_transpose_axes>(
      "transpose_axes", "x with its axes in another order",
      "Axis i of the result is axis axes[i] of x, as numpy.transpose.",
      R"({"name": "y", "op": "transpose_axes", "inputs": ["x"], "axes": [0, 2, 1]})",
      infer_transpose_axes);
  record.attributes = {{.name = "axes",
                        .kind = AttributeKind::kIntegers,
                        .required = true,
                        .summary = "a permutation of the axes"}};
  return record;
}

void infer_flip(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  auto axes = checked_axes(inference, AxesOf(operand));
  if (!axes) return;
  inference.normal.set("axes", std::move(*axes));
  add_result(inference, operand.dtype, operand.shape());
}

std::optional<Layout> view_flip(const Layout& operand, const Attributes& attributes, const Shape&,
                                std::size_t) {
  Layout layout = operand;
  for (const std::int64_t axis : attributes.integers("axes")) {
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t extent = operand.shape()[at];
    layout = sliced(layout, at, std::max<std::int64_t>(extent - 1, 0), -1, extent);
  }
  return layout;
}

OpRecord flip() {
  OpRecord record = viewing<view_flip>(
      "flip", "x backwards along axes", "All axes if \"axes\" is absent.",
      R"({"name": "y", "op": "flip", "inputs": ["x"], "axes": [-1]})", infer_flip);
  record.attributes = {
      {.name = "axes", .kind = AttributeKind::kIntegers, .summary = "which axes to reverse"}};
  record.traits.involution = true;
  return record;
}

// ---- Slices -------------------------------------------------------------------------------------

// A range on an axis, by Python's rules (slice.indices): negative ends count from the end, ends
// beyond the axis are cut to it.
Stride resolved(const Range& range, std::int64_t extent) {
  const bool forward = range.step > 0;
  const std::int64_t least = forward ? 0 : -1;
  const std::int64_t most = forward ? extent : extent - 1;
  const auto bound = [&](std::int64_t end) {
    if (end < 0) return end < -extent ? least : end + extent;
    return std::min(end, most);
  };
  const std::int64_t start = range.start ? bound(*range.start) : (forward ? least : most);
  const std::int64_t stop = range.stop ? bound(*range.stop) : (forward ? most : least);
  const std::int64_t length = forward ? stop - start : start - stop;
  if (length <= 0) return {0, 1, 0};
  // A step that leaves the axis at once is as good as any other: cut, it cannot overflow.
  const std::int64_t step = std::clamp(range.step, -extent, extent);
  const std::int64_t size = forward ? step : -step;
  const std::int64_t count = (length - 1) / size + 1;
  return {start, count == 1 ? 1 : step, count};
}

void infer_slice(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const Ranges& ranges = inference.attributes.ranges("ranges");
  const std::size_t rank = operand.shape().rank();
  if (ranges.size() > rank) {
    inference.fail("/ranges", std::to_string(ranges.size()) + " ranges for " + text_of(operand) +
                                  ": expected at most one per axis, " + std::to_string(rank));
    return;
  }
  Strides strides(rank);
  std::array<std::int64_t, kMaxRank> extents{};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Range range = axis < ranges.size() ? ranges[axis] : Range{};
    if (range.step == 0) {
      inference.fail("/ranges/" + std::to_string(axis) + "/2",
                     "a step of 0: expected a positive or negative step");
      return;
    }
    strides[axis] = resolved(range, operand.shape()[axis]);
    extents[axis] = strides[axis].count;
  }
  inference.normal.set("ranges", std::move(strides));
  add_result(inference, operand.dtype, std::span<const std::int64_t>(extents.data(), rank));
}

std::optional<Layout> view_slice(const Layout& operand, const Attributes& attributes, const Shape&,
                                 std::size_t) {
  const Strides& strides = attributes.strides("ranges");
  Layout layout = operand;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    layout = sliced(layout, axis, strides[axis].start, strides[axis].step, strides[axis].count);
  }
  return layout;
}

OpRecord slice() {
  OpRecord record = viewing<view_slice>(
      "slice", "every step-th element of ranges of x",
      "[start, stop] or [start, stop, step] per leading axis, null for an open end or a whole "
      "axis, with Python's rules: negative ends count from the end, ends beyond the axis are cut "
      "to it, steps may be negative but not 0. Axes without a range are whole.",
      R"({"name": "y", "op": "slice", "inputs": ["x"], "ranges": [[0, 2], [null, null, -1]]})",
      infer_slice);
  record.attributes = {{.name = "ranges",
                        .kind = AttributeKind::kRanges,
                        .required = true,
                        .summary = "one range per leading axis"}};
  return record;
}

// ---- Split --------------------------------------------------------------------------------------

void infer_split(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const auto axis = normal_axis(inference);
  if (!axis) return;
  const Integers& sizes = inference.attributes.integers("sizes");
  const std::int64_t extent = operand.shape()[*axis];
  std::int64_t left = extent;
  bool fits = true;
  for (const std::int64_t size : sizes) {
    fits = fits && size >= 0 && size <= left;
    if (fits) left -= size;
  }
  if (!fits || left != 0) {
    inference.fail("/sizes", "the sizes " + text_of(sizes) + " do not add up to axis " +
                                 std::to_string(*axis) + " of " + text_of(operand) + ": expected " +
                                 std::to_string(extent));
    return;
  }
  std::array<std::int64_t, kMaxRank> extents{};
  std::ranges::copy(operand.shape().extents(), extents.begin());
  Parts parts;
  parts.reserve(sizes.size());
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    parts.push_back({start, size});
    start += size;
    extents[*axis] = size;
    add_result(inference, operand.dtype,
               std::span<const std::int64_t>(extents.data(), operand.shape().rank()));
  }
  inference.normal.set("sizes", std::move(parts));
}

std::optional<Layout> view_split(const Layout& operand, const Attributes& attributes, const Shape&,
                                 std::size_t index) {
  const Part& part = attributes.parts("sizes")[index];
  const auto axis = static_cast<std::size_t>(attributes.integer("axis"));
  return sliced(operand, axis, part.start, 1, part.size);
}

OpRecord split() {
  OpRecord record = viewing<view_split>(
      "split", "x cut into parts along an axis",
      "One result per size, in order; the sizes add up to the extent. Each part is a view.",
      R"({"op": "split", "inputs": ["x"], "axis": 1, "sizes": [3, 2], "outputs": ["a", "b"]})",
      infer_split);
  record.attributes = {{.name = "axis",
                        .kind = AttributeKind::kInteger,
                        .default_value = std::int64_t{0},
                        .summary = "the axis to cut"},
                       {.name = "sizes",
                        .kind = AttributeKind::kIntegers,
                        .required = true,
                        .summary = "the extent of each part along the axis"}};
  return record;
}

}  // namespace

const std::vector<OpRecord>& slicing_records() {
  static const std::vector<OpRecord> records = {transpose(), transpose_axes(), flip(), slice(),
                                                split()};
  return records;
}

}  // namespace wick::compiler::ops
