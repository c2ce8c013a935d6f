// Folding, dead code, what must not be touched, and the names of outputs.
#include "compiler/simplify/simplify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "compiler/graph/expand.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::Described;
using ::testing::ElementsAre;
using testing::has_value;
using testing::node_named;
using testing::value_named;

Graph simplified(const Described& described, const SimplifyOptions& options = {}) {
  Graph graph = simplify(described.verified(), options);
  EXPECT_EQ(broken_promise(graph), "");
  return graph;
}

std::string name_of_output(const Graph& graph, std::size_t index) {
  return graph.values[graph.outputs[index].value].name;
}

template <class E>
std::vector<E> elements(const Graph& graph, std::string_view name) {
  const HostTensor& data = graph.constant_of(value_named(graph, name)).data;
  EXPECT_EQ(data.dtype(), dtype_of<E>());
  std::vector<E> values;
  for (std::int64_t i = 0; i < data.element_count(); ++i) values.push_back(data.at<E>(i));
  return values;
}

// ---- Folding -----------------------------------------------------------------------------------

TEST(Folding, ExactlyRoundedNodesOfConstantsAreComputed) {
  const Graph graph = simplified(Described()
                                     .constant<float>("k", {3}, {1, 4, 9})
                                     .node("r", "sqrt", {"k"})
                                     .node("s", "div", {"r", 3})
                                     .output("s"));
  EXPECT_TRUE(graph.nodes.empty());
  EXPECT_FALSE(has_value(graph, "k"));
  // 1/3 and 2/3 to the nearest float.
  EXPECT_THAT(elements<float>(graph, "s"), ElementsAre(0x1.555556p-2f, 0x1.555556p-1f, 1.0f));
}

TEST(Folding, NumbersBecomeNumbers) {
  // x * (2 + 3): the sum is a number again, without a name.
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .node("five", "add", {2, 3})
                                     .dtype(DType::kF32)
                                     .node("y", "mul", {"x", "five"})
                                     .output("y"));
  const ValueId five = node_named(graph, "y").operands[1];
  EXPECT_EQ(graph.values[five].kind, ValueKind::kLiteral);
  EXPECT_EQ(graph.constant_of(five).data.at<float>(0), 5.0f);
}

TEST(Folding, WhatIsFoldedMakesIdentities) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .node("one", "sub", {3, 2})
                                     .dtype(DType::kF32)
                                     .node("y", "mul", {"x", "one"})
                                     .node("z", "neg", {"y"})
                                     .output("z"));
  EXPECT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(node_named(graph, "z").operands[0], graph.inputs[0].value);
}

TEST(Folding, IntegersWrapAsTheyDoAtRunTime) {
  const Graph graph = simplified(Described()
                                     .constant<std::int8_t>("k", {2}, {100, -128})
                                     .node("s", "add", {"k", "k"})
                                     .output("s"));
  // 200 - 256 and -256 + 256.
  EXPECT_THAT(elements<std::int8_t>(graph, "s"), ElementsAre(-56, 0));
}

