// Functions that the runtime approximates. All are floating point only and computed wide here.

#include <cmath>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Mathematics";

// A function of one operand.
OpRecord function(std::string_view name, std::string_view summary, std::string_view prose,
                  std::string_view example, ErrorBound error, void (*evaluate)(Evaluation&)) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = one_operand(kFloats),
      .fusion = FusionClass::kElementwise,
      .traits = {.cost = Cost::kExpensive},
      .error = error,
      .infer = infer_elementwise,
      .evaluate = evaluate,
      .text = called(name),
  };
}

OpRecord exp() {
  return function("exp", "e to the power of x",
                  "Overflows to inf, underflows through denormals to 0.",
                  R"({"name": "y", "op": "exp", "inputs": ["x"]})", ulps(1.1),
                  evaluate_wide<1, [](auto x) { return std::exp(x); }>);
}

OpRecord expm1() {
  return function("expm1", "exp(x) - 1, accurate near 0", "expm1(-0) is -0; at -inf it is -1.",
                  R"({"name": "y", "op": "expm1", "inputs": ["x"]})", ulps(1.7),
                  evaluate_wide<1, [](auto x) { return std::expm1(x); }>);
}

OpRecord log() {
  return function("log", "the natural logarithm of x", "-inf at either zero, NaN below 0.",
                  R"({"name": "y", "op": "log", "inputs": ["x"]})", ulps(1),
                  evaluate_wide<1, [](auto x) { return std::log(x); }>);
}

OpRecord log2() {
  return function("log2", "the logarithm of x to base 2", "-inf at either zero, NaN below 0.",
                  R"({"name": "y", "op": "log2", "inputs": ["x"]})", ulps(0.51, 1),
                  evaluate_wide<1, [](auto x) { return std::log2(x); }>);
}

OpRecord log1p() {
  return function("log1p", "log(1 + x), accurate near 0",
                  "log1p(-0) is -0; -inf at -1, NaN below -1.",
                  R"({"name": "y", "op": "log1p", "inputs": ["x"]})", ulps(0.51, 1),
                  evaluate_wide<1, [](auto x) { return std::log1p(x); }>);
}

OpRecord rsqrt() {
  return function("rsqrt", "1 / sqrt(x)",
                  "NaN below 0; 1 / sqrt(-0) is -inf, as in IEEE 754-2019 (rSqrt).",
                  R"({"name": "y", "op": "rsqrt", "inputs": ["x"]})", ulps(1.5),
                  evaluate_wide<1, [](auto x) { return decltype(x){1} / std::sqrt(x); }>);
}

OpRecord sin() {
  return function("sin", "the sine of x, in radians", "Accurate for every finite x; NaN at ±inf.",
                  R"({"name": "y", "op": "sin", "inputs": ["x"]})", ulps(1.7, 1),
                  evaluate_wide<1, [](auto x) { return std::sin(x); }>);
}

OpRecord cos() {
  return function("cos", "the cosine of x, in radians", "Accurate for every finite x; NaN at ±inf.",
                  R"({"name": "y", "op": "cos", "inputs": ["x"]})", ulps(1.7, 1),
                  evaluate_wide<1, [](auto x) { return std::cos(x); }>);
}

OpRecord tanh() {
  return function("tanh", "the hyperbolic tangent of x", "±1 at ±inf; tanh(-0) is -0.",
                  R"({"name": "y", "op": "tanh", "inputs": ["x"]})", ulps(1.4),
                  evaluate_wide<1, [](auto x) { return std::tanh(x); }>);
}

OpRecord erf() {
  return function("erf", "the error function of x",
                  "2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x; ±1 at ±inf.",
                  R"({"name": "y", "op": "erf", "inputs": ["x"]})", ulps(1.5, 1.4),
                  evaluate_wide<1, [](auto x) { return std::erf(x); }>);
}

// Integers to a power: wrapping; a negative power is the quotient 1 / a^|b|, truncated.
std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  std::int64_t result = 1;
  for (auto left = bits_of(exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) result = times(result, base);
    base = times(base, base);
  }
  return result;
}

void evaluate_pow(Evaluation& evaluation) {
  dispatch_number(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    map_elements<E, E, 2>(evaluation, [](E a, E b) {
      if constexpr (std::is_integral_v<E>) {
        return element<E>(integer_power(a, b));
      } else {
        return element<E>(std::pow(static_cast<Wide<E>>(a), static_cast<Wide<E>>(b)));
      }
    });
  });
}

OpRecord pow() {
  return {
      .name = "pow",
      .family = kFamily,
      .summary = "a to the power of b",
      .prose =
          "Operands broadcast. Floating point has the special cases of C's pow: pow(x, 0) and "
          "pow(1, y) are 1 even for NaN, and a negative a needs a whole b. Integers wrap; a "
          "negative power of an integer is 1 / a^|b| truncated, with 1 / 0 = 0.",
      .example = R"({"name": "y", "op": "pow", "inputs": ["x", 3]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.cost = Cost::kExpensive},
      .error = ulps(0.51, 1.1),
      .infer = infer_elementwise,
      .evaluate = evaluate_pow,
      .text = called("pow"),
  };
}

OpRecord atan2() {
  return {
      .name = "atan2",
      .family = kFamily,
      .summary = "the angle of the point (b, a), in radians",
      .prose =
          "Operands broadcast. Between -pi and pi, with the special cases of C's atan2 (signed "
          "zeros and infinities).",
      .example = R"({"name": "angle", "op": "atan2", "inputs": ["y", "x"]})",
      .operands = two_operands(kFloats),
      .fusion = FusionClass::kElementwise,
      .traits = {.cost = Cost::kExpensive},
      .error = ulps(0.51, 1.2),
      .infer = infer_elementwise,
      .evaluate = evaluate_wide<2, [](auto y, auto x) { return std::atan2(y, x); }>,
      .text = called("atan2"),
  };
}

}  // namespace

const std::vector<OpRecord>& mathematics_records() {
  static const std::vector<OpRecord> records = {exp(), expm1(), log(),  log2(), log1p(), rsqrt(),
                                                sin(), cos(),   tanh(), erf(),  pow(),   atan2()};
  return records;
}

}  // namespace wick::compiler::ops
