// Shape rules of the statements that work element by element, reduce, multiply, move and sort.
#include <algorithm>

#include "frontend/check/call.h"

namespace wick::frontend::check {
namespace {

using compiler::Shape;

// The shape of these extents, which are those of legal tensors put together anew.
std::optional<Shape> shape_of(const std::vector<std::int64_t>& extents) {
  return Shape::make(extents);
}

std::vector<std::int64_t> extents_of(const Shape& shape) {
  return {shape.extents().begin(), shape.extents().end()};
}

std::string in_order(std::size_t index) { return index == 0 ? "first" : "second"; }

// Whether two shapes agree but for one axis.
bool agree_but_for(const Shape& a, const Shape& b, std::size_t axis) {
  if (a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (i != axis && a[i] != b[i]) return false;
  }
  return true;
}

void must_be_index(const Call& call, const CallOperand& operand) {
  const DType dtype = operand.type->dtype;
  if (dtype == DType::kI32 || dtype == DType::kI64) return;
  call.fail(operand.place, operand.with_type() + ", is no tensor of indices",
            "indices are std::int32_t or std::int64_t");
}

void must_fit_workspace(const Call& call, std::int64_t wanted) {
  if (call.scratch >= wanted) return;
  call.fail(call.statement->place,
            "the workspace has " + std::to_string(call.scratch) + " bytes, but " +
                std::to_string(wanted) + " are written",
            "make the workspace as large as docs/generated-code.md says");
}

}  // namespace

// ---- Shared -------------------------------------------------------------------------------------

std::string CallOperand::with_type() const {
  return "`" + text + "`, " + compiler::type_text(type->dtype, type->shape());
}

bool axis_exists(const Call& call, std::int64_t axis, const Shape& shape) {
  if (axis >= 0 && axis < static_cast<std::int64_t>(shape.rank())) return true;
  call.fail(call.statement->place,
            "axis " + std::to_string(axis) + " does not exist in a tensor of " +
                std::to_string(shape.rank()) + " axes",
            "count axes from 0");
  return false;
}

void must_broadcast_to(const Call& call, const CallOperand& operand, const Shape& shape,
                       const std::string& whose) {
  if (compiler::broadcasts_to(operand.shape(), shape)) return;
  call.fail(operand.place, operand.with_type() + ", does not broadcast to the " + whose,
            "elements would be read that are not there");
}

void must_broadcast(const Call& call, const CallOperand& operand) {
  const CallOperand& result = call.results[0];
  must_broadcast_to(call, operand, result.shape(), "result " + result.with_type());
}

void must_keep_dtype(const Call& call, const CallOperand& operand, const CallOperand& result) {
  if (operand.type->dtype == result.type->dtype) return;
  call.fail(operand.place,
            operand.with_type() + ", is moved to `" + result.text + "`, whose elements are " +
                std::string(compiler::name_of(result.type->dtype)),
            "this statement moves elements as they are");
}

void must_have_dtype(const Call& call, const CallOperand& operand, DType dtype) {
  if (operand.type->dtype == dtype) return;
  call.fail(operand.place, operand.with_type() + ", should have elements of type " +
                               std::string(compiler::name_of(dtype)));
}

void must_have_shape(const Call& call, const CallOperand& result, const Shape& shape) {
  if (result.shape() == shape) return;
  call.fail(result.place,
            result.with_type() + ", has the wrong shape: the statement makes " + shape.to_string(),
            "give the tensor the shape of what is computed");
}

std::optional<Shape> common_shape(const Call& call, const std::vector<CallOperand>& operands) {
  Shape common;
  for (const CallOperand& operand : operands) {
    const std::optional<Shape> both = compiler::broadcast(common, operand.shape());
    if (!both) {
      call.fail(operand.place,
                operand.with_type() + ", does not broadcast with the operands before it, " +
                    common.to_string(),
                "elements would be read that are not there");
      return std::nullopt;
    }
    common = *both;
  }
  return common;
}

std::optional<ReducedSpace> ReducedSpace::make(const Call& call, const Shape& shape,
                                               const std::vector<std::int64_t>& axes) {
  ReducedSpace space;
  space.shape_ = shape;
  space.is_reduced_.resize(shape.rank(), 0);
  for (const std::int64_t axis : axes) {
    if (!axis_exists(call, axis, shape)) return std::nullopt;
    char& reduced = space.is_reduced_[static_cast<std::size_t>(axis)];
    if (reduced != 0) {
      call.fail(call.statement->place, "axis " + std::to_string(axis) + " is named twice");
      return std::nullopt;
    }
    reduced = 1;
  }
  return space;
}

bool ReducedSpace::is_result(const Shape& shape) const {
  std::vector<std::int64_t> kept, whole;
  for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
    if (is_reduced_[axis] == 0) kept.push_back(shape_[axis]);
    whole.push_back(is_reduced_[axis] == 0 ? shape_[axis] : 1);
  }
  return std::ranges::equal(shape.extents(), kept) || std::ranges::equal(shape.extents(), whole);
}

