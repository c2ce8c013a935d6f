// Matrix products.

#include <algorithm>
#include <array>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/families.h"
#include "compiler/ops/infer.h"
#include "compiler/ops/parts.h"

namespace wick::compiler::ops {
namespace {

constexpr std::string_view kFamily = "Products";

// An operand as a stack of matrices, by NumPy's rules: [k] is a row on the left, a column on the
// right.
struct Matrices {
  Shape batch;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

Matrices matrices(const Shape& shape, bool left) {
  const auto extents = shape.extents();
  if (extents.size() == 1) {
    return left ? Matrices{{}, 1, extents[0]} : Matrices{{}, extents[0], 1};
  }
  return {Shape::of(extents.first(extents.size() - 2)), extents[extents.size() - 2],
          extents.back()};
}

// The shape of the product; nothing, and a fault, if there is none.
std::optional<Integers> product_extents(Inference& inference) {
  const TensorType& a = inference.operands[0];
  const TensorType& b = inference.operands[1];
  const auto product_text = [&] { return "cannot multiply " + text_of(a) + " by " + text_of(b); };
  for (std::size_t i = 0; i < 2; ++i) {
    if (inference.operands[i].shape().rank() > 0) continue;
    inference.fail(operand_path(i), product_text() + ": expected operands of rank 1 or more",
                   "a product with a scalar is \"mul\"");
    return std::nullopt;
  }
  const Matrices left = matrices(a.shape(), true);
  const Matrices right = matrices(b.shape(), false);
  if (left.columns != right.rows) {
    inference.fail("/inputs/1", product_text() + ": expected equal inner extents, found " +
                                    std::to_string(left.columns) + " and " +
                                    std::to_string(right.rows));
    return std::nullopt;
  }
  const auto batch = broadcast(left.batch, right.batch);
  if (!batch) {
    inference.fail("/inputs/1", product_text() + ": the leading axes " + left.batch.to_string() +
                                    " and " + right.batch.to_string() + " do not broadcast");
    return std::nullopt;
  }
  Integers extents(batch->extents().begin(), batch->extents().end());
  if (a.shape().rank() > 1) extents.push_back(left.rows);
  if (b.shape().rank() > 1) extents.push_back(right.columns);
  return extents;
}

void infer_matmul(Inference& inference) {
  const auto extents = product_extents(inference);
  if (!extents) return;
  const DType dtype = inference.operands[0].dtype;
  const bool numbers =
      check_number(inference, "alpha", dtype) && check_number(inference, "beta", dtype);
  if (!numbers || !add_result(inference, dtype, *extents)) return;
  inference.normal = inference.attributes;
  if (inference.operands.size() < 3) return;
  const Shape& result = inference.results[0].shape();
  if (broadcasts_to(inference.operands[2].shape(), result)) return;
  inference.fail("/inputs/2", "cannot add " + text_of(inference.operands[2]) + " to the product " +
                                  text_of(inference.results[0]) +
                                  ": expected a shape that broadcasts to it");
}

bool expand_matmul(Composer& composer) {
  const double alpha = composer.attributes().number("alpha");
  const double beta = composer.attributes().number("beta");
  const bool adds = composer.operand_count() > 2;
  if (!adds && alpha == 1) return false;
  auto product = composer.call("matmul", {composer.operand(0), composer.operand(1)}, {}, "product");
  const DType dtype = composer.type(product).dtype;
  if (alpha != 1) {
    product = composer.call("mul", {product, composer.literal(alpha, dtype)}, {}, "scaled");
  }
  if (adds) {
    auto term = composer.operand(2);
    if (beta != 1 && beta != -1) {
      term = composer.call("mul", {term, composer.literal(beta, dtype)}, {}, "term");
    }
    product = composer.call(beta == -1 ? "sub" : "add", {product, term}, {}, "total");
  }
  composer.result(0, product);
  return true;
}

// Offsets of the matrices of an operand for each matrix of the result.
Layout batch_layout(const Shape& shape, bool left, const Shape& batch) {
  const Matrices of = matrices(shape, left);
  const Layout packed(shape);
  const auto strides = packed.strides();
  const Layout own =
      shape.rank() < 2 ? Layout() : Layout(of.batch, strides.first(strides.size() - 2), 0);
  return broadcast_layout(own, batch);
}

void evaluate_matmul(Evaluation& evaluation) {
  const HostTensor& a = evaluation.operands[0];
  const HostTensor& b = evaluation.operands[1];
  const Matrices left = matrices(a.shape(), true);
  const Matrices right = matrices(b.shape(), false);
  const Shape batch = *broadcast(left.batch, right.batch);
  const bool adds = evaluation.operands.size() > 2;
  HostTensor result = make_result(evaluation);
  const Layout addend =
      adds ? broadcast_layout(Layout(evaluation.operands[2].shape()), result.shape())
           : Layout(result.shape());
  dispatch_number(result.dtype(), [&](auto zero) {
    using E = decltype(zero);
    using W = Wide<E>;
    const auto alpha = static_cast<W>(converted<E>(evaluation.attributes.number("alpha")));
    const auto beta = static_cast<W>(converted<E>(evaluation.attributes.number("beta")));
    Walk<2> stack(batch,
                  {batch_layout(a.shape(), true, batch), batch_layout(b.shape(), false, batch)});
    Walk<1> terms(result.shape(), {addend});
    std::int64_t i = 0;
    for (std::int64_t matrix = 0; matrix < batch.element_count(); ++matrix, stack.next()) {
      for (std::int64_t cell = 0; cell < left.rows * right.columns; ++cell, terms.next()) {
        const std::int64_t row = stack.offset(0) + cell / right.columns * left.columns;
        const std::int64_t column = stack.offset(1) + cell % right.columns;
        W total{0};
        for (std::int64_t k = 0; k < left.columns; ++k) {
          total = plus(total, times(static_cast<W>(a.at<E>(row + k)),
                                    static_cast<W>(b.at<E>(column + k * right.columns))));
        }
        total = times(alpha, total);
        if (adds) {
          const W term = static_cast<W>(evaluation.operands[2].at<E>(terms.offset(0)));
          total = plus(total, times(beta, term));
        }
        result.set<E>(i++, element<E>(total));
      }
    }
  });
  evaluation.results.push_back(std::move(result));
}

std::int64_t inner_extent(std::span<const HostTensor> operands, const Attributes&) {
  return operands[0].shape().extents().back();
}

AttributeSpec factor(std::string_view name, std::string_view summary) {
  return {.name = name, .kind = AttributeKind::kNumber, .default_value = 1.0, .summary = summary};
}

OpRecord matmul() {
  return {
      .name = "matmul",
      .family = kFamily,
      .summary = "alpha * (a @ b) + beta * c",
      .prose =
          "As numpy.matmul: the last two axes are multiplied, leading axes broadcast, a [k] on "
          "the left is a row and on the right a column whose axis is dropped from the result. "
          "c may be left out; it broadcasts to the product. Integers wrap. Without c and "
          "with alpha 1 the product is one operation, else it is made of matmul, mul and add.",
      .example = R"({"name": "y", "op": "matmul", "inputs": ["x", "w"]})",
      .operands = {{.name = "a", .dtypes = kNumbers, .summary = "rank 1 or more"},
                   {.name = "b", .dtypes = kNumbers, .summary = "rank 1 or more"},
                   {.name = "c", .dtypes = kNumbers, .optional = true, .summary = "what to add"}},
      .attributes = {factor("alpha", "the factor of the product"),
                     factor("beta", "the factor of c")},
      .fusion = FusionClass::kProduct,
      .traits = {.cost = Cost::kExpensive},
      .error = {ErrorModel::kProduct, 1, 1, inner_extent},
      .infer = infer_matmul,
      .expand = expand_matmul,
      .evaluate = evaluate_matmul,
      .call = {.function = "matmul", .transposed = "matmul_transposed"},
  };
}

// ---- Linear -------------------------------------------------------------------------------------

void infer_linear(Inference& inference) {
  const TensorType& w = inference.operands[1];
  if (w.shape().rank() != 2) {
    inference.fail("/inputs/1", "expected weights of shape [in, out]; found " + text_of(w));
    return;
  }
  const auto extents = product_extents(inference);
  if (!extents || !add_result(inference, w.dtype, *extents)) return;
  if (inference.operands.size() < 3) return;
  const Shape& bias = inference.operands[2].shape();
  if (bias.rank() == 1 && bias[0] == w.shape()[1]) return;
  inference.fail("/inputs/2", "expected a bias of shape [" + std::to_string(w.shape()[1]) +
                                  "], one element per column of " + text_of(w) + "; found " +
                                  text_of(inference.operands[2]));
}

bool expand_linear(Composer& composer) {
  auto value = composer.call("matmul", {composer.operand(0), composer.operand(1)}, {}, "product");
  if (composer.operand_count() > 2) {
    value = composer.call("add", {value, composer.operand(2)}, {}, "sum");
  }
  composer.result(0, value);
  return true;
}

void evaluate_linear(Evaluation& evaluation) {
  const Attributes factors{{"alpha", 1.0}, {"beta", 1.0}};
  Evaluation product{evaluation.operands, factors, evaluation.types, {}};
  evaluate_matmul(product);
  evaluation.results = std::move(product.results);
}

OpRecord linear() {
  return {
      .name = "linear",
      .family = kFamily,
      .summary = "x @ w + b",
      .prose =
          "w is [in, out], b is [out] and may be left out. The last axis of x is [in], its "
          "leading axes stay. Made of matmul and add.",
      .example = R"({"name": "h", "op": "linear", "inputs": ["x", "w", "b"]})",
      .operands = {{.name = "x", .dtypes = kNumbers, .summary = "[..., in]"},
                   {.name = "w", .dtypes = kNumbers, .summary = "[in, out]"},
                   {.name = "b", .dtypes = kNumbers, .optional = true, .summary = "[out]"}},
      .fusion = FusionClass::kComposite,
      .traits = {.cost = Cost::kExpensive},
      .error = {ErrorModel::kComposed},
      .infer = infer_linear,
      .expand = expand_linear,
      .evaluate = evaluate_linear,
  };
}

}  // namespace

const std::vector<OpRecord>& product_records() {
  static const std::vector<OpRecord> records = {matmul(), linear()};
  return records;
}

}  // namespace wick::compiler::ops
