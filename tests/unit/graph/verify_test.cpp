// What verification makes of a right description. What it says of wrong ones: verify_errors_test.
#include "compiler/graph/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::Described;
using ::testing::ElementsAre;
using testing::node_named;
using testing::value_named;

std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(graph.values[node.results[0]].name);
  return names;
}

const ops::TensorType& type_of(const Graph& graph, std::string_view name) {
  return graph.values[value_named(graph, name)].type;
}

TEST(Verify, NamesBecomeIdsAndTypesAreInferred) {
  const Graph graph = Described("scaled")
                          .input("x", DType::kF32, {2, 3})
                          .constant<float>("row", {3}, {1, 2, 3})
                          .node("y", "add", {"x", "row"})
                          .output("y")
                          .verified();
  EXPECT_EQ(broken_promise(graph), "");
  EXPECT_EQ(graph.name, "scaled");
  ASSERT_EQ(graph.nodes.size(), 1u);
  const Node& node = graph.nodes[NodeId(0)];
  EXPECT_EQ(node.op->name, "add");
  EXPECT_EQ(node.operands, (std::vector<ValueId>{graph.inputs[0].value, graph.constants[0].value}));
  EXPECT_EQ(graph.outputs[0].value, node.results[0]);
  EXPECT_EQ(type_of(graph, "y").dtype, DType::kF32);
  EXPECT_EQ(type_of(graph, "y").shape(), Shape::of({2, 3}));
  EXPECT_TRUE(type_of(graph, "y").layout.is_packed());
}

TEST(Verify, NodesStandInTheOrderOfTheFileWhereTheyCan) {
  // The file: d reads c; a reads x; c reads b; b reads x. a could stand first (b as well, but it
  // comes later), then b, then c, then d.
  const Graph graph = Described()
                          .input("x", DType::kF32, {4})
                          .node("d", "neg", {"c"})
                          .node("a", "abs", {"x"})
                          .node("c", "neg", {"b"})
                          .node("b", "neg", {"x"})
                          .output("d")
                          .output("a")
                          .verified();
  EXPECT_THAT(node_names(graph), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(node_named(graph, "d").position, 0u);
  EXPECT_EQ(node_named(graph, "b").position, 3u);
  EXPECT_EQ(broken_promise(graph), "");
}

TEST(Verify, ANumberTakesTheDTypeOfItsGroup) {
  const Graph graph = Described()
                          .input("x", DType::kI64, {4})
                          .node("y", "add", {Literal{"9007199254740993"}, "x"})
                          .output("y")
                          .verified();
  const ValueId literal = node_named(graph, "y").operands[0];
  EXPECT_EQ(graph.values[literal].kind, ValueKind::kLiteral);
  EXPECT_EQ(graph.values[literal].name, "");
  EXPECT_EQ(graph.constant_of(literal).data.dtype(), DType::kI64);
  EXPECT_EQ(graph.constant_of(literal).data.at<std::int64_t>(0), 9007199254740993);
}

TEST(Verify, ANumberOfOneGroupIsNotMovedByAnother) {
  // The condition is a group of its own: the numbers are f64, as the other branch is.
  const Graph graph = Described()
                          .input("c", DType::kBool, {4})
                          .input("x", DType::kF64, {4})
                          .node("y", "where", {"c", "x", 0.1})
                          .output("y")
                          .verified();
  const ValueId literal = node_named(graph, "y").operands[2];
  EXPECT_EQ(graph.constant_of(literal).data.at<double>(0), 0.1);
}

TEST(Verify, NumbersAloneTakeTheStatedDType) {
  const Graph graph =
      Described().node("y", "add", {1, 2}).dtype(DType::kF64).output("y").verified();
  EXPECT_EQ(type_of(graph, "y").dtype, DType::kF64);
  EXPECT_EQ(type_of(graph, "y").shape(), Shape());
}

TEST(Verify, AConditionNeedsNoDTypeForOnlyOneIsAllowed) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2})
                          .node("y", "where", {Literal{"true"}, "x", 0})
                          .output("y")
                          .verified();
  EXPECT_EQ(graph.constant_of(node_named(graph, "y").operands[0]).data.dtype(), DType::kBool);
}

TEST(Verify, AnIndexWrittenAsANumberIsI64) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {5, 2})
                          .node("y", "gather", {"x", 3}, {{"axis", 0}})
                          .output("y")
                          .verified();
  EXPECT_EQ(graph.constant_of(node_named(graph, "y").operands[1]).data.dtype(), DType::kI64);
  EXPECT_EQ(type_of(graph, "y").shape(), Shape::of({2}));
}

TEST(Verify, EqualNumbersOfOneDTypeAreOneValueAndZerosOfTwoSignsAreTwo) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {4})
                          .input("z", DType::kF64, {4})
                          .node("a", "add", {"x", 2})
                          .node("b", "mul", {"x", Literal{"2.0"}})
                          .node("c", "mul", {"z", 2})
                          .node("d", "add", {"x", Literal{"0"}})
                          .node("e", "add", {"x", Literal{"-0"}})
                          .output("a")
                          .output("b")
                          .output("c")
                          .output("d")
                          .output("e")
                          .verified();
  const auto literal = [&](const char* name) { return node_named(graph, name).operands[1]; };
  EXPECT_EQ(literal("a"), literal("b"));
  EXPECT_NE(literal("a"), literal("c"));
  EXPECT_NE(literal("d"), literal("e"));
}

