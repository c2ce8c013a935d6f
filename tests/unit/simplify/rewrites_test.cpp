// Each rewrite where it holds, and beside it the nearest place where it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "compiler/graph/print.h"
#include "compiler/simplify/simplify.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::Described;
using testing::has_value;
using testing::node_named;
using testing::Operand;
using testing::value_named;

// y = op(operands) on x: f32[2, 3], and an output that reads y, so that y itself has no name to
// keep.
Described on_x(const std::string& op, std::vector<Operand> operands,
               ops::Attributes attributes = {}, DType dtype = DType::kF32) {
  return Described()
      .input("x", dtype, {2, 3})
      .node("y", op, std::move(operands), std::move(attributes))
      .nodes({"out", "place"}, "topk", {"y"}, {{"k", 1}})
      .output("out")
      .output("place");
}

// What the reader of y reads after simplification: "x" if y was found to be x.
std::string read_instead(const Described& described) {
  const Graph graph = simplify(described.verified());
  EXPECT_EQ(broken_promise(graph), "");
  return graph.values[node_named(graph, "out").operands[0]].name;
}

// ---- Identities --------------------------------------------------------------------------------

TEST(Identities, AddingMinusZeroChangesNothing) {
  EXPECT_EQ(read_instead(on_x("add", {"x", Literal{"-0.0"}})), "x");
  EXPECT_EQ(read_instead(on_x("add", {Literal{"-0.0"}, "x"})), "x");
}

TEST(Identities, AddingZeroTurnsMinusZeroIntoZero) {
  EXPECT_EQ(read_instead(on_x("add", {"x", 0})), "y");
  EXPECT_EQ(read_instead(on_x("add", {0, "x"})), "y");
}

TEST(Identities, SubtractingZeroChangesNothing) {
  EXPECT_EQ(read_instead(on_x("sub", {"x", 0})), "x");
  // x - -0 is x + 0; and 0 - x is no identity at all.
  EXPECT_EQ(read_instead(on_x("sub", {"x", Literal{"-0"}})), "y");
  EXPECT_EQ(read_instead(on_x("sub", {0, "x"})), "y");
}

TEST(Identities, ScalingByOneChangesNothing) {
  EXPECT_EQ(read_instead(on_x("mul", {"x", 1})), "x");
  EXPECT_EQ(read_instead(on_x("mul", {1, "x"})), "x");
  EXPECT_EQ(read_instead(on_x("div", {"x", 1})), "x");
  EXPECT_EQ(read_instead(on_x("div", {1, "x"})), "y");
  EXPECT_EQ(read_instead(on_x("mul", {"x", -1})), "y");
}

TEST(Identities, ScalingByZeroIsNeverZero) {
  // inf * 0 is NaN, -1 * 0 is -0.
  EXPECT_EQ(read_instead(on_x("mul", {"x", 0})), "y");
}

TEST(Identities, XMinusXIsNeverZero) { EXPECT_EQ(read_instead(on_x("sub", {"x", "x"})), "y"); }

TEST(Identities, IntegersHaveOneZero) {
  EXPECT_EQ(read_instead(on_x("add", {"x", 0}, {}, DType::kI32)), "x");
  EXPECT_EQ(read_instead(on_x("mul", {"x", 1}, {}, DType::kI64)), "x");
}

