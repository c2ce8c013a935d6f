// Comparisons, tests and logic: what gives bool.

#include <cmath>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Comparison and logic";

OpRecord predicate(std::string_view name, std::string_view summary, std::string_view prose,
                   std::string_view example, std::vector<OperandSpec> operands,
                   ElementwiseText text, void (*evaluate)(Evaluation&)) {
  return {
      .name = name,
      .family = kFamily,
      .summary = summary,
      .prose = prose,
      .example = example,
      .operands = std::move(operands),
      .fusion = FusionClass::kElementwise,
      .traits = {.exactly_rounded = true},
      .infer = infer_predicate,
      .evaluate = evaluate,
      .text = text,
  };
}

OpRecord eq() {
  OpRecord record = predicate(
      "eq", "true where a equals b", "Operands broadcast. NaN equals nothing; -0 equals 0.",
      R"({"name": "same", "op": "eq", "inputs": ["a", "b"]})", two_operands(kAnyDType), infix("=="),
      evaluate_predicate<2, [](auto a, auto b) { return a == b; }>);
  record.traits.commutative = true;
  return record;
}

OpRecord ne() {
  OpRecord record =
      predicate("ne", "true where a differs from b",
                "Operands broadcast. NaN differs from everything, itself included.",
                R"({"name": "other", "op": "ne", "inputs": ["a", 0]})", two_operands(kAnyDType),
                infix("!="), evaluate_predicate<2, [](auto a, auto b) { return a != b; }>);
  record.traits.commutative = true;
  return record;
}

OpRecord lt() {
  return predicate("lt", "true where a < b", "Operands broadcast. False where either is NaN.",
                   R"({"name": "less", "op": "lt", "inputs": ["a", "b"]})", two_operands(kNumbers),
                   infix("<"), evaluate_predicate<2, [](auto a, auto b) { return a < b; }>);
}

OpRecord le() {
  return predicate("le", "true where a <= b", "Operands broadcast. False where either is NaN.",
                   R"({"name": "most", "op": "le", "inputs": ["a", "b"]})", two_operands(kNumbers),
                   infix("<="), evaluate_predicate<2, [](auto a, auto b) { return a <= b; }>);
}

OpRecord gt() {
  return predicate("gt", "true where a > b", "Operands broadcast. False where either is NaN.",
                   R"({"name": "more", "op": "gt", "inputs": ["x", 0]})", two_operands(kNumbers),
                   infix(">"), evaluate_predicate<2, [](auto a, auto b) { return b < a; }>);
}

OpRecord ge() {
  return predicate("ge", "true where a >= b", "Operands broadcast. False where either is NaN.",
                   R"({"name": "least", "op": "ge", "inputs": ["a", "b"]})", two_operands(kNumbers),
                   infix(">="), evaluate_predicate<2, [](auto a, auto b) { return b <= a; }>);
}

OpRecord logical_and() {
  OpRecord record =
      predicate("logical_and", "true where both are", "Operands broadcast.",
                R"({"name": "both", "op": "logical_and", "inputs": ["p", "q"]})",
                two_operands(kBools), called("logical_and"),
                evaluate_predicate<2, [](auto a, auto b) { return a != 0 && b != 0; }>);
  record.traits.commutative = true;
  record.traits.right_identity = 1.0;
  record.traits.left_identity = 1.0;
  return record;
}

OpRecord logical_or() {
  OpRecord record = predicate(
      "logical_or", "true where either is", "Operands broadcast.",
      R"({"name": "either", "op": "logical_or", "inputs": ["p", "q"]})", two_operands(kBools),
      called("logical_or"), evaluate_predicate<2, [](auto a, auto b) { return a != 0 || b != 0; }>);
  record.traits.commutative = true;
  record.traits.right_identity = 0.0;
  record.traits.left_identity = 0.0;
  return record;
}

OpRecord logical_xor() {
  OpRecord record = predicate("logical_xor", "true where exactly one is", "Operands broadcast.",
                              R"({"name": "one", "op": "logical_xor", "inputs": ["p", "q"]})",
                              two_operands(kBools), called("logical_xor"),
                              evaluate_predicate<2, [](auto a, auto b) { return a != b; }>);
  record.traits.commutative = true;
  record.traits.right_identity = 0.0;
  record.traits.left_identity = 0.0;
  return record;
}

OpRecord logical_not() {
  OpRecord record =
      predicate("logical_not", "true where x is false", "Of bool only.",
                R"({"name": "y", "op": "logical_not", "inputs": ["p"]})", one_operand(kBools),
                called("logical_not"), evaluate_predicate<1, [](auto x) { return x == 0; }>);
  record.traits.involution = true;
  return record;
}

OpRecord isnan() {
  return predicate("isnan", "true where x is NaN", "Floating point only.",
                   R"({"name": "bad", "op": "isnan", "inputs": ["x"]})", one_operand(kFloats),
                   called("isnan"), evaluate_predicate<1, [](auto x) { return x != x; }>);
}

OpRecord isinf() {
  return predicate("isinf", "true where x is inf or -inf", "Floating point only.",
                   R"({"name": "bad", "op": "isinf", "inputs": ["x"]})", one_operand(kFloats),
                   called("isinf"), evaluate_predicate<1, [](auto x) { return std::isinf(x); }>);
}

}  // namespace

const std::vector<OpRecord>& comparison_records() {
  static const std::vector<OpRecord> records = {
      eq(),          ne(),         lt(),          le(),          gt(),    ge(),
      logical_and(), logical_or(), logical_xor(), logical_not(), isnan(), isinf()};
  return records;
}

}  // namespace wick::compiler::ops
