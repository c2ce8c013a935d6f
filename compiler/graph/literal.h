// Numbers as they are written, read in the dtype they turn out to have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

struct ReadLiteral {
  std::optional<HostTensor> value;  // of rank 0
  std::string message;              // why there is no value
  std::string hint;
};

// Floating point: rounded once, to nearest, from the decimal text itself; a finite text that rounds
// to infinity is refused, one that rounds to zero is zero. Integers: refused unless exactly
// representable; "2.0" and "1e3" are integers, "-0" is 0. Bool: "true" and "false" only.
// Cost: linear in the length of the text.
ReadLiteral read_literal(std::string_view text, DType dtype);

}  // namespace wick::compiler