TEST(Folding, ComparisonsCastsAndViewsAreComputed) {
  const Graph graph = simplified(Described()
                                     .constant<float>("k", {2, 2}, {1, 2, 3, 4})
                                     .node("t", "transpose", {"k"})
                                     .node("c", "cast", {"t"})
                                     .dtype(DType::kI32)
                                     .node("g", "gt", {"t", 2})
                                     .output("c")
                                     .output("g"));
  EXPECT_TRUE(graph.nodes.empty());
  EXPECT_THAT(elements<std::int32_t>(graph, "c"), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(elements<bool>(graph, "g"), ElementsAre(false, true, false, true));
}

TEST(Folding, TranscendentalsAreNeverComputedHere) {
  const Graph graph =
      simplified(Described().constant<float>("k", {2}, {1, 2}).node("e", "exp", {"k"}).output("e"));
  EXPECT_EQ(graph.nodes.size(), 1u);
}

TEST(Folding, ResultsBeyondTheLimitsStay) {
  // 128 * 128 floats are the limit of 64 KiB exactly, from two vectors of 512 bytes.
  const auto outer = [](std::int64_t rows) {
    std::vector<float> ones(static_cast<std::size_t>(rows), 2.0f);
    return Described()
        .constant("column", HostTensor::of<float>(Shape::of({rows, 1}), ones))
        .constant("row", HostTensor::of<float>(Shape::of({1, 128}), std::span(ones).first(128)))
        .node("o", "mul", {"column", "row"})
        .output("o");
  };
  EXPECT_TRUE(simplified(outer(128)).nodes.empty());
  EXPECT_EQ(simplified(outer(129)).nodes.size(), 1u);
}

TEST(Folding, LargeResultsAreComputedWhereNothingGrows) {
  const std::vector<float> many(20'000, 3.0f);
  const Described described = Described()
                                  .constant("k", HostTensor::of<float>(Shape::of({20'000}), many))
                                  .node("n", "neg", {"k"})
                                  .output("n");
  EXPECT_TRUE(simplified(described).nodes.empty());
  SimplifyOptions tight;
  tight.shrinking_fold_limit = Bytes{79'999};
  EXPECT_EQ(simplified(described, tight).nodes.size(), 1u);
}

TEST(Folding, ViewsThatWouldGrowOrAreLargeStayViews) {
  const Graph stretched = simplified(Described()
                                         .constant<float>("k", {2}, {1, 2})
                                         .node("b", "broadcast_to", {"k"})
                                         .shape({100, 2})
                                         .output("b"));
  EXPECT_EQ(stretched.nodes.size(), 1u);
  const std::vector<float> many(20'000, 3.0f);
  const Graph turned =
      simplified(Described()
                     .constant("k", HostTensor::of<float>(Shape::of({100, 200}), many))
                     .node("t", "transpose", {"k"})
                     .node("n", "exp", {"k"})
                     .output("t")
                     .output("n"));
  EXPECT_EQ(turned.nodes.size(), 2u);
}

// Weights stored the other way round: 80,000 bytes that nobody else reads.
TEST(Folding, ALargeViewTakesThePlaceOfAConstantThatNobodyElseReads) {
  std::vector<float> counted(20'000);
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] = static_cast<float>(i);
  const Graph turned =
      simplified(Described()
                     .constant("k", HostTensor::of<float>(Shape::of({100, 200}), counted))
                     .node("t", "transpose", {"k"})
                     .output("t"));
  EXPECT_TRUE(turned.nodes.empty());
  ASSERT_EQ(turned.constants.size(), 1u);
  const HostTensor& data = turned.constants[0].data;
  EXPECT_EQ(data.shape(), Shape::of({200, 100}));
  EXPECT_EQ(data.at<float>(1), 200.0f);            // [0, 1] of the result is [1, 0] of the constant
  EXPECT_EQ(data.at<float>(100 * 7 + 3), 607.0f);  // [7, 3] is [3, 7]
}

TEST(Folding, TheBudgetIsKept) {
  Described described;
  for (const char* name : {"a", "b", "c"}) {
    described.constant<float>(std::string("k") + name, {2}, {1, 2})
        .node(name, "neg", {std::string("k") + name})
        .output(name);
  }
  SimplifyOptions options;
  options.fold_budget = Bytes{40};  // each node reads 8 bytes and writes 8
  EXPECT_EQ(simplified(described, options).nodes.size(), 1u);
}

// ---- Constants that cannot be folded -----------------------------------------------------------

std::vector<std::string> cached_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.cache) names.push_back(graph.values[node.results[0]].name);
  }
  return names;
}

Described with_cone() {
  return Described()
      .input("x", DType::kF32, {2})
      .constant<float>("k", {2}, {1, 2})
      .node("e", "exp", {"k"})
      .node("f", "add", {"e", 1})
      .node("y", "mul", {"x", "f"})
      .output("y");
}

TEST(ConstantCones, TheirLastNodesBecomeCached) {
  EXPECT_THAT(cached_names(simplified(with_cone())), ElementsAre("f"));
  EXPECT_THAT(cached_names(simplified(with_cone().output("e"))), ElementsAre("e", "f"));
}

TEST(ConstantCones, NothingIsCachedIfThatIsSwitchedOff) {
  SimplifyOptions options;
  options.cache_constant_cones = false;
  EXPECT_TRUE(cached_names(simplified(with_cone(), options)).empty());
}

TEST(ConstantCones, ViewsAreNotCachedButWhatTheyShowIs) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {3, 2})
                                     .constant<float>("k", {2, 3}, {1, 2, 3, 4, 5, 6})
                                     .node("e", "exp", {"k"})
                                     .node("t", "transpose", {"e"})
                                     .node("y", "mul", {"x", "t"})
                                     .output("y"));
  EXPECT_THAT(cached_names(graph), ElementsAre("e"));
}

TEST(ConstantCones, AViewOfAConstantIsAConstant) {
  const std::vector<float> many(20'000, 3.0f);
  const Graph graph =
      simplified(Described()
                     .input("x", DType::kF32, {200, 100})
                     .constant("k", HostTensor::of<float>(Shape::of({100, 200}), many))
                     .node("t", "transpose", {"k"})
                     .node("y", "mul", {"x", "t"})
                     .output("y"));
  EXPECT_TRUE(cached_names(graph).empty());
}

TEST(ConstantCones, ParametersAreNotConstants) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .parameter("w", DType::kF32, {2})
                                     .node("e", "exp", {"w"})
                                     .node("y", "mul", {"x", "e"})
                                     .output("y"));
  EXPECT_TRUE(cached_names(graph).empty());
}

// ---- Dead code ---------------------------------------------------------------------------------

TEST(DeadCode, WhatNoOutputNeedsGoesCachedOrNot) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .input("unused", DType::kF32, {7})
                                     .parameter("w", DType::kF32, {2})
                                     .constant<float>("k", {2}, {1, 2})
                                     .node("dead", "exp", {"x"})
                                     .node("deader", "add", {"dead", "k"})
                                     .node("kept", "exp", {"w"})
                                     .cached()
                                     .node("y", "neg", {"x"})
                                     .output("y"));
  EXPECT_EQ(graph.nodes.size(), 1u);
  EXPECT_TRUE(graph.constants.empty());
  ASSERT_EQ(graph.inputs.size(), 3u);  // the signature stays
  EXPECT_EQ(graph.values[graph.inputs[1].value].name, "unused");
}

