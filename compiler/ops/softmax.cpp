// Softmax and its relatives, each computed against the largest element of the row.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/rows.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Softmax";

// The peak that exponentials are taken against: the largest element, 0 if that is infinite.
template <class W>
W finite_peak(const std::vector<W>& row) {
  W peak = -std::numeric_limits<W>::infinity();
  for (const W x : row) peak = larger(peak, x);
  return std::isinf(peak) ? W{0} : peak;
}

template <class W>
W log_sum_exp(const std::vector<W>& row) {
  const W peak = finite_peak(row);
  W total{0};
  for (const W x : row) total += std::exp(x - peak);
  return std::log(total) + peak;
}

void infer_along_axis(Inference& inference) {
  if (normal_axis(inference)) {
    add_result(inference, inference.operands[0].dtype, inference.operands[0].shape());
  }
}

// ---- Softmax ------------------------------------------------------------------------------------

AttributeSpec softmax_axis() {
  return {.name = "axis",
          .kind = AttributeKind::kInteger,
          .default_value = std::int64_t{-1},
          .summary = "the axis that sums to 1"};
}

// exp(x - max(x)) cannot overflow, and its sum is at least 1.
struct Shifted {
  Value difference;
  Value exponential;
  Value total;
};

Shifted shifted_exponentials(RowComposer& rows, Value x) {
  const Value peak = rows.reduced("max", x, "peak");
  const Value difference = rows.of("sub", {x, peak}, "shifted");
  const Value exponential = rows.of("exp", {difference}, "exponential");
  return {difference, exponential, rows.reduced("sum", exponential, "total")};
}

// True, and the result is the operand, if there are no elements (of which there is no maximum).
bool passed_through_empty(Composer& composer) {
  const Value x = composer.operand(0);
  if (composer.type(x).shape().has_elements()) return false;
  composer.result(0, composer.call("identity", {x}, {}, "empty"));
  return true;
}

bool expand_softmax(Composer& composer) {
  if (passed_through_empty(composer)) return true;
  RowComposer rows(composer, {composer.attributes().integer("axis")});
  const Shifted row = shifted_exponentials(rows, composer.operand(0));
  composer.result(0, rows.of("div", {row.exponential, row.total}, "quotient"));
  return true;
}

bool expand_log_softmax(Composer& composer) {
  if (passed_through_empty(composer)) return true;
  RowComposer rows(composer, {composer.attributes().integer("axis")});
  const Shifted row = shifted_exponentials(rows, composer.operand(0));
  const Value log_total = rows.of("log", {row.total}, "log_total");
  composer.result(0, rows.of("sub", {row.difference, log_total}, "difference"));
  return true;
}

