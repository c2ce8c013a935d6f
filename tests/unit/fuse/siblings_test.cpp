// Row programs with several results: which clusters become one, which stay apart, and why. Expected
// kernels follow from the rules in compiler/fuse/siblings.h, applied by hand.
#include "compiler/fuse/siblings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/graph/expand.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Described;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ops::Attributes kAlongRows = {{"axes", ops::Integers{1}}};
const ops::Attributes kKept = {{"axes", ops::Integers{1}}, {"keepdims", true}};

class Siblings {
 public:
  explicit Siblings(const Described& described, FuseOptions options = {})
      : graph_(expand(described.verified())), fused_(fuse(graph_, options)) {}

  // Of each kernel: its kind and the names of its results.
  std::vector<std::string> kernels() const {
    std::vector<std::string> all;
    for (const Kernel& kernel : fused_.kernels) {
      std::string text = kernel.kind == KernelKind::kRows     ? "rows"
                         : kernel.kind == KernelKind::kReduce ? "reduce"
                         : kernel.kind == KernelKind::kMap    ? "map"
                                                              : "other";
      for (const TensorId result : kernel.results) text += " " + fused_.tensors[result].name;
      all.push_back(text);
    }
    return all;
  }
  std::size_t passes(std::size_t kernel) const {
    return fused_.kernels[KernelId(kernel)].passes.size();
  }
  // Why the reductions `a` and `b` stay apart.
  std::string reason(const std::string& a, const std::string& b) const {
    const auto name = [&](NodeId id) { return graph_.values[graph_.nodes[id].results[0]].name; };
    for (const FusionRefusal& refusal : fused_.refusals) {
      if (name(refusal.producer) == a && name(refusal.consumer) == b) return refusal.reason;
    }
    return "";
  }

 private:
  Graph graph_;
  FusedGraph fused_;
};

Described matrix(std::vector<std::int64_t> shape = {4, 20}) {
  return Described().input("x", DType::kF32, std::move(shape));
}

TEST(Siblings, ReductionsOfOneInputAreOneKernel) {
  const Described graph = matrix()
                              .node("a", "max", {"x"}, kAlongRows)
                              .node("b", "sum", {"x"}, kKept)
                              .node("c", "sum_of_squares", {"x"}, kAlongRows)
                              .output("a")
                              .output("b")
                              .output("c");
  const Siblings together(graph);
  EXPECT_THAT(together.kernels(), ElementsAre("rows a b c"));
  EXPECT_EQ(together.passes(0), 6u);  // three reductions, three writes
  EXPECT_THAT(Siblings(graph, {.fuse = false}).kernels(),
              ElementsAre("reduce a", "reduce b", "reduce c"));
}

TEST(Siblings, AReductionMayReadTheResultOfAnother) {
  // The mean with its axis and that without are one pass.
  const Siblings it(matrix()
                        .node("mean", "mean", {"x"}, kAlongRows)
                        .node("m", "mean", {"x"}, kKept)
                        .node("d", "sub", {"x", "m"})
                        .node("q", "mul", {"d", "d"})
                        .node("v", "mean", {"q"}, kAlongRows)
                        .output("mean")
                        .output("v"));
  EXPECT_THAT(it.kernels(), ElementsAre("rows mean v"));
  EXPECT_EQ(it.passes(0), 4u);
}

TEST(Siblings, WhatOnlyMembersReadIsNoResult) {
  const Siblings it(matrix()
                        .node("m", "max", {"x"}, kKept)
                        .node("a", "sub", {"x", "m"})
                        .node("s", "sum", {"a"}, kAlongRows)
                        .node("b", "add", {"x", "m"})
                        .node("t", "sum", {"b"}, kAlongRows)
                        .output("s")
                        .output("t"));
  EXPECT_THAT(it.kernels(), ElementsAre("rows s t"));
}

