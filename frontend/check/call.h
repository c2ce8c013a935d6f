// A call of the runtime, taken apart by the parts its arguments play.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// An operand or a result: its type, and how the text calls it.
struct CallOperand {
  std::uint32_t name = 0;  // index in Function::names
  const TensorType* type = nullptr;
  std::string text;
  Place place;

  const compiler::Shape& shape() const { return type->shape(); }
  // "`q`, f32[2, 3]"
  std::string with_type() const;
};

struct Call {
  const Program* program = nullptr;
  const Statement* statement = nullptr;
  std::vector<CallOperand> results;
  std::vector<CallOperand> operands;  // of the statement, or of its terms
  std::vector<CallOperand> extras;  // of the kernel that makes results: a product's, wick::results'
  std::uint32_t workspace = 0;      // index in Function::names
  std::int64_t scratch = 0;         // bytes of the workspace
  const RowProgram* rows = nullptr;
  std::vector<Finding>* findings = nullptr;

  void fail(Place place, std::string message, std::string hint = {}) const {
    findings->push_back({place, std::move(message), std::move(hint), {}});
  }
  std::int64_t integer(std::size_t index) const {
    return statement->template_arguments[index].values[0];
  }
  const std::vector<std::int64_t>& list(std::size_t index) const {
    return statement->template_arguments[index].values;
  }
};

// The rules of shapes, one for each entry point of the runtime: a call that keeps them touches the
// elements of its operands and nothing else. They are those of docs/generated-code.md, which are
// NumPy's; they are stated here a second time, for the runtime's own assertions belong to what is
// checked.
using ShapeRule = void (*)(const Call& call);

void check_map(const Call& call);
void check_copy(const Call& call);
void check_reduce(const Call& call);
void check_arg_reduce(const Call& call);
void check_scan(const Call& call);
void check_rows(const Call& call);
void check_rows_in_place(const Call& call);
void check_matmul(const Call& call);
void check_matmul_transposed(const Call& call);
void check_convolve(const Call& call);
void check_max_pool(const Call& call);
void check_average_pool(const Call& call);
void check_concat(const Call& call);
void check_pad(const Call& call);
void check_pad_repeating(const Call& call);
void check_gather(const Call& call);
void check_gather_elements(const Call& call);
void check_one_hot(const Call& call);
void check_iota(const Call& call);
void check_tile(const Call& call);
void check_topk(const Call& call);
void check_sort(const Call& call);
void check_argsort(const Call& call);

// ---- Shared by the rules ------------------------------------------------------------------------

// Whether `axis` exists in `shape`; a finding if not.
bool axis_exists(const Call& call, std::int64_t axis, const compiler::Shape& shape);

// A finding unless `operand` broadcasts to the first result.
void must_broadcast(const Call& call, const CallOperand& operand);
// A finding unless both have one element type.
void must_keep_dtype(const Call& call, const CallOperand& operand, const CallOperand& result);
// A finding unless the element type is this one.
void must_have_dtype(const Call& call, const CallOperand& operand, DType dtype);
// A finding unless `result` has the shape.
void must_have_shape(const Call& call, const CallOperand& result, const compiler::Shape& shape);

// The shape that some operands have together; nothing, and a finding, if they do not fit.
std::optional<compiler::Shape> common_shape(const Call& call,
                                            const std::vector<CallOperand>& operands);

// The elements of a reduction or a row program, with the axes that it works along.
class ReducedSpace {
 public:
  // Axes that do not exist are findings, and make nothing.
  static std::optional<ReducedSpace> make(const Call& call, const compiler::Shape& shape,
                                          const std::vector<std::int64_t>& axes);

  const compiler::Shape& shape() const { return shape_; }
  // Whether `shape` has one element per index of the other axes: extent 1 along these, or without
  // them.
  bool is_result(const compiler::Shape& shape) const;
  // Elements along the axes worked along.
  std::int64_t row_elements() const;

 private:
  compiler::Shape shape_;
  std::vector<char> is_reduced_;  // by axis
};

}  // namespace wick::frontend::check
