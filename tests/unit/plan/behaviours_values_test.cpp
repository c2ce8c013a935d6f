// The numbered behaviours of the seed's planner that are about values, each run in every storage,
// schedule and fusion, and compared with the reference and with numbers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/executor.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

using ops::Integers;
using ops::Range;
using ops::Ranges;

HostTensor floats(std::initializer_list<std::int64_t> shape, std::initializer_list<float> values) {
  return HostTensor::of<float>(Shape::of(shape), std::span(values.begin(), values.size()));
}

// The outputs of an unfused plan, after every other way has been seen to give the same.
std::vector<HostTensor> outputs_of(const Described& graph, std::vector<HostTensor> inputs) {
  const std::string wrong = disagreement(graph.verified(), inputs);
  EXPECT_EQ(wrong, "");
  const Planned it = planned(graph);
  return run_plan(*it.plan, inputs);
}

void expect_floats(const HostTensor& tensor, std::initializer_list<float> expected) {
  ASSERT_EQ(tensor.element_count(), static_cast<std::int64_t>(expected.size()));
  std::int64_t i = 0;
  for (const float value : expected) {
    EXPECT_EQ(tensor.at<float>(i), value) << "element " << i;
    ++i;
  }
}

// ---- 1 ------------------------------------------------------------------------------------------

class OperandOrder : public ::testing::TestWithParam<const char*> {};

// Both operands are dead after the operation, so either could be overwritten.
TEST_P(OperandOrder, Behaviour1_DeadOperandNeverSwapsTheOthers) {
  const Described graph = Described()
                              .input("x", DType::kF32, {4})
                              .input("y", DType::kF32, {4})
                              .node("a", "add", {"x", 0})
                              .node("b", "add", {"y", 0})
                              .node("r", GetParam(), {"a", "b"})
                              .output("r");
  EXPECT_EQ(disagreement(graph.verified(),
                         std::vector{floats({4}, {8, 1, 3, 2}), floats({4}, {2, 4, 1, 3})}),
            "");
}

INSTANTIATE_TEST_SUITE_P(NotCommutative, OperandOrder,
                         ::testing::Values("sub", "div", "pow", "lt", "le", "gt", "ge", "mod",
                                           "atan2"));

TEST(Behaviour1, SubtractionOfADeadOperandIsExact) {
  const Described graph = Described()
                              .input("x", DType::kF32, {3})
                              .node("b", "mul", {"x", 2})
                              .node("y", "sub", {"x", "b"})
                              .output("y");
  expect_floats(outputs_of(graph, {floats({3}, {1, 2, 3})})[0], {-1, -2, -3});
}

// ---- 2 ------------------------------------------------------------------------------------------

TEST(Behaviour2, ScalarChainSurvivesReuse) {
  const Described graph = Described()
                              .input("t", DType::kF32, {3})
                              .node("d", "mul", {"t", 2})
                              .node("y", "sub", {"d", 1})
                              .output("y");
  expect_floats(outputs_of(graph, {floats({3}, {1, 2, 3})})[0], {1, 3, 5});
}

struct ScalarCase {
  const char* op;
  bool scalar_first;
  float expected;  // for the element 8 and the scalar 2
};

class ScalarOperation : public ::testing::TestWithParam<ScalarCase> {};

TEST_P(ScalarOperation, Behaviour2_ComputesItsOwnWayRoundInPlace) {
  const ScalarCase& it = GetParam();
  Described graph;
  graph.input("t", DType::kF32, {2}).node("d", "add", {"t", 0});
  if (it.scalar_first) {
    graph.node("y", it.op, {2, "d"});
  } else {
    graph.node("y", it.op, {"d", 2});
  }
  graph.output("y");
  EXPECT_EQ(planned(graph).placement("y"), Placement::kInPlace);
  expect_floats(outputs_of(graph, {floats({2}, {8, 8})})[0], {it.expected, it.expected});
}

INSTANTIATE_TEST_SUITE_P(EveryScalarOperation, ScalarOperation,
                         ::testing::Values(ScalarCase{"add", false, 10},
                                           ScalarCase{"add", true, 10}, ScalarCase{"sub", false, 6},
                                           ScalarCase{"sub", true, -6},
                                           ScalarCase{"mul", false, 16},
                                           ScalarCase{"mul", true, 16}, ScalarCase{"div", false, 4},
                                           ScalarCase{"div", true, 0.25F}));

class UnaryOperation : public ::testing::TestWithParam<const char*> {};

TEST_P(UnaryOperation, Behaviour2_RunsInPlaceOfADeadOperand) {
  const Described graph = Described()
                              .input("t", DType::kF32, {4})
                              .node("d", "add", {"t", 0})
                              .node("y", GetParam(), {"d"})
                              .output("y");
  EXPECT_EQ(planned(graph).placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph.verified(), std::vector{floats({4}, {0.5F, 1, 2, 4})}), "");
}

