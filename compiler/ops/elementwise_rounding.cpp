// To whole numbers. All are exact.

#include <cmath>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

OpRecord rounding(std::string_view name, std::string_view summary, std::string_view prose,
                  std::string_view example, void (*evaluate)(Evaluation&)) {
  return {
      .name = name,
      .family = "Rounding",
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kFloats),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true, .idempotent = true},
      .infer = infer_elementwise,
      .evaluate = evaluate,
      .text = called(name),
  };
}

// To the nearest whole number, halves to even, whatever the rounding mode; keeps the sign of zero.
template <class W>
W to_nearest(W x) {
  const W below = std::floor(x);
  const W rest = x - below;
  const W half = W{1} / W{2};
  W result = rest > half ? below + W{1} : below;
  if (rest == half && std::fmod(below, W{2}) != W{0}) result = below + W{1};
  return std::copysign(result, x);
}

OpRecord floor() {
  return rounding(
      "floor", "the largest whole number that is at most x",
      "Infinities, NaN and signed zeros stay.", R"({"name": "y", "op": "floor", "inputs": ["x"]})",
      evaluate_exact<1, [](auto x) { return static_cast<decltype(x)>(std::floor(x)); }>);
}

OpRecord ceil() {
  return rounding("ceil", "the smallest whole number that is at least x",
                  "Infinities, NaN and signed zeros stay; between -1 and 0 it gives -0.",
                  R"({"name": "y", "op": "ceil", "inputs": ["x"]})",
                  evaluate_exact<1, [](auto x) { return static_cast<decltype(x)>(std::ceil(x)); }>);
}

OpRecord round() {
  return rounding("round", "the whole number nearest to x, halves to even",
                  "As numpy.round: 0.5 and -0.5 give 0 and -0, 1.5 and 2.5 give 2. Infinities, NaN "
                  "and signed zeros stay.",
                  R"({"name": "y", "op": "round", "inputs": ["x"]})",
                  evaluate_wide<1, [](auto x) { return to_nearest(x); }>);
}

OpRecord trunc() {
  return rounding(
      "trunc", "x without its fraction",
      "Infinities, NaN and signed zeros stay; between -1 and 0 it gives -0.",
      R"({"name": "y", "op": "trunc", "inputs": ["x"]})",
      evaluate_exact<1, [](auto x) { return static_cast<decltype(x)>(std::trunc(x)); }>);
}

}  // namespace

const std::vector<OpRecord>& rounding_records() {
  static const std::vector<OpRecord> records = {floor(), ceil(), round(), trunc()};
  return records;
}

}  // namespace wick::compiler::ops
