// Row programs: each statement stands for the same operation on whole tensors. A row scalar is a
// tensor with extent 1 along the row, a kept row a tensor of all elements.
#include <algorithm>
#include <string>
#include <utility>

#include "frontend/check/program_terms.h"

namespace wick::frontend::check {
namespace {

using compiler::broadcasts_to;

class RowReader {
 public:
  RowReader(const RowCall& call, Kernels& kernels, Algebra& algebra, std::vector<Finding>& findings)
      : call_(call), kernels_(kernels), algebra_(algebra), findings_(findings) {}

  std::vector<TermView> run() {
    std::vector<TermView> written;
    for (const TensorType& result : call_.results)
      written.push_back(algebra_.unknown(result.dtype, result.shape()));
    if (!find_shapes()) {
      fail(call_.rows->place, "the operands of `" + call_.rows->name + "` do not fit");
      return written;
    }
    for (const RowStatement& statement : call_.rows->statements) {
      const Origin before = algebra_.origin;
      algebra_.origin = {{}, statement.place, name_of(statement)};
      if (statement.kind == RowStatement::Kind::kWrite) {
        write(statement, written);
        locals_.push_back(algebra_.unknown(DType::kF32, kept_));
      } else {
        locals_.push_back(value_of(statement));
      }
      algebra_.origin = before;
    }
    return written;
  }

 private:
  void fail(const Place& place, std::string message) {
    findings_.push_back({place, std::move(message), {}, {}});
  }

  // Of the local, or of the result that is written.
  std::string name_of(const RowStatement& statement) const {
    const std::vector<std::string>& parameters = call_.rows->parameters;
    const bool writes = statement.kind == RowStatement::Kind::kWrite;
    return writes && statement.target < parameters.size() ? parameters[statement.target]
                                                          : statement.name;
  }

  // The shape of all elements, and that with one element per row. Results of a smaller rank leave
  // the reduced axes out, and say nothing.
  bool find_shapes() {
    std::size_t rank = 0;
    for (const TensorType& result : call_.results) rank = std::max(rank, result.shape().rank());
    for (const TermView& operand : call_.operands) rank = std::max(rank, operand.shape().rank());
    std::optional<Shape> all = Shape();
    const auto add = [&](const Shape& shape) {
      if (all) all = compiler::broadcast(*all, shape);
    };
    for (const TensorType& result : call_.results) {
      if (result.shape().rank() == rank) add(result.shape());
    }
    for (const TermView& operand : call_.operands) add(operand.shape());
    if (!all) return false;
    std::vector<std::int64_t> extents(all->extents().begin(), all->extents().end());
    for (const std::int64_t axis : call_.axes) {
      if (axis < 0 || static_cast<std::size_t>(axis) >= extents.size()) return false;
      extents[static_cast<std::size_t>(axis)] = 1;
    }
    elements_ = *all;
    kept_ = Shape::of(std::span<const std::int64_t>(extents));
    return true;
  }

  // An argument of a statement that works at `shape`.
  TermView argument(const RowArgument& argument, const Shape& shape) {
    std::optional<TermView> reading;
    if (argument.kind == RowArgument::Kind::kLocal) {
      if (argument.index < locals_.size()) reading = locals_[argument.index];
    } else if (argument.index >= call_.results.size()) {
      const std::size_t index = argument.index - call_.results.size();
      if (index < call_.operands.size()) reading = call_.operands[index];
    }
    if (reading && broadcasts_to(reading->shape(), shape)) return *reading;
    fail(argument.place, reading ? "an argument has more elements than the statement works on"
                                 : "an argument names nothing that can be read here");
    return algebra_.unknown(DType::kF32, shape);
  }

  TermView computed(const RowStatement& statement, const Shape& shape) {
    std::vector<TermView> operands;
    for (const RowArgument& each : statement.arguments) operands.push_back(argument(each, shape));
    if (kernels_.has(statement.kernel)) return kernels_.apply(statement.kernel, operands, shape);
    if (operands.size() == 1) return operands[0];
    fail(statement.place, "one argument is expected where no kernel is named");
    return algebra_.unknown(DType::kF32, shape);
  }

  TermView stretched(TermView reading, const Shape& shape) {
    reading.layout = canonical(compiler::broadcast_layout(reading.layout, shape));
    return reading;
  }

  TermView value_of(const RowStatement& statement) {
    switch (statement.kind) {
      case RowStatement::Kind::kReduce:
        return algebra_.reduced(statement.reducer,
                                stretched(computed(statement, elements_), elements_), call_.axes,
                                kept_);
      case RowStatement::Kind::kScalar:
        return stretched(computed(statement, kept_), kept_);
      default:
        break;
    }
    const TermView kept = stretched(computed(statement, elements_), elements_);
    if (algebra_.dtype(kept) != statement.kept)
      fail(statement.place, "keeps elements of another type than the kernel gives");
    return kept;
  }

  void write(const RowStatement& statement, std::vector<TermView>& written) {
    if (statement.target >= written.size()) {
      return fail(statement.place, "writes something that is no result");
    }
    const Shape& shape = call_.results[statement.target].shape();
    const bool per_row = shape != elements_;
    TermView value =
        stretched(computed(statement, per_row ? kept_ : elements_), per_row ? kept_ : elements_);
    if (per_row && shape != kept_) {
      std::vector<std::int64_t> strides;
      for (std::size_t axis = 0; axis < kept_.rank(); ++axis) {
        if (std::ranges::find(call_.axes, static_cast<std::int64_t>(axis)) == call_.axes.end())
          strides.push_back(value.layout.stride(axis));
      }
      if (strides.size() != shape.rank())
        return fail(statement.place, "the result has neither all elements nor one per row");
      value.layout = Layout(shape, strides, value.layout.offset());
    }
    written[statement.target] = value;
  }

  const RowCall& call_;
  Kernels& kernels_;
  Algebra& algebra_;
  std::vector<Finding>& findings_;
  Shape elements_, kept_;
  std::vector<TermView> locals_;
};

}  // namespace

std::vector<TermView> row_terms(const RowCall& call, Kernels& kernels, Algebra& algebra,
                                std::vector<Finding>& findings) {
  return RowReader(call, kernels, algebra, findings).run();
}

}  // namespace wick::frontend::check
