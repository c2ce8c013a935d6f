// Operations on indices: reading at them, and making them.

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Indexing";

std::vector<OperandSpec> data_and_indices() {
  return {{.name = "data"},
          {.name = "indices", .group = 'I', .dtypes = kIndices, .summary = "i32 or i64"}};
}

AttributeSpec axis_attribute(std::int64_t value, std::string_view summary) {
  return {
      .name = "axis", .kind = AttributeKind::kInteger, .default_value = value, .summary = summary};
}

std::vector<TemplateArgument> axis_argument() {
  return {{TemplateArgument::Form::kInteger, "axis"}};
}

// Index `i` of the tensor of indices: negative ones count from the end.
std::int64_t index_at(const HostTensor& indices, std::int64_t i, std::int64_t extent) {
  const std::int64_t index =
      indices.dtype() == DType::kI32 ? indices.at<std::int32_t>(i) : indices.at<std::int64_t>(i);
  return index < 0 ? index + extent : index;
}

std::int64_t clamped_index_at(const HostTensor& indices, std::int64_t i, std::int64_t extent) {
  return std::clamp<std::int64_t>(index_at(indices, i, extent), 0, extent - 1);
}

// A fault if there are indices into an axis without elements.
bool has_targets(Inference& inference, std::size_t axis) {
  const TensorType& data = inference.operands[0];
  if (data.shape()[axis] > 0 || inference.results[0].shape().element_count() == 0) return true;
  inference.fail(operand_path(1), "indices " + text_of(inference.operands[1]) + " into axis " +
                                      std::to_string(axis) + " of " + text_of(data) +
                                      ", which has no elements");
  return false;
}

void infer_gather(Inference& inference) {
  const auto axis = normal_axis(inference);
  if (!axis) return;
  const auto data = inference.operands[0].shape().extents();
  const auto indices = inference.operands[1].shape().extents();
  Integers extents(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(*axis));
  extents.insert(extents.end(), indices.begin(), indices.end());
  extents.insert(extents.end(), data.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, data.end());
  if (add_result(inference, inference.operands[0].dtype, extents)) has_targets(inference, *axis);
}

void evaluate_gather(Evaluation& evaluation) {
  const HostTensor& data = evaluation.operands[0];
  const HostTensor& indices = evaluation.operands[1];
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  const std::int64_t extent = data.shape()[axis];
  HostTensor result = make_result(evaluation);
  std::byte* to = result.mutable_bytes().data();
  const auto chunk =
      static_cast<std::size_t>(Layout(data.shape()).stride(axis)) * size_of(data.dtype());
  std::int64_t turns = result.shape().has_elements() ? 1 : 0;
  for (std::size_t i = 0; i < axis; ++i) turns *= data.shape()[i];
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    for (std::int64_t i = 0; i < indices.element_count(); ++i, to += chunk) {
      const std::int64_t from = turn * extent + clamped_index_at(indices, i, extent);
      std::memcpy(to, data.bytes().data() + static_cast<std::size_t>(from) * chunk, chunk);
    }
  }
  evaluation.results.push_back(std::move(result));
}

OpRecord gather() {
  return {
      .name = "gather",
      .family = kFamily,
      .summary = "the slices of data at indices along an axis",
      .prose =
          "As numpy.take: the axis is replaced by the shape of the indices. Negative indices "
          "count from the end; what is out of range then is clamped into it.",
      .example = R"({"name": "rows", "op": "gather", "inputs": ["table", "ids"], "axis": 0})",
      .operands = data_and_indices(),
      .attributes = {axis_attribute(0, "the axis of data that the indices count along")},
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = infer_gather,
      .evaluate = evaluate_gather,
      .call = {.function = "gather", .template_arguments = axis_argument()},
  };
}

void infer_gather_elements(Inference& inference) {
  const TensorType& data = inference.operands[0];
  const TensorType& indices = inference.operands[1];
  const auto axis = normal_axis(inference);
  if (!axis) return;
  bool fits = data.shape().rank() == indices.shape().rank();
  for (std::size_t i = 0; fits && i < data.shape().rank(); ++i) {
    fits = i == *axis || data.shape()[i] == indices.shape()[i];
  }
  if (!fits) {
    inference.fail(operand_path(1), "indices " + text_of(indices) + " do not fit " + text_of(data) +
                                        ": expected equal shapes but along axis " +
                                        std::to_string(*axis));
    return;
  }
  if (add_result(inference, data.dtype, indices.shape())) has_targets(inference, *axis);
}

