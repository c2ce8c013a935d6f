// Norms: rows or channels brought to one scale.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/rows.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Norms";

template <class W>
W mean_of(const std::vector<W>& row) {
  W total{0};
  for (const W x : row) total += x;
  return total / static_cast<W>(row.size());
}

AttributeSpec norm_axes(std::string_view summary) {
  return {.name = "axes", .kind = AttributeKind::kIntegers, .summary = summary};
}

// ---- Norms --------------------------------------------------------------------------------------

AttributeSpec epsilon_attribute() {
  return {.name = "epsilon",
          .kind = AttributeKind::kNumber,
          .default_value = 1e-5,
          .summary = "added to the variance or mean square"};
}

// Operands from 1 on must broadcast to the shape of x.
bool parameters_fit(Inference& inference) {
  const TensorType& x = inference.operands[0];
  for (std::size_t i = 1; i < inference.operands.size(); ++i) {
    if (broadcasts_to(inference.operands[i].shape(), x.shape())) continue;
    inference.fail(operand_path(i), "expected a shape that broadcasts to " + text_of(x) +
                                        "; found " + text_of(inference.operands[i]));
    return false;
  }
  return true;
}

void infer_norm(Inference& inference) {
  const TensorType& x = inference.operands[0];
  auto axes = checked_axes(inference, AxesOf(x));
  if (!axes || !parameters_fit(inference)) return;
  inference.normal.set("axes", std::move(*axes));
  inference.normal.set("epsilon", inference.attributes.number("epsilon"));
  add_result(inference, x.dtype, x.shape());
}

std::vector<AttributeSpec> norm_attributes() {
  AttributeSpec axes = norm_axes("the axes that are normalised together");
  axes.default_value = Integers{-1};
  return {axes, epsilon_attribute()};
}

// x / sqrt(mean square + epsilon), for an x whose mean square is asked for.
Value normalised(RowComposer& rows, Value x, double epsilon, std::string_view square_name) {
  const Value square = rows.of("mul", {x, x}, "square");
  const Value mean = rows.reduced("mean", square, square_name);
  const Value guarded = rows.of("add", {mean, rows.number(epsilon)}, "guarded");
  return rows.of("mul", {x, rows.of("rsqrt", {guarded}, "inverse")}, "normalised");
}

bool expand_layer_norm(Composer& composer) {
  RowComposer rows(composer, composer.attributes().integers("axes"));
  const Value x = composer.operand(0);
  const Value centered = rows.of("sub", {x, rows.reduced("mean", x, "mean")}, "centered");
  const Value unit =
      normalised(rows, centered, composer.attributes().number("epsilon"), "variance");
  composer.result(0, rows.scaled_and_shifted(unit, 1));
  return true;
}

bool expand_rms_norm(Composer& composer) {
  RowComposer rows(composer, composer.attributes().integers("axes"));
  const Value unit =
      normalised(rows, composer.operand(0), composer.attributes().number("epsilon"), "mean_square");
  composer.result(0, rows.scaled_and_shifted(unit, 1));
  return true;
}

// Where operand `index`, broadcast to x, has the element for element `offset` of x.
std::int64_t parameter_offset(const Evaluation& evaluation, std::size_t index,
                              std::int64_t offset) {
  const Shape& shape = evaluation.operands[0].shape();
  const Layout layout = broadcast_layout(Layout(evaluation.operands[index].shape()), shape);
  std::int64_t at = 0;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    at += offset % shape[axis] * layout.stride(axis);
    offset /= shape[axis];
  }
  return at;
}

// x * scale + bias, with those of the operands from `first` on that are there; the element of
// operand k stands at offset(k).
template <class E, class F>
E scaled_and_shifted(const Evaluation& evaluation, Wide<E> x, std::size_t first, F offset) {
  for (std::size_t k = first; k < evaluation.operands.size(); ++k) {
    const auto parameter = static_cast<Wide<E>>(evaluation.operands[k].at<E>(offset(k)));
    x = k == first ? x * parameter : x + parameter;
  }
  return element<E>(x);
}