TEST(Siblings, ANormGivesItsStatisticsOut) {
  const Siblings it(matrix()
                        .node("m", "mean", {"x"}, kKept)
                        .node("d", "sub", {"x", "m"})
                        .node("q", "mul", {"d", "d"})
                        .node("v", "mean", {"q"}, kKept)
                        .node("r", "rsqrt", {"v"})
                        .node("y", "mul", {"d", "r"})
                        .output("y")
                        .output("m")
                        .output("r"));
  EXPECT_THAT(it.kernels(), ElementsAre("rows y m r"));
}

// The norm brings two results into the group of the maximum.
TEST(Siblings, ANormThatGivesItsStatisticsOutJoinsAGroup) {
  const Siblings it(matrix()
                        .node("p", "max", {"x"}, kKept)
                        .node("m", "mean", {"x"}, kKept)
                        .node("y", "sub", {"x", "m"})
                        .output("p")
                        .output("m")
                        .output("y"));
  EXPECT_THAT(it.kernels(), ElementsAre("rows p m y"));
}

TEST(Siblings, AResultOfAllElementsMustNotCostMemory) {
  // Softmax of an input has an output of its own anyway; that of a computed value lies over it.
  const auto graph = [](bool computed) {
    Described described = matrix();
    if (computed) described.node("c", "cumsum", {"x"}, {{"axis", std::int64_t{1}}});
    const char* const rows = computed ? "c" : "x";
    return described.node("p", "softmax", {rows}, {{"axis", std::int64_t{1}}})
        .node("s", "sum", {rows}, kAlongRows)
        .output("p")
        .output("s");
  };
  EXPECT_THAT(Siblings(graph(false)).kernels(), ElementsAre("rows p s"));
  const Siblings apart(graph(true));
  EXPECT_THAT(apart.kernels(), ElementsAre("other c", "rows p", "reduce s"));
  EXPECT_THAT(apart.reason("p", "s"), HasSubstr("would cost memory"));
}

TEST(Siblings, RowsHaveToBeTheSameAndFitInACache) {
  const auto apart = [](std::vector<std::int64_t> shape, ops::Integers first,
                        ops::Integers second) {
    const Siblings it(matrix(std::move(shape))
                          .node("a", "max", {"x"}, {{"axes", first}})
                          .node("b", "sum", {"x"}, {{"axes", second}})
                          .output("a")
                          .output("b"));
    EXPECT_THAT(it.kernels(), ElementsAre("reduce a", "reduce b"));
    return it.reason("a", "b");
  };
  EXPECT_THAT(apart({4, 20}, {1}, {0}), HasSubstr("not innermost"));
  EXPECT_THAT(apart({4, 8, 20}, {1, 2}, {2}), HasSubstr("along other axes"));
  EXPECT_THAT(apart({2, 32769}, {1}, {1}), HasSubstr("too long to stay in cache"));
  EXPECT_THAT(apart({400, 7}, {1}, {1}), HasSubstr("so short"));
}

// What a member reads besides may depend on another member: a way out of the group and back in.
TEST(Siblings, NoCycleArises) {
  const Siblings it(matrix()
                        .node("a", "sum", {"x"}, kKept)
                        .node("f", "cumsum", {"a"}, {{"axis", std::int64_t{0}}})
                        .node("g", "mul", {"x", "f"})
                        .node("b", "sum", {"g"}, kAlongRows)
                        .output("a")
                        .output("b"));
  EXPECT_THAT(it.kernels(), ElementsAre("reduce a", "other f", "reduce b"));
  EXPECT_THAT(it.reason("a", "b"), HasSubstr("other values besides"));
}

TEST(Siblings, ValuesWithoutTheReducedAxesStayWhereTheyAre) {
  // [20] plus the maxima [20] of rows of 20: a row program would read it along the row.
  const Siblings it(matrix({20, 20})
                        .input("z", DType::kF32, {20})
                        .node("a", "max", {"x"}, kAlongRows)
                        .node("b", "sum", {"x"}, kAlongRows)
                        .node("c", "add", {"b", "z"})
                        .output("a")
                        .output("c"));
  EXPECT_THAT(it.kernels(), ElementsAre("reduce a", "reduce c"));
  EXPECT_THAT(it.reason("a", "c"), HasSubstr("lack the reduced axes"));
}

}  // namespace
}  // namespace wick::compiler