std::int64_t ReducedSpace::row_elements() const {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
    if (is_reduced_[axis] != 0) count *= shape_[axis];
  }
  return count;
}

// ---- Element by element -------------------------------------------------------------------------

void check_map(const Call& call) {
  for (const CallOperand& operand : call.operands) must_broadcast(call, operand);
}

void check_copy(const Call& call) {
  must_keep_dtype(call, call.operands[0], call.results[0]);
  must_have_shape(call, call.results[0], call.operands[0].shape());
}

// ---- Reductions ---------------------------------------------------------------------------------

namespace {

void check_reduced(const Call& call) {
  const std::optional<Shape> shape = common_shape(call, call.operands);
  if (!shape) return;
  const auto space = ReducedSpace::make(call, *shape, call.list(0));
  if (!space || space->is_result(call.results[0].shape())) return;
  call.fail(call.results[0].place,
            call.results[0].with_type() + ", is no result of reducing " + shape->to_string() +
                " along these axes",
            "it has one element per index of the other axes");
}

}  // namespace

void check_reduce(const Call& call) {
  check_reduced(call);
  for (const CallOperand& extra : call.extras) must_broadcast(call, extra);
}

void check_arg_reduce(const Call& call) {
  check_reduced(call);
  must_have_dtype(call, call.results[0], DType::kI64);
}

void check_scan(const Call& call) {
  must_keep_dtype(call, call.operands[0], call.results[0]);
  must_have_shape(call, call.results[0], call.operands[0].shape());
  axis_exists(call, call.integer(0), call.operands[0].shape());
}

// ---- Products -----------------------------------------------------------------------------------

namespace {

// The shape of the product of the operands; nothing, and a finding, if they have none.
std::optional<Shape> product_of(const Call& call) {
  const Shape& a = call.operands[0].shape();
  const Shape& b = call.operands[1].shape();
  for (std::size_t i = 0; i < 2; ++i) {
    if (call.operands[i].shape().rank() > 0) continue;
    call.fail(call.operands[i].place, call.operands[i].with_type() + ", is the " + in_order(i) +
                                          " operand of a product, but a scalar");
    return std::nullopt;
  }
  const std::int64_t inner = a[a.rank() - 1];
  const std::int64_t other = b[b.rank() == 1 ? 0 : b.rank() - 2];
  if (inner != other) {
    call.fail(call.operands[1].place,
              "the inner extents of the product differ: " + call.operands[0].with_type() + " and " +
                  call.operands[1].with_type());
    return std::nullopt;
  }
  const auto batch = [](const Shape& shape) {
    return Shape::of(shape.extents().first(shape.rank() > 2 ? shape.rank() - 2 : 0));
  };
  const std::optional<Shape> both = compiler::broadcast(batch(a), batch(b));
  if (!both) {
    call.fail(call.operands[1].place,
              "the batch axes of the product do not broadcast: " + call.operands[0].with_type() +
                  " and " + call.operands[1].with_type());
    return std::nullopt;
  }
  std::vector<std::int64_t> extents = extents_of(*both);
  if (a.rank() > 1) extents.push_back(a[a.rank() - 2]);
  if (b.rank() > 1) extents.push_back(b[b.rank() - 1]);
  must_keep_dtype(call, call.operands[1], call.operands[0]);
  return shape_of(extents);
}

}  // namespace

void check_matmul(const Call& call) {
  const std::optional<Shape> product = product_of(call);
  if (!product) return;
  must_have_shape(call, call.results[0], *product);
  for (const CallOperand& extra : call.extras) must_broadcast(call, extra);
}

