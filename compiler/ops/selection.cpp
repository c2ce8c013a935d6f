// Selection and conversion: elementwise operations whose operands differ in dtype.

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Selection and conversion";

void infer_where(Inference& inference) {
  const auto shape = broadcast_operands(inference);
  if (shape) add_result(inference, inference.operands[1].dtype, *shape);
}

void evaluate_where(Evaluation& evaluation) {
  const Shape& shape = evaluation.types[0].shape();
  std::array<Layout, 3> layouts;
  for (std::size_t k = 0; k < 3; ++k) {
    layouts[k] = broadcast_layout(Layout(evaluation.operands[k].shape()), shape);
  }
  dispatch(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    HostTensor result = make_result(evaluation);
    Walk<3> walk(shape, layouts);
    for (std::int64_t i = 0; i < shape.element_count(); ++i, walk.next()) {
      const std::size_t chosen = evaluation.operands[0].at<bool>(walk.offset(0)) ? 1 : 2;
      result.set<E>(i, evaluation.operands[chosen].at<E>(walk.offset(chosen)));
    }
    evaluation.results.push_back(std::move(result));
  });
}

OpRecord where() {
  return {
      .name = "where",
      .family = kFamily,
      .summary = "a where the condition holds, else b",
      .prose = "All three operands broadcast. The condition is bool; a and b share any dtype.",
      .example = R"({"name": "y", "op": "where", "inputs": ["keep", "x", 0]})",
      .operands = {{.name = "condition", .group = 'C', .dtypes = kBools},
                   {.name = "a"},
                   {.name = "b"}},
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true},
      .infer = infer_where,
      .evaluate = evaluate_where,
      .text = called("where"),
  };
}

void infer_cast(Inference& inference) {
  const auto dtype = wanted_dtype(inference);
  if (!dtype) return;
  inference.normal.set("dtype", *dtype);
  add_result(inference, *dtype, inference.operands[0].shape());
}

void evaluate_cast(Evaluation& evaluation) {
  const HostTensor& from = evaluation.operands[0];
  HostTensor result = make_result(evaluation);
  dispatch(from.dtype(), [&](auto from_zero) {
    using From = decltype(from_zero);
    dispatch(result.dtype(), [&](auto to_zero) {
      using To = decltype(to_zero);
      for (std::int64_t i = 0; i < from.element_count(); ++i) {
        result.set<To>(i, converted<To>(from.at<From>(i)));
      }
    });
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord cast() {
  return {
      .name = "cast",
      .family = kFamily,
      .summary = "x as another dtype",
      .prose =
          "The node's \"dtype\" says which. Floating point to integer truncates and saturates, "
          "NaN becomes 0; integer to integer wraps; to floating point rounds to nearest even; "
          "to bool is x != 0 (true for NaN).",
      .example = R"({"name": "y", "op": "cast", "inputs": ["x"], "dtype": "i32"})",
      .operands = one_operand(kAnyDType),
      .uses_dtype = true,
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true, .idempotent = true},
      .infer = infer_cast,
      .evaluate = evaluate_cast,
      .text = {ElementwiseText::Form::kCast, "cast"},
  };
}

}  // namespace

const std::vector<OpRecord>& selection_records() {
  static const std::vector<OpRecord> records = {where(), cast()};
  return records;
}

}  // namespace wick::compiler::ops
