#include "compiler/graph/order.h"

#include <gtest/gtest.h>

namespace wick::compiler {
namespace {

using Numbers = std::vector<std::uint32_t>;

Reads reads_of(const std::vector<Numbers>& producers) {
  Reads reads;
  for (const Numbers& of_node : producers) {
    reads.producers.insert(reads.producers.end(), of_node.begin(), of_node.end());
    reads.end_node();
  }
  return reads;
}

TEST(Order, NothingIsInOrder) { EXPECT_TRUE(topological_order(Reads()).empty()); }

TEST(Order, TheSmallestNumberThatIsReadyStandsNext) {
  // 0 reads 3, 1 reads nothing, 2 reads 1, 3 reads nothing: 1 first, then 2 (ready, and before 3),
  // then 3, then 0.
  EXPECT_EQ(topological_order(reads_of({{3}, {}, {1}, {}})), (Numbers{1, 2, 3, 0}));
}

TEST(Order, AProducerReadTwiceIsWaitedForOnce) {
  EXPECT_EQ(topological_order(reads_of({{1, 1}, {}})), (Numbers{1, 0}));
}

TEST(Order, NodesOnACycleAndBehindItAreLeftOut) {
  // 1 and 2 read each other, 3 reads 2, 0 is free.
  const Reads reads = reads_of({{}, {2}, {1}, {2}});
  const Numbers order = topological_order(reads);
  EXPECT_EQ(order, (Numbers{0}));
  EXPECT_EQ(find_cycles(reads, order), (std::vector<Numbers>{{1, 2}}));
}

TEST(Order, CyclesAreGivenFromProducerToReader) {
  // 0 reads 1, 1 reads 2, 2 reads 0: 0 is read by 2, 2 by 1, 1 by 0.
  const Reads reads = reads_of({{1}, {2}, {0}});
  EXPECT_EQ(find_cycles(reads, topological_order(reads)), (std::vector<Numbers>{{0, 2, 1}}));
}

TEST(Order, EveryOneOfSeveralCyclesIsFound) {
  const Reads reads = reads_of({{0}, {2}, {1}, {0, 4}, {3}});
  const auto cycles = find_cycles(reads, topological_order(reads));
  EXPECT_EQ(cycles, (std::vector<Numbers>{{0}, {1, 2}}));
  // 3 and 4 read each other as well, but 3 is held up by 0 already and the walk ends there.
}

TEST(Order, AChainWrittenBackwardsIsTurnedRound) {
  constexpr std::uint32_t kCount = 1'000'000;
  Reads reads;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (i + 1 < kCount) reads.producers.push_back(i + 1);
    reads.end_node();
  }
  const Numbers order = topological_order(reads);
  ASSERT_EQ(order.size(), kCount);
  EXPECT_EQ(order.front(), kCount - 1);
  EXPECT_EQ(order.back(), 0u);
}

TEST(Order, ACycleOfAMillionIsFound) {
  constexpr std::uint32_t kCount = 1'000'000;
  Reads reads;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    reads.producers.push_back((i + 1) % kCount);
    reads.end_node();
  }
  const auto cycles = find_cycles(reads, topological_order(reads));
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles[0].size(), kCount);
}

}  // namespace
}  // namespace wick::compiler
