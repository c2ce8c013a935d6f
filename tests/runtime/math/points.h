// Random operands: any bits, ordinary numbers, and dense where argument reductions change, where
// results reach the ends of the range and where digits cancel.

#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/runtime/math/functions.h"
#include "tests/runtime/math/references.h"

namespace wick::testing {

class Points {
 public:
  Points(const Function& function, std::uint64_t seed);

  // The next kBlock operands.
  template <class E>
  void fill(E* a, E* b);

 private:
  // S. Vigna's splitmix64.
  std::uint64_t bits();
  double between(double low, double high);
  double any_size(double low_exponent, double high_exponent);  // of either sign, 2^low to 2^high
  template <class E>
  E any_bits();

  template <class E>
  E unary(std::uint64_t kind);
  template <class E>
  void power(std::uint64_t kind, E& a, E& b);
  template <class E>
  void pair(std::uint64_t kind, E& a, E& b);

  const Domain domain_;
  const int operands_;
  const bool power_;
  std::uint64_t state_;
};

}  // namespace wick::testing
