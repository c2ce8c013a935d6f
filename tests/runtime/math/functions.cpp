#include "tests/runtime/math/functions.h"

#include <cstring>
#include <iterator>

#include "tests/runtime/math/forms.h"
#include "wick/bounds.h"

#ifndef WICK_MATH_STRIDE
#define WICK_MATH_STRIDE 257
#endif

namespace wick::testing {

const Function kFunctions[] = {
    unary("exp", [](auto x) { return wick::exp(x); }),
    unary("expm1", [](auto x) { return wick::expm1(x); }),
    unary("log", [](auto x) { return wick::log(x); }),
    unary("log2", [](auto x) { return wick::log2(x); }),
    unary("log1p", [](auto x) { return wick::log1p(x); }),
    unary("sqrt", [](auto x) { return wick::sqrt(x); }),
    unary("rsqrt", [](auto x) { return wick::rsqrt(x); }),
    unary("reciprocal", [](auto x) { return wick::reciprocal(x); }),
    unary("sin", [](auto x) { return wick::sin(x); }),
    unary("cos", [](auto x) { return wick::cos(x); }),
    unary("tanh", [](auto x) { return wick::tanh(x); }),
    unary("erf", [](auto x) { return wick::erf(x); }),
    unary("sigmoid", [](auto x) { return wick::sigmoid(x); }),
    unary("silu", [](auto x) { return wick::silu(x); }),
    unary("elu",
          [](auto x) { return wick::elu(x, static_cast<typename decltype(x)::Element>(1.375)); }),
    unary("softplus", [](auto x) { return wick::softplus(x); }),
    unary("gelu", [](auto x) { return wick::gelu(x); }),
    unary("gelu_tanh", [](auto x) { return wick::gelu_tanh(x); }),
    binary("pow", [](auto a, auto b) { return wick::pow(a, b); }),
    binary("atan2", [](auto a, auto b) { return wick::atan2(a, b); }),
    binary("mod", [](auto a, auto b) { return wick::mod(a, b); }),
};
const std::size_t kFunctionCount = std::size(kFunctions);
const std::uint32_t kPatternStride = WICK_MATH_STRIDE;

const Function& function_named(const char* name) {
  std::size_t i = 0;
  while (i + 1 < kFunctionCount && std::strcmp(kFunctions[i].name, name) != 0) ++i;
  return kFunctions[i];
}

double bound_of(const char* name, bool single) {
  for (const ErrorBound& bound : kErrorBounds) {
    if (std::strcmp(bound.operation, name) == 0) return single ? bound.f32 : bound.f64;
  }
  return 0.5;
}

}  // namespace wick::testing
