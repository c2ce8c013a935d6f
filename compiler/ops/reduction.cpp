// Operations that fold axes into one element, or into running totals.

#include <algorithm>
#include <array>
#include <optional>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Reductions";

const AttributeSpec kAxes = {.name = "axes",
                             .kind = AttributeKind::kIntegers,
                             .summary = "which axes to reduce; absent means all"};
const AttributeSpec kKeepDims = {.name = "keepdims",
                                 .kind = AttributeKind::kFlag,
                                 .default_value = false,
                                 .summary = "keep the reduced axes with extent 1"};

// ---- Inference ----------------------------------------------------------------------------------

// Appends the result of reducing `axes` (sorted) to `dtype`, and sets the normal attributes.
void finish_reduction(Inference& inference, Integers axes, DType dtype) {
  const Shape& shape = inference.operands[0].shape();
  const bool keep = inference.attributes.flag("keepdims");
  std::array<std::int64_t, kMaxRank> extents{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const bool reduced = std::ranges::binary_search(axes, static_cast<std::int64_t>(axis));
    if (!reduced || keep) extents[rank++] = reduced ? 1 : shape[axis];
  }
  add_result(inference, dtype, std::span<const std::int64_t>(extents.data(), rank));
  inference.normal.set("axes", std::move(axes));
  inference.normal.set("keepdims", keep);
}

void infer_reduction(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  auto axes = checked_axes(inference, AxesOf(operand));
  if (axes) finish_reduction(inference, std::move(*axes), operand.dtype);
}

// A fault if an element of the result would be reduced from none.
void require_elements(Inference& inference) {
  if (!inference.faults.empty() || inference.results.empty()) return;
  const TensorType& operand = inference.operands[0];
  if (operand.shape().has_elements() || !inference.results[0].shape().has_elements()) return;
  const std::string path = inference.attributes.has("axis")   ? "/axis"
                           : inference.attributes.has("axes") ? "/axes"
                                                              : "";
  inference.fail(path, "no elements to choose from: the reduced axes of " + text_of(operand) +
                           " are empty, and there is no identity");
}

void infer_extremum(Inference& inference) {
  infer_reduction(inference);
  require_elements(inference);
}

// ---- Evaluation ---------------------------------------------------------------------------------

// Result element i is fold(walk over the reduced elements of i): F takes a function that calls its
// argument with the index of every operand element, in row-major order.
template <class R, class F>
void evaluate_rows(Evaluation& evaluation, F fold) {
  const Shape& shape = evaluation.operands[0].shape();
  const Integers& axes = evaluation.attributes.integers("axes");
  const Layout along = along_axes(shape, axes);
  HostTensor result = make_result(evaluation);
  std::int64_t i = 0;
  for_each_offset(across_axes(shape, axes), [&](std::int64_t base) {
    result.set<R>(i++, fold([&](auto visit) {
                    for_each_offset(along, [&](std::int64_t offset) { visit(base + offset); });
                  }));
  });
  evaluation.results.push_back(std::move(result));
}

// Folds in the wide type from `initial`, and finishes with the number of elements.
template <auto Step, auto Finish>
void evaluate_fold(Evaluation& evaluation, int initial) {
  const HostTensor& operand = evaluation.operands[0];
  dispatch_number(operand.dtype(), [&](auto zero) {
    using E = decltype(zero);
    evaluate_rows<E>(evaluation, [&](auto each) {
      auto total = static_cast<Wide<E>>(initial);
      std::int64_t count = 0;
      each([&](std::int64_t index) {
        total = Step(total, static_cast<Wide<E>>(operand.at<E>(index)));
        ++count;
      });
      return element<E>(Finish(total, count));
    });
  });
}

constexpr auto kTotal = [](auto total, std::int64_t) { return total; };

template <auto Step>
void evaluate_extremum(Evaluation& evaluation) {
  const HostTensor& operand = evaluation.operands[0];
  dispatch_number(operand.dtype(), [&](auto zero) {
    using E = decltype(zero);
    evaluate_rows<E>(evaluation, [&](auto each) {
      std::optional<Exact<E>> best;
      each([&](std::int64_t index) {
        const auto x = static_cast<Exact<E>>(operand.at<E>(index));
        best = best ? Step(*best, x) : x;
      });
      return element<E>(*best);
    });
  });
}

void evaluate_all(Evaluation& evaluation) {
  evaluate_rows<bool>(evaluation, [&](auto each) {
    bool all = true;
    each([&](std::int64_t index) { all = all && evaluation.operands[0].at<bool>(index); });
    return all;
  });
}

void evaluate_any(Evaluation& evaluation) {
  evaluate_rows<bool>(evaluation, [&](auto each) {
    bool any = false;
    each([&](std::int64_t index) { any = any || evaluation.operands[0].at<bool>(index); });
    return any;
  });
}

// ---- Records ------------------------------------------------------------------------------------