INSTANTIATE_TEST_SUITE_P(OfTheSeed, UnaryOperation,
                         ::testing::Values("exp", "log", "log2", "reciprocal", "relu", "tanh"));

// ---- 4, 5 ---------------------------------------------------------------------------------------

TEST(Behaviour4, PackingAndViewOfOneTransposeAreRightInEitherOrder) {
  for (const bool packed_first : {false, true}) {
    Described graph;
    graph.input("t", DType::kF32, {2, 2})
        .node("v", "transpose", {"t"})
        .node("c", "as_contiguous", {"v"})
        .node("s", "add", {"v", 1});
    graph.node("y", "add",
               packed_first ? std::vector<Operand>{"c", "s"} : std::vector<Operand>{"s", "c"});
    graph.output("y");
    expect_floats(outputs_of(graph, {floats({2, 2}, {1, 2, 3, 4})})[0], {3, 7, 5, 9});
  }
}

TEST(Behaviour5, SliceOfAPackedTensorGetsItsOwnLayout) {
  // t = x transposed = [[1, 4], [2, 5], [3, 6]]; its rows from the second on: [[2, 5], [3, 6]].
  for (const bool packed_first : {false, true}) {
    Described graph;
    graph.input("x", DType::kF32, {2, 3})
        .node("t", "transpose", {"x"})
        .node("c", "as_contiguous", {"t"})
        .node("a", "slice", {"t"}, {{"ranges", Ranges{Range{1, {}, 1}}}})
        .node("b", "slice", {"c"}, {{"ranges", Ranges{Range{1, {}, 1}}}});
    graph.node("y", "add",
               packed_first ? std::vector<Operand>{"b", "a"} : std::vector<Operand>{"a", "b"});
    graph.output("y");
    expect_floats(outputs_of(graph, {floats({2, 3}, {1, 2, 3, 4, 5, 6})})[0], {4, 10, 6, 12});
  }
}

// ---- 7 ------------------------------------------------------------------------------------------

struct SharedOperandCase {
  const char* view;
  ops::Attributes attributes;
  bool in_place;  // every read is at the written index
  std::vector<float> expected;
};

class SharedOperand : public ::testing::TestWithParam<SharedOperandCase> {};

