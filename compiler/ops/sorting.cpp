// Operations that order elements along an axis. All are stable: equal elements keep their order.
// NaN counts as larger than everything, so that it comes last ascending and first descending.

#include <algorithm>
#include <array>
#include <numeric>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Sorting";

AttributeSpec axis_attribute() {
  return {.name = "axis",
          .kind = AttributeKind::kInteger,
          .default_value = std::int64_t{-1},
          .summary = "the axis to sort along"};
}

AttributeSpec descending_attribute(bool value) {
  return {.name = "descending",
          .kind = AttributeKind::kFlag,
          .default_value = value,
          .summary = "largest first"};
}

std::vector<TemplateArgument> sorting_arguments() {
  return {{TemplateArgument::Form::kInteger, "axis"},
          {TemplateArgument::Form::kFlag, "descending"}};
}

// ---- Inference ----------------------------------------------------------------------------------

std::optional<std::size_t> infer_ordered(Inference& inference) {
  const auto axis = normal_axis(inference);
  inference.normal.set("descending", inference.attributes.flag("descending"));
  return axis;
}

void infer_sort(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  if (infer_ordered(inference)) add_result(inference, operand.dtype, operand.shape());
}

void infer_argsort(Inference& inference) {
  if (infer_ordered(inference)) {
    add_result(inference, DType::kI64, inference.operands[0].shape());
  }
}

void infer_topk(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const auto axis = infer_ordered(inference);
  if (!axis) return;
  const std::int64_t k = inference.attributes.integer("k");
  const std::int64_t extent = operand.shape()[*axis];
  if (k < 0 || k > extent) {
    inference.fail("/k", "cannot take " + std::to_string(k) + " of axis " + std::to_string(*axis) +
                             " of " + text_of(operand) + ": expected 0 to " +
                             std::to_string(extent));
    return;
  }
  std::array<std::int64_t, kMaxRank> extents{};
  std::ranges::copy(operand.shape().extents(), extents.begin());
  extents[*axis] = k;
  const std::span<const std::int64_t> result(extents.data(), operand.shape().rank());
  inference.normal.set("k", k);
  if (add_result(inference, operand.dtype, result)) add_result(inference, DType::kI64, result);
}

// ---- Evaluation ---------------------------------------------------------------------------------

template <class E>
bool before(E a, E b) {
  if constexpr (std::is_floating_point_v<E>) {
    if (a != a) return false;
    if (b != b) return true;
  }
  return a < b;
}

// For each row along the axis, calls f(row's first offset, stride, the row's order).
template <class F>
void for_each_order(const Evaluation& evaluation, F f) {
  const HostTensor& operand = evaluation.operands[0];
  const std::array<std::int64_t, 1> axis{evaluation.attributes.integer("axis")};
  const bool descending = evaluation.attributes.flag("descending");
  const Layout along = along_axes(operand.shape(), axis);
  const std::int64_t stride = along.stride(0);
  std::vector<std::int64_t> order(static_cast<std::size_t>(along.shape()[0]));
  std::int64_t row = 0;
  for_each_offset(across_axes(operand.shape(), axis), [&](std::int64_t base) {
    std::iota(order.begin(), order.end(), std::int64_t{0});
    dispatch_number(operand.dtype(), [&](auto zero) {
      using E = decltype(zero);
      std::ranges::stable_sort(order, [&](std::int64_t i, std::int64_t j) {
        const E x = operand.at<E>(base + i * stride), y = operand.at<E>(base + j * stride);
        return descending ? before(y, x) : before(x, y);
      });
    });
    f(row++, base, stride, order);
  });
}

// Writes element `index` of a row: the row's elements lie `inner` apart, and there are `extent`.
struct RowWriter {
  std::int64_t inner = 1;
  std::int64_t extent = 0;
  std::int64_t at(std::int64_t row, std::int64_t index) const {
    return row / inner * inner * extent + row % inner + index * inner;
  }
};

RowWriter row_writer(const Evaluation& evaluation) {
  const Shape& shape = evaluation.types[0].shape();
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  return {Layout(shape).stride(axis), shape[axis]};
}

