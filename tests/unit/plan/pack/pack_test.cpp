#include "compiler/plan/pack/pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "compiler/plan/pack/lifetimes.h"

namespace wick::compiler::pack {
namespace {

Problem read_instance(const std::string& name) {
  std::ifstream file(std::string(WICK_SOURCE_DIR "/tests/data/lifetimes/") + name);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  LifetimesResult result = read_lifetimes(text);
  EXPECT_TRUE(result.errors.empty()) << name;
  EXPECT_FALSE(result.lifetimes.problem.buffers.empty()) << name;
  return std::move(result.lifetimes.problem);
}

// The packing is sound, and says the truth about its height.
void expect_sound(const Problem& problem, const Packing& packing) {
  EXPECT_EQ(find_overlap(problem, packing.offsets), std::nullopt);
  std::int64_t highest = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.size == 0 || buffer.lower == buffer.upper) continue;
    highest = std::max(highest, packing.offsets[i] + buffer.size);
  }
  EXPECT_LE(highest, packing.height);
  EXPECT_LE(packing.lower_bound, packing.height);
  EXPECT_EQ(packing.proof == Proof::kOptimal, packing.height == packing.lower_bound);
}

// Behaviour 16: free neighbouring ranges merge.
TEST(Pack, Behaviour16FreeNeighboursMerge) {
  // a and b of 100 bytes, c = a + b of 100, then d of 200 from c: d takes the bytes of a and b.
  const Problem problem{{{0, 2, 100}, {0, 2, 100}, {1, 3, 100}, {2, 4, 200}}};
  const Packing packing = pack(problem);
  expect_sound(problem, packing);
  EXPECT_EQ(packing.height, 300);
  EXPECT_EQ(packing.proof, Proof::kOptimal);
}

TEST(Pack, NothingTakesNoSpace) {
  EXPECT_EQ(pack({}).height, 0);
  EXPECT_EQ(pack({}).proof, Proof::kOptimal);
  const Packing packing = pack({{{0, 5, 0, 64}, {3, 3, 100}}});
  EXPECT_EQ(packing.height, 0);
  EXPECT_EQ(packing.offsets, (std::vector<std::int64_t>{0, 0}));
}

TEST(Pack, WhatTakesNoSpaceStandsAmongOthersAtOffsetZero) {
  const Problem problem{{{0, 5, 16}, {1, 2, 0, 64}, {2, 2, 99}, {1, 4, 16}}};
  const Packing packing = pack(problem);
  expect_sound(problem, packing);
  EXPECT_EQ(packing.height, 32);
  EXPECT_EQ(packing.offsets[1], 0);
  EXPECT_EQ(packing.offsets[2], 0);
}

TEST(Pack, BirthsInTheSectionOfADeathReuseItsBytes) {
  EXPECT_EQ(pack({{{0, 1, 8}, {1, 2, 8}, {2, 3, 8}}}).height, 8);
  EXPECT_EQ(pack({{{0, 2, 8}, {1, 3, 8}, {2, 4, 8}}}).height, 16);
}

TEST(Pack, OneCommonAlignmentCountsWholeUnits) {
  // 4, 60, 68 and 1 byte at 64: 64 + 64 + 128 + 64.
  const Problem problem{{{0, 1, 4, 64}, {0, 1, 60, 64}, {0, 1, 68, 64}, {0, 1, 1, 64}}};
  EXPECT_EQ(lower_bound(problem), 320);
  const Packing packing = pack(problem);
  expect_sound(problem, packing);
  EXPECT_EQ(packing.height, 320);
}

TEST(Pack, MixedAlignmentsAreKept) {
  // 8 bytes at 0, 4 at 8, the 1 at 12; the order 1, 4, 8 would need padding.
  const Problem problem{{{0, 1, 1, 1}, {0, 1, 4, 4}, {0, 1, 8, 8}}};
  const Packing packing = pack_exact(problem, std::chrono::seconds(1));
  expect_sound(problem, packing);
  EXPECT_EQ(packing.height, 13);
}

TEST(Pack, TheToyOfMinimallocFitsInto12) {
  const Problem problem = read_instance("input.12.csv");
  const Packing packing = pack(problem);
  expect_sound(problem, packing);
  EXPECT_EQ(packing.height, 12);
}

TEST(Pack, FaultyProblemsAreRefused) {
  EXPECT_THROW(pack({{{0, 1, -1}}}), std::invalid_argument);
  EXPECT_THROW(pack({{{0, 1, 1, 0}}}), std::invalid_argument);
  EXPECT_THROW(pack({{{2, 1, 1}}}), std::invalid_argument);
  EXPECT_THROW(lower_bound({{{0, 1, kMaxTotal}}}), std::invalid_argument);
  EXPECT_THROW(pack_exact({{{0, 1, kMaxTotal / 2}, {5, 6, kMaxTotal / 2}}}, {}),
               std::invalid_argument);
  EXPECT_EQ(find_fault({{{0, 1, kMaxTotal - 1}}}), std::nullopt);
  EXPECT_EQ(pack({{{0, 1, kMaxTotal - 1}}}).height, kMaxTotal - 1);
}

TEST(LowerBound, IsTheMostBytesAliveAtOnce) {
  EXPECT_EQ(lower_bound({}), 0);
  EXPECT_EQ(lower_bound({{{0, 4, 2}, {4, 6, 3}, {2, 4, 1}}}), 3);
  EXPECT_EQ(lower_bound(read_instance("C.1048576.csv")), 1039360);
  EXPECT_EQ(lower_bound(read_instance("D.1048576.csv")), 986112);
  EXPECT_EQ(lower_bound(read_instance("G_1.csv")), 3030937746);
  EXPECT_EQ(lower_bound(read_instance("resnet50.csv")), 1515472556);
}

}  // namespace
}  // namespace wick::compiler::pack
