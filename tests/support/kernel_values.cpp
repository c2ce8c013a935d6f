#include "tests/support/kernel_values.h"

#include <algorithm>
#include <cstring>

#include "compiler/support/check.h"

namespace wick::compiler::testing {

namespace {

HostTensor stretched(const HostTensor& tensor, const Shape& shape) {
  if (tensor.shape() == shape) return tensor;
  const Layout layout = broadcast_layout(Layout(tensor.shape()), shape);
  HostTensor result(tensor.dtype(), shape);
  const std::size_t size = size_of(tensor.dtype());
  std::vector<std::int64_t> index(shape.rank(), 0);
  std::byte* to = result.mutable_bytes().data();
  for (std::int64_t i = 0; i < shape.element_count(); ++i, to += size) {
    std::int64_t from = layout.offset();
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      from += index[axis] * layout.stride(axis);
    }
    std::memcpy(to, tensor.bytes().data() + static_cast<std::size_t>(from) * size, size);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

HostTensor reshaped_to(const HostTensor& tensor, const Shape& shape) {
  HostTensor result(tensor.dtype(), shape);
  check(result.bytes().size() == tensor.bytes().size(), "a kernel's result has another size");
  std::ranges::copy(tensor.bytes(), result.mutable_bytes().begin());
  return result;
}

HostTensor call(const ops::OpRecord& op, std::span<const HostTensor> operands,
                const ops::Attributes& attributes, const std::vector<ops::TensorType>& types) {
  ops::Evaluation evaluation{operands, attributes, types, {}};
  op.evaluate(evaluation);
  check(evaluation.results.size() == types.size(), "an evaluator gave another number of results");
  return evaluation.results[0];
}

Shape common_shape(std::span<const HostTensor> operands) {
  Shape shape;
  for (const HostTensor& operand : operands) {
    const std::optional<Shape> both = broadcast(shape, operand.shape());
    check(both.has_value(), "operands of a kernel do not broadcast");
    shape = *both;
  }
  return shape;
}

// The body at every element of `shape`; an invalid body is its only parameter.
HostTensor evaluate_body(const FusedGraph& fused, BodyId id, std::span<const HostTensor> arguments,
                         const Shape& shape) {
  std::vector<HostTensor> parameters;
  for (const HostTensor& argument : arguments) parameters.push_back(stretched(argument, shape));
  if (!id.valid()) {
    check(parameters.size() == 1, "a body that is left out has one parameter");
    return parameters[0];
  }
  const Body& body = fused.bodies[id];
  std::vector<HostTensor> values;
  const auto value_of = [&](const BodyOperand& operand) {
    switch (operand.kind) {
      case BodyOperand::Kind::kParameter:
        return parameters.at(operand.index);
      case BodyOperand::Kind::kStatement:
        return values.at(operand.index);
      case BodyOperand::Kind::kLiteral:
        return stretched(operand.literal.to_tensor(), shape);
    }
    throw InternalError("an unknown operand");
  };
  for (const BodyStatement& statement : body.statements) {
    std::vector<HostTensor> operands;
    for (const BodyOperand& operand : statement.operands) operands.push_back(value_of(operand));
    const std::vector<ops::TensorType> types = {{statement.dtype, Layout(shape)}};
    values.push_back(call(*statement.op, operands, statement.attributes, types));
  }
  return value_of(body.result);
}

// `shape` with one element along the axes.
Shape collapsed(const Shape& shape, std::span<const std::int64_t> axes) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  for (const std::int64_t axis : axes) extents[static_cast<std::size_t>(axis)] = 1;
  return Shape::of(extents);
}

HostTensor reduce(const ops::OpRecord& op, const HostTensor& terms,
                  const std::vector<std::int64_t>& axes) {
  const ops::Attributes attributes = {{"axes", ops::Integers(axes)}, {"keepdims", true}};
  const std::vector<ops::TensorType> types = {
      {terms.dtype(), Layout(collapsed(terms.shape(), axes))}};
  return call(op, {&terms, 1}, attributes, types);
}

// A finished element and the operands that stand beside it, through the body of the results.
HostTensor finish(const FusedGraph& fused, const Kernel& kernel, const Shape& shape,
                  const HostTensor& element, std::span<const HostTensor> others) {
  std::vector<HostTensor> arguments = {reshaped_to(element, shape)};
  arguments.insert(arguments.end(), others.begin(), others.end());
  return evaluate_body(fused, kernel.results_body, arguments, shape);
}

HostTensor evaluate_reduction(const FusedGraph& fused, const Kernel& kernel,
                              std::span<const HostTensor> operands) {
  const auto terms = operands.subspan(0, kernel.terms);
  const HostTensor each = evaluate_body(fused, kernel.body, terms, common_shape(terms));
  const HostTensor reduced = reduce(*kernel.op, each, kernel.axes);
  return finish(fused, kernel, fused.tensors[kernel.results[0]].shape, reduced,
                operands.subspan(kernel.terms));
}

// Axis i of the result is axis order[i] of `from`.
HostTensor in_order(const HostTensor& from, const Shape& shape,
                    const std::vector<std::int64_t>& order) {
  HostTensor result(from.dtype(), shape);
  const Layout layout(from.shape());
  const std::size_t size = size_of(from.dtype());
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    std::int64_t rest = i, at = 0;
    for (std::size_t axis = order.size(); axis-- > 0; rest /= shape[axis])
      at += rest % shape[axis] * layout.stride(static_cast<std::size_t>(order[axis]));
    std::ranges::copy(from.bytes().subspan(static_cast<std::size_t>(at) * size, size),
                      result.mutable_bytes().begin() + i * static_cast<std::ptrdiff_t>(size));
  }
  return result;
}

// Its epilogue leaves the shape of a product as it is; then comes the order of its axes.
HostTensor evaluate_product(const FusedGraph& fused, const Kernel& kernel,
                            std::span<const HostTensor> operands) {
  const Shape& shape = fused.tensors[kernel.results[0]].shape;
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  for (std::size_t i = 0; i < kernel.order.size(); ++i)
    extents[static_cast<std::size_t>(kernel.order[i])] = shape[i];
  const Shape own = Shape::of(std::span<const std::int64_t>(extents));
  const std::vector<ops::TensorType> types = {{operands[0].dtype(), Layout(own)}};
  const HostTensor product = call(*kernel.op, operands.subspan(0, 2), kernel.attributes, types);
  const HostTensor finished = finish(fused, kernel, own, product, operands.subspan(2));
  return kernel.order.empty() ? finished : in_order(finished, shape, kernel.order);
}

const ops::OpRecord& reduction_named(std::string_view reducer) {
  for (const ops::OpRecord* op : ops::all()) {
    if (op->fusion == ops::FusionClass::kReduction && op->call.reducer == reducer) return *op;
  }
  throw InternalError("a row program with an unknown reducer");
}

std::vector<HostTensor> evaluate_rows(const FusedGraph& fused, const Kernel& kernel,
                                      std::span<const HostTensor> operands) {
  const Shape full = common_shape(operands);
  const Shape once = collapsed(full, kernel.axes);
  std::vector<HostTensor> made(kernel.passes.size());
  std::vector<HostTensor> results(kernel.results.size());
  for (std::size_t i = 0; i < kernel.passes.size(); ++i) {
    const RowPass& pass = kernel.passes[i];
    std::vector<HostTensor> arguments;
    for (const RowOperand& operand : pass.operands) {
      const bool outside = operand.kind == RowOperand::Kind::kOperand;
      arguments.push_back(outside ? operands[operand.index] : made.at(operand.index));
    }
    switch (pass.kind) {
      case RowPass::Kind::kReduce:
        made[i] = reduce(reduction_named(pass.reducer),
                         evaluate_body(fused, pass.body, arguments, full), kernel.axes);
        break;
      case RowPass::Kind::kKeep:
        made[i] = evaluate_body(fused, pass.body, arguments, full);
        break;
      case RowPass::Kind::kScalar:
        made[i] = evaluate_body(fused, pass.body, arguments, once);
        break;
      case RowPass::Kind::kWrite: {
        const Shape& shape = fused.tensors[kernel.results[pass.result]].shape;
        const bool elements = shape.element_count() == full.element_count();
        results[pass.result] =
            reshaped_to(evaluate_body(fused, pass.body, arguments, elements ? full : once), shape);
        break;
      }
    }
  }
  return results;
}

std::vector<HostTensor> evaluate_call(const FusedGraph& fused, const Kernel& kernel,
                                      std::span<const HostTensor> operands) {
  std::vector<ops::TensorType> types;
  for (const TensorId result : kernel.results) {
    types.push_back({fused.tensors[result].dtype, Layout(fused.tensors[result].shape)});
  }
  ops::Evaluation evaluation{operands, kernel.attributes, types, {}};
  kernel.op->evaluate(evaluation);
  return std::move(evaluation.results);
}

}  // namespace

std::vector<HostTensor> evaluate_kernel(const FusedGraph& fused, const Kernel& kernel,
                                        std::span<const HostTensor> operands) {
  switch (kernel.kind) {
    case KernelKind::kMap:
      return {evaluate_body(fused, kernel.body, operands, fused.tensors[kernel.results[0]].shape)};
    case KernelKind::kReduce:
      return {evaluate_reduction(fused, kernel, operands)};
    case KernelKind::kProduct:
      return {evaluate_product(fused, kernel, operands)};
    case KernelKind::kRows:
      return evaluate_rows(fused, kernel, operands);
    case KernelKind::kCall:
      return evaluate_call(fused, kernel, operands);
    case KernelKind::kLayout:
    case KernelKind::kPack:
      break;
  }
  throw InternalError("a view is no computation");
}

}  // namespace wick::compiler::testing
