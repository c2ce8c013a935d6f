// The kinds of fault that planners of this field have shipped, by their numbers: each graph is run
// planned in every way, on poisoned memory, and compared with every value in its own buffer and
// with the reference, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/executor.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

using ops::Integers;
using ops::Range;
using ops::Ranges;

constexpr DType kF32 = DType::kF32;

bool overlap(const Storage& a, const Storage& b) {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

TEST(ShippedFault, 1_LifetimesThatTouchShareNoBytes) {
  const Described graph = Described()
                              .input("x", kF32, {1024})
                              .input("w", kF32, {256})
                              .node("k", "neg", {"w"})
                              .node("a", "neg", {"x"})
                              .node("b", "cumsum", {"a"}, {{"axis", std::int64_t{0}}})
                              .node("c", "neg", {"b"})
                              .node("t", "sum", {"c"})
                              .node("y", "add", {"k", "t"})
                              .output("y");
  const Planned it = planned(graph);
  EXPECT_FALSE(overlap(it.storage("a"), it.storage("b")));
  EXPECT_FALSE(overlap(it.storage("k"), it.storage("b")));
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 2_TwoUpdatesOfOneConstantBase) {
  Described graph;
  graph.constant<float>("z", {8}, {0, 1, 2, 3, 4, 5, 6, 7}).input("p", kF32, {4});
  graph.input("q", kF32, {4});
  graph.node("zl", "slice", {"z"}, {{"ranges", Ranges{Range{0, 4, 1}}}});
  graph.node("zr", "slice", {"z"}, {{"ranges", Ranges{Range{4, 8, 1}}}});
  graph.node("a", "concat", {"p", "zr"}, {{"axis", std::int64_t{0}}});
  graph.node("b", "concat", {"zl", "q"}, {{"axis", std::int64_t{0}}});
  graph.node("na", "add", {"z", "a"}).node("nb", "add", {"z", "b"});
  graph.node("y", "add", {"na", "nb"}).output("y");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 3_AJoinedOutputIsNotTakenForItsParts) {
  Described graph;
  graph.input("x", kF32, {4}).input("y", kF32, {4});
  graph.node("a", "neg", {"x"}).node("b", "neg", {"y"});
  graph.node("c", "concat", {"a", "b"}, {{"axis", std::int64_t{0}}}).node("d", "relu", {"a"});
  graph.output("c").output("d");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 4_AResultThatNobodyReadsLivesForItsStep) {
  Described graph;
  graph.input("x", kF32, {4, 4}).node("a", "neg", {"x"});
  graph.nodes({"v", "i"}, "topk", {"a"}, {{"k", std::int64_t{2}}});
  graph.node("y", "neg", {"v"}).output("y");
  const Planned it = planned(graph);
  const Storage& unread = it.storage("i");
  EXPECT_EQ(unread.birth, it.step_index("i"));
  EXPECT_EQ(unread.death, it.step_index("i") + 1);
  EXPECT_FALSE(overlap(unread, it.storage("a")));
  EXPECT_EQ(std::ranges::count(it.step("i").frees, it.storage_id("i")), 1);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 5_AChainOfViewsKeepsItsSlot) {
  Described graph;
  graph.input("x", kF32, {8}).input("y", kF32, {8}).node("a", "neg", {"x"});
  graph.node("b", "view", {"a"}).shape({2, 4}).node("c", "view", {"b"}).shape({4, 2});
  graph.node("d", "view", {"c"}).shape({8}).node("e", "exp", {"y"});
  graph.node("r", "add", {"d", "e"}).output("r");
  const Planned it = planned(graph);
  EXPECT_EQ(it.step("r").reads[0].storage, it.storage_id("a"));
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 6_InputsAreUnchangedAndASecondCallGivesTheSame) {
  Described graph;
  graph.input("x", kF32, {8}).node("a", "neg", {"x"}).node("y", "mul", {"a", "x"}).output("y");
  const Planned it = planned(graph);
  const std::vector<HostTensor> inputs = small_inputs(*it.graph, 3);
  PlanExecutor executor(*it.plan);  // throws if an input changes
  const HostTensor first = executor.run(inputs)[0];
  const HostTensor second = executor.run(inputs)[0];
  EXPECT_TRUE(same_values(first, second));
  for (std::int64_t i = 0; i < 8; ++i) {
    const float x = inputs[0].at<float>(i);
    EXPECT_EQ(first.at<float>(i), -x * x);
  }
}

TEST(ShippedFault, 7_OneOperandTwice) {
  Described graph;
  graph.input("w", kF32, {8}).node("x", "neg", {"w"});
  graph.node("y", "add", {"x", "x"}).node("z", "add", {"y", "x"}).output("z");
  EXPECT_EQ(disagreement(graph), "");

  Described dead;
  dead.input("w", kF32, {8}).node("x", "neg", {"w"}).node("y", "add", {"x", "x"}).output("y");
  EXPECT_EQ(planned(dead).placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(dead), "");
}

TEST(ShippedFault, 8_BroadcastOperandsAreNotOverwritten) {
  Described small;
  small.input("w", kF32, {2}).input("n", kF32, {2, 2}).node("x", "neg", {"w"});
  small.node("y", "add", {"x", "n"}).node("z", "neg", {"y"}).output("z");
  EXPECT_NE(planned(small).placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(small), "");

  Described row;
  row.input("w", kF32, {2, 2}).node("m", "neg", {"w"});
  row.node("r", "slice", {"m"}, {{"ranges", Ranges{Range{0, 1, 1}}}});
  row.node("y", "add", {"m", "r"}).node("z", "neg", {"y"}).output("z");
  EXPECT_NE(planned(row).placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(row), "");
}

TEST(ShippedFault, 9_AJoinIsNotPlacedOnItsSources) {
  Described graph;
  graph.input("x", kF32, {4}).input("y", kF32, {4}).node("a", "neg", {"x"});
  graph.node("b", "neg", {"y"});
  graph.node("c", "concat", {"a", "b"}, {{"axis", std::int64_t{0}}});
  graph.node("d", "cumsum", {"c"}, {{"axis", std::int64_t{0}}}).output("d");
  const Planned it = planned(graph);
  EXPECT_FALSE(overlap(it.storage("c"), it.storage("a")));
  EXPECT_FALSE(overlap(it.storage("c"), it.storage("b")));
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 10_SplitAndJoinedTheOtherWayRound) {
  Described graph;
  graph.input("w", kF32, {6}).node("x", "neg", {"w"});
  graph.nodes({"p", "q"}, "split", {"x"}, {{"axis", std::int64_t{0}}, {"sizes", Integers{2, 4}}});
  graph.node("y", "concat", {"q", "p"}, {{"axis", std::int64_t{0}}}).output("y");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 11_TwoViewsOfOneInput) {
  Described graph;
  graph.input("x", kF32, {4}).node("r1", "view", {"x"}).shape({2, 2});
  graph.node("r2", "view", {"x"}).shape({4, 1}).node("a", "relu", {"r1"}).node("b", "exp", {"r2"});
  graph.output("a").output("b");
  EXPECT_EQ(disagreement(graph), "");

  // The same with a slot instead of the input.
  Described slot;
  slot.input("w", kF32, {4}).node("x", "neg", {"w"}).node("r1", "view", {"x"}).shape({2, 2});
  slot.node("r2", "view", {"x"}).shape({4, 1}).node("a", "relu", {"r1"}).node("b", "exp", {"r2"});
  slot.output("a").output("b");
  EXPECT_NE(planned(slot).placement("a"), Placement::kInPlace);
  EXPECT_EQ(disagreement(slot), "");
}

TEST(ShippedFault, 12_TensorsWithoutElementsAmongOthers) {
  Described graph;
  graph.input("x", kF32, {4}).input("z", kF32, {0}).node("a", "neg", {"x"});
  graph.node("e", "neg", {"z"}).node("f", "neg", {"e"});
  graph.node("c", "concat", {"a", "f"}, {{"axis", std::int64_t{0}}});
  graph.node("y", "neg", {"c"}).output("y").output("e");
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 13_OddSizesSideBySide) {
  Described graph;
  graph.input("x", DType::kI8, {68});
  std::vector<Operand> parts;
  for (const int size : {4, 60, 68, 1}) {
    const std::string name = "n" + std::to_string(size);
    graph.node(name + "s", "slice", {"x"}, {{"ranges", Ranges{Range{0, size, 1}}}});
    graph.node(name, "neg", {name + "s"});
    parts.push_back(name);
  }
  graph.node("y", "concat", parts, {{"axis", std::int64_t{0}}}).output("y");
  const Planned it = planned(graph);
  for (const char* name : {"n4", "n60", "n68", "n1"}) {
    EXPECT_EQ(it.storage(name).offset.count % 64, 0);
  }
  EXPECT_EQ(disagreement(graph), "");
}

TEST(ShippedFault, 14_SizesThatOverflowAreDiagnosed) {
  const auto errors_of = [](std::vector<std::int64_t> shape) {
    return Described()
        .input("x", kF32, std::move(shape))
        .node("y", "neg", {"x"})
        .output("y")
        .errors();
  };
  EXPECT_NE(errors_of({(std::int64_t{1} << 59) + 1}), "");
  EXPECT_NE(errors_of({65536, 65536, 65536}), "");
}

TEST(ShippedFault, 15_EachOrderHasAPlanOfItsOwn) {
  // In the order of the file a is overwritten by b only if c has been computed before.
  Described graph;
  graph.input("x", kF32, {4}).node("a", "neg", {"x"}).node("c", "mul", {"a", "a"});
  graph.node("b", "relu", {"a"}).node("y", "sub", {"b", "c"}).output("y");
  PlanOptions given;
  given.schedule = Schedule::kGiven;
  const Planned first = planned(graph), second = planned(graph, given);
  EXPECT_EQ(first.placement("c"), Placement::kInPlace);   // b runs first: c is the last reader
  EXPECT_EQ(second.placement("b"), Placement::kInPlace);  // c runs first
  EXPECT_NE(first.placement("b"), Placement::kInPlace);
  EXPECT_NE(second.placement("c"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

}  // namespace
}  // namespace wick::compiler::testing