OpRecord reduction(std::string_view name, std::string_view summary, std::string_view prose,
                   std::string_view example, DTypeSet dtypes, std::string_view reducer) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(dtypes),
      .attributes = {kAxes, kKeepDims},
      .fusion = FusionClass::kReduction,
      .traits = {.cost = Cost::kExpensive},
      .error = {ErrorModel::kAccumulated, 1, 1},
      .infer = infer_reduction,
      .call = {.function = "reduce",
               .template_arguments = {{TemplateArgument::Form::kAxes, "axes"}},
               .reducer = reducer},
  };
}

OpRecord sum() {
  OpRecord record =
      reduction("sum", "the sum of the elements",
                "Keeps the dtype; integers wrap. The sum of no elements is 0.",
                R"({"name": "y", "op": "sum", "inputs": ["x"], "axes": [-1]})", kNumbers, "Sum");
  record.evaluate = [](Evaluation& evaluation) {
    evaluate_fold<[](auto total, auto x) { return plus(total, x); }, kTotal>(evaluation, 0);
  };
  return record;
}

OpRecord mean() {
  OpRecord record = reduction(
      "mean", "the mean of the elements", "Floating point only. The mean of no elements is NaN.",
      R"({"name": "y", "op": "mean", "inputs": ["x"], "axes": [0, 1]})", kFloats, "Mean");
  record.error.divides = true;
  record.evaluate = [](Evaluation& evaluation) {
    evaluate_fold<[](auto total, auto x) { return plus(total, x); },
                  [](auto total, std::int64_t count) {
                    return total / static_cast<decltype(total)>(count);
                  }>(evaluation, 0);
  };
  return record;
}

OpRecord prod() {
  OpRecord record = reduction(
      "prod", "the product of the elements",
      "Keeps the dtype; integers wrap. The product of no elements is 1. Partial products may "
      "overflow or vanish although the product does not.",
      R"({"name": "y", "op": "prod", "inputs": ["x"]})", kNumbers, "Product");
  record.error = {ErrorModel::kMultiplied, 1, 1};
  record.evaluate = [](Evaluation& evaluation) {
    evaluate_fold<[](auto total, auto x) { return times(total, x); }, kTotal>(evaluation, 1);
  };
  return record;
}

OpRecord sum_of_squares() {
  OpRecord record = reduction(
      "sum_of_squares", "the sum of the squared elements",
      "Keeps the dtype; integers wrap. The sum of no elements is 0.",
      R"({"name": "y", "op": "sum_of_squares", "inputs": ["x"], "axes": [1], "keepdims": true})",
      kNumbers, "SumOfSquares");
  record.evaluate = [](Evaluation& evaluation) {
    evaluate_fold<[](auto total, auto x) { return plus(total, times(x, x)); }, kTotal>(evaluation,
                                                                                       0);
  };
  return record;
}

OpRecord max() {
  OpRecord record = reduction("max", "the largest element",
                              "NaN if there is one. No elements to choose from is an error. The "
                              "larger of two tensors is `maximum`.",
                              R"({"name": "y", "op": "max", "inputs": ["x"], "axes": [-1]})",
                              kNumbers, "Maximum");
  record.error = kSameValue;
  record.infer = infer_extremum;
  record.evaluate = evaluate_extremum<[](auto a, auto b) { return larger(a, b); }>;
  return record;
}

OpRecord min() {
  OpRecord record = reduction("min", "the smallest element",
                              "NaN if there is one. No elements to choose from is an error. The "
                              "smaller of two tensors is `minimum`.",
                              R"({"name": "y", "op": "min", "inputs": ["x"], "axes": [-1]})",
                              kNumbers, "Minimum");
  record.error = kSameValue;
  record.infer = infer_extremum;
  record.evaluate = evaluate_extremum<[](auto a, auto b) { return smaller(a, b); }>;
  return record;
}

OpRecord all_true() {
  OpRecord record =
      reduction("all", "true if every element is", "Of no elements true. Of bool only.",
                R"({"name": "y", "op": "all", "inputs": ["p"], "axes": [0]})", kBools, "All");
  record.error = {};
  record.traits.exactly_rounded = true;
  record.evaluate = evaluate_all;
  return record;
}

OpRecord any_true() {
  OpRecord record =
      reduction("any", "true if some element is", "Of no elements false. Of bool only.",
                R"({"name": "y", "op": "any", "inputs": ["p"], "axes": [0]})", kBools, "Any");
  record.error = {};
  record.traits.exactly_rounded = true;
  record.evaluate = evaluate_any;
  return record;
}

// ---- Positions ----------------------------------------------------------------------------------

