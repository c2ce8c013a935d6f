// The operands of one node as written: their number, the dtypes of their groups, and the numbers
// among them read in the dtype of their group.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/ops/record.h"

namespace wick::compiler {

// An operand whose name has been looked up, or a number.
struct WrittenOperand {
  std::string_view text;                  // the name, or the number as written
  const ops::TensorType* type = nullptr;  // of a named value; null: a number
};

struct TypedOperands {
  std::vector<ops::TensorType> types;               // one per operand
  std::vector<std::optional<HostTensor>> literals;  // one per operand: the number, if it is one
};

// A number takes the dtype of the named operands of its group. If its group has none: the dtype
// that the node states, if the group allows it; else the only dtype that the group allows; else i64
// for an index. Anything else is a fault, and so is a number that the dtype cannot hold.
TypedOperands type_operands(const ops::OpRecord& op, std::span<const WrittenOperand> written,
                            std::optional<DType> stated,
                            std::vector<ops::Inference::Fault>& faults);

}  // namespace wick::compiler
