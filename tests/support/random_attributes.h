// Attributes for a random call: likely to be legal, not sure to be.
#pragma once

#include <optional>

#include "compiler/graph/infer.h"
#include "compiler/ops/record.h"
#include "tests/support/random.h"

namespace wick::compiler::testing {

// Attributes as a user would write them, for a call of `op` with these operands.
ops::Attributes random_attributes(Random& random, const ops::OpRecord& op,
                                  std::span<const ops::TensorType> operands);

// What a node that wants a dtype or a shape states.
Stated random_statement(Random& random, const ops::OpRecord& op,
                        std::span<const ops::TensorType> operands);

// Extents of at most `most` elements, mostly small ones.
std::vector<std::int64_t> random_extents(Random& random, std::int64_t most, bool zeros);

// A shape that broadcasts with `shape`, and mostly to it.
std::vector<std::int64_t> fitting_extents(Random& random, const Shape& shape);

// Whether an operation takes [batch, channels, spatial...] by windows.
bool slides_windows(const ops::OpRecord& op);

// Small extents of that kind, of at most `most` elements together.
std::vector<std::int64_t> image_extents(Random& random, std::int64_t most);

// Those of weights for such an operand, perhaps in several groups.
std::vector<std::int64_t> weights_extents(Random& random, const Shape& operand);

}  // namespace wick::compiler::testing
