// Calls that somebody has thought of, made together.
#include <algorithm>
#include <numeric>

#include "tests/support/graph_maker.h"
#include "tests/support/random_attributes.h"

namespace wick::compiler::testing {

DrawnOperand GraphMaker::known_operand(std::size_t at) const {
  return {{known_[at].name}, known_[at].type, at};
}

// The first result of a call that somebody has thought of; nothing if it may not be made.
std::optional<std::size_t> GraphMaker::call(std::string_view op,
                                            const std::vector<DrawnOperand>& operands,
                                            ops::Attributes attributes, const Stated& stated) {
  const ops::OpRecord* const record = ops::find(op);
  if (record == nullptr || (options_.allowed && !options_.allowed(*record))) return std::nullopt;
  std::vector<ops::TensorType> types;
  for (const DrawnOperand& operand : operands) types.push_back(operand.type);
  const ops::Inference inference = infer(*record, types, attributes, stated);
  if (!inference.faults.empty()) return std::nullopt;
  if (inference.results[0].shape().element_count() > options_.most_elements) return std::nullopt;
  add(*record, operands, std::move(attributes), stated, inference);
  return known_.size() - inference.results.size();
}

// A floating-point value of two or more axes, known or new.
std::size_t GraphMaker::draw_matrix() {
  for (int tries = 0; tries < 6; ++tries) {
    const std::size_t at = random_.index(known_.size());
    const ops::TensorType& type = known_[at].type;
    if (is_float(type.dtype) && type.shape().rank() >= 2 && known_[at].varies) return at;
  }
  return fresh(draw_dtype(ops::kFloats), {random_.in(1, 7), random_.in(1, 12)});
}

// A product whose right factor is read through strides.
bool GraphMaker::strided_factor() {
  const std::size_t left = draw_matrix();
  const Shape shape = known_[left].type.shape();
  const std::int64_t rows = shape[shape.rank() - 1], columns = random_.in(1, 20);
  const DType dtype = known_[left].type.dtype;
  const auto view_of = [&](std::string_view op, std::vector<std::int64_t> extents,
                           ops::Attributes attributes) {
    return call(op, {known_operand(fresh(dtype, std::move(extents)))}, std::move(attributes));
  };
  std::optional<std::size_t> right;
  switch (random_.in(0, 5)) {
    case 0:
      right = view_of("transpose", {columns, rows}, {});
      break;
    case 1:
      right = view_of("slice", {rows, 2 * columns}, {{"ranges", ops::Ranges{{}, {{}, {}, 2}}}});
      break;
    case 2:
      right = view_of("slice", {rows + 1, columns}, {{"ranges", ops::Ranges{{1, {}, 1}}}});
      break;
    case 3:
      right = view_of("flip", {rows, columns}, {{"axes", ops::Integers{random_.in(0, 2)}}});
      break;
    default:
      right = view_of("broadcast_to", {rows, 1}, {{"shape", ops::Integers{rows, columns}}});
  }
  return right && call("matmul", {known_operand(left), known_operand(*right)}).has_value();
}

// Products of one left operand with constants, which are joined; some of their columns are read
// alone.
bool GraphMaker::joint_products() {
  const std::size_t left = draw_matrix();
  const ops::TensorType type = known_[left].type;
  const std::int64_t rows = type.shape()[type.shape().rank() - 1];
  const bool with_bias = random_.chance(50), with_function = random_.chance(50);
  for (std::int64_t i = random_.in(2, 4); i > 0; --i) {
    const std::int64_t columns = random_.in(1, 9);
    const std::size_t weights = constant(type.dtype, {rows, columns});
    auto last = call("matmul", {known_operand(left), known_operand(weights)});
    if (!last) return false;
    if (with_bias) {
      const std::size_t bias = constant(type.dtype, {columns});
      last = call("add", {known_operand(*last), known_operand(bias)});
    }
    if (last && with_function) last = call("tanh", {known_operand(*last)});
    if (!last || !random_.chance(50)) continue;
    ops::Ranges one(type.shape().rank());
    one.back() = {columns - 1, columns, 1};
    if (random_.chance(70)) {
      call("slice", {known_operand(*last)}, {{"ranges", one}});
    } else {
      call("sum", {known_operand(*last)}, {{"axes", ops::Integers{-1}}});
    }
  }
  return true;
}

// A product of several matrices, perhaps with an epilogue, its axes in another order, of which two
// are then one; another product may read that.
bool GraphMaker::transposed_product() {
  const DType dtype = draw_dtype(ops::kFloats);
  std::int64_t room = options_.most_elements;
  const auto extent = [&](std::int64_t most) {
    const std::int64_t drawn = random_.in(1, std::min(most, room) + 1);
    room /= drawn;
    return drawn;
  };
  const std::int64_t columns = extent(20), rows = extent(6), inner = random_.in(1, 6);
  std::vector<std::int64_t> left(1 + random_.index(3)), right;
  for (std::int64_t& one : left) one = extent(4);
  if (random_.chance(60)) right = left;
  left.insert(left.end(), {rows, inner});
  right.insert(right.end(), {inner, columns});
  auto last = call("matmul", {known_operand(fresh(dtype, std::move(left))),
                              known_operand(fresh(dtype, std::move(right)))});
  if (last && random_.chance(60)) {
    const std::size_t other = fresh(dtype, fitting_extents(random_, known_[*last].type.shape()));
    last = call("add", {known_operand(*last), known_operand(other)});
  }
  if (last && random_.chance(40)) last = call("relu", {known_operand(*last)});
  if (last) last = reordered(*last);
  if (!last || random_.chance(50)) return last.has_value();
  const std::int64_t joined = known_[*last].type.shape().extents().back();
  const std::size_t weights = fresh(dtype, {joined, random_.in(1, 9)});
  return call("matmul", {known_operand(*last), known_operand(weights)}).has_value();
}

// The value with all axes but the last in another order, then two neighbours in one.
std::optional<std::size_t> GraphMaker::reordered(std::size_t product) {
  ops::Integers order(known_[product].type.shape().rank());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const std::int64_t last = order.back();
  order.pop_back();
  random_.shuffle(order);
  if (std::ranges::is_sorted(order)) std::ranges::reverse(order);
  order.push_back(last);
  const auto turned = call("transpose_axes", {known_operand(product)}, {{"axes", order}});
  if (!turned) return turned;
  known_[*turned].is_shown = random_.chance(25);
  const Shape shape = known_[*turned].type.shape();
  ops::Integers extents(shape.extents().begin(), shape.extents().end());
  const auto at = extents.begin() + random_.in(0, static_cast<std::int64_t>(shape.rank()) - 1);
  at[1] *= at[0];
  extents.erase(at);
  Stated stated;
  stated.shape = std::move(extents);
  return call("reshape", {known_operand(*turned)}, {}, stated);
}

// (x - mean) / sqrt(variance + 1 / 2), whose statistics may be outputs, too.
bool GraphMaker::norm() {
  const std::size_t x = draw_matrix();
  const ops::Attributes rows = {{"axes", ops::Integers{-1}}, {"keepdims", random_.chance(70)}};
  const auto shown = [&](std::string_view op, const std::vector<DrawnOperand>& operands,
                         ops::Attributes attributes = {}) {
    const auto made = call(op, operands, std::move(attributes));
    if (made) known_[*made].is_shown = random_.chance(30);
    return made;
  };
  const auto mean = shown("mean", {known_operand(x)}, rows);
  if (!mean) return false;
  const auto centred = shown("sub", {known_operand(x), known_operand(*mean)});
  if (!centred) return true;  // the mean lacks its axis, or a function is not allowed
  const auto square = call("mul", {known_operand(*centred), known_operand(*centred)});
  if (!square) return true;
  const auto variance = shown("mean", {known_operand(*square)}, rows);
  if (!variance) return true;
  const DType dtype = known_[x].type.dtype;
  const DrawnOperand half{{Literal{"0.5"}}, {dtype, Layout(Shape())}, std::nullopt};
  const auto sum = call("add", {known_operand(*variance), half});
  const auto scale = sum ? shown("rsqrt", {known_operand(*sum)}) : std::nullopt;
  if (scale) shown("mul", {known_operand(*centred), known_operand(*scale)});
  return true;
}

bool GraphMaker::window() {
  const ops::OpRecord* const op =
      ops::find(random_.of(std::vector<std::string>{"conv", "conv", "max_pool", "avg_pool"}));
  if (op == nullptr || (options_.allowed && !options_.allowed(*op))) return false;
  for (int tries = 0; tries < 8; ++tries) {
    if (try_call(*op)) return true;
  }
  return false;
}

bool GraphMaker::draw_pattern() {
  switch (random_.in(0, 5)) {
    case 0:
      return strided_factor();
    case 1:
      return joint_products();
    case 2:
      return norm();
    case 3:
      return transposed_product();
    default:
      return window();
  }
}

}  // namespace wick::compiler::testing
