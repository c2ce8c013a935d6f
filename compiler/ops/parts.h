// Parts that many records have in common.
#pragma once

#include <string_view>
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
inline constexpr ErrorBound ulps(double count) { return {ErrorModel::kUlps, count, count}; }

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
