// One call of an operation, checked and typed: what verification does with a node as written, and
// what stages do when they make a new one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "compiler/ops/record.h"

namespace wick::compiler {

// How many operands `op` takes; `most` is absent if the last one repeats.
struct OperandCount {
  std::size_t least = 0;
  std::optional<std::size_t> most;
  bool allows(std::size_t count) const { return count >= least && (!most || count <= *most); }
  // "2 operands", "1 to 3 operands", "at least 1 operand".
  std::string to_string() const;
};
OperandCount operand_count(const ops::OpRecord& op);

// The specification of operand `index` of a legal call.
const ops::OperandSpec& operand_spec(const ops::OpRecord& op, std::size_t index);

// The dtypes of a set as text: "f32 or f64".
std::string to_string(ops::DTypeSet dtypes);

// What a node says about its results.
struct Stated {
  std::optional<DType> dtype;
  std::optional<ops::Integers> shape;
  std::size_t named_results = 1;
};

// Checks names, kinds and choices of the attributes as written, fills in defaults, runs the
// record's inference, checks the sizes of the results and gives views their layouts. The operands'
// number and dtypes are right already. What is wrong stands in `faults`, and then the rest means
// nothing.
ops::Inference infer(const ops::OpRecord& op, std::span<const ops::TensorType> operands,
                     const ops::Attributes& written, const Stated& stated);

// The layout of result `index`: that of a view into the storage of the first operand, else packed.
// Nothing if the result does not share storage: the operation is no view, or the operand has to be
// packed first.
std::optional<Layout> view_layout(const ops::OpRecord& op, const Layout& operand,
                                  const ops::Attributes& normal, const Shape& result,
                                  std::size_t index);

}  // namespace wick::compiler
