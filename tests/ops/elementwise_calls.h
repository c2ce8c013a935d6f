// Every elementwise operation as the runtime computes it: a table that print_elementwise_calls.cpp
// writes from the records, so that what they say about emission is compiled and run.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compiler/ops/record.h"
#include "wick/elementwise.h"

namespace wick::compiler::testing {

// The number that stands for every attribute of an elementwise operation in these calls.
double sample_number(std::string_view attribute);

struct ElementwiseCall {
  const char* op;
  std::vector<DType> operands;
  DType result;
  // Results of `count` elements, the operands' elements side by side.
  void (*run)(const void* const* operands, void* result, std::size_t count);
};

std::span<const ElementwiseCall> elementwise_calls();

// Full groups through Lanes of 8, the rest one by one, as in emitted code.
template <class R, class... E, class K>
void run_kernel(K kernel, const void* const* operands, void* result, std::size_t count) {
  const auto group = [&]<int N, std::size_t... I>(std::size_t at, std::index_sequence<I...>) {
    const wick::Lanes<R, N> value =
        kernel(wick::Lanes<E, N>::load(static_cast<const E*>(operands[I]) + at)...);
    value.store(static_cast<R*>(result) + at);
  };
  constexpr std::size_t kLanes = 8;
  std::size_t at = 0;
  for (; at + kLanes <= count; at += kLanes) {
    group.template operator()<kLanes>(at, std::index_sequence_for<E...>());
  }
  for (; at < count; ++at) group.template operator()<1>(at, std::index_sequence_for<E...>());
}

}  // namespace wick::compiler::testing
