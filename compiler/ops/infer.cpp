#include "compiler/ops/infer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/ops/evaluate.h"
#include "compiler/support/text.h"

namespace wick::compiler::ops {

std::string text_of(const TensorType& type) { return type_text(type.dtype, type.shape()); }

std::string text_of(std::span<const std::int64_t> numbers) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(numbers[i]);
  }
  return text + "]";
}

std::string operand_path(std::size_t index) { return "/inputs/" + std::to_string(index); }

bool add_result(Inference& inference, DType dtype, const Shape& shape) {
  if (!byte_count(shape, dtype)) {
    inference.fail(
        "", "the result " + type_text(dtype, shape) + " is too large: expected at most 2^47 bytes");
    return false;
  }
  inference.results.push_back({dtype, Layout(shape)});
  return true;
}

bool add_result(Inference& inference, DType dtype, std::span<const std::int64_t> extents) {
  if (extents.size() > kMaxRank) {
    inference.fail("", "the result has rank " + std::to_string(extents.size()) +
                           ": expected at most " + std::to_string(kMaxRank));
    return false;
  }
  const auto shape = Shape::make(extents);
  if (!shape) {
    inference.fail("", "the result " + std::string(name_of(dtype)) + text_of(extents) +
                           " is too large: expected at most 2^47 bytes");
    return false;
  }
  return add_result(inference, dtype, *shape);
}

std::optional<DType> wanted_dtype(Inference& inference) {
  if (inference.stated_dtype) return inference.stated_dtype;
  if (inference.attributes.has("dtype")) return inference.attributes.dtype("dtype");
  inference.fail("", "the node must state its \"dtype\"");
  return std::nullopt;
}

std::optional<Integers> wanted_shape(Inference& inference) {
  if (inference.stated_shape) return inference.stated_shape;
  if (inference.attributes.has("shape")) return inference.attributes.integers("shape");
  inference.fail("", "the node must state its \"shape\"");
  return std::nullopt;
}

bool check_number(Inference& inference, std::string_view name, DType dtype, bool open) {
  const double number = inference.attributes.number(name);
  if (is_float(dtype) || (open && std::isinf(number))) return true;
  if (scalar_of(number, dtype).as_double(0) == number) return true;
  inference.fail("/" + std::string(name), "expected a number that " + std::string(name_of(dtype)) +
                                              " can hold; found " + shortest(number));
  return false;
}

namespace {

// "f32[2, 3], f32[] and f32[4]".
std::string list_text(std::span<const TensorType> operands) {
  std::string text;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (k > 0) text += k + 1 == operands.size() ? " and " : ", ";
    text += text_of(operands[k]);
  }
  return text;
}

bool extents_fit(const Shape& a, const Shape& b) {
  for (std::size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
    const std::int64_t x = a[a.rank() - i], y = b[b.rank() - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

}  // namespace

std::optional<Shape> broadcast_operands(Inference& inference) {
  Shape shape = inference.operands[0].shape();
  for (std::size_t i = 1; i < inference.operands.size(); ++i) {
    const Shape& next = inference.operands[i].shape();
    const auto both = broadcast(shape, next);
    if (both) {
      shape = *both;
    } else if (extents_fit(shape, next)) {
      inference.fail("",
                     list_text(inference.operands) +
                         " broadcast to a result that is too large: expected at most 2^47 bytes");
      return std::nullopt;
    } else {
      inference.fail(operand_path(i),
                     "the operands do not broadcast: found " + list_text(inference.operands),
                     "aligned at the last axis, extents must be equal or 1");
      return std::nullopt;
    }
  }
  return shape;
}

void infer_elementwise(Inference& inference) {
  const auto shape = broadcast_operands(inference);
  if (!shape) return;
  if (!inference.attributes.empty()) inference.normal = inference.attributes;
  add_result(inference, inference.operands[0].dtype, *shape);
}

void infer_predicate(Inference& inference) {
  const auto shape = broadcast_operands(inference);
  if (shape) add_result(inference, DType::kBool, *shape);
}

std::string AxesOf::to_string() const {
  return type != nullptr ? text_of(*type) : "a result of rank " + std::to_string(rank);
}

std::optional<std::size_t> checked_axis(Inference& inference, std::int64_t axis, const AxesOf& of,
                                        std::string_view name, std::optional<std::size_t> index) {
  const auto limit = static_cast<std::int64_t>(of.rank);
  if (axis >= -limit && axis < limit) {
    return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
  }
  std::string path = "/" + std::string(name);
  if (index) path += "/" + std::to_string(*index);
  std::string found = "axis " + std::to_string(axis) + " is out of range for " + of.to_string();
  found += limit == 0 ? ", which has no axes"
                      : ": expected " + std::to_string(-limit) + " to " + std::to_string(limit - 1);
  inference.fail(std::move(path), std::move(found));
  return std::nullopt;
}

std::optional<std::size_t> normal_axis(Inference& inference) {
  const auto axis = checked_axis(inference, inference.attributes.integer("axis"),
                                 AxesOf(inference.operands[0]), "axis");
  if (axis) inference.normal.set("axis", static_cast<std::int64_t>(*axis));
  return axis;
}

std::optional<Integers> checked_axes(Inference& inference, const AxesOf& of) {
  Integers axes;
  if (!inference.attributes.has("axes")) {
    axes.resize(of.rank);
    for (std::size_t i = 0; i < of.rank; ++i) axes[i] = static_cast<std::int64_t>(i);
    return axes;
  }
  const Integers& written = inference.attributes.integers("axes");
  axes.reserve(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto axis = checked_axis(inference, written[i], of, "axes", i);
    if (!axis) return std::nullopt;
    if (std::ranges::find(axes, static_cast<std::int64_t>(*axis)) != axes.end()) {
      inference.fail("/axes/" + std::to_string(i), "duplicate axis: " + text_of(written) +
                                                       " names axis " + std::to_string(*axis) +
                                                       " of " + of.to_string() + " twice");
      return std::nullopt;
    }
    axes.push_back(static_cast<std::int64_t>(*axis));
  }
  std::ranges::sort(axes);
  return axes;
}

}  // namespace wick::compiler::ops
