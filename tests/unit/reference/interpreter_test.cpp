#include "compiler/reference/interpreter.h"

#include <gtest/gtest.h>

#include <vector>

#include "compiler/support/check.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Described;

HostTensor floats(std::initializer_list<std::int64_t> extents, std::vector<float> values) {
  return HostTensor::of<float>(Shape::of(extents), values);
}

std::vector<float> values_of(const HostTensor& tensor) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) values.push_back(tensor.at<float>(i));
  return values;
}

std::vector<float> only_output(const Graph& graph, const std::vector<HostTensor>& inputs) {
  const auto outputs = evaluate_outputs(graph, inputs);
  EXPECT_EQ(outputs.size(), 1u);
  return values_of(outputs[0]);
}

TEST(Interpreter, GivesEveryValue) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2})
                          .node("double", "mul", {"x", 2})
                          .node("y", "add", {"double", 1})
                          .node("unread", "neg", {"x"})
                          .output("y")
                          .verified();
  const std::vector<HostTensor> inputs{floats({2}, {1, 3})};
  const auto values = evaluate(graph, inputs);
  const auto of = [&](const char* name) {
    return values_of(values[testing::value_named(graph, name)]);
  };
  EXPECT_EQ(of("x"), (std::vector<float>{1, 3}));
  EXPECT_EQ(of("double"), (std::vector<float>{2, 6}));
  EXPECT_EQ(of("y"), (std::vector<float>{3, 7}));
  EXPECT_EQ(of("unread"), (std::vector<float>{-1, -3}));
}

// Behaviour 3: one value with two readers.
TEST(Interpreter, KeepsAValueForItsLastReader) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2})
                          .node("t", "mul", {"x", 2})
                          .node("u", "add", {"x", 1})
                          .node("y", "sub", {"t", "u"})
                          .output("y")
                          .output("t")
                          .output("x")
                          .output("y")
                          .verified();
  const auto outputs = evaluate_outputs(graph, std::vector<HostTensor>{floats({2}, {1, 3})});
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(values_of(outputs[0]), (std::vector<float>{0, 2}));
  EXPECT_EQ(values_of(outputs[1]), (std::vector<float>{2, 6}));
  EXPECT_EQ(values_of(outputs[2]), (std::vector<float>{1, 3}));
  EXPECT_EQ(values_of(outputs[3]), (std::vector<float>{0, 2}));
}

// Behaviour 4, for t = [[1, 2], [3, 4]].
TEST(Interpreter, ReadsViewsByValue) {
  const Graph graph = Described()
                          .input("t", DType::kF32, {2, 2})
                          .node("turned", "transpose", {"t"})
                          .node("packed", "as_contiguous", {"turned"})
                          .node("shifted", "add", {"turned", 1})
                          .node("y", "add", {"packed", "shifted"})
                          .output("y")
                          .verified();
  EXPECT_EQ(only_output(graph, {floats({2, 2}, {1, 2, 3, 4})}), (std::vector<float>{3, 7, 5, 9}));
}

TEST(Interpreter, RoundsEveryNodeToItsDType) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {})
                          .node("big", "add", {"x", 16777216.0})
                          .node("y", "sub", {"big", 16777216.0})
                          .output("y")
                          .verified();
  // 2^24 + 1 has no f32: the tie goes to the even 2^24.
  EXPECT_EQ(only_output(graph, {floats({}, {1})}), std::vector<float>{0});
}

TEST(Interpreter, TakesConstantsAndSeveralResults) {
  const Graph graph = Described()
                          .constant<float>("c", {4}, {4, 1, 3, 2})
                          .nodes({"best", "where"}, "topk", {"c"}, {{"k", std::int64_t{2}}})
                          .output("where")
                          .output("best")
                          .verified();
  const auto outputs = evaluate_outputs(graph, {});
  EXPECT_EQ(outputs[0].at<std::int64_t>(0), 0);
  EXPECT_EQ(outputs[0].at<std::int64_t>(1), 2);
  EXPECT_EQ(values_of(outputs[1]), (std::vector<float>{4, 3}));
}

TEST(Interpreter, EvaluatesANodeOnOtherOperands) {
  const Graph graph =
      Described().input("x", DType::kF32, {2}).node("y", "neg", {"x"}).output("y").verified();
  const std::vector<HostTensor> others{floats({2}, {5, 6})};
  const auto results = evaluate_node(graph, NodeId(0), others);
  EXPECT_EQ(values_of(results[0]), (std::vector<float>{-5, -6}));
}

TEST(Interpreter, GoesThroughADeepChain) {
  Described described;
  described.input("x0", DType::kF32, {});
  constexpr int kDepth = 20000;
  for (int i = 0; i < kDepth; ++i) {
    described.node("x" + std::to_string(i + 1), "add", {"x" + std::to_string(i), 1});
  }
  const Graph graph = described.output("x" + std::to_string(kDepth)).verified();
  EXPECT_EQ(only_output(graph, {floats({}, {0})}), std::vector<float>{kDepth});
}

TEST(Interpreter, InputsOfAnotherTypeAreOurBug) {
  const Graph graph =
      Described().input("x", DType::kF32, {2}).node("y", "neg", {"x"}).output("y").verified();
  EXPECT_THROW(evaluate(graph, {}), InternalError);
  EXPECT_THROW(evaluate(graph, std::vector<HostTensor>{floats({3}, {1, 2, 3})}), InternalError);
  EXPECT_THROW(evaluate(graph, std::vector<HostTensor>{HostTensor(DType::kF64, Shape::of({2}))}),
               InternalError);
}

}  // namespace
}  // namespace wick::compiler
