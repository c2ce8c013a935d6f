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

// `axis` counted from the start: legal are -rank to rank - 1. `path` is where the number stands,
// `of` what it is an axis of, for the message.
std::optional<std::size_t> checked_axis(Inference& inference, std::int64_t axis, std::size_t rank,
                                        std::string_view path, const std::string& of);

// The integer attribute `axis`, which must be present, as an axis of operand `operand`; written
// back to the normal attributes.
std::optional<std::size_t> normal_axis(Inference& inference, std::size_t operand = 0);

// The attribute `axes` as axes of a tensor of that rank: non-negative, sorted, no two equal; all
// of them if the attribute is absent. Not written back.
std::optional<Integers> checked_axes(Inference& inference, std::size_t rank, const std::string& of);

}  // namespace wick::compiler::ops