TEST(Verify, AGraphWithoutInputsIsLegal) {
  const Graph graph = Described().constant<float>("k", {2}, {1, 2}).output("k").verified();
  EXPECT_EQ(graph.outputs[0].value, graph.constants[0].value);
}

TEST(Verify, OutputsMayRepeatAndMayBeInputs) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2})
                          .node("y", "neg", {"x"})
                          .output("y")
                          .output("x")
                          .output("y")
                          .verified();
  ASSERT_EQ(graph.outputs.size(), 3u);
  EXPECT_EQ(graph.outputs[0].value, graph.outputs[2].value);
  EXPECT_EQ(graph.outputs[1].value, graph.inputs[0].value);
  EXPECT_EQ(graph.outputs[2].position, 2u);
}

TEST(Verify, SeveralResultsHaveTheirOwnNames) {
  const Graph graph =
      Described()
          .input("x", DType::kF32, {8, 2})
          .nodes({"a", "b", "c"}, "split", {"x"}, {{"axis", 0}, {"sizes", ops::Integers{3, 2, 3}}})
          .output("b")
          .verified();
  EXPECT_EQ(node_named(graph, "a").results.size(), 3u);
  EXPECT_EQ(graph.values[value_named(graph, "c")].index, 2u);
  EXPECT_EQ(type_of(graph, "b").shape(), Shape::of({2, 2}));
  EXPECT_EQ(broken_promise(graph), "");
}

TEST(Verify, LayoutsOfViewsAreComposed) {
  // x is [2, 3] with strides [3, 1]; transposed: [3, 2] with strides [1, 3]; its rows 1 and 2:
  // offset 1.
  const Graph graph =
      Described()
          .input("x", DType::kF32, {2, 3})
          .node("t", "transpose", {"x"})
          .node("s", "slice", {"t"}, {{"ranges", ops::Ranges{{1, std::nullopt, 1}}}})
          .node("y", "neg", {"s"})
          .output("y")
          .verified();
  const std::vector<std::int64_t> strides = {1, 3};
  EXPECT_EQ(type_of(graph, "t").layout, Layout(Shape::of({3, 2}), strides, 0));
  EXPECT_EQ(type_of(graph, "s").layout, Layout(Shape::of({2, 2}), strides, 1));
  EXPECT_TRUE(type_of(graph, "y").layout.is_packed());
}

TEST(Verify, AReshapeThatStridesCannotSayIsPacked) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2, 3})
                          .node("t", "transpose", {"x"})
                          .node("flat", "reshape", {"t"})
                          .shape({-1})
                          .output("flat")
                          .verified();
  EXPECT_EQ(type_of(graph, "flat").layout, Layout(Shape::of({6})));
}

TEST(Verify, StatementsThatAreRightAreAccepted) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2, 3})
                          .node("y", "lt", {"x", 0})
                          .dtype(DType::kBool)
                          .shape({2, 3})
                          .output("y")
                          .verified();
  EXPECT_EQ(type_of(graph, "y").dtype, DType::kBool);
}

TEST(Verify, CachedValuesMayDependOnConstantsAndParameters) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {3})
                          .parameter("w", DType::kF32, {3})
                          .constant<float>("k", {3}, {1, 2, 3})
                          .node("c", "mul", {"w", "k"})
                          .cached()
                          .node("d", "exp", {"c"})
                          .cached()
                          .node("y", "add", {"x", "d"})
                          .output("y")
                          .verified();
  EXPECT_TRUE(node_named(graph, "c").cache);
  EXPECT_TRUE(node_named(graph, "d").cache);
  EXPECT_FALSE(node_named(graph, "y").cache);
  EXPECT_TRUE(graph.inputs[1].parameter);
}

TEST(Verify, TensorsWithoutElementsAndOfEightAxesAreLegal) {
  const Graph graph = Described()
                          .input("none", DType::kF32, {0, 3})
                          .input("deep", DType::kF32, {1, 1, 2, 1, 1, 1, 1, 2})
                          .node("a", "add", {"none", 1})
                          .node("b", "neg", {"deep"})
                          .output("a")
                          .output("b")
                          .verified();
  EXPECT_EQ(type_of(graph, "a").shape(), Shape::of({0, 3}));
  EXPECT_EQ(type_of(graph, "b").shape().rank(), 8u);
}

TEST(Verify, AttributesMayBeWrittenInTheirNaturalForms) {
  // An integer where a number is asked for, "inf" likewise, and 1.0 where an integer is.
  const Graph graph = Described()
                          .input("x", DType::kF32, {4, 2})
                          .node("y", "clamp", {"x"}, {{"min", 0}, {"max", "inf"}})
                          .node("z", "concat", {"x", "y"}, {{"axis", 1.0}})
                          .output("z")
                          .verified();
  EXPECT_EQ(node_named(graph, "y").attributes.number("min"), 0.0);
  EXPECT_EQ(node_named(graph, "y").attributes.number("max"),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(node_named(graph, "z").attributes.integer("axis"), 1);
}

TEST(Verify, DescriptionsAreKept) {
  Described described;
  described.input("x", DType::kF32, {1}).node("y", "neg", {"x"}).output("y");
  described.description.description = "a graph";
  described.description.inputs[0].description = "an input";
  described.description.nodes[0].description = "a node";
  const Graph graph = described.verified();
  EXPECT_EQ(graph.description, "a graph");
  EXPECT_EQ(graph.inputs[0].description, "an input");
  EXPECT_EQ(graph.nodes[NodeId(0)].description, "a node");
}

}  // namespace
}  // namespace wick::compiler