// Axis i of the result is axis A[i] of the product, in whose shape the kernel is applied.
void check_matmul_transposed(const Call& call) {
  const std::optional<Shape> product = product_of(call);
  if (!product) return;
  const std::vector<std::int64_t>& order = call.list(0);
  const std::size_t rank = product->rank();
  std::vector<char> named(rank, 0);
  std::vector<std::int64_t> extents;
  for (const std::int64_t axis : order) {
    if (!axis_exists(call, axis, *product)) return;
    named[static_cast<std::size_t>(axis)] = 1;
    extents.push_back((*product)[static_cast<std::size_t>(axis)]);
  }
  if (order.size() != rank || std::ranges::count(named, 1) != static_cast<std::ptrdiff_t>(rank)) {
    call.fail(call.statement->place, "the order of axes does not name each axis of the product, " +
                                         product->to_string() + ", once");
    return;
  }
  if (rank < 2 || order.back() != static_cast<std::int64_t>(rank) - 1 || extents.back() < 2) {
    call.fail(call.statement->place,
              "the last axis of the product, " + product->to_string() +
                  ", has to stay the last one and to have two elements or more",
              "elements that are computed together are written side by side");
    return;
  }
  const std::optional<Shape> transposed = shape_of(extents);
  if (transposed) must_have_shape(call, call.results[0], *transposed);
  for (const CallOperand& extra : call.extras)
    must_broadcast_to(call, extra, *product, "product, " + product->to_string());
}

// ---- Moving elements ----------------------------------------------------------------------------

void check_concat(const Call& call) {
  const CallOperand& result = call.results[0];
  if (!axis_exists(call, call.integer(0), result.shape())) return;
  const auto axis = static_cast<std::size_t>(call.integer(0));
  std::int64_t sum = 0;
  for (const CallOperand& operand : call.operands) {
    must_keep_dtype(call, operand, result);
    if (!agree_but_for(operand.shape(), result.shape(), axis)) {
      call.fail(operand.place, operand.with_type() + ", differs from the result " +
                                   result.with_type() + " in more than axis " +
                                   std::to_string(axis));
      return;
    }
    sum += operand.shape()[axis];
  }
  if (sum == result.shape()[axis]) return;
  call.fail(result.place, "the extents of the operands along axis " + std::to_string(axis) +
                              " add up to " + std::to_string(sum) + ", not to those of " +
                              result.with_type());
}

void check_pad(const Call& call) {
  const CallOperand& operand = call.operands[0];
  const CallOperand& result = call.results[0];
  must_keep_dtype(call, operand, result);
  const auto& before = call.list(0);
  const auto& after = call.list(1);
  const Shape& shape = operand.shape();
  const bool counts = before.size() == shape.rank() && after.size() == shape.rank() &&
                      result.shape().rank() == shape.rank();
  const auto negative = [](std::int64_t margin) { return margin < 0; };
  if (!counts || std::ranges::any_of(before, negative) || std::ranges::any_of(after, negative)) {
    call.fail(call.statement->place, "a margin is missing or negative: " + operand.with_type() +
                                         ", has " + std::to_string(shape.rank()) + " axes");
    return;
  }
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    // What is left of the result, so that no sum overflows.
    if (result.shape()[axis] - before[axis] == shape[axis] + after[axis]) continue;
    call.fail(result.place, result.with_type() + ", is not " + operand.with_type() +
                                " with its margins along axis " + std::to_string(axis));
    return;
  }
}

void check_pad_repeating(const Call& call) {
  check_pad(call);
  if (call.operands[0].shape().has_elements() || !call.results[0].shape().has_elements()) return;
  call.fail(call.operands[0].place, call.operands[0].with_type() + ", has nothing to repeat");
}

void check_tile(const Call& call) {
  const CallOperand& operand = call.operands[0];
  const CallOperand& result = call.results[0];
  must_keep_dtype(call, operand, result);
  bool fits = operand.shape().rank() == result.shape().rank();
  for (std::size_t axis = 0; fits && axis < operand.shape().rank(); ++axis) {
    const std::int64_t extent = operand.shape()[axis];
    const std::int64_t wanted = result.shape()[axis];
    fits = extent == 0 ? wanted == 0 : wanted % extent == 0;
  }
  if (fits) return;
  call.fail(result.place, result.with_type() + ", does not repeat " + operand.with_type() +
                              " a whole number of times");
}

