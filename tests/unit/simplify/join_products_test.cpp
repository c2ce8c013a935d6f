// Products of one left operand: joined where that saves vectors and costs nothing, else apart for a
// reason.
#include "compiler/simplify/join_products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/graph/expand.h"
#include "compiler/graph/joint_products.h"
#include "compiler/reference/interpreter.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::Described;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::node_named;
using ::testing::SizeIs;
using testing::value_named;

HostTensor counting(std::vector<std::int64_t> shape) {
  HostTensor tensor(DType::kF32, Shape::of(std::span<const std::int64_t>(shape)));
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    tensor.set<float>(i, static_cast<float>(i % 7) - 3);
  return tensor;
}

// x: f32[rows, 4] times constants of these columns, a sum of all where they have equal shapes.
Described products(std::int64_t rows, const std::vector<std::int64_t>& columns) {
  Described graph;
  graph.input("x", DType::kF32, {rows, 4});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string at = std::to_string(i);
    graph.constant("w" + at, counting({4, columns[i]}));
    graph.node("p" + at, "matmul", {"x", "w" + at});
  }
  return graph;
}

Described gates(std::int64_t rows, std::int64_t columns) {
  return products(rows, {columns, columns}).node("y", "sub", {"p0", "p1"}).output("y");
}

std::size_t product_count(const Graph& graph) {
  return static_cast<std::size_t>(std::ranges::count_if(
      graph.nodes, [](const Node& node) { return node.op->fusion == ops::FusionClass::kProduct; }));
}

std::string reason(const Described& described) {
  const Graph graph = expand(described.verified());
  const std::vector<JointProducts> groups = find_joint_products(graph);
  if (groups.empty()) return "no group";
  EXPECT_EQ(product_count(join_products(graph)), groups[0].refusal == nullptr ? 1u : 2u);
  return groups[0].refusal == nullptr ? "joined" : groups[0].refusal;
}

TEST(JoinProducts, ConstantsAndBiasesStandSideBySide) {
  const Described described = Described()
                                  .input("x", DType::kF32, {2, 2})
                                  .constant<float>("a", {2, 2}, {1, 2, 3, 4})
                                  .constant<float>("b", {2, 3}, {5, 6, 7, 8, 9, 10})
                                  .constant<float>("c", {2}, {20, 30})
                                  .constant<float>("d", {3}, {40, 50, 60})
                                  .node("p", "matmul", {"x", "a"})
                                  .node("q", "matmul", {"x", "b"})
                                  .node("r", "add", {"p", "c"})
                                  .node("s", "add", {"q", "d"})
                                  .node("y", "sum", {"r"})
                                  .node("z", "max", {"s"})
                                  .output("y")
                                  .output("z");
  const Graph before = expand(described.verified());
  const Graph graph = join_products(before);
  EXPECT_EQ(broken_promise(graph), "");
  EXPECT_EQ(product_count(graph), 1u);
  const Node& cut = graph.nodes[graph.values[value_named(graph, "r")].producer];
  EXPECT_EQ(graph.values[cut.operands[0]].name, "r_s");
  ASSERT_THAT(cut.results, SizeIs(2));
  EXPECT_EQ(graph.values[cut.results[1]].name, "s");
  const Node& sum = node_named(graph, "r_s");
  const HostTensor& bias = graph.constant_of(sum.operands[1]).data;
  EXPECT_EQ(bias.shape(), Shape::of({5}));
  EXPECT_EQ(bias.at<float>(1), 30);
  EXPECT_EQ(bias.at<float>(2), 40);
  const Node& product = graph.nodes[graph.values[sum.operands[0]].producer];
  const HostTensor& factor = graph.constant_of(product.operands[1]).data;
  std::vector<float> values;
  for (std::int64_t i = 0; i < factor.element_count(); ++i) values.push_back(factor.at<float>(i));
  EXPECT_THAT(values, ElementsAre(1, 2, 5, 6, 7, 3, 4, 8, 9, 10));
  // x = [[1, 0], [0, 1]]: r = [[21, 32], [23, 34]], s = [[45, 56, 67], [48, 59, 70]].
  HostTensor x(DType::kF32, Shape::of({2, 2}));
  x.set<float>(0, 1);
  x.set<float>(3, 1);
  const std::vector<HostTensor> outputs = evaluate_outputs(graph, std::vector{x});
  EXPECT_EQ(outputs[0].at<float>(0), 110);
  EXPECT_EQ(outputs[1].at<float>(0), 70);
}

TEST(JoinProducts, WhereColumnsLeaveVectorsUnfilled) {
  EXPECT_EQ(reason(gates(3, 8)), "joined");
  EXPECT_EQ(reason(products(3, {10, 10, 10, 10})
                       .node("a", "sub", {"p0", "p1"})
                       .node("b", "sub", {"p2", "p3"})
                       .node("y", "sub", {"a", "b"})
                       .output("y")),
            "joined");  // three vectors instead of four
  EXPECT_THAT(reason(gates(3, 16)), HasSubstr("fill whole vectors"));
  EXPECT_THAT(reason(gates(3, 120)), HasSubstr("fill whole vectors"));  // 15 instead of 16
}

TEST(JoinProducts, OneColumnIsSummedUpInAnotherOrder) {
  EXPECT_EQ(reason(gates(3, 1)), "no group");
}

TEST(JoinProducts, OutputsStayApart) {
  EXPECT_EQ(reason(products(3, {8, 8}).node("y", "exp", {"p0"}).output("y").output("p1")),
            "no group");
}

TEST(JoinProducts, ResultsThatWouldLiveTooLongStayApart) {
  // 1,024 rows of 16 columns are 64 KiB.
  EXPECT_EQ(reason(gates(1024, 8)), "joined");
  EXPECT_THAT(reason(gates(1025, 8)), HasSubstr("live too long"));
}

TEST(JoinProducts, AReaderOfOneColumnKeepsThemApart) {
  const auto reads = [](std::int64_t columns) {
    const ops::Ranges range{{}, {0, columns, 1}};
    return products(3, {8, 8})
        .node("c", "slice", {"p0"}, {{"ranges", range}})
        .node("e", "exp", {"c"})
        .node("s", "sum", {"e"})
        .node("y", "mul", {"s", "p1"})
        .output("y");
  };
  EXPECT_THAT(reason(reads(1)), HasSubstr("all of a result by itself"));
  EXPECT_EQ(reason(reads(2)), "joined");
}

TEST(JoinProducts, EveryReaderTakesColumns) {
  // cumsum reads rows that lie packed; heads of four columns are a view of columns.
  EXPECT_THAT(reason(products(3, {8, 8})
                         .node("s", "cumsum", {"p0"}, {{"axis", std::int64_t{0}}})
                         .node("y", "sub", {"s", "p1"})
                         .output("y")),
              HasSubstr("all of a result by itself"));
  const auto heads = [](std::vector<std::int64_t> shape) {
    Described graph = products(3, {8, 8});
    graph.node("h0", "reshape", {"p0"}).shape(shape);
    graph.node("h1", "reshape", {"p1"}).shape(shape);
    return graph.node("y", "sub", {"h0", "h1"}).output("y");
  };
  EXPECT_EQ(reason(heads({3, 2, 4})), "joined");
  EXPECT_THAT(reason(heads({24})), HasSubstr("all of a result by itself"));
}

}  // namespace
}  // namespace wick::compiler
