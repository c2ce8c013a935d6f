// The functions of the runtime that are not exact, and the few that are rounded once, as tables of
// function pointers: what judges them is compiled once, they themselves once for each instruction
// set (functions.cpp).

#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::testing {

// The elements of one call: a multiple of every vector's length.
inline constexpr std::size_t kBlock = 64;

// kBlock elements each; functions of one operand do not look at the second.
template <class E>
using Evaluate = void (*)(const E* a, const E* b, E* results);

template <class E>
struct Forms {
  Evaluate<E> vectors;  // two native vectors at a time (of two elements where there are none)
  Evaluate<E> singles;  // one element at a time
};

struct Function {
  const char* name;
  int operands;
  Forms<float> f32;
  Forms<double> f64;

  template <class E>
  const Forms<E>& forms() const {
    if constexpr (sizeof(E) == sizeof(float)) {
      return f32;
    } else {
      return f64;
    }
  }
};

extern const Function kFunctions[];
extern const std::size_t kFunctionCount;
// The suite tries every so manieth bit pattern of f32 at this level.
extern const std::uint32_t kPatternStride;

const Function& function_named(const char* name);

// The bound of docs/numerics.md, in ulps; half an ulp where it has none.
double bound_of(const char* name, bool single);

}  // namespace wick::testing
