// Operations that only change the layout: views of their operand's storage.

#include <algorithm>
#include <array>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Layout";

// The bytes of the operand, row-major, under the result's shape.
void evaluate_same_order(Evaluation& evaluation) {
  const HostTensor& from = evaluation.operands[0];
  HostTensor result = make_result(evaluation);
  std::ranges::copy(from.bytes(), result.mutable_bytes().begin());
  evaluation.results.push_back(std::move(result));
}

std::optional<Layout> view_reshaped(const Layout& operand, const Attributes&, const Shape& result,
                                    std::size_t) {
  return reshaped(operand, result);
}

OpRecord layout_operation(std::string_view name, std::string_view summary, std::string_view prose,
                          std::string_view example) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kAnyDType),
      .fusion = FusionClass::kLayout,
      .traits = {.exactly_rounded = true},
      .infer = nullptr,
      .view = view_reshaped,
      .evaluate = evaluate_same_order,
  };
}

void infer_same(Inference& inference) {
  add_result(inference, inference.operands[0].dtype, inference.operands[0].shape());
}

OpRecord identity() {
  OpRecord record = layout_operation("identity", "x itself",
                                     "Another name for the same values in the same layout.",
                                     R"({"name": "y", "op": "identity", "inputs": ["x"]})");
  record.traits.idempotent = true;
  record.traits.identity = true;
  record.infer = infer_same;
  record.view = [](const Layout& operand, const Attributes&, const Shape&,
                   std::size_t) -> std::optional<Layout> { return operand; };
  return record;
}

OpRecord as_contiguous() {
  OpRecord record = layout_operation("as_contiguous", "x in row-major order",
                                     "A copy if x is read through another layout, else x itself.",
                                     R"({"name": "y", "op": "as_contiguous", "inputs": ["x"]})");
  record.fusion = FusionClass::kPack;
  record.traits.idempotent = true;
  record.infer = infer_same;
  record.view = nullptr;
  record.call = {.function = "copy"};
  return record;
}

// ---- The same elements under another shape ------------------------------------------------------

// The stated shape with one -1 resolved against `count` elements.
std::optional<Integers> resolved_extents(Inference& inference, Integers extents) {
  const TensorType& operand = inference.operands[0];
  const std::int64_t count = operand.shape().element_count();
  std::int64_t product = 1;
  std::int64_t* open = nullptr;
  const auto mismatch = [&] {
    inference.fail("/shape", "cannot give " + text_of(operand) + " the shape " +
                                 text_of(*wanted_shape(inference)) + ": expected " +
                                 std::to_string(count) + " elements");
    return std::nullopt;
  };
  for (std::int64_t& extent : extents) {
    if (extent == -1 && open == nullptr) {
      open = &extent;
      continue;
    }
    if (extent < 0) {
      inference.fail(
          "/shape", "expected extents of 0 or more, and at most one -1; found " + text_of(extents));
      return std::nullopt;
    }
    if (extent > 0 && product > kMaxTensorBytes.count / extent) return mismatch();
    product *= extent;
  }
  if (open != nullptr) {
    if (product == 0 || count % product != 0) return mismatch();
    *open = count / product;
    product = count;
  }
  if (product != count) return mismatch();
  return extents;
}

void infer_reshape(Inference& inference) {
  const auto wanted = wanted_shape(inference);
  if (!wanted) return;
  const auto extents = resolved_extents(inference, *wanted);
  if (!extents || !add_result(inference, inference.operands[0].dtype, *extents)) return;
  inference.normal.set("shape", *extents);
}

void infer_view(Inference& inference) {
  const Layout& layout = inference.operands[0].layout;
  if (!layout.is_contiguous()) {
    inference.fail("/inputs/0",
                   "a view needs a contiguous operand; found " +
                       std::string(name_of(inference.operands[0].dtype)) + layout.to_string(),
                   "put \"as_contiguous\" before it, or use \"reshape\"");
    return;
  }
  infer_reshape(inference);
}

OpRecord reshape() {
  OpRecord record = layout_operation(
      "reshape", "x under another shape",
      "The node's \"shape\" says which; one extent may be -1. Elements keep their row-major order. "
      "A view where strides can say so, else of a packed copy.",
      R"({"name": "y", "op": "reshape", "inputs": ["x"], "shape": [2, -1]})");
  record.uses_shape = true;
  record.infer = infer_reshape;
  return record;
}

OpRecord view() {
  OpRecord record = layout_operation(
      "view", "a contiguous x under another shape",
      "As reshape, but never a copy: an operand that is not contiguous is an error.",
      R"({"name": "y", "op": "view", "inputs": ["x"], "shape": [2, -1]})");
  record.uses_shape = true;
  record.infer = infer_view;
  return record;
}

void infer_flatten(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const std::array<std::int64_t, 1> extents{operand.shape().element_count()};
  add_result(inference, operand.dtype, extents);
}

