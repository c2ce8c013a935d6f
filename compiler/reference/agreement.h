// Whether a compiled result agrees with the reference: element by element, within the bound that
// the operation's record states.
//
// With u the unit roundoff of the dtype (2^-24 for f32, 2^-53 for f64), n the number of elements
// that one element of the result is accumulated from, gamma(n) = n u / (1 - n u) (Higham, Accuracy
// and Stability of Numerical Algorithms, 2nd edition, section 3.1) and r the reference, which is
// itself rounded once (the half unit below):
//
//   kExact        the same bits
//   kUlps         |found - r| <= (ulps + 1/2) ulp(r)
//   kAccumulated  |found - r| <= gamma(n) * f(|operands|) + (ulps + 1/2) ulp(r) + n * least
//   denormal,
//                 where f is the operation itself: the sum of the absolute values of the terms
//   kMultiplied   the same, and nothing where the product of some of the elements is beyond the
//   normal
//                 numbers: orders differ in what they overflow and round to nothing on the way
//   kProduct      the same with k, the number of products that are added up, for n
//
// All NaNs are one value; integers and bool agree exactly; infinities agree with themselves, and
// with finite values so near the largest that the bound reaches past it. Where intermediate results
// overflow although the result does not, nothing is promised, and an infinite or NaN `found` is
// allowed only if f(|operands|) itself is beyond the dtype.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/ops/record.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

// The first element that strays.
struct Disagreement {
  std::size_t result = 0;    // which result of the operation
  std::int64_t element = 0;  // row-major
  double expected = 0;
  double found = 0;
  double allowed = 0;  // the largest difference that would pass

  // "element [1, 2] of result 0: expected 3.5, found 4.5, allowed difference 1e-07".
  std::string to_string(const Shape& shape) const;
};

// Compares `found`, one tensor per result, with the reference on the same operands. A composite
// (kComposed) has no bound of its own: expand it and compare its parts.
std::optional<Disagreement> find_disagreement(const ops::OpRecord& op,
                                              const ops::Attributes& attributes,
                                              std::span<const HostTensor> operands,
                                              std::span<const HostTensor> found);

}  // namespace wick::compiler
