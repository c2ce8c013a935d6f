// Parts that many records have in common.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ops/record.h"

namespace wick::compiler::ops {

inline std::vector<OperandSpec> one_operand(DTypeSet dtypes) {
  return {{.name = "x", .dtypes = dtypes}};
}
inline std::vector<OperandSpec> two_operands(DTypeSet dtypes) {
  return {{.name = "a", .dtypes = dtypes}, {.name = "b", .dtypes = dtypes}};
}

// The same value as the reference; the sign of a zero is left open.
inline constexpr ErrorBound kSameValue{ErrorModel::kUlps, 0, 0};
// Within so many units in the last place, as docs/numerics.md has them.
inline constexpr ErrorBound ulps(double f32, double f64) { return {ErrorModel::kUlps, f32, f64}; }
inline constexpr ErrorBound ulps(double both) { return ulps(both, both); }

inline ElementwiseText infix(std::string_view token) {
  return {ElementwiseText::Form::kInfix, token};
}
inline ElementwiseText prefix(std::string_view token) {
  return {ElementwiseText::Form::kPrefix, token};
}
inline ElementwiseText called(std::string_view token, std::vector<std::string_view> literals = {}) {
  return {ElementwiseText::Form::kCall, token, std::move(literals)};
}

}  // namespace wick::compiler::ops
