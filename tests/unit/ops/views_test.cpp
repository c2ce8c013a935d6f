// A view says where the elements lie that its evaluation gives: tried on operands that are packed,
// transposed, stepped, reversed, broadcast, and shifted.
#include <gtest/gtest.h>

#include <numeric>

#include "compiler/ops/evaluate.h"
#include "compiler/ops/record.h"

namespace wick::compiler::ops {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Call {
  std::string_view op;
  Attributes attributes = {};
  std::optional<Integers> shape = {};
};

std::vector<Call> calls() {
  return {{"identity"},
          {"reshape", {}, Integers{3, 2, 2}},
          {"reshape", {}, Integers{12}},
          {"reshape", {}, Integers{2, 1, 3, 2}},
          {"flatten"},
          {"squeeze"},
          {"unsqueeze", {{"axes", Integers{0, -1}}}},
          {"broadcast_to", {}, Integers{2, 2, 3, 2}},
          {"transpose"},
          {"transpose_axes", {{"axes", Integers{1, 0, 2}}}},
          {"flip"},
          {"flip", {{"axes", Integers{-1}}}},
          {"slice", {{"ranges", Ranges{{1, 2, 1}, {{}, {}, -2}}}}},
          {"slice", {{"ranges", Ranges{{{}, {}, 1}, {2, 1, 1}}}}},
          {"split", {{"axis", std::int64_t{1}}, {"sizes", Integers{1, 2}}}}};
}

// Layouts of [2, 3, 2] in a storage of 64 elements.
std::vector<Layout> layouts() {
  const Shape shape = Shape::of({2, 3, 2});
  const auto strided = [&](Numbers strides, std::int64_t offset) {
    return Layout(shape, strides, offset);
  };
  return {Layout(shape),          strided({6, 2, 1}, 5),     strided({1, 4, 2}, 0),
          strided({24, 8, 2}, 1), strided({-6, -2, -1}, 11), strided({0, 2, 1}, 3),
          strided({2, 0, 1}, 3),  strided({0, 0, 0}, 7)};
}

// The storage's element at offset i is i: a tensor of values tells where they were read.
HostTensor read_through(const Layout& layout) {
  HostTensor tensor(DType::kI64, layout.shape());
  std::int64_t i = 0;
  for_each_offset(layout, [&](std::int64_t offset) { tensor.set<std::int64_t>(i++, offset); });
  return tensor;
}

Inference inferred(const Call& call, const TensorType& operand) {
  const OpRecord& op = *find(call.op);
  Inference inference;
  inference.operands = {&operand, 1};
  inference.attributes = call.attributes;
  inference.stated_shape = call.shape;
  inference.normal = inference.attributes;
  op.infer(inference);
  EXPECT_TRUE(inference.faults.empty()) << call.op;
  return inference;
}

TEST(Views, LieWhereTheirEvaluationReads) {
  int views = 0;
  for (const Call& call : calls()) {
    for (const Layout& layout : layouts()) {
      SCOPED_TRACE(std::string(call.op) + " of " + layout.to_string());
      const OpRecord& op = *find(call.op);
      const TensorType operand{DType::kI64, layout};
      const Inference inference = inferred(call, operand);
      const HostTensor values = read_through(layout);
      Evaluation evaluation{{&values, 1}, inference.normal, inference.results, {}};
      op.evaluate(evaluation);
      for (std::size_t i = 0; i < inference.results.size(); ++i) {
        const Shape& shape = inference.results[i].shape();
        const auto view = op.view(layout, inference.normal, shape, i);
        if (!view) continue;
        ++views;
        EXPECT_EQ(view->shape(), shape);
        EXPECT_TRUE(same_values(read_through(*view), evaluation.results[i]));
      }
    }
  }
  // All but the reshapes and flattens of layouts that are not one run.
  EXPECT_GE(views, 16 * 8 - 4 * 4);
}

TEST(Views, OnlyReshapesNeedAPackedOperand) {
  const Layout turned(Shape::of({2, 3, 2}), Numbers{1, 4, 2}, 0);
  const TensorType operand{DType::kI64, turned};
  for (const Call& call : calls()) {
    const Inference inference = inferred(call, operand);
    const auto view =
        find(call.op)->view(turned, inference.normal, inference.results[0].shape(), 0);
    const bool reorders = call.op == "flatten" || (call.op == "reshape" && call.shape->size() != 4);
    EXPECT_TRUE(view.has_value() || reorders) << call.op;
  }
  EXPECT_EQ(find("flatten")->view(turned, {}, Shape::of({12}), 0), std::nullopt);
}

}  // namespace
}  // namespace wick::compiler::ops
