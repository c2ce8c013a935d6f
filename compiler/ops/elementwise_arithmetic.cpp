// Arithmetic that rounds at most once, and what merely selects. Integers wrap.

#include <array>
#include <cmath>
#include <limits>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Arithmetic";

OpRecord add() {
  return {
      .name = "add",
      .family = kFamily,
      .summary = "a + b",
      .prose = "Operands broadcast. Integers wrap.",
      .example = R"({"name": "y", "op": "add", "inputs": ["a", "b"]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true,
                 .commutative = true,
                 .scalar_role = ScalarRole::kShift,
                 // x + 0 turns -0 into 0.
                 .right_identity = -0.0,
                 .left_identity = -0.0},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return plus(a, b); }>,
      .text = infix("+"),
  };
}

OpRecord sub() {
  return {
      .name = "sub",
      .family = kFamily,
      .summary = "a - b",
      .prose = "Operands broadcast. Integers wrap.",
      .example = R"({"name": "y", "op": "sub", "inputs": ["a", 1]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true,
                 .scalar_role = ScalarRole::kUnshift,
                 .right_identity = 0.0},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return minus(a, b); }>,
      .text = infix("-"),
  };
}

OpRecord mul() {
  return {
      .name = "mul",
      .family = kFamily,
      .summary = "a * b",
      .prose = "Operands broadcast. Integers wrap.",
      .example = R"({"name": "y", "op": "mul", "inputs": [2, "x"]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true,
                 .commutative = true,
                 .scalar_role = ScalarRole::kScale,
                 .right_identity = 1.0,
                 .left_identity = 1.0},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return times(a, b); }>,
      .text = infix("*"),
  };
}

template <class W>
W quotient(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    if (b == 0) return 0;
    return b == -1 ? minus(W{0}, a) : a / b;
  } else {
    return a / b;
  }
}

OpRecord div() {
  return {
      .name = "div",
      .family = kFamily,
      .summary = "a / b",
      .prose =
          "Operands broadcast. Integers truncate towards zero; x / 0 is 0, and the lowest "
          "integer divided by -1 wraps to itself.",
      .example = R"({"name": "y", "op": "div", "inputs": ["a", "b"]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true,
                 .scalar_role = ScalarRole::kUnscale,
                 .right_identity = 1.0},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return quotient(a, b); }>,
      .text = infix("/"),
  };
}

template <class W>
W floored_remainder(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    if (b == 0 || b == -1) return 0;
    const W rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  } else {
    const W rest = std::fmod(a, b);
    if (b == W{0} || rest != rest) return rest;
    if (rest == W{0}) return std::copysign(W{0}, b);
    return (rest < W{0}) != (b < W{0}) ? rest + b : rest;
  }
}

OpRecord mod() {
  return {
      .name = "mod",
      .family = kFamily,
      .summary = "a - floor(a / b) * b: the remainder with the sign of b",
      .prose =
          "Operands broadcast. As numpy.mod: the exact remainder of truncated division, plus b "
          "(rounded) if the signs differ. x mod 0 is NaN, of integers 0.",
      .example = R"({"name": "y", "op": "mod", "inputs": ["a", 7]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.cost = Cost::kExpensive},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return floored_remainder(a, b); }>,
      .text = called("mod"),
  };
}

OpRecord minimum() {
  return {
      .name = "minimum",
      .family = kFamily,
      .summary = "the smaller of a and b",
      .prose =
          "Operands broadcast. NaN if either is NaN. Which of two zeros of different sign is "
          "given is not defined. The smallest element of one tensor is `min`.",
      .example = R"({"name": "y", "op": "minimum", "inputs": ["a", "b"]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .error = kSameValue,
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return smaller(a, b); }>,
      .text = called("minimum"),
  };
}

OpRecord maximum() {
  return {
      .name = "maximum",
      .family = kFamily,
      .summary = "the larger of a and b",
      .prose =
          "Operands broadcast. NaN if either is NaN. Which of two zeros of different sign is "
          "given is not defined. The largest element of one tensor is `max`.",
      .example = R"({"name": "y", "op": "maximum", "inputs": ["a", 0]})",
      .operands = two_operands(kNumbers),
      .fusion = FusionClass::kElementwise,
      .error = kSameValue,
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<2, [](auto a, auto b) { return larger(a, b); }>,
      .text = called("maximum"),
  };
}

OpRecord fma() {
  return {
      .name = "fma",
      .family = kFamily,
      .summary = "a * b + c, rounded once",
      .prose =
          "Operands broadcast. Floating point only: the exact product plus c is rounded once, "
          "as std::fma does.",
      .example = R"({"name": "y", "op": "fma", "inputs": ["x", 2, "c"]})",
      .operands = {{.name = "a", .dtypes = kFloats},
                   {.name = "b", .dtypes = kFloats},
                   {.name = "c", .dtypes = kFloats}},
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true, .scalar_role = ScalarRole::kMultiplyAdd},
      .infer = infer_elementwise,
      .evaluate =
          evaluate_exact<3, [](auto a, auto b,
                               auto c) { return static_cast<decltype(a)>(std::fma(a, b, c)); }>,
      .text = called("fma"),
  };
}