// The first elements of each order, as many as the result has: their values, their positions.
void evaluate_ordered(Evaluation& evaluation, bool values, bool positions) {
  const HostTensor& operand = evaluation.operands[0];
  const RowWriter writer = row_writer(evaluation);
  HostTensor sorted(operand.dtype(), evaluation.types[0].shape());
  HostTensor order_of(DType::kI64, evaluation.types[0].shape());
  for_each_order(evaluation, [&](std::int64_t row, std::int64_t base, std::int64_t stride,
                                 const std::vector<std::int64_t>& order) {
    for (std::int64_t i = 0; i < writer.extent; ++i) {
      const std::int64_t from = order[static_cast<std::size_t>(i)];
      order_of.set<std::int64_t>(writer.at(row, i), from);
      dispatch_number(operand.dtype(), [&](auto zero) {
        using E = decltype(zero);
        sorted.set<E>(writer.at(row, i), operand.at<E>(base + from * stride));
      });
    }
  });
  if (values) evaluation.results.push_back(std::move(sorted));
  if (positions) evaluation.results.push_back(std::move(order_of));
}

// ---- Workspace ----------------------------------------------------------------------------------

std::int64_t sorted_extent(const TensorType& operand, const Attributes& attributes) {
  return operand.shape()[static_cast<std::size_t>(attributes.integer("axis"))];
}

// Two rows of 8 bytes an element, one to sort and one to merge into, as docs/generated-code.md
// says.
Bytes sorting_workspace(std::span<const TensorType> operands, const Attributes& attributes) {
  return {2 * sorted_extent(operands[0], attributes) *
          static_cast<std::int64_t>(size_of(DType::kI64))};
}

// ---- Records ------------------------------------------------------------------------------------

OpRecord sorting(std::string_view name, std::string_view summary, std::string_view prose,
                 std::string_view example) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kNumbers),
      .attributes = {axis_attribute(), descending_attribute(false)},
      .fusion = FusionClass::kOpaque,
      .traits = {.cost = Cost::kExpensive, .exactly_rounded = true},
      .infer = nullptr,
      .call = {.function = name,
               .template_arguments = sorting_arguments(),
               .workspace = sorting_workspace},
  };
}

OpRecord sort() {
  OpRecord record = sorting("sort", "the elements in order along an axis",
                            "Stable. NaN comes last ascending, first descending.",
                            R"({"name": "y", "op": "sort", "inputs": ["x"], "axis": -1})");
  record.infer = infer_sort;
  record.evaluate = [](Evaluation& evaluation) { evaluate_ordered(evaluation, true, false); };
  record.traits.idempotent = true;
  return record;
}

OpRecord argsort() {
  OpRecord record = sorting("argsort", "the positions that sort the elements along an axis",
                            "i64. Stable. NaN comes last ascending, first descending.",
                            R"({"name": "order", "op": "argsort", "inputs": ["x"]})");
  record.infer = infer_argsort;
  record.evaluate = [](Evaluation& evaluation) { evaluate_ordered(evaluation, false, true); };
  return record;
}

OpRecord topk() {
  OpRecord record = sorting(
      "topk", "the first k elements in order along an axis, and their positions",
      "Two results: the values, and their positions as i64. The k largest, largest first, or with "
      "\"descending\": false the k smallest, smallest first. Equal elements stand in the order of "
      "their positions. NaN counts as larger than everything.",
      R"({"op": "topk", "inputs": ["scores"], "k": 3, "outputs": ["best", "ids"]})");
  record.attributes = {
      axis_attribute(),
      {.name = "k", .kind = AttributeKind::kInteger, .required = true, .summary = "how many"},
      descending_attribute(true)};
  record.infer = infer_topk;
  record.evaluate = [](Evaluation& evaluation) { evaluate_ordered(evaluation, true, true); };
  return record;
}

}  // namespace

const std::vector<OpRecord>& sorting_records() {
  static const std::vector<OpRecord> records = {sort(), argsort(), topk()};
  return records;
}

}  // namespace wick::compiler::ops