// ---- Indices ------------------------------------------------------------------------------------

void check_gather(const Call& call) {
  const CallOperand& data = call.operands[0];
  const CallOperand& indices = call.operands[1];
  must_be_index(call, indices);
  must_keep_dtype(call, data, call.results[0]);
  if (!axis_exists(call, call.integer(0), data.shape())) return;
  const auto axis = call.integer(0);
  std::vector<std::int64_t> extents = extents_of(data.shape());
  const std::int64_t choices = extents[static_cast<std::size_t>(axis)];
  extents.erase(extents.begin() + axis);
  const auto added = indices.shape().extents();
  extents.insert(extents.begin() + axis, added.begin(), added.end());
  const std::optional<Shape> shape = shape_of(extents);
  if (!shape || choices == 0) {
    const bool empty = shape && !shape->has_elements();
    if (!empty) call.fail(data.place, data.with_type() + ", has nothing to gather from");
  }
  if (shape) must_have_shape(call, call.results[0], *shape);
}

void check_gather_elements(const Call& call) {
  const CallOperand& data = call.operands[0];
  const CallOperand& indices = call.operands[1];
  must_be_index(call, indices);
  must_keep_dtype(call, data, call.results[0]);
  must_have_shape(call, call.results[0], indices.shape());
  if (!axis_exists(call, call.integer(0), data.shape())) return;
  const auto axis = static_cast<std::size_t>(call.integer(0));
  bool fits = data.shape().rank() == indices.shape().rank();
  for (std::size_t i = 0; fits && i < data.shape().rank(); ++i) {
    fits = i == axis || data.shape()[i] == 1 || data.shape()[i] >= indices.shape()[i];
  }
  if (fits && (data.shape()[axis] > 0 || !indices.shape().has_elements())) return;
  call.fail(indices.place, indices.with_type() + ", does not lie within " + data.with_type() +
                               " along the axes other than " + std::to_string(axis));
}

void check_one_hot(const Call& call) {
  const CallOperand& indices = call.operands[0];
  const CallOperand& result = call.results[0];
  must_be_index(call, indices);
  if (!axis_exists(call, call.integer(0), result.shape())) return;
  std::vector<std::int64_t> extents = extents_of(result.shape());
  extents.erase(extents.begin() + call.integer(0));
  if (std::ranges::equal(extents, indices.shape().extents())) return;
  call.fail(result.place, result.with_type() + ", is not " + indices.with_type() +
                              " with one more axis, " + std::to_string(call.integer(0)));
}

void check_iota(const Call& call) { axis_exists(call, call.integer(0), call.results[0].shape()); }

// ---- Sorting ------------------------------------------------------------------------------------

namespace {

// Whether results agree with the operand but along the axis, where they are no longer.
void check_sorted(const Call& call, bool shorter) {
  const CallOperand& operand = call.operands[0];
  if (!axis_exists(call, call.integer(0), operand.shape())) return;
  const auto axis = static_cast<std::size_t>(call.integer(0));
  const std::int64_t extent = operand.shape()[axis];
  for (const CallOperand& result : call.results) {
    const bool agrees =
        agree_but_for(operand.shape(), result.shape(), axis) &&
        (result.shape()[axis] == extent || (shorter && result.shape()[axis] < extent));
    if (agrees) continue;
    call.fail(result.place, result.with_type() + ", does not hold what is sorted of " +
                                operand.with_type() + " along axis " + std::to_string(axis));
    return;
  }
  must_fit_workspace(call, extent * 16);
}

}  // namespace

void check_sort(const Call& call) {
  must_keep_dtype(call, call.operands[0], call.results[0]);
  check_sorted(call, false);
}

void check_argsort(const Call& call) {
  must_have_dtype(call, call.results[0], DType::kI64);
  check_sorted(call, false);
}

void check_topk(const Call& call) {
  must_keep_dtype(call, call.operands[0], call.results[0]);
  must_have_dtype(call, call.results[1], DType::kI64);
  must_have_shape(call, call.results[1], call.results[0].shape());
  check_sorted(call, true);
}

}  // namespace wick::frontend::check
