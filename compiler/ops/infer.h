// Services for the inference of records: results with their size checked, broadcasting, axes. Each
// reports what is wrong as a fault that says what was expected and what was found; nothing is
// returned then, and the caller simply stops.
//
// A legal call allocates nothing here but the lists of axes that are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/ops/record.h"

namespace wick::compiler::ops {

// "f32[2, 3]".
std::string text_of(const TensorType& type);
// "[2, 3]", also for extents that are no legal Shape.
std::string text_of(std::span<const std::int64_t> numbers);
// "/inputs/1".
std::string operand_path(std::size_t index);

// ---- Results ------------------------------------------------------------------------------------

// Appends a packed result. A result beyond kMaxRank axes or kMaxTensorBytes is a fault.
bool add_result(Inference& inference, DType dtype, const Shape& shape);
bool add_result(Inference& inference, DType dtype, std::span<const std::int64_t> extents);

// The dtype or shape that the node asks for: what it states, or an attribute "dtype" or "shape"
// where an operation is called by another. Required: its absence is a fault.
std::optional<DType> wanted_dtype(Inference& inference);
std::optional<Integers> wanted_shape(Inference& inference);

// Checks that the attribute's number is one that `dtype` has, if it has integers or bool;
// infinities pass where `open` says that they mean no bound.
bool check_number(Inference& inference, std::string_view name, DType dtype, bool open = false);

// ---- Broadcasting -------------------------------------------------------------------------------

// The common shape of the operands, by NumPy's rules.
std::optional<Shape> broadcast_operands(Inference& inference);

// Elementwise: the broadcast shape of all operands, dtype of the first; attributes as they are.
void infer_elementwise(Inference& inference);
// The same, with results of dtype bool.
void infer_predicate(Inference& inference);

// ---- Axes ---------------------------------------------------------------------------------------

// What an axis is an axis of: an operand, or a result of a rank that is yet to be made.
struct AxesOf {
  explicit AxesOf(const TensorType& operand) : rank(operand.shape().rank()), type(&operand) {}
  explicit AxesOf(std::size_t result_rank) : rank(result_rank) {}

  // "f32[2, 3]", "a result of rank 3".
  std::string to_string() const;

  std::size_t rank;
  const TensorType* type = nullptr;
};

// `axis` counted from the start: legal are -rank to rank - 1. The number stands in the attribute
// `name`, in a list of axes at `index`.
std::optional<std::size_t> checked_axis(Inference& inference, std::int64_t axis, const AxesOf& of,
                                        std::string_view name,
                                        std::optional<std::size_t> index = {});

// The integer attribute `axis`, which must be present, as an axis of operand 0; written back to the
// normal attributes.
std::optional<std::size_t> normal_axis(Inference& inference);

// The attribute `axes`: non-negative, sorted, no two equal; all of them if the attribute is absent.
// Not written back.
std::optional<Integers> checked_axes(Inference& inference, const AxesOf& of);

}  // namespace wick::compiler::ops