// Result elements are Finish(x - peak, log of the sum of exponentials of x - peak).
template <auto Finish>
void evaluate_softmax(Evaluation& evaluation) {
  const HostTensor& x = evaluation.operands[0];
  HostTensor result = make_result(evaluation);
  dispatch_float(x.dtype(), [&](auto zero) {
    using E = decltype(zero);
    for_each_row<E>(x, {evaluation.attributes.integer("axis")}, [&](auto& row, auto& offsets) {
      if (row.empty()) return;
      auto peak = row.front();
      for (const auto value : row) peak = larger(peak, value);
      for (auto& value : row) value -= peak;
      const auto total = log_sum_exp(row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        result.set<E>(offsets[i], element<E>(Finish(row[i], total)));
      }
    });
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord softmax() {
  OpRecord record = row_composite(
      kFamily, "softmax", "exp(x) divided by its sum along an axis",
      "Computed as exp(x - peak) / sum(exp(x - peak)) with the row's largest element as peak, "
      "which "
      "cannot overflow. NaN where the peak is infinite or NaN.",
      R"({"name": "probabilities", "op": "softmax", "inputs": ["logits"], "axis": -1})");
  record.attributes = {softmax_axis()};
  record.infer = infer_along_axis;
  record.expand = expand_softmax;
  record.evaluate = evaluate_softmax<[](auto x, auto total) { return std::exp(x - total); }>;
  return record;
}

OpRecord log_softmax() {
  OpRecord record =
      row_composite(kFamily, "log_softmax", "the logarithm of softmax along an axis",
                    "Computed as (x - peak) - log(sum(exp(x - peak))) with the row's largest "
                    "element as peak. NaN "
                    "where the peak is infinite or NaN.",
                    R"({"name": "y", "op": "log_softmax", "inputs": ["logits"], "axis": -1})");
  record.attributes = {softmax_axis()};
  record.infer = infer_along_axis;
  record.expand = expand_log_softmax;
  record.evaluate = evaluate_softmax<[](auto x, auto total) { return x - total; }>;
  return record;
}

// ---- Log-sum-exp --------------------------------------------------------------------------------

void infer_logsumexp(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const Shape& shape = operand.shape();
  auto axes = checked_axes(inference, AxesOf(operand));
  if (!axes) return;
  const bool keep = inference.attributes.flag("keepdims");
  Integers extents;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const bool reduced = std::ranges::binary_search(*axes, static_cast<std::int64_t>(axis));
    if (!reduced || keep) extents.push_back(reduced ? 1 : shape[axis]);
  }
  add_result(inference, operand.dtype, extents);
  inference.normal.set("axes", std::move(*axes));
  inference.normal.set("keepdims", keep);
}

// An infinite peak is replaced by 0: exp(inf) is inf, exp(-inf) is 0, and both come out right,
// while inf - inf would be NaN.
bool expand_logsumexp(Composer& composer) {
  const Value x = composer.operand(0);
  const Integers& axes = composer.attributes().integers("axes");
  RowComposer rows(composer, axes);
  Value result;
  if (composer.type(x).shape().has_elements()) {
    const Value peak = rows.reduced("max", x, "peak");
    const Value infinite = rows.of("isinf", {peak}, "infinite");
    const Value finite = rows.of("where", {infinite, rows.number(0), peak}, "finite");
    const Value difference = rows.of("sub", {x, finite}, "shifted");
    const Value total = rows.reduced("sum", rows.of("exp", {difference}, "exponential"), "total");
    result = rows.of("add", {rows.of("log", {total}, "log_total"), finite}, "sum");
  } else {
    result = rows.of("log", {rows.reduced("sum", x, "total")}, "log_total");
  }
  if (!composer.attributes().flag("keepdims") && !axes.empty()) {
    result = composer.call("squeeze", {result}, {{"axes", axes}}, "squeezed");
  }
  composer.result(0, result);
  return true;
}

void evaluate_logsumexp(Evaluation& evaluation) {
  const HostTensor& x = evaluation.operands[0];
  HostTensor result = make_result(evaluation);
  dispatch_float(x.dtype(), [&](auto zero) {
    using E = decltype(zero);
    std::int64_t i = 0;
    for_each_row<E>(x, evaluation.attributes.integers("axes"),
                    [&](auto& row, auto&) { result.set<E>(i++, element<E>(log_sum_exp(row))); });
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord logsumexp() {
  OpRecord record = row_composite(
      kFamily, "logsumexp", "log(sum(exp(x))) over axes",
      "Computed against the largest element, which cannot overflow. -inf if all elements are or "
      "there are none, inf if one is inf.",
      R"({"name": "y", "op": "logsumexp", "inputs": ["x"], "axes": [-1]})");
  record.attributes = {{.name = "axes",
                        .kind = AttributeKind::kIntegers,
                        .summary = "which axes to reduce; absent means all"},
                       {.name = "keepdims",
                        .kind = AttributeKind::kFlag,
                        .default_value = false,
                        .summary = "keep the reduced axes with extent 1"}};
  record.infer = infer_logsumexp;
  record.expand = expand_logsumexp;
  record.evaluate = evaluate_logsumexp;
  return record;
}

}  // namespace

const std::vector<OpRecord>& softmax_records() {
  static const std::vector<OpRecord> records = {softmax(), log_softmax(), logsumexp()};
  return records;
}

}  // namespace wick::compiler::ops
