// The numbered behaviours of the seed's planner that are about memory: what is in place, how many
// buffers there are, who stays alive. Plans are made as the seed makes them, one kernel per node.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/plan/validate.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

using ops::Integers;
using ops::Range;
using ops::Ranges;

constexpr DType kF32 = DType::kF32;

std::size_t kernel_steps(const Planned& it) {
  return static_cast<std::size_t>(
      std::ranges::count(it.plan->run.steps, StepKind::kKernel, &Step::kind));
}

std::size_t copies(const Planned& it) {
  return static_cast<std::size_t>(
      std::ranges::count(it.plan->run.steps, StepKind::kCopy, &Step::kind));
}

bool overlap(const Storage& a, const Storage& b) {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

// ---- 3 ------------------------------------------------------------------------------------------

TEST(Behaviour3, ANodeWithTwoConsumersIsComputedOnce) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("d", "mul", {"x", 2})
                              .node("e", "add", {"x", 1})
                              .node("y", "sub", {"d", "e"})
                              .node("z", "sub", {"d", "x"})
                              .output("y")
                              .output("z");
  EXPECT_EQ(kernel_steps(planned(graph)), 4U);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour3, AnExpensiveNodeIsNotDuplicatedByFusion) {
  Described graph;
  graph.input("x", kF32, {4, 4});
  graph.node("e", "exp", {"x"}).node("p", "matmul", {"x", "x"});
  graph.node("s", "sum", {"e"}, {{"axes", Integers{0}}}).node("t", "mul", {"e", "p"});
  graph.node("u", "transpose", {"p"}).node("v", "matmul", {"u", "p"});
  graph.output("s").output("t").output("v");
  const Planned fused = planned(graph, {}, {true, FpMode::kStrict});
  std::size_t exponentials = 0, products = 0;
  const std::string_view exponential = node_named(*fused.graph, "e").op->name;
  for (const Kernel& kernel : fused.fused->kernels) {
    if (kernel.kind == KernelKind::kProduct) ++products;
    for (const NodeId node : kernel.nodes) {
      if (fused.graph->nodes[node].op->name == exponential) ++exponentials;
    }
  }
  EXPECT_EQ(exponentials, 1U);
  EXPECT_EQ(products, 2U);
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 6 ------------------------------------------------------------------------------------------

TEST(Behaviour6, ACachedValueIsNeverStolen) {
  const Described graph = Described()
                              .parameter("p", kF32, {4})
                              .input("x", kF32, {4})
                              .node("c", "exp", {"p"})
                              .cached()
                              .node("y", "neg", {"c"})
                              .node("z", "add", {"y", "x"})
                              .output("z");
  const Planned it = planned(graph);
  EXPECT_NE(it.placement("y"), Placement::kInPlace);
  EXPECT_EQ(it.plan->storages[it.step("y").reads[0].storage].kind, StorageKind::kState);
  EXPECT_EQ(it.plan->prepare.steps.size(), 1U);
  EXPECT_EQ(it.plan->prepare.steps[0].placements[0], Placement::kState);
  EXPECT_EQ(it.plan->state, Bytes{64});
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour6, TwoCacheNodesOverOneInputShareOneBuffer) {
  const Described graph = Described()
                              .parameter("p", kF32, {4})
                              .node("c", "identity", {"p"})
                              .cached()
                              .node("d", "identity", {"p"})
                              .cached()
                              .node("y", "add", {"c", "d"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_EQ(it.plan->state, Bytes{64});
  EXPECT_EQ(it.step("y").reads[0].storage, it.step("y").reads[1].storage);
  EXPECT_EQ(it.alias("c").kind, AliasKind::kTakeover);
  EXPECT_EQ(it.alias("c").tag, AliasTag::kContiguousCached);
  EXPECT_EQ(it.alias("d").kind, AliasKind::kAlias);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour6, ACacheOfAComputedValueTakesOverItsBytes) {
  const Described graph = Described()
                              .parameter("p", kF32, {4})
                              .node("e", "exp", {"p"})
                              .node("c", "identity", {"e"})
                              .cached()
                              .node("y", "add", {"c", 1})
                              .output("y");
  const Planned it = planned(graph);
  ASSERT_EQ(it.plan->prepare.steps.size(), 2U);
  EXPECT_EQ(it.plan->prepare.steps[0].placements[0], Placement::kState);
  EXPECT_EQ(it.plan->prepare.steps[1].kind, StepKind::kReference);
  EXPECT_EQ(it.plan->state, Bytes{64});
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour6, CachedValuesAreOutputsByCopy) {
  const Described graph = Described()
                              .parameter("p", kF32, {2, 3})
                              .node("t", "transpose", {"p"})
                              .cached()
                              .node("y", "add", {"t", 1})
                              .output("t")
                              .output("y");
  EXPECT_EQ(copies(planned(graph)), 1U);
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 9 ------------------------------------------------------------------------------------------

TEST(Behaviour9, TwentyScalarAdditionsAreOnePassOverMemory) {
  Described graph;
  graph.input("n0", kF32, {8});
  for (int i = 0; i < 20; ++i) {
    graph.node("n" + std::to_string(i + 1), "add", {"n" + std::to_string(i), 1});
  }
  graph.output("n20");
  const Planned it = planned(graph, {}, FuseOptions{});
  EXPECT_EQ(it.plan->run.steps.size(), 1U);
  EXPECT_EQ(it.plan->report.moved, Bytes{64});
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 10, 11 -------------------------------------------------------------------------------------

TEST(Behaviour10, InPlaceIfTheLastReaderIsThisStep) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "add", {"x", 1})
                              .node("b", "neg", {"a"})
                              .node("c", "mul", {"b", "a"})
                              .node("y", "neg", {"c"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_NE(it.placement("b"), Placement::kInPlace);  // a is read again
  EXPECT_EQ(it.placement("c"), Placement::kInPlace);
  EXPECT_EQ(it.placement("y"), Placement::kInPlace);
}

TEST(Behaviour10, NotInPlaceOfAnotherSize) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .input("m", kF32, {4, 4})
                              .node("a", "add", {"x", 1})
                              .node("wide", "cast", {"a"})
                              .dtype(DType::kF64)
                              .node("b", "add", {"x", 2})
                              .node("flags", "lt", {"b", 0})
                              .node("c", "add", {"x", 3})
                              .node("grown", "add", {"c", "m"})
                              .output("wide")
                              .output("flags")
                              .output("grown");
  const Planned it = planned(graph);
  EXPECT_EQ(it.placement("wide"), Placement::kOutput);
  EXPECT_EQ(it.placement("flags"), Placement::kOutput);
  EXPECT_EQ(it.placement("grown"), Placement::kOutput);
}

TEST(Behaviour10, InPlaceOfAnotherDTypeOfEqualSize) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "add", {"x", 1})
                              .node("i", "cast", {"a"})
                              .dtype(DType::kI32)
                              .output("i");
  EXPECT_EQ(planned(graph).placement("i"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour10, NotInPlaceOfAPartOfASlot) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "add", {"x", 1})
                              .node("s", "slice", {"a"}, {{"ranges", Ranges{Range{0, 2, 1}}}})
                              .node("y", "neg", {"s"})
                              .node("z", "neg", {"y"})
                              .output("z");
  const Planned it = planned(graph);
  EXPECT_EQ(it.placement("y"), Placement::kOutput);
  EXPECT_EQ(it.storage("a").kind, StorageKind::kSlot);
}

TEST(Behaviour11, AViewOfAViewKeepsTheSlotAlive) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "exp", {"x"})
                              .node("b", "view", {"a"})
                              .shape({2, 2})
                              .node("c", "transpose", {"b"})
                              .node("e", "neg", {"a"})
                              .node("f", "view", {"e"})
                              .shape({2, 2})
                              .node("y", "add", {"f", "c"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_EQ(it.placement("b"), Placement::kReferenceSlot);
  EXPECT_EQ(it.placement("c"), Placement::kReferenceSlot);
  EXPECT_EQ(it.storage("a").death, it.step_index("y") + 1);
  EXPECT_NE(it.placement("e"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 12 -----------------------------------------------------------------------------------------

TEST(Behaviour12, ThePermutationOfAttentionIsNotContiguous) {
  const Described graph = Described()
                              .input("x", kF32, {2, 3, 4, 5})
                              .node("a", "add", {"x", 1})
                              .node("t", "transpose_axes", {"a"}, {{"axes", Integers{0, 2, 1, 3}}})
                              .node("c", "as_contiguous", {"t"})
                              .node("y", "neg", {"c"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_EQ(it.step("c").kind, StepKind::kCopy);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour12, AxesOfOneElementDoNotMatter) {
  const Described graph = Described()
                              .input("x", kF32, {1, 3, 1, 5})
                              .node("a", "add", {"x", 1})
                              .node("t", "transpose_axes", {"a"}, {{"axes", Integers{2, 1, 0, 3}}})
                              .node("c", "as_contiguous", {"t"})
                              .node("y", "neg", {"c"})
                              .output("y");
  EXPECT_EQ(planned(graph).step("c").kind, StepKind::kReference);
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 13 -----------------------------------------------------------------------------------------

TEST(Behaviour13, ARootThatIsATransposeKeepsItsSlotToTheEnd) {
  const Described graph = Described()
                              .input("x", kF32, {2, 3})
                              .node("a", "exp", {"x"})
                              .node("t", "transpose", {"a"})
                              .output("t");
  const Planned it = planned(graph);
  EXPECT_EQ(it.storage("a").kind, StorageKind::kSlot);
  EXPECT_EQ(it.storage("a").death, it.plan->run.steps.size());
  EXPECT_EQ(it.plan->run.steps.back().kind, StepKind::kCopy);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour13, ARootThatIsAReshapeIsWrittenStraightToTheOutput) {
  const Described graph = Described()
                              .input("x", kF32, {2, 3})
                              .node("a", "exp", {"x"})
                              .node("r", "view", {"a"})
                              .shape({3, 2})
                              .output("r");
  const Planned it = planned(graph);
  EXPECT_EQ(it.storage("a").kind, StorageKind::kOutput);
  EXPECT_EQ(copies(it), 0U);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour13, ARootThatIsAnAliasOfAnInputYieldsTheInput) {
  const Described graph = Described()
                              .input("x", kF32, {2, 3})
                              .node("n", "identity", {"x"})
                              .node("c", "as_contiguous", {"n"})
                              .output("c")
                              .output("n");
  const Planned it = planned(graph);
  EXPECT_EQ(copies(it), 2U);
  EXPECT_EQ(it.plan->arena, Bytes{0});
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 14 -----------------------------------------------------------------------------------------

TEST(Behaviour14, FewBuffers) {
  const Described sum = Described()
                            .input("a", kF32, {4})
                            .input("b", kF32, {4})
                            .node("s", "add", {"a", "b"})
                            .node("y", "sub", {"s", "b"})
                            .output("y");
  EXPECT_EQ(buffers(planned(sum)), 1U);

  const Described twice = Described()
                              .input("x", kF32, {4})
                              .node("s", "add", {"x", "x"})
                              .node("t", "add", {"s", "s"})
                              .node("u", "add", {"t", "s"})
                              .output("u");
  EXPECT_LE(buffers(planned(twice)), 2U);

  const Described doubled = Described()
                                .input("s", kF32, {4})
                                .node("t", "add", {"s", "s"})
                                .node("u", "add", {"t", "t"})
                                .output("u")
                                .output("t");
  EXPECT_EQ(buffers(planned(doubled)), 2U);

  const Described chain = Described()
                              .input("s", kF32, {4})
                              .node("t", "add", {"s", "s"})
                              .node("h", "mul", {"t", 0.5})
                              .node("y", "add", {"h", 1})
                              .output("y");
  EXPECT_EQ(buffers(planned(chain)), 1U);
  for (const Described& graph : {sum, twice, doubled, chain}) EXPECT_EQ(disagreement(graph), "");
}

TEST(Behaviour14, ABroadcastOperandOfAProductIsNotMaterialised) {
  const Described graph = Described()
                              .input("x", kF32, {2, 3})
                              .input("w", kF32, {4, 3, 2})
                              .node("a", "add", {"x", 1})
                              .node("b", "broadcast_to", {"a"})
                              .shape({4, 2, 3})
                              .node("y", "matmul", {"b", "w"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_EQ(it.placement("b"), Placement::kReferenceSlot);
  EXPECT_EQ(it.plan->arena, Bytes{64});  // 24 bytes of a
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 15, 17 -------------------------------------------------------------------------------------

TEST(Behaviour15, SlotsThatMeetInOneStepNeverShareBytes) {
  const Described graph = Described()
                              .input("x", kF32, {4, 4})
                              .node("a", "add", {"x", 1})
                              .node("b", "matmul", {"a", "a"})
                              .node("c", "matmul", {"b", "b"})
                              .node("d", "matmul", {"c", "c"})
                              .node("y", "matmul", {"d", "d"})
                              .output("y");
  for (const StorageMode mode : {StorageMode::kArena, StorageMode::kHeap}) {
    PlanOptions options;
    options.storage = mode;
    const Planned it = planned(graph, options);
    for (const auto& [one, next] : {std::pair("a", "b"), {"b", "c"}, {"c", "d"}}) {
      if (mode == StorageMode::kArena) {
        EXPECT_FALSE(overlap(it.storage(one), it.storage(next))) << one << next;
      } else {
        EXPECT_NE(it.storage(one).allocation, it.storage(next).allocation) << one << next;
      }
    }
    // Two steps later the bytes are free again.
    EXPECT_EQ(it.placement("c"), Placement::kReuse);
    EXPECT_EQ(it.step("c").reused, it.storage_id("a"));
    EXPECT_EQ(it.plan->report.arena, Bytes{128});
  }
}

TEST(Behaviour17, AlignedDisjointAndNothingForNothing) {
  Described graph;
  graph.input("x", DType::kU8, {1}).input("z", DType::kU8, {0, 3});
  std::vector<Operand> parts;
  const std::vector<std::int64_t> sizes = {4, 60, 68, 1};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string name = "b" + std::to_string(i);
    graph.node(name + "v", "broadcast_to", {"x"}).shape({sizes[i]});
    graph.node(name, "add", {name + "v", 1});
    parts.push_back(name);
  }
  graph.node("empty", "add", {"z", "z"}).node("none", "sum", {"empty"}, {{"axes", Integers{1}}});
  parts.push_back("none");
  graph.node("all", "concat", parts, {{"axis", std::int64_t{0}}}).output("all");
  const Planned it = planned(graph);
  for (const char* name : {"b0", "b1", "b2", "b3"}) {
    EXPECT_EQ(it.storage(name).offset.count % 64, 0) << name;
    for (const char* other : {"b0", "b1", "b2", "b3"}) {
      EXPECT_TRUE(name == std::string(other) || !overlap(it.storage(name), it.storage(other)));
    }
  }
  EXPECT_EQ(it.storage("empty").size, Bytes{0});
  EXPECT_EQ(it.plan->arena, Bytes{64 + 64 + 128 + 64});
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 22, 23 -------------------------------------------------------------------------------------

TEST(Behaviour22, ADeadNodeChangesNothing) {
  const auto graph = [](bool with_dead) {
    Described g;
    g.input("x", kF32, {4}).node("a", "add", {"x", 1});
    if (with_dead) g.node("dead", "exp", {"a"}).node("deader", "transpose", {"dead"});
    return g.node("y", "neg", {"a"}).output("y");
  };
  const Planned plain = planned(graph(false)), dead = planned(graph(true));
  EXPECT_EQ(plain.plan->run.steps.size(), dead.plan->run.steps.size());
  EXPECT_EQ(plain.plan->arena, dead.plan->arena);
  EXPECT_EQ(dead.placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph(true)), "");
}

TEST(Behaviour23, OutputsInEveryRole) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "add", {"x", 1})
                              .node("b", "neg", {"a"})
                              .node("c", "neg", {"b"})
                              .output("a")
                              .output("x")
                              .output("c")
                              .output("a");
  const Planned it = planned(graph);
  EXPECT_EQ(it.placement("a"), Placement::kOutput);
  EXPECT_NE(it.placement("b"), Placement::kInPlace);  // a is promised
  EXPECT_EQ(it.placement("c"), Placement::kInPlace);
  EXPECT_EQ(it.storage("b").kind, StorageKind::kOutput);  // the chain ends in c
  EXPECT_EQ(copies(it), 2U);
  EXPECT_EQ(it.plan->arena, Bytes{0});
  EXPECT_EQ(disagreement(graph), "");
}

// ---- 24 -----------------------------------------------------------------------------------------

TEST(Behaviour24, ADeepChainAndAWideNode) {
  constexpr int kDeep = 20000;
  Described deep;
  deep.input("n0", kF32, {4});
  for (int i = 0; i < kDeep; ++i) {
    deep.node("n" + std::to_string(i + 1), "neg", {"n" + std::to_string(i)});
  }
  deep.output("n" + std::to_string(kDeep));
  const Planned chain = planned(deep);
  EXPECT_EQ(chain.plan->run.steps.size(), static_cast<std::size_t>(kDeep));
  EXPECT_EQ(chain.plan->arena, Bytes{0});
  EXPECT_EQ(chain.plan->run.parts.size(), (kDeep + 255U) / 256U);

  constexpr int kWide = 5000;
  Described wide;
  wide.input("x", kF32, {4}).node("hub", "exp", {"x"}).node("s0", "neg", {"hub"});
  for (int i = 0; i < kWide; ++i) {
    const std::string number = std::to_string(i), next = std::to_string(i + 1);
    wide.node("r" + number, "add", {"hub", 1})
        .node("s" + next, "add", {"s" + number, "r" + number});
  }
  wide.output("s" + std::to_string(kWide));
  const Planned fan = planned(wide);
  // The last reader of the hub overwrites it.
  const std::string last = "r" + std::to_string(kWide - 1);
  EXPECT_EQ(fan.placement(last), Placement::kInPlace);
  EXPECT_EQ(fan.storage_id(last), fan.storage_id("hub"));
  for (const Planned* it : {&chain, &fan}) {
    EXPECT_TRUE(validate(*it->fused, *it->plan).empty());
  }
}

}  // namespace
}  // namespace wick::compiler::testing