void evaluate_gather_elements(Evaluation& evaluation) {
  const HostTensor& data = evaluation.operands[0];
  const HostTensor& indices = evaluation.operands[1];
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  HostTensor result = make_result(evaluation);
  // The operand with its axis stretched over the indices at stride 0: where index 0 would read.
  const Layout packed(data.shape());
  std::array<std::int64_t, kMaxRank> strides{};
  std::ranges::copy(packed.strides(), strides.begin());
  strides[axis] = 0;
  const Layout origin(result.shape(),
                      std::span<const std::int64_t>(strides.data(), result.shape().rank()), 0);
  const std::size_t size = size_of(data.dtype());
  std::byte* to = result.mutable_bytes().data();
  std::int64_t i = 0;
  for_each_offset(origin, [&](std::int64_t offset) {
    const std::int64_t index = clamped_index_at(indices, i++, data.shape()[axis]);
    const auto from = static_cast<std::size_t>(offset + index * packed.stride(axis));
    std::memcpy(to, data.bytes().data() + from * size, size);
    to += size;
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord gather_elements() {
  return {
      .name = "gather_elements",
      .family = kFamily,
      .summary = "for each index, the element of data at that index along an axis",
      .prose =
          "As numpy.take_along_axis, without broadcasting: the shapes are equal but along the "
          "axis. Negative indices count from the end; what is out of range then is clamped "
          "into it.",
      .example =
          R"({"name": "best", "op": "gather_elements", "inputs": ["scores", "ids"], "axis": -1})",
      .operands = data_and_indices(),
      .attributes = {axis_attribute(0, "the axis that the indices count along")},
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = infer_gather_elements,
      .evaluate = evaluate_gather_elements,
      .call = {.function = "gather_elements", .template_arguments = axis_argument()},
  };
}

void infer_one_hot(Inference& inference) {
  const TensorType& indices = inference.operands[0];
  const std::int64_t depth = inference.attributes.integer("depth");
  if (depth < 0) {
    inference.fail("/depth", "expected a depth of 0 or more; found " + std::to_string(depth));
    return;
  }
  const std::size_t rank = indices.shape().rank() + 1;
  const auto axis =
      checked_axis(inference, inference.attributes.integer("axis"), AxesOf(rank), "axis");
  if (!axis) return;
  const bool wanted = inference.stated_dtype || inference.attributes.has("dtype");
  const DType dtype = wanted ? *wanted_dtype(inference) : DType::kF32;
  Integers extents(indices.shape().extents().begin(), indices.shape().extents().end());
  extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(*axis), depth);
  if (!add_result(inference, dtype, extents)) return;
  inference.normal.set("axis", static_cast<std::int64_t>(*axis));
  inference.normal.set("depth", depth);
  inference.normal.set("dtype", dtype);
}

void evaluate_one_hot(Evaluation& evaluation) {
  const HostTensor& indices = evaluation.operands[0];
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  HostTensor result = make_result(evaluation);
  const std::int64_t depth = result.shape()[axis];
  const std::int64_t inner = Layout(result.shape()).stride(axis);
  dispatch(result.dtype(), [&](auto zero) {
    using E = decltype(zero);
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      const std::int64_t position = i / inner % depth;
      const std::int64_t which = i / (inner * depth) * inner + i % inner;
      result.set<E>(i, static_cast<E>(index_at(indices, which, depth) == position));
    }
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord one_hot() {
  return {
      .name = "one_hot",
      .family = kFamily,
      .summary = "1 at each index along a new axis, 0 elsewhere",
      .prose =
          "The node's \"dtype\" is that of the result, f32 if absent. Negative indices count "
          "from the end; an index out of range gives zeros only.",
      .example = R"({"name": "y", "op": "one_hot", "inputs": ["labels"], "depth": 10})",
      .operands = {{.name = "indices", .group = 'I', .dtypes = kIndices, .summary = "i32 or i64"}},
      .attributes = {axis_attribute(-1, "where the new axis stands in the result"),
                     {.name = "depth",
                      .kind = AttributeKind::kInteger,
                      .required = true,
                      .summary = "the extent of the new axis"}},
      .uses_dtype = true,
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = infer_one_hot,
      .evaluate = evaluate_one_hot,
      .call = {.function = "one_hot", .template_arguments = axis_argument()},
  };
}

void infer_iota(Inference& inference) {
  const auto dtype = wanted_dtype(inference);
  const auto extents = wanted_shape(inference);
  if (!dtype || !extents) return;
  if (*dtype == DType::kBool) {
    inference.fail("/dtype", "expected a dtype of numbers; found bool");
    return;
  }
  if (std::ranges::any_of(*extents, [](auto extent) { return extent < 0; })) {
    inference.fail("/shape", "expected extents of 0 or more; found " + text_of(*extents));
    return;
  }
  if (!add_result(inference, *dtype, *extents)) return;
  const auto axis = checked_axis(inference, inference.attributes.integer("axis"),
                                 AxesOf(inference.results[0]), "axis");
  if (!axis) return;
  inference.normal.set("axis", static_cast<std::int64_t>(*axis));
  inference.normal.set("dtype", *dtype);
  inference.normal.set("shape", *extents);
}

void evaluate_iota(Evaluation& evaluation) {
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  HostTensor result = make_result(evaluation);
  const std::int64_t inner = Layout(result.shape()).stride(axis);
  dispatch_number(result.dtype(), [&](auto zero) {
    using E = decltype(zero);
    for (std::int64_t i = 0; i < result.element_count(); ++i) {
      result.set<E>(i, static_cast<E>(i / inner % result.shape()[axis]));
    }
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord iota() {
  return {
      .name = "iota",
      .family = kFamily,
      .summary = "the index along an axis",
      .prose = "The node states its \"dtype\" and \"shape\". Integers wrap, floating point rounds.",
      .example = R"({"name": "column", "op": "iota", "dtype": "i32", "shape": [2, 3], "axis": 1})",
      .operands = {},
      .attributes = {axis_attribute(0, "the axis to count along")},
      .uses_dtype = true,
      .uses_shape = true,
      .fusion = FusionClass::kOpaque,
      .traits = {.exactly_rounded = true},
      .infer = infer_iota,
      .evaluate = evaluate_iota,
      .call = {.function = "iota", .template_arguments = axis_argument()},
  };
}

}  // namespace

const std::vector<OpRecord>& indexing_records() {
  static const std::vector<OpRecord> records = {gather(), gather_elements(), one_hot(), iota()};
  return records;
}

}  // namespace wick::compiler::ops