TEST(DeadCode, OneResultKeepsAllOfItsNode) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {4})
                                     .nodes({"v", "i"}, "topk", {"x"}, {{"k", 2}})
                                     .output("v"));
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[NodeId(0)].results.size(), 2u);
}

TEST(DeadCode, TheReverseDifferenceIsNotComputed) {
  // Behaviour 1.
  const Graph graph = simplified(Described()
                                     .input("a", DType::kF32, {2})
                                     .input("b", DType::kF32, {2})
                                     .node("forth", "sub", {"a", "b"})
                                     .node("back", "sub", {"b", "a"})
                                     .output("forth"));
  EXPECT_FALSE(has_value(graph, "back"));
  EXPECT_EQ(node_named(graph, "forth").operands[0], graph.inputs[0].value);
}

// ---- What must not be touched ------------------------------------------------------------------

TEST(Pinned, IdentitiesPackingAndCachedNodesStay) {
  const Graph graph = simplified(Described()
                                     .parameter("w", DType::kF32, {2})
                                     .constant<float>("k", {2}, {1, 2})
                                     .node("i", "identity", {"w"})
                                     .node("j", "identity", {"i"})
                                     .node("p", "as_contiguous", {"j"})
                                     .node("q", "as_contiguous", {"p"})
                                     .node("c", "mul", {"q", 1})
                                     .cached()
                                     .node("d", "mul", {"q", 1})
                                     .cached()
                                     .node("f", "neg", {"k"})
                                     .cached()
                                     .node("s", "add", {"c", "d"})
                                     .node("y", "add", {"s", "f"})
                                     .output("y"));
  for (const char* name : {"i", "j", "p", "q", "c", "d", "f"}) {
    EXPECT_TRUE(has_value(graph, name)) << name;
  }
  EXPECT_EQ(node_named(graph, "s").operands,
            (std::vector<ValueId>{value_named(graph, "c"), value_named(graph, "d")}));
}

TEST(Pinned, WhatEqualsACachedNodeReadsIt) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .parameter("w", DType::kF32, {2})
                                     .node("c", "exp", {"w"})
                                     .cached()
                                     .node("e", "exp", {"w"})
                                     .node("y", "mul", {"x", "e"})
                                     .node("z", "mul", {"y", "c"})
                                     .output("z"));
  EXPECT_FALSE(has_value(graph, "e"));
  EXPECT_EQ(node_named(graph, "y").operands[1], value_named(graph, "c"));
}

// ---- Names of outputs --------------------------------------------------------------------------

TEST(OutputNames, ANodeTakesTheNameOfTheOutputThatItIs) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .node("t", "exp", {"x"})
                                     .node("y", "mul", {"t", 1})
                                     .output("y"));
  EXPECT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(name_of_output(graph, 0), "y");
  EXPECT_EQ(node_named(graph, "y").op->name, "exp");
}

