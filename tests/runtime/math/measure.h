// How far the functions are from the exact values, in ulps.
//
// Each point is judged by the quick or the fine reference (references.h); the worst one is computed
// again with MPFR, so that the figure and its place are exact as far as points were tried. Now and
// then any point is, so that a reference that is off is noticed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/runtime/math/functions.h"
#include "tests/runtime/math/references.h"

namespace wick::testing {

struct Measurement {
  double worst = 0;           // ulps
  double at_a = 0, at_b = 0;  // the operands there
  std::uint64_t points = 0;
  std::uint64_t rounded = 0;  // as many results were the nearest number
  std::string fault;          // a reference that is off, or vectors unlike single elements

  // A row of the tables of docs/numerics.md.
  std::string row(const char* name, int operands) const;
};

// Which of the bit patterns of f32 are tried: first, first + stride ...
struct Patterns {
  std::uint32_t first = 0;
  std::uint32_t stride = 1;
  std::uint64_t count = std::uint64_t{1} << 32;  // rounded up to whole blocks
};

// Every pattern of a unary function of f32.
Measurement measure_patterns(const Function& function, const Patterns& patterns);
// Random points where each function has most to lose, or any bits.
template <class E>
Measurement measure_points(const Function& function, std::uint64_t points, std::uint64_t seed);
// Given operands: `count` is rounded up to whole blocks by repeating the last one.
template <class E>
Measurement measure_given(const Function& function, const E* a, const E* b, std::size_t count);

}  // namespace wick::testing
