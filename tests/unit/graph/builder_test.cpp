#include "compiler/graph/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/check.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::Described;
using ::testing::ElementsAre;
using testing::node_named;
using testing::value_named;

const ops::OpRecord& op(std::string_view name) { return *ops::find(name); }

ValueId add_input(GraphBuilder& builder, std::string name, DType dtype,
                  std::initializer_list<std::int64_t> shape) {
  return builder.input({}, {.name = std::move(name), .type = {dtype, Layout(Shape::of(shape))}});
}

ValueId result_of(const GraphBuilder& builder, NodeId node) {
  return builder.so_far().nodes[node].results[0];
}

TEST(GraphBuilder, CallsAreInferred) {
  GraphBuilder builder("g", "");
  const ValueId x = add_input(builder, "x", DType::kF32, {2, 3});
  const NodeId sum = builder.call(op("sum"), {x}, {{"axes", ops::Integers{-1}}}, "s", 0);
  builder.output(result_of(builder, sum), 0);
  const Graph graph = builder.finish();
  EXPECT_EQ(broken_promise(graph), "");
  EXPECT_EQ(node_named(graph, "s").attributes.integers("axes"), (ops::Integers{1}));
  EXPECT_EQ(graph.values[graph.outputs[0].value].type.shape(), Shape::of({2}));
}

TEST(GraphBuilder, WhatANodeWantsIsAnAttributeOfACall) {
  GraphBuilder builder("g", "");
  const ValueId x = add_input(builder, "x", DType::kF32, {2, 3});
  const NodeId cast = builder.call(op("cast"), {x}, {{"dtype", DType::kI32}}, "c", 0);
  const NodeId flat = builder.call(op("reshape"), {result_of(builder, cast)},
                                   {{"shape", ops::Integers{-1}}}, "f", 0);
  EXPECT_EQ(builder.value(result_of(builder, flat)).type.dtype, DType::kI32);
  EXPECT_EQ(builder.value(result_of(builder, flat)).type.shape(), Shape::of({6}));
}

TEST(GraphBuilder, AnIllegalCallIsOurBug) {
  GraphBuilder builder("g", "");
  const ValueId x = add_input(builder, "x", DType::kF32, {2, 3});
  const ValueId y = add_input(builder, "y", DType::kF32, {4});
  EXPECT_THROW(builder.call(op("add"), {x, y}, {}, "z", 0), InternalError);
}

TEST(GraphBuilder, EqualLiteralsAreOneValue) {
  GraphBuilder builder("g", "");
  const ValueId one = builder.literal(HostTensor::scalar(1.0f), 0);
  EXPECT_EQ(builder.literal(HostTensor::scalar(1.0f), 7), one);
  EXPECT_NE(builder.literal(HostTensor::scalar(1.0), 0), one);
  EXPECT_NE(builder.literal(HostTensor::scalar(0.0f), 0),
            builder.literal(HostTensor::scalar(-0.0f), 0));
}

TEST(GraphBuilder, NamesMadeUpAreNew) {
  GraphBuilder builder("g", "");
  add_input(builder, "x", DType::kF32, {});
  add_input(builder, "x.2", DType::kF32, {});
  EXPECT_EQ(builder.unique_name("y"), "y");
  EXPECT_EQ(builder.unique_name("y"), "y.2");
  EXPECT_EQ(builder.unique_name("x"), "x.3");
  EXPECT_EQ(builder.unique_name("x"), "x.4");
  EXPECT_EQ(builder.unique_name("y.2"), "y.2.2");
}

TEST(GraphBuilder, ReservedNamesAreNotGivenOut) {
  const Graph old = Described().input("p.peak", DType::kF32, {1}).output("p.peak").verified();
  GraphBuilder builder("g", "");
  builder.reserve_names(old);
  EXPECT_EQ(builder.unique_name("p.peak"), "p.peak.2");
}

TEST(GraphBuilder, NamesOfOneNodeAreNewAndThoseOfTheNextBeginAnew) {
  const Graph old =
      Described().input("p", DType::kF32, {1}).input("q", DType::kF32, {1}).output("p").verified();
  GraphBuilder builder("g", "");
  builder.reserve_names(old);
  EXPECT_EQ(builder.unique_name("p.peak"), "p.peak");
  EXPECT_EQ(builder.unique_name("p.peak"), "p.peak.2");
  builder.names_of_next_node();
  EXPECT_EQ(builder.unique_name("q.peak"), "q.peak");
}

// A node named "q.peak" and one named "q" with a part "peak".
TEST(GraphBuilder, GivenNamesWithADotAreNeverForgotten) {
  const Graph old = Described().input("q.peak", DType::kF32, {1}).output("q.peak").verified();
  GraphBuilder builder("g", "");
  builder.reserve_names(old);
  EXPECT_EQ(builder.unique_name("p.peak"), "p.peak");
  builder.names_of_next_node();
  EXPECT_EQ(builder.unique_name("p.peak"), "p.peak.2");
  EXPECT_EQ(builder.unique_name("q.peak"), "q.peak.2");
}

TEST(GraphBuilder, LayoutsOfViewsFollowTheirNewOperands) {
  // `flat` was a view of a packed value; on a transposed one it has to be packed first.
  const Graph old = Described()
                        .input("x", DType::kF32, {2, 3})
                        .node("rows", "slice", {"x"}, {{"ranges", ops::Ranges{{1, 2, 1}}}})
                        .output("rows")
                        .verified();
  GraphBuilder builder("g", "");
  const ValueId x = add_input(builder, "x", DType::kF32, {3, 2});
  const NodeId turned = builder.call(op("transpose"), {x}, {}, "t", 0);
  const NodeId rows = builder.copy(old, node_named(old, "rows"), {result_of(builder, turned)});
  // Row 1 of [2, 3] with strides [1, 2].
  EXPECT_EQ(builder.value(result_of(builder, rows)).type.layout,
            Layout(Shape::of({1, 3}), std::vector<std::int64_t>{1, 2}, 1));
}

TEST(GraphBuilder, NodesAreSortedByPositionWhereTheyCanBe) {
  GraphBuilder builder("g", "");
  const ValueId x = add_input(builder, "x", DType::kF32, {2});
  const ValueId c = result_of(builder, builder.call(op("neg"), {x}, {}, "c", 5));
  const ValueId a = result_of(builder, builder.call(op("abs"), {x}, {}, "a", 3));
  const ValueId b = result_of(builder, builder.call(op("add"), {c, a}, {}, "b", 1));
  const ValueId d = result_of(builder, builder.call(op("neg"), {a}, {}, "d", 3));
  for (const ValueId value : {b, d}) builder.output(value, 0);
  const Graph graph = builder.finish();
  EXPECT_EQ(broken_promise(graph), "");
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(graph.values[node.results[0]].name);
  EXPECT_THAT(names, ElementsAre("a", "d", "c", "b"));
  EXPECT_EQ(graph.values[value_named(graph, "b")].producer, NodeId(3));
}

TEST(GraphBuilder, ASecondNameIsANodeThatDoesNothing) {
  GraphBuilder builder("g", "");
  const ValueId x = add_input(builder, "x", DType::kF32, {2});
  builder.output(builder.renamed(x, "y", 0), 0);
  const Graph graph = builder.finish();
  EXPECT_TRUE(node_named(graph, "y").op->traits.identity);
  EXPECT_EQ(node_named(graph, "y").operands, std::vector<ValueId>{x});
}

}  // namespace
}  // namespace wick::compiler
