// Where slots come to lie, by storage mode.
#include "compiler/plan/arrange.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

Planned planned_in(const Described& graph, StorageMode mode) {
  PlanOptions options;
  options.storage = mode;
  return planned(graph, options);
}

// a is dead when b is born two steps later; between them stands s, too small for either.
Described two_slots(DType first, std::int64_t first_count, DType second,
                    std::int64_t second_count) {
  Described graph;
  graph.input("x", first, {first_count}).input("z", second, {second_count});
  const ops::Attributes axis = {{"axis", std::int64_t{0}}};
  graph.node("a", "cumsum", {"x"}, axis).node("s", "sum", {"a"}).node("t", "neg", {"s"});
  graph.node("b", "cumsum", {"z"}, axis).node("c", "cumsum", {"b"}, axis);
  return graph.output("t").output("c");
}

TEST(Heap, AFreedSlotOfTheSameSizeIsTakenAgain) {
  const Planned it = planned_in(two_slots(DType::kF32, 16, DType::kI32, 16), StorageMode::kHeap);
  EXPECT_EQ(it.placement("b"), Placement::kReuse);
  EXPECT_EQ(it.step("b").reused, it.storage_id("a"));
  EXPECT_EQ(it.storage("b").allocation, it.storage_id("a"));
  EXPECT_EQ(it.storage("a").allocation, it.storage_id("a"));
  EXPECT_EQ(it.plan->report.arena, Bytes{64});
  EXPECT_EQ(it.plan->arena, Bytes{0});  // the caller hands nothing in
}

TEST(Heap, NotOneOfAnotherSizeNorOfOtherElements) {
  // 60 bytes and 64 round up alike, 16 elements of 4 bytes are as many as 8 of 8.
  for (const Described& graph :
       {two_slots(DType::kF32, 15, DType::kF32, 16), two_slots(DType::kF32, 16, DType::kI64, 8)}) {
    const Planned it = planned_in(graph, StorageMode::kHeap);
    EXPECT_EQ(it.placement("b"), Placement::kFresh);
    EXPECT_EQ(it.storage("b").allocation, it.storage_id("b"));
  }
}

TEST(Arena, ASlotMayLieOnAnyDeadOne) {
  for (const StorageMode mode : {StorageMode::kArena, StorageMode::kStatic}) {
    const Planned it = planned_in(two_slots(DType::kF32, 16, DType::kI64, 8), mode);
    EXPECT_EQ(it.placement("b"), Placement::kReuse);
    EXPECT_EQ(it.step("b").reused, it.storage_id("a"));
    EXPECT_EQ(it.plan->arena, Bytes{64});
  }
}

TEST(Arena, ExactPackingSaysThatItIsProven) {
  PlanOptions options;
  options.pack = PackMode::kExact;
  options.pack_seconds = 1;
  const Planned it = planned(two_slots(DType::kF32, 16, DType::kI64, 8), options);
  EXPECT_EQ(it.plan->arena, Bytes{64});
  EXPECT_TRUE(it.plan->report.packing_optimal);
}

TEST(None, EverySlotHasBytesOfItsOwn) {
  const Planned it = planned_in(two_slots(DType::kF32, 15, DType::kF32, 17), StorageMode::kNone);
  EXPECT_EQ(it.placement("b"), Placement::kFresh);
  EXPECT_EQ(it.plan->arena, Bytes{64 + 64 + 128});  // a, s and b
}

TEST(State, CachedValuesAreAlignedAndApart) {
  const Planned it = planned(Described()
                                 .parameter("p", DType::kF32, {3})
                                 .parameter("q", DType::kF64, {9})
                                 .node("k", "exp", {"p"})
                                 .cached()
                                 .node("l", "exp", {"q"})
                                 .cached()
                                 .node("s", "neg", {"k"})
                                 .node("t", "neg", {"l"})
                                 .output("s")
                                 .output("t"));
  const StorageId k = it.step("s").reads[0].storage, l = it.step("t").reads[0].storage;
  EXPECT_EQ(it.plan->storages[k].offset, Bytes{0});
  EXPECT_EQ(it.plan->storages[l].offset, Bytes{64});
  EXPECT_EQ(it.plan->state, Bytes{64 + 128});
  EXPECT_EQ(it.plan->arena, Bytes{0});
}

TEST(Parts, AreOf256StatementsAtMost) {
  using Parts = std::vector<StepIndex>;
  const std::vector<std::pair<int, Parts>> cases = {
      {256, {}}, {257, {0, 256}}, {600, {0, 256, 512}}};
  for (const auto& [nodes, parts] : cases) {
    Described graph;
    graph.input("n0", DType::kF32, {4});
    for (int i = 0; i < nodes; ++i) {
      graph.node("n" + std::to_string(i + 1), "neg", {"n" + std::to_string(i)});
    }
    graph.output("n" + std::to_string(nodes));
    EXPECT_EQ(planned(graph).plan->run.parts, parts) << nodes;
  }
}

}  // namespace
}  // namespace wick::compiler::testing