template <bool Center>
void evaluate_norm(Evaluation& evaluation) {
  const HostTensor& x = evaluation.operands[0];
  HostTensor result = make_result(evaluation);
  dispatch_float(x.dtype(), [&](auto zero) {
    using E = decltype(zero);
    using W = Wide<E>;
    const auto epsilon = static_cast<W>(static_cast<E>(evaluation.attributes.number("epsilon")));
    for_each_row<E>(x, evaluation.attributes.integers("axes"), [&](auto& row, auto& offsets) {
      const W mean = Center ? mean_of(row) : W{0};
      W squares{0};
      for (W& value : row) {
        value -= mean;
        squares += value * value;
      }
      const W root = std::sqrt(squares / static_cast<W>(row.size()) + epsilon);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto offset = [&](std::size_t k) {
          return parameter_offset(evaluation, k, offsets[i]);
        };
        result.set<E>(offsets[i], scaled_and_shifted<E>(evaluation, row[i] / root, 1, offset));
      }
    });
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord layer_norm() {
  OpRecord record = row_composite(
      kFamily, "layer_norm", "x with mean 0 and variance 1 over axes, scaled and shifted",
      "(x - mean(x)) * rsqrt(mean((x - mean(x))^2) + epsilon) * scale + bias. Scale and bias "
      "broadcast to x and may be left out. Ba, Kiros and Hinton, 2016, arXiv:1607.06450.",
      R"({"name": "y", "op": "layer_norm", "inputs": ["x", "scale", "bias"], "axes": [-1]})");
  record.operands = {{.name = "x", .dtypes = kFloats},
                     {.name = "scale", .dtypes = kFloats, .optional = true},
                     {.name = "bias", .dtypes = kFloats, .optional = true}};
  record.attributes = norm_attributes();
  record.infer = infer_norm;
  record.expand = expand_layer_norm;
  record.evaluate = evaluate_norm<true>;
  return record;
}

OpRecord rms_norm() {
  OpRecord record =
      row_composite(kFamily, "rms_norm", "x divided by its root mean square over axes, scaled",
                    "x * rsqrt(mean(x^2) + epsilon) * scale. The scale broadcasts to x and may be "
                    "left out. Zhang "
                    "and Sennrich, 2019, arXiv:1910.07467.",
                    R"({"name": "y", "op": "rms_norm", "inputs": ["x", "scale"], "axes": [-1]})");
  record.operands = {{.name = "x", .dtypes = kFloats},
                     {.name = "scale", .dtypes = kFloats, .optional = true}};
  record.attributes = norm_attributes();
  record.infer = infer_norm;
  record.expand = expand_rms_norm;
  record.evaluate = evaluate_norm<false>;
  return record;
}

// ---- Batch norm ---------------------------------------------------------------------------------

void infer_batch_norm(Inference& inference) {
  const TensorType& x = inference.operands[0];
  const auto axis = normal_axis(inference);
  if (!axis) return;
  const std::int64_t channels = x.shape()[*axis];
  for (std::size_t i = 1; i < inference.operands.size(); ++i) {
    const Shape& shape = inference.operands[i].shape();
    if (shape.rank() == 1 && shape[0] == channels) continue;
    inference.fail(operand_path(i), "expected shape [" + std::to_string(channels) +
                                        "], one element per channel: axis " +
                                        std::to_string(*axis) + " of " + text_of(x) + "; found " +
                                        text_of(inference.operands[i]));
    return;
  }
  inference.normal.set("epsilon", inference.attributes.number("epsilon"));
  add_result(inference, x.dtype, x.shape());
}

// The factor scale / sqrt(variance + epsilon) is taken per channel, before it meets x.
bool expand_batch_norm(Composer& composer) {
  RowComposer rows(composer, {});
  const Value x = composer.operand(0);
  const auto rank = static_cast<std::int64_t>(composer.type(x).shape().rank());
  Integers trailing;
  for (std::int64_t axis = composer.attributes().integer("axis") + 1; axis < rank; ++axis) {
    trailing.push_back(static_cast<std::int64_t>(trailing.size()) + 1);
  }
  const auto channel = [&](Value value, std::string_view name) {
    if (trailing.empty()) return value;
    return composer.call("unsqueeze", {value}, {{"axes", trailing}}, name);
  };
  const Value epsilon = rows.number(composer.attributes().number("epsilon"));
  const Value guarded = rows.of("add", {composer.operand(2), epsilon}, "guarded");
  Value factor = rows.of("rsqrt", {guarded}, "inverse");
  if (composer.operand_count() > 3) {
    factor = rows.of("mul", {factor, composer.operand(3)}, "factor");
  }
  const Value mean = channel(composer.operand(1), "mean");
  const Value centered = rows.of("sub", {x, mean}, "centered");
  Value result = rows.of("mul", {centered, channel(factor, "factors")}, "normalised");
  if (composer.operand_count() > 4) {
    result = rows.of("add", {result, channel(composer.operand(4), "bias")}, "shifted");
  }
  composer.result(0, result);
  return true;
}

void evaluate_batch_norm(Evaluation& evaluation) {
  const HostTensor& x = evaluation.operands[0];
  const auto axis = static_cast<std::size_t>(evaluation.attributes.integer("axis"));
  const std::int64_t inner = Layout(x.shape()).stride(axis);
  HostTensor result = make_result(evaluation);
  dispatch_float(x.dtype(), [&](auto zero) {
    using E = decltype(zero);
    using W = Wide<E>;
    const auto epsilon = static_cast<W>(static_cast<E>(evaluation.attributes.number("epsilon")));
    for (std::int64_t i = 0; i < x.element_count(); ++i) {
      const std::int64_t channel = i / inner % x.shape()[axis];
      const auto at = [&](std::size_t operand) {
        return static_cast<W>(evaluation.operands[operand].at<E>(channel));
      };
      const W centered = static_cast<W>(x.at<E>(i)) - at(1);
      const W unit = centered / std::sqrt(at(2) + epsilon);
      result.set<E>(i, scaled_and_shifted<E>(evaluation, unit, 3, [&](auto) { return channel; }));
    }
  });
  evaluation.results.push_back(std::move(result));
}

OpRecord batch_norm() {
  OpRecord record = row_composite(
      kFamily, "batch_norm", "x normalised per channel by known means and variances (inference)",
      "(x - mean) * (rsqrt(variance + epsilon) * scale) + bias, each [channels]; scale and bias "
      "may "
      "be left out. Ioffe and Szegedy, 2015, arXiv:1502.03167.",
      R"({"name": "y", "op": "batch_norm", "inputs": ["x", "mean", "variance", "scale", "bias"]})");
  record.operands = {{.name = "x", .dtypes = kFloats},
                     {.name = "mean", .dtypes = kFloats},
                     {.name = "variance", .dtypes = kFloats},
                     {.name = "scale", .dtypes = kFloats, .optional = true},
                     {.name = "bias", .dtypes = kFloats, .optional = true}};
  record.attributes = {{.name = "axis",
                        .kind = AttributeKind::kInteger,
                        .default_value = std::int64_t{1},
                        .summary = "the axis of the channels"},
                       epsilon_attribute()};
  record.infer = infer_batch_norm;
  record.expand = expand_batch_norm;
  record.evaluate = evaluate_batch_norm;
  return record;
}

}  // namespace

const std::vector<OpRecord>& normalization_records() {
  static const std::vector<OpRecord> records = {layer_norm(), rms_norm(), batch_norm()};
  return records;
}

}  // namespace wick::compiler::ops
