// Behaviour 24: deep and wide graphs neither overflow the stack nor take quadratic time. The time
// limit of the test program is the bound.
#include <gtest/gtest.h>

#include "compiler/graph/expand.h"
#include "compiler/graph/verify.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Described;

constexpr int kMillion = 1'000'000;

std::string number(int i) { return "n" + std::to_string(i); }

TEST(Scale, AChainOfAMillionNodesWrittenBackwards) {
  Described described;
  described.input("x", DType::kF32, {4});
  described.description.nodes.reserve(kMillion);
  for (int i = kMillion; i-- > 0;) {
    described.node(number(i), "add", {i == 0 ? "x" : number(i - 1), 1});
  }
  const Graph graph = described.output(number(kMillion - 1)).verified();
  ASSERT_EQ(graph.nodes.size(), static_cast<std::size_t>(kMillion));
  EXPECT_EQ(graph.nodes[NodeId(0)].position, static_cast<std::uint32_t>(kMillion - 1));
  EXPECT_EQ(graph.constants.size(), 1u);
}

TEST(Scale, AValueWithAHundredThousandReaders) {
  constexpr int kReaders = 100'000;
  Described described;
  described.input("x", DType::kF32, {4}).node("y", "neg", {"x"});
  std::vector<testing::Operand> all;
  for (int i = 0; i < kReaders; ++i) {
    described.node(number(i), "add", {"y", i});
    all.emplace_back(number(i));
  }
  const Graph graph =
      described.node("all", "concat", std::move(all), {{"axis", 0}}).output("all").verified();
  EXPECT_EQ(graph.nodes.size(), static_cast<std::size_t>(kReaders) + 2);
  EXPECT_EQ(graph.values[graph.outputs[0].value].type.shape(), Shape::of({4 * kReaders}));
}

TEST(Scale, ViewsOfViewsAreComposedWithoutRecursion) {
  Described described;
  described.input("x", DType::kF32, {2, 3});
  for (int i = 0; i < 200'000; ++i) {
    described.node(number(i), "transpose", {i == 0 ? "x" : number(i - 1)});
  }
  const Graph graph = described.output(number(199'999)).verified();
  EXPECT_EQ(graph.values[graph.outputs[0].value].type.layout, Layout(Shape::of({2, 3})));
}

TEST(Scale, ASplitIntoAHundredThousandParts) {
  constexpr int kParts = 100'000;
  std::vector<std::string> names;
  for (int i = 0; i < kParts; ++i) names.push_back(number(i));
  const Graph graph = Described()
                          .input("x", DType::kF32, {3 * kParts})
                          .nodes(names, "split", {"x"}, {{"sizes", ops::Integers(kParts, 3)}})
                          .output(names.back())
                          .verified();
  EXPECT_EQ(graph.values[graph.outputs[0].value].type.layout.offset(), 3 * (kParts - 1));
}

TEST(Scale, TwentyThousandComposites) {
  Described described;
  described.input("x", DType::kF32, {4});
  for (int i = 0; i < 20'000; ++i) {
    described.node(number(i), "softmax", {i == 0 ? "x" : number(i - 1)}, {{"axis", 0}});
  }
  const Graph parts = expand(described.output(number(19'999)).verified());
  EXPECT_GT(parts.nodes.size(), 40'000u);
  EXPECT_EQ(testing::broken_promise(parts), "");
}

}  // namespace
}  // namespace wick::compiler
