// How a function of the runtime becomes a pair of function pointers (functions.h).

#pragma once

#include "tests/runtime/math/functions.h"
#include "wick/elementwise.h"

namespace wick::testing {

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

}  // namespace wick::testing
