#include "tests/runtime/math/functions.h"

#include <cstring>
#include <iterator>

#include "wick/bounds.h"
#include "wick/elementwise.h"

#ifndef WICK_MATH_STRIDE
#define WICK_MATH_STRIDE 257
#endif

namespace wick::testing {
namespace {

template <class E>
inline constexpr int kLanes = 2 * native_lanes<E>;

template <int N, class F, class E>
void over_block(const E* a, const E* b, E* results) {
  for (std::size_t i = 0; i < kBlock; i += N) {
    F{}(Lanes<E, N>::load(a + i), Lanes<E, N>::load(b + i)).store(results + i);
  }
}

template <class F>
constexpr Function make(const char* name, int operands) {
  return {name,
          operands,
          {over_block<kLanes<float>, F, float>, over_block<1, F, float>},
          {over_block<kLanes<double>, F, double>, over_block<1, F, double>}};
}

template <class F>
struct OfFirst {
  template <class L>
  auto operator()(L x, L) const {
    return F{}(x);
  }
};
template <class F>
constexpr Function unary(const char* name, F) {
  return make<OfFirst<F>>(name, 1);
}
template <class F>
constexpr Function binary(const char* name, F) {
  return make<F>(name, 2);
}

}  // namespace

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
