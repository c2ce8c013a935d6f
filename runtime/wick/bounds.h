// How far each elementwise function may be from the exact result, in ulps of the result: the table
// of docs/numerics.md as data, for tests and for whoever states the bounds of an operation. An
// operation that is not listed is exact or rounded once (0.5).
//
// An ulp is the distance between neighbouring floating-point numbers at the exact result, the least
// denormal below the normal range.

#pragma once

namespace wick {

struct ErrorBound {
  const char* operation;
  double f32;
  double f64;
};

inline constexpr ErrorBound kErrorBounds[] = {
    {"exp", 1.1, 1.1},     {"expm1", 1.7, 1.7},     {"log", 1.0, 1.0},  {"log2", 0.51, 1.0},
    {"log1p", 0.51, 1.0},  {"rsqrt", 1.5, 1.5},     {"sin", 1.7, 1.0},  {"cos", 1.7, 1.0},
    {"tanh", 1.4, 1.4},    {"erf", 1.5, 1.4},       {"pow", 0.51, 1.1}, {"atan2", 0.51, 1.2},
    {"sigmoid", 1.9, 1.8}, {"silu", 1.9, 2.0},      {"elu", 2.0, 2.0},  {"softplus", 0.51, 1.8},
    {"gelu", 1.8, 1.8},    {"gelu_tanh", 1.9, 1.8},
};

}  // namespace wick
