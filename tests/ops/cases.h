// Calls of operations with results that NumPy gave, read from the file that expected.py writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ops/attributes.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler::testing {

struct Case {
  std::string op;
  std::string note;
  ops::Attributes attributes;  // as a user would write them
  std::optional<DType> dtype;
  std::optional<ops::Integers> shape;
  std::vector<HostTensor> operands;
  std::vector<HostTensor> results;
  double ulps = 0;           // allowed in the operation as a whole
  double expanded_ulps = 0;  // allowed once it is made of other operations
};

// The cases of one operation, in the order of the file. Throws if the file is not as expected.
std::vector<Case> cases_of(const std::string& op);

// The first element of `found` that is more than `ulps` units in the last place from `expected`, as
// text; nothing if there is none. With 0 the bits must agree, but for the payloads of NaN and,
// where `any_zero`, the signs of zeros. Infinities agree with themselves only.
std::optional<std::string> difference(const HostTensor& expected, const HostTensor& found,
                                      double ulps, bool any_zero);

}  // namespace wick::compiler::testing