// "axis" names one axis, "axes" several; neither means all.
void infer_position(Inference& inference) {
  const TensorType& operand = inference.operands[0];
  const bool one = inference.attributes.has("axis");
  if (one && inference.attributes.has("axes")) {
    inference.fail("/axis", "expected \"axis\" or \"axes\", not both");
    return;
  }
  std::optional<Integers> axes;
  if (one) {
    const auto axis =
        checked_axis(inference, inference.attributes.integer("axis"), AxesOf(operand), "axis");
    if (axis) axes = Integers{static_cast<std::int64_t>(*axis)};
  } else {
    axes = checked_axes(inference, AxesOf(operand));
  }
  if (!axes) return;
  inference.normal = {};  // "axes" alone, however they were written
  finish_reduction(inference, std::move(*axes), DType::kI64);
  require_elements(inference);
}

// The first position whose element beats all before it; NaN beats everything but NaN.
template <auto Beats>
void evaluate_position(Evaluation& evaluation) {
  const HostTensor& operand = evaluation.operands[0];
  dispatch_number(operand.dtype(), [&](auto zero) {
    using E = decltype(zero);
    evaluate_rows<std::int64_t>(evaluation, [&](auto each) {
      std::int64_t position = 0, best = 0;
      E best_value{};
      each([&](std::int64_t index) {
        const E x = operand.at<E>(index);
        const bool better = Beats(x, best_value) || (x != x && best_value == best_value);
        if (position == 0 || better) {
          best = position;
          best_value = x;
        }
        ++position;
      });
      return best;
    });
  });
}

OpRecord position(std::string_view name, std::string_view summary, std::string_view example,
                  std::string_view reducer, void (*evaluate)(Evaluation&)) {
  AttributeSpec axis = {.name = "axis",
                        .kind = AttributeKind::kInteger,
                        .summary = "one axis to reduce, instead of \"axes\""};
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose =
          "i64: the row-major index over the reduced axes, the first of equals; the first NaN "
          "if there is one. No elements to choose from is an error.",
      .example = example,
      .operands = one_operand(kNumbers),
      .attributes = {axis, kAxes, kKeepDims},
      .fusion = FusionClass::kOpaque,
      .traits = {.cost = Cost::kExpensive, .exactly_rounded = true},
      .infer = infer_position,
      .evaluate = evaluate,
      .call = {.function = "arg_reduce",
               .template_arguments = {{TemplateArgument::Form::kAxes, "axes"}},
               .reducer = reducer},
  };
}

OpRecord argmax() {
  return position("argmax", "the index of the largest element",
                  R"({"name": "digit", "op": "argmax", "inputs": ["scores"], "axis": -1})",
                  "ArgMaximum", evaluate_position<[](auto x, auto best) { return best < x; }>);
}

OpRecord argmin() {
  return position("argmin", "the index of the smallest element",
                  R"({"name": "nearest", "op": "argmin", "inputs": ["distances"], "axis": -1})",
                  "ArgMinimum", evaluate_position<[](auto x, auto best) { return x < best; }>);
}

// ---- Running totals -----------------------------------------------------------------------------

void infer_cumsum(Inference& inference) {
  if (normal_axis(inference)) {
    add_result(inference, inference.operands[0].dtype, inference.operands[0].shape());
  }
}

void evaluate_cumsum(Evaluation& evaluation) {
  const HostTensor& operand = evaluation.operands[0];
  const std::array<std::int64_t, 1> axis{evaluation.attributes.integer("axis")};
  const Layout along = along_axes(operand.shape(), axis);
  HostTensor result = make_result(evaluation);
  dispatch_number(operand.dtype(), [&](auto zero) {
    using E = decltype(zero);
    for_each_offset(across_axes(operand.shape(), axis), [&](std::int64_t base) {
      Wide<E> total{0};
      for_each_offset(along, [&](std::int64_t offset) {
        total = plus(total, static_cast<Wide<E>>(operand.at<E>(base + offset)));
        result.set<E>(base + offset, element<E>(total));
      });
    });
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord cumsum() {
  return {
      .name = "cumsum",
      .family = kFamily,
      .summary = "running totals along an axis",
      .prose = "Keeps the dtype; integers wrap. As numpy.cumsum with an axis.",
      .example = R"({"name": "y", "op": "cumsum", "inputs": ["x"], "axis": 0})",
      .operands = one_operand(kNumbers),
      .attributes = {{.name = "axis",
                      .kind = AttributeKind::kInteger,
                      .required = true,
                      .summary = "the axis to run along"}},
      .fusion = FusionClass::kOpaque,
      .traits = {.cost = Cost::kExpensive},
      .error = {ErrorModel::kAccumulated, 1, 1},
      .infer = infer_cumsum,
      .evaluate = evaluate_cumsum,
      .call = {.function = "scan",
               .template_arguments = {{TemplateArgument::Form::kInteger, "axis"}},
               .reducer = "Sum"},
  };
}

}  // namespace

const std::vector<OpRecord>& reduction_records() {
  static const std::vector<OpRecord> records = {sum(),    mean(),     prod(),     max(),
                                                min(),    all_true(), any_true(), sum_of_squares(),
                                                argmax(), argmin(),   cumsum()};
  return records;
}

}  // namespace wick::compiler::ops