// t = [[1, 2], [3, 4]] computed, then t minus a view of it.
TEST_P(SharedOperand, Behaviour7_InPlaceOnlyIfEveryReadIsAtTheWrittenIndex) {
  const SharedOperandCase& it = GetParam();
  Described graph;
  graph.input("x", DType::kF32, {2, 2}).node("t", "add", {"x", 0});
  graph.node("v", it.view, {"t"}, it.attributes).node("y", "sub", {"t", "v"}).output("y");
  EXPECT_EQ(planned(graph).placement("y") == Placement::kInPlace, it.in_place);
  const HostTensor y = outputs_of(graph, {floats({2, 2}, {1, 2, 3, 4})})[0];
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(y.at<float>(i), it.expected[static_cast<std::size_t>(i)]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Views, SharedOperand,
    ::testing::Values(SharedOperandCase{"identity", {}, true, {0, 0, 0, 0}},
                      SharedOperandCase{"transpose", {}, false, {0, -1, 1, 0}},
                      SharedOperandCase{"flip", {{"axes", Integers{1}}}, false, {-1, 1, -1, 1}},
                      SharedOperandCase{
                          "slice", {{"ranges", Ranges{Range{0, 1, 1}}}}, false, {0, 0, 2, 2}}));

TEST(Behaviour7, AProductWithItselfIsInPlace) {
  const Described graph = Described()
                              .input("x", DType::kF32, {3})
                              .node("t", "add", {"x", 1})
                              .node("y", "mul", {"t", "t"})
                              .output("y");
  EXPECT_EQ(planned(graph).placement("y"), Placement::kInPlace);
  expect_floats(outputs_of(graph, {floats({3}, {1, 2, 3})})[0], {4, 9, 16});
}

TEST(Behaviour7, AViewOfTheSameOrderIsInPlace) {
  Described graph;
  graph.input("x", DType::kF32, {2, 2}).node("t", "add", {"x", 0});
  graph.node("v", "view", {"t"}).shape({2, 2}).node("y", "add", {"t", "v"}).output("y");
  EXPECT_EQ(planned(graph).placement("y"), Placement::kInPlace);
  expect_floats(outputs_of(graph, {floats({2, 2}, {1, 2, 3, 4})})[0], {2, 4, 6, 8});
}

// ---- 8 ------------------------------------------------------------------------------------------

TEST(Behaviour8, OperationsOnSlicesReadFromTheOffsetAndGiveFreshResults) {
  const Described graph = Described()
                              .input("x", DType::kF32, {3, 2})
                              .node("t", "add", {"x", 0})
                              .node("s", "slice", {"t"}, {{"ranges", Ranges{Range{1, 3, 1}}}})
                              .node("r", "mul", {"s", 10})
                              .node("y", "add", {"r", "s"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_EQ(it.located("s").layout.offset(), 2);
  EXPECT_TRUE(it.located("r").layout.is_packed());
  EXPECT_NE(it.placement("r"), Placement::kInPlace);
  expect_floats(outputs_of(graph, {floats({3, 2}, {1, 2, 3, 4, 5, 6})})[0], {33, 44, 55, 66});
}

// ---- 18, 19 -------------------------------------------------------------------------------------

TEST(Behaviour18, AProductKeepsTheOrderOfItsOperands) {
  const Described graph = Described()
                              .input("a", DType::kF32, {2, 2})
                              .input("b", DType::kF32, {2, 2})
                              .node("y", "matmul", {"a", "b"})
                              .output("y");
  expect_floats(outputs_of(graph, {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {0, 1, 1, 0})})[0],
                {2, 1, 4, 3});
}

TEST(Behaviour18, AColumnIsNotTakenForATranspose) {
  const Described graph = Described()
                              .input("a", DType::kF32, {2, 1})
                              .input("b", DType::kF32, {1, 2})
                              .node("y", "matmul", {"a", "b"})
                              .output("y");
  expect_floats(outputs_of(graph, {floats({2, 1}, {1, 2}), floats({1, 2}, {3, 4})})[0],
                {3, 4, 6, 8});
}

TEST(Behaviour19, AScaleOfASumScalesBothTermsAndAScaledTermIsScaledOnce) {
  const auto graph = [](bool scale_all) {
    Described g;
    g.input("a", DType::kF32, {2, 2})
        .input("b", DType::kF32, {2, 2})
        .input("c", DType::kF32, {2, 2});
    g.node("p", "matmul", {"a", "b"});
    if (scale_all) {
      g.node("q", "add", {"p", "c"}).node("y", "mul", {"q", 10});
    } else {
      g.node("q", "mul", {"c", 10}).node("y", "add", {"p", "q"});
    }
    return g.output("y");
  };
  const std::vector inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 0, 0, 1}),
                              floats({2, 2}, {1, 1, 2, 2})};
  expect_floats(outputs_of(graph(true), inputs)[0], {20, 30, 50, 60});
  expect_floats(outputs_of(graph(false), inputs)[0], {11, 12, 23, 24});
}

TEST(Behaviour19, AMatrixMinusAProductOverwritesTheMatrix) {
  const Described graph = Described()
                              .input("a", DType::kF32, {2, 2})
                              .input("b", DType::kF32, {2, 2})
                              .input("x", DType::kF32, {2, 2})
                              .node("c", "matmul", {"x", "b"})
                              .node("p", "matmul", {"a", "b"})
                              .node("y", "sub", {"c", "p"})
                              .output("y");
  const Planned fused = planned(graph, {}, {true, FpMode::kStrict});
  EXPECT_EQ(fused.plan->run.steps.size(), 2U);
  EXPECT_EQ(fused.placement("y"), Placement::kInPlace);
  expect_floats(outputs_of(graph, {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 0, 0, 1}),
                                   floats({2, 2}, {9, 9, 9, 9})})[0],
                {8, 7, 6, 5});
}

// ---- 20 -----------------------------------------------------------------------------------------

TEST(Behaviour20, ExtremesAndEmptyAxes) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Described graph = Described()
                              .input("x", DType::kF32, {3, 2})
                              .input("e", DType::kF32, {2, 0})
                              .input("r", DType::kF32, {1, 1})
                              .node("top", "max", {"x"}, {{"axes", Integers{1}}})
                              .node("none", "sum", {"e"}, {{"axes", Integers{1}}})
                              .node("empty", "add", {"e", "r"})
                              .output("top")
                              .output("none")
                              .output("empty");
  const std::vector outputs =
      outputs_of(graph, {floats({3, 2}, {-infinity, -infinity, nan, 1, 2, 3}), floats({2, 0}, {}),
                         floats({1, 1}, {7})});
  EXPECT_EQ(outputs[0].at<float>(0), -infinity);
  EXPECT_TRUE(std::isnan(outputs[0].at<float>(1)));
  EXPECT_EQ(outputs[0].at<float>(2), 3);
  expect_floats(outputs[1], {0, 0});
  EXPECT_EQ(outputs[2].shape(), Shape::of({2, 0}));
}

}  // namespace
}  // namespace wick::compiler::testing