OpRecord flatten() {
  OpRecord record =
      layout_operation("flatten", "x in one axis", "Row-major order; a scalar becomes one element.",
                       R"({"name": "y", "op": "flatten", "inputs": ["x"]})");
  record.traits.idempotent = true;
  record.infer = infer_flatten;
  return record;
}

void infer_squeeze(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const Shape& shape = operand.shape();
  const bool all = !inference.attributes.has("axes");
  auto axes = checked_axes(inference, AxesOf(operand));
  if (!axes) return;
  if (all)
    std::erase_if(*axes, [&](auto axis) { return shape[static_cast<std::size_t>(axis)] != 1; });
  std::array<std::int64_t, kMaxRank> extents{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!std::ranges::binary_search(*axes, static_cast<std::int64_t>(axis))) {
      extents[rank++] = shape[axis];
    } else if (shape[axis] != 1) {
      inference.fail("/axes", "cannot squeeze axis " + std::to_string(axis) + " of " +
                                  text_of(operand) + ": expected extent 1, found " +
                                  std::to_string(shape[axis]));
      return;
    }
  }
  inference.normal.set("axes", std::move(*axes));
  add_result(inference, operand.dtype, std::span<const std::int64_t>(extents.data(), rank));
}

OpRecord squeeze() {
  OpRecord record = layout_operation(
      "squeeze", "x without axes of extent 1", "All axes of extent 1 if \"axes\" is absent.",
      R"({"name": "y", "op": "squeeze", "inputs": ["x"], "axes": [0]})");
  record.attributes = {{.name = "axes",
                        .kind = AttributeKind::kIntegers,
                        .summary = "which axes to drop; each must have extent 1"}};
  record.infer = infer_squeeze;
  return record;
}

void infer_unsqueeze(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const std::size_t rank = operand.shape().rank() + inference.attributes.integers("axes").size();
  if (rank > kMaxRank) {
    inference.fail("/axes", "the result has rank " + std::to_string(rank) + ": expected at most " +
                                std::to_string(kMaxRank));
    return;
  }
  auto axes = checked_axes(inference, AxesOf(rank));
  if (!axes) return;
  std::array<std::int64_t, kMaxRank> extents{};
  std::size_t from = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool added = std::ranges::binary_search(*axes, static_cast<std::int64_t>(axis));
    extents[axis] = added ? 1 : operand.shape()[from++];
  }
  inference.normal.set("axes", std::move(*axes));
  add_result(inference, operand.dtype, std::span<const std::int64_t>(extents.data(), rank));
}

OpRecord unsqueeze() {
  OpRecord record =
      layout_operation("unsqueeze", "x with new axes of extent 1", "As numpy.expand_dims.",
                       R"({"name": "y", "op": "unsqueeze", "inputs": ["x"], "axes": [0, -1]})");
  record.attributes = {{.name = "axes",
                        .kind = AttributeKind::kIntegers,
                        .required = true,
                        .summary = "where the new axes stand in the result"}};
  record.infer = infer_unsqueeze;
  return record;
}

// ---- Broadcasting -------------------------------------------------------------------------------

void infer_broadcast_to(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const auto wanted = wanted_shape(inference);
  if (!wanted) return;
  const auto shape = Shape::make(*wanted);
  if (shape && !broadcasts_to(operand.shape(), *shape)) {
    inference.fail("/shape", "cannot broadcast " + text_of(operand) + " to " + text_of(*wanted),
                   "aligned at the last axis, extents must be equal, or 1 in the operand");
  } else if (!shape && std::ranges::any_of(*wanted, [](auto extent) { return extent < 0; })) {
    inference.fail("/shape", "expected extents of 0 or more; found " + text_of(*wanted));
  } else if (add_result(inference, operand.dtype, *wanted)) {
    inference.normal.set("shape", *wanted);
  }
}

OpRecord broadcast_to() {
  OpRecord record = layout_operation(
      "broadcast_to", "x stretched to a shape",
      "The node's \"shape\" says which. NumPy's rules: aligned at the last axis, extents of 1 and "
      "new leading axes stretch.",
      R"({"name": "y", "op": "broadcast_to", "inputs": ["row"], "shape": [4, 3]})");
  record.uses_shape = true;
  record.infer = infer_broadcast_to;
  record.view = [](const Layout& operand, const Attributes&, const Shape& result,
                   std::size_t) -> std::optional<Layout> {
    return broadcast_layout(operand, result);
  };
  record.evaluate = [](Evaluation& evaluation) {
    evaluate_move(
        evaluation, 0,
        broadcast_layout(Layout(evaluation.operands[0].shape()), evaluation.types[0].shape()));
  };
  return record;
}

}  // namespace

const std::vector<OpRecord>& layout_records() {
  static const std::vector<OpRecord> records = {identity(),  as_contiguous(), view(),
                                                reshape(),   flatten(),       squeeze(),
                                                unsqueeze(), broadcast_to()};
  return records;
}

}  // namespace wick::compiler::ops