TEST(Identities, AConstantOfEqualElementsCountsAsItsElement) {
  Described ones = on_x("mul", {"x", "k"}).constant<float>("k", {2, 3}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(read_instead(ones), "x");
  Described not_all = on_x("mul", {"x", "k"}).constant<float>("k", {2, 3}, {1, 1, 1, 1, 1, 2});
  EXPECT_EQ(read_instead(not_all), "y");
  // Equal as numbers, not as bits.
  Described zeros = on_x("sub", {"x", "k"}).constant<float>("k", {3}, {0, -0.0f, 0});
  EXPECT_EQ(read_instead(zeros), "y");
}

TEST(Identities, AnOperandThatIsStretchedIsNotTheResult) {
  Described ones = on_x("mul", {"x", "k"}).constant<float>("k", {2, 1, 1}, {1, 1});
  EXPECT_EQ(read_instead(ones), "y");
}

// ---- Twice the same ----------------------------------------------------------------------------

TEST(TwiceTheSame, AnInvolutionUndoesItself) {
  EXPECT_EQ(read_instead(on_x("neg", {"n"}).node("n", "neg", {"x"})), "x");
  EXPECT_EQ(read_instead(on_x("neg", {"n"}).node("n", "abs", {"x"})), "y");
}

TEST(TwiceTheSame, AnInvolutionCountsWithItsAttributes) {
  const auto flips = [](std::int64_t first, std::int64_t second) {
    return on_x("flip", {"n"}, {{"axes", ops::Integers{second}}})
        .node("n", "flip", {"x"}, {{"axes", ops::Integers{first}}});
  };
  EXPECT_EQ(read_instead(flips(0, 0)), "x");
  EXPECT_EQ(read_instead(flips(0, -2)), "x");
  EXPECT_EQ(read_instead(flips(0, 1)), "y");
}

TEST(TwiceTheSame, AnIdempotentOperationIsDoneOnce) {
  EXPECT_EQ(read_instead(on_x("relu", {"n"}).node("n", "relu", {"x"})), "n");
  EXPECT_EQ(read_instead(on_x("floor", {"n"}).node("n", "floor", {"x"})), "n");
  EXPECT_EQ(read_instead(on_x("exp", {"n"}).node("n", "exp", {"x"})), "y");
  EXPECT_EQ(read_instead(on_x("floor", {"n"}).node("n", "round", {"x"})), "y");
}

TEST(TwiceTheSame, LongChainsCollapse) {
  Described described = on_x("neg", {"n4"});
  described.node("n1", "neg", {"x"}).node("n2", "neg", {"n1"});
  described.node("n3", "neg", {"n2"}).node("n4", "neg", {"n3"});
  const Graph graph = simplify(described.verified());
  // Five negations are one: the first.
  EXPECT_EQ(graph.values[node_named(graph, "out").operands[0]].name, "n1");
  EXPECT_EQ(graph.nodes.size(), 2u);
}

// ---- Views -------------------------------------------------------------------------------------

// A view that states its shape.
Described view_of_x(const std::string& op, std::vector<std::int64_t> shape) {
  return Described()
      .input("x", DType::kF32, {2, 3})
      .node("y", op, {"x"})
      .shape(std::move(shape))
      .node("out", "exp", {"y"})
      .output("out");
}

TEST(Views, AReshapeToTheSameShapeIsItsOperand) {
  EXPECT_EQ(read_instead(view_of_x("reshape", {2, -1})), "x");
  EXPECT_EQ(read_instead(view_of_x("broadcast_to", {2, 3})), "x");
  EXPECT_EQ(read_instead(view_of_x("reshape", {3, 2})), "y");
  EXPECT_EQ(read_instead(view_of_x("broadcast_to", {1, 2, 3})), "y");
}

TEST(Views, ASliceOfEverythingIsItsOperand) {
  EXPECT_EQ(read_instead(on_x("slice", {"x"}, {{"ranges", ops::Ranges{{0, 2, 1}}}})), "x");
  EXPECT_EQ(read_instead(on_x("slice", {"x"}, {{"ranges", ops::Ranges{{0, 1, 1}}}})), "y");
  // All rows, in the other order.
  const ops::Ranges reversed = {{std::nullopt, std::nullopt, -1}};
  EXPECT_EQ(read_instead(on_x("slice", {"x"}, {{"ranges", reversed}})), "y");
}

TEST(Views, TransposesThatCancelGo) {
  EXPECT_EQ(read_instead(on_x("transpose", {"t"}).node("t", "transpose", {"x"})), "x");
  const auto permutation = [](ops::Integers axes) {
    return ops::Attributes{{"axes", std::move(axes)}};
  };
  // (1, 2, 0) and then (2, 0, 1) is the identity; (1, 2, 0) twice is not.
  const auto cube = [&](ops::Integers second) {
    return Described()
        .input("x", DType::kF32, {2, 3, 4})
        .node("t", "transpose_axes", {"x"}, permutation({1, 2, 0}))
        .node("y", "transpose_axes", {"t"}, permutation(std::move(second)))
        .node("out", "exp", {"y"})
        .output("out");
  };
  EXPECT_EQ(read_instead(cube({2, 0, 1})), "x");
  EXPECT_EQ(read_instead(cube({1, 2, 0})), "y");
}

TEST(Views, EqualViewsByDifferentRoadsAreOne) {
  // Columns 1 and 2 of row 1, cut in one step and in two.
  const Graph graph =
      simplify(Described()
                   .input("x", DType::kF32, {2, 3})
                   .node("row", "slice", {"x"}, {{"ranges", ops::Ranges{{1, 2, 1}}}})
                   .node("a", "slice", {"row"}, {{"ranges", ops::Ranges{{0, 1, 1}, {1, 3, 1}}}})
                   .node("b", "slice", {"x"}, {{"ranges", ops::Ranges{{1, 2, 1}, {1, 3, 1}}}})
                   .node("out", "sub", {"a", "b"})
                   .output("out")
                   .verified());
  const Node& out = node_named(graph, "out");
  EXPECT_EQ(out.operands[0], out.operands[1]);
  EXPECT_FALSE(has_value(graph, "b"));
}

// More views of one storage than are kept in a list: the twelfth part is found again.
TEST(Views, AnyOfManyViewsOfOneStorageIsFound) {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("p" + std::to_string(i));
  for (const std::int64_t part : {0, 3, 11}) {
    const ops::Ranges range{{2 * part, 2 * part + 2, 1}};
    const Graph graph =
        simplify(Described()
                     .input("x", DType::kF32, {24})
                     .nodes(names, "split", {"x"}, {{"sizes", ops::Integers(12, 2)}})
                     .node("again", "slice", {"x"}, {{"ranges", range}})
                     .node("out", "sub", {"again", names[static_cast<std::size_t>(part)]})
                     .output("out")
                     .verified());
    const Node& out = node_named(graph, "out");
    EXPECT_EQ(out.operands[0], out.operands[1]) << part;
    EXPECT_FALSE(has_value(graph, "again")) << part;
  }
}

TEST(Views, AReshapeThatHasToPackIsNoView) {
  // The transposed values in row-major order are not those of x.
  const Graph graph = simplify(Described()
                                   .input("x", DType::kF32, {2, 3})
                                   .node("t", "transpose", {"x"})
                                   .node("y", "reshape", {"t"})
                                   .shape({2, 3})
                                   .node("out", "exp", {"y"})
                                   .output("out")
                                   .verified());
  EXPECT_EQ(graph.values[node_named(graph, "out").operands[0]].name, "y");
}

// ---- Common subexpressions ---------------------------------------------------------------------

// The number of nodes left of `described` and its one reader "out" of a and b.
bool are_shared(Described described) {
  const Graph graph = simplify(described.node("out", "atan2", {"a", "b"}).output("out").verified());
  EXPECT_EQ(broken_promise(graph), "");
  const Node& out = node_named(graph, "out");
  return out.operands[0] == out.operands[1];
}

Described two_inputs() {
  return Described().input("x", DType::kF32, {3, 3}).input("z", DType::kF32, {3, 3});
}

TEST(CommonSubexpressions, TheSameCallTwiceIsMadeOnce) {
  EXPECT_TRUE(are_shared(two_inputs().node("a", "exp", {"x"}).node("b", "exp", {"x"})));
  EXPECT_FALSE(are_shared(two_inputs().node("a", "exp", {"x"}).node("b", "exp", {"z"})));
  EXPECT_FALSE(are_shared(two_inputs().node("a", "exp", {"x"}).node("b", "log", {"x"})));
}

TEST(CommonSubexpressions, OperandsOfACommutativeOperationCountInEitherOrder) {
  EXPECT_TRUE(are_shared(two_inputs().node("a", "add", {"x", "z"}).node("b", "add", {"z", "x"})));
  EXPECT_FALSE(are_shared(two_inputs().node("a", "sub", {"x", "z"}).node("b", "sub", {"z", "x"})));
  EXPECT_FALSE(are_shared(two_inputs().node("a", "div", {"x", "z"}).node("b", "div", {"z", "x"})));
}

TEST(CommonSubexpressions, AttributesCount) {
  const auto sums = [](std::int64_t first, std::int64_t second) {
    return two_inputs()
        .node("a", "sum", {"x"}, {{"axes", ops::Integers{first}}})
        .node("b", "sum", {"x"}, {{"axes", ops::Integers{second}}});
  };
  EXPECT_TRUE(are_shared(sums(1, -1)));
  EXPECT_FALSE(are_shared(sums(0, 1)));
}

TEST(CommonSubexpressions, NumbersAreComparedByTheirBits) {
  const auto added = [](const char* first, const char* second) {
    return two_inputs()
        .node("a", "add", {"x", Literal{first}})
        .node("b", "add", {"x", Literal{second}});
  };
  EXPECT_TRUE(are_shared(added("0.5", "5e-1")));
  EXPECT_TRUE(are_shared(added("nan", "nan")));
  EXPECT_FALSE(are_shared(added("1", "2")));
  const auto leaky = [](double first, double second) {
    return two_inputs()
        .node("a", "leaky_relu", {"x"}, {{"alpha", first}})
        .node("b", "leaky_relu", {"x"}, {{"alpha", second}});
  };
  EXPECT_TRUE(are_shared(leaky(0.25, 0.25)));
  EXPECT_FALSE(are_shared(leaky(0.0, -0.0)));
}

TEST(CommonSubexpressions, CastsToTwoDTypesAreTwo) {
  const Graph graph = simplify(Described()
                                   .input("x", DType::kF32, {2})
                                   .node("a", "cast", {"x"})
                                   .dtype(DType::kI32)
                                   .node("b", "cast", {"x"})
                                   .dtype(DType::kI64)
                                   .output("a")
                                   .output("b")
                                   .verified());
  EXPECT_EQ(graph.nodes.size(), 2u);
}

TEST(CommonSubexpressions, SharingGoesOnDownwards) {
  const Graph graph = simplify(two_inputs()
                                   .node("a", "exp", {"x"})
                                   .node("b", "exp", {"x"})
                                   .node("c", "mul", {"a", "z"})
                                   .node("d", "mul", {"z", "b"})
                                   .node("out", "sub", {"c", "d"})
                                   .output("out")
                                   .verified());
  EXPECT_EQ(graph.nodes.size(), 3u);
}

TEST(CommonSubexpressions, SeveralResultsAreSharedTogether) {
  const Graph graph = simplify(Described()
                                   .input("x", DType::kF32, {4})
                                   .nodes({"v", "i"}, "topk", {"x"}, {{"k", 2}})
                                   .nodes({"w", "j"}, "topk", {"x"}, {{"k", 2}})
                                   .node("out", "sub", {"v", "w"})
                                   .node("places", "sub", {"i", "j"})
                                   .output("out")
                                   .output("places")
                                   .verified());
  EXPECT_EQ(graph.nodes.size(), 3u);
  const Node& places = node_named(graph, "places");
  EXPECT_EQ(places.operands[0], places.operands[1]);
  EXPECT_EQ(graph.values[places.operands[0]].name, "i");
}

TEST(CommonSubexpressions, AValueOfManyUsersSharesThemAll) {
  // 40 different users of x, each of them twice.
  Described described;
  described.input("x", DType::kF32, {2});
  for (const std::string side : {"a", "b"}) {
    for (int i = 0; i < 40; ++i) {
      described.node(side + std::to_string(i), "clamp", {"x"},
                     {{"min", static_cast<double>(i)}, {"max", 100.0}});
    }
  }
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    described.node("d" + number, "sub", {"a" + number, "b" + number}).output("d" + number);
  }
  const Graph graph = simplify(described.verified());
  EXPECT_EQ(graph.nodes.size(), 80u);
  for (int i = 0; i < 40; ++i) {
    const Node& difference = node_named(graph, "d" + std::to_string(i));
    EXPECT_EQ(difference.operands[0], value_named(graph, "a" + std::to_string(i)));
    EXPECT_EQ(difference.operands[1], difference.operands[0]);
  }
}

}  // namespace
}  // namespace wick::compiler