OpRecord neg() {
  return {
      .name = "neg",
      .family = kFamily,
      .summary = "-x",
      .prose = "Changes the sign, of zeros too. Integers wrap: the lowest stays itself.",
      .example = R"({"name": "y", "op": "neg", "inputs": ["x"]})",
      .operands = one_operand(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true, .involution = true, .scalar_role = ScalarRole::kNegate},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<1,
                                 [](auto x) {
                                   if constexpr (std::is_integral_v<decltype(x)>)
                                     return minus(decltype(x){0}, x);
                                   return -x;
                                 }>,
      .text = prefix("-"),
  };
}

OpRecord abs() {
  return {
      .name = "abs",
      .family = kFamily,
      .summary = "the absolute value of x",
      .prose = "Clears the sign, of zeros too. Integers wrap: the lowest stays itself.",
      .example = R"({"name": "y", "op": "abs", "inputs": ["x"]})",
      .operands = one_operand(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true, .idempotent = true},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<1,
                                 [](auto x) {
                                   if constexpr (std::is_integral_v<decltype(x)>) {
                                     return x < 0 ? minus(decltype(x){0}, x) : x;
                                   } else {
                                     return std::fabs(x);
                                   }
                                 }>,
      .text = called("abs"),
  };
}

OpRecord sign() {
  return {
      .name = "sign",
      .family = kFamily,
      .summary = "-1, 0 or 1: the sign of x",
      .prose = "NaN stays NaN; both zeros give 0.",
      .example = R"({"name": "y", "op": "sign", "inputs": ["x"]})",
      .operands = one_operand(kNumbers),
      .fusion = FusionClass::kElementwise,
      .traits = {.idempotent = true},
      .error = kSameValue,
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<1,
                                 [](auto x) {
                                   using W = decltype(x);
                                   if (x != x) return x;
                                   return static_cast<W>(static_cast<int>(x > W{0}) -
                                                         static_cast<int>(x < W{0}));
                                 }>,
      .text = called("sign"),
  };
}

OpRecord reciprocal() {
  return {
      .name = "reciprocal",
      .family = kFamily,
      .summary = "1 / x",
      .prose =
          "Floating point only. Correctly rounded; 1 / 0 is infinite with the sign of the zero.",
      .example = R"({"name": "y", "op": "reciprocal", "inputs": ["x"]})",
      .operands = one_operand(kFloats),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<1, [](auto x) { return quotient(decltype(x){1}, x); }>,
      .text = called("reciprocal"),
  };
}

OpRecord sqrt() {
  return {
      .name = "sqrt",
      .family = kFamily,
      .summary = "the square root of x",
      .prose = "Floating point only. Correctly rounded; NaN below 0, sqrt(-0) is -0.",
      .example = R"({"name": "y", "op": "sqrt", "inputs": ["x"]})",
      .operands = one_operand(kFloats),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true},
      .infer = infer_elementwise,
      .evaluate = evaluate_exact<1, [](auto x) { return static_cast<decltype(x)>(std::sqrt(x)); }>,
      .text = called("sqrt"),
  };
}

// Bounds of a clamp: numbers that the dtype has, or open.
void infer_clamp(Inference& inference) {
  const DType dtype = inference.operands[0].dtype;
  for (const std::string_view name : {"min", "max"}) {
    if (std::isnan(inference.attributes.number(name))) {
      inference.fail("/" + std::string(name), "a bound cannot be NaN");
    } else {
      check_number(inference, name, dtype, true);
    }
  }
  if (inference.faults.empty()) infer_elementwise(inference);
}

void evaluate_clamp(Evaluation& evaluation) {
  const double low = evaluation.attributes.number("min");
  const double high = evaluation.attributes.number("max");
  dispatch_number(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    map_elements<E, E, 1>(
        evaluation, [&](E x) { return smaller(larger(x, converted<E>(low)), converted<E>(high)); });
  });
}

OpRecord clamp() {
  const double infinity = std::numeric_limits<double>::infinity();
  return {
      .name = "clamp",
      .family = kFamily,
      .summary = "x, but at least min and at most max",
      .prose =
          "minimum(maximum(x, min), max), as numpy.clip. NaN stays NaN; if min exceeds max the "
          "result is max. Of integers the bounds are numbers that the dtype has.",
      .example = R"({"name": "y", "op": "clamp", "inputs": ["x"], "min": 0, "max": 6})",
      .operands = one_operand(kNumbers),
      .attributes = {{.name = "min",
                      .kind = AttributeKind::kNumber,
                      .default_value = -infinity,
                      .summary = "the least value"},
                     {.name = "max",
                      .kind = AttributeKind::kNumber,
                      .default_value = infinity,
                      .summary = "the greatest value"}},
      .fusion = FusionClass::kElementwise,
      .traits = {.idempotent = true},
      .error = kSameValue,
      .infer = infer_clamp,
      .evaluate = evaluate_clamp,
      .text = called("clamp", {"min", "max"}),
  };
}

}  // namespace

const std::vector<OpRecord>& arithmetic_records() {
  static const std::vector<OpRecord> records = {add(),     sub(),        mul(),  div(),  mod(),
                                                minimum(), maximum(),    fma(),  neg(),  abs(),
                                                sign(),    reciprocal(), sqrt(), clamp()};
  return records;
}

}  // namespace wick::compiler::ops