TEST(OutputNames, AnInputThatIsAnOutputGetsASecondName) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .node("y", "mul", {"x", 1})
                                     .node("z", "neg", {"y"})
                                     .output("y")
                                     .output("z"));
  EXPECT_EQ(name_of_output(graph, 0), "y");
  EXPECT_TRUE(node_named(graph, "y").op->traits.identity);
  // Other readers read the input itself.
  EXPECT_EQ(node_named(graph, "z").operands[0], graph.inputs[0].value);
}

TEST(OutputNames, EqualOutputsKeepTheirTwoNames) {
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .node("a", "exp", {"x"})
                                     .node("b", "exp", {"x"})
                                     .output("b")
                                     .output("a")
                                     .output("b"));
  EXPECT_EQ(name_of_output(graph, 0), "b");
  EXPECT_EQ(name_of_output(graph, 1), "a");
  EXPECT_EQ(graph.outputs[0].value, graph.outputs[2].value);
  EXPECT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(node_named(graph, "b").operands, std::vector<ValueId>{value_named(graph, "a")});
}

TEST(OutputNames, FoldedOutputsAreNamedConstants) {
  const Graph graph =
      simplified(Described().node("y", "add", {1, 2}).dtype(DType::kF64).output("y"));
  EXPECT_EQ(name_of_output(graph, 0), "y");
  EXPECT_EQ(elements<double>(graph, "y"), std::vector<double>{3.0});
}

TEST(OutputNames, CachedNodesAreNotRenamed) {
  const Graph graph = simplified(Described()
                                     .parameter("w", DType::kF32, {2})
                                     .node("c", "exp", {"w"})
                                     .cached()
                                     .node("y", "mul", {"c", 1})
                                     .output("y"));
  EXPECT_TRUE(node_named(graph, "c").cache);
  EXPECT_TRUE(node_named(graph, "y").op->traits.identity);
}

// ---- Order -------------------------------------------------------------------------------------

TEST(Order, NodesMoveUpWhenWhatTheyWaitedForIsGone) {
  // As written, y waits for t, which stands after u. With t = x gone, y is ready at once.
  const Graph graph = simplified(Described()
                                     .input("x", DType::kF32, {2})
                                     .node("y", "neg", {"t"})
                                     .node("u", "exp", {"x"})
                                     .node("t", "mul", {"x", 1})
                                     .output("u")
                                     .output("y"));
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.values[graph.nodes[NodeId(0)].results[0]].name, "y");
}

// ---- Scale: behaviour 24 -----------------------------------------------------------------------

TEST(Scale, AChainOfAMillionNegationsIsNothing) {
  constexpr int kCount = 1'000'000;
  Described described;
  described.input("x", DType::kF32, {4});
  for (int i = 0; i < kCount; ++i) {
    described.node("n" + std::to_string(i), "neg", {i == 0 ? "x" : "n" + std::to_string(i - 1)});
  }
  described.node("out", "exp", {"n" + std::to_string(kCount - 1)}).output("out");
  const Graph graph = simplified(described);
  EXPECT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(node_named(graph, "out").operands[0], graph.inputs[0].value);
}

TEST(Scale, AHundredThousandEqualReadersAreOne) {
  Described described;
  described.input("x", DType::kF32, {4}).node("y", "exp", {"x"});
  std::vector<testing::Operand> all;
  for (int i = 0; i < 100'000; ++i) {
    described.node("n" + std::to_string(i), "add", {"y", 1});
    all.emplace_back("n" + std::to_string(i));
  }
  const Graph graph =
      simplified(described.node("all", "concat", std::move(all), {{"axis", 0}}).output("all"));
  EXPECT_EQ(graph.nodes.size(), 3u);
}

TEST(Scale, ALargeConstantReadByManyIsLookedAtOnce) {
  // 4 MB read by 100,000 nodes: 400 GB if each of them looked at every element.
  const std::vector<float> ones(1'000'000, 1.0f);
  Described described;
  described.input("x", DType::kF32, {1'000'000});
  described.constant("k", HostTensor::of<float>(Shape::of({1'000'000}), ones));
  for (int i = 0; i < 100'000; ++i) {
    described.node("n" + std::to_string(i), "mul",
                   {i == 0 ? "x" : "n" + std::to_string(i - 1), "k"});
  }
  const Graph graph = simplified(described.node("out", "exp", {"n99999"}).output("out"));
  EXPECT_EQ(graph.nodes.size(), 1u);
}

}  // namespace
}  // namespace wick::compiler
