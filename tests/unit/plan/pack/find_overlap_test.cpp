#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "compiler/plan/pack/pack.h"

namespace wick::compiler::pack {
namespace {

using testing::HasSubstr;
using testing::Optional;

TEST(FindOverlap, AcceptsBuffersThatOnlyTouch) {
  // In space at 4, in time at 2.
  const Problem problem{{{0, 2, 4}, {0, 2, 4}, {2, 3, 8}}};
  EXPECT_EQ(find_overlap(problem, {0, 4, 0}), std::nullopt);
}

TEST(FindOverlap, NamesBothBuffersAndTheirRanges) {
  const Problem problem{{{0, 2, 4}, {1, 3, 4}}};
  EXPECT_THAT(find_overlap(problem, {0, 3}),
              Optional(std::string("buffer 0 (alive [0, 2), bytes [0, 4)) overlaps "
                                   "buffer 1 (alive [1, 3), bytes [3, 7))")));
}

TEST(FindOverlap, SeesAnOverlapFromBelowFromAboveAndFromInside) {
  const Problem problem{{{0, 9, 10}, {1, 2, 2}}};
  EXPECT_NE(find_overlap(problem, {5, 4}), std::nullopt);
  EXPECT_NE(find_overlap(problem, {5, 14}), std::nullopt);
  EXPECT_NE(find_overlap(problem, {5, 9}), std::nullopt);
  EXPECT_NE(find_overlap(problem, {5, 5}), std::nullopt);
  EXPECT_EQ(find_overlap(problem, {5, 3}), std::nullopt);
  EXPECT_EQ(find_overlap(problem, {5, 15}), std::nullopt);
}

TEST(FindOverlap, WhatTakesNoSpaceOverlapsNothing) {
  const Problem problem{{{0, 9, 10}, {1, 2, 0}, {3, 3, 5}}};
  EXPECT_EQ(find_overlap(problem, {0, 0, 0}), std::nullopt);
}

TEST(FindOverlap, RejectsWrongCountNegativeAndMisaligned) {
  const Problem problem{{{0, 1, 8, 4}}};
  EXPECT_THAT(find_overlap(problem, {}), Optional(HasSubstr("0 offsets for 1 buffers")));
  EXPECT_THAT(find_overlap(problem, {-4}), Optional(HasSubstr("below 0")));
  EXPECT_THAT(find_overlap(problem, {6}), Optional(HasSubstr("not aligned to 4")));
  EXPECT_EQ(find_overlap(problem, {12}), std::nullopt);
}

// Offsets at random, most of them wrong, against all pairs.
TEST(FindOverlap, AgreesWithAComparisonOfAllPairs) {
  std::mt19937 random(4);
  const auto below = [&](std::uint32_t end) { return static_cast<std::int64_t>(random() % end); };
  int sound = 0;
  int faulty = 0;
  for (int round = 0; round < 2000; ++round) {
    Problem problem;
    std::vector<std::int64_t> offsets;
    for (int i = 0; i < 5; ++i) {
      const std::int64_t lower = below(8);
      problem.buffers.push_back({lower, lower + below(4), below(6)});
      offsets.push_back(below(16));
    }
    bool overlap = false;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Buffer& a = problem.buffers[i];
        const Buffer& b = problem.buffers[j];
        const bool takes_space = a.size > 0 && b.size > 0 && a.lower < a.upper && b.lower < b.upper;
        overlap = overlap || (takes_space && a.lower < b.upper && b.lower < a.upper &&
                              offsets[i] < offsets[j] + b.size && offsets[j] < offsets[i] + a.size);
      }
    }
    EXPECT_EQ(find_overlap(problem, offsets).has_value(), overlap) << "round " << round;
    ++(overlap ? faulty : sound);
  }
  EXPECT_GT(sound, 200);
  EXPECT_GT(faulty, 200);
}

}  // namespace
}  // namespace wick::compiler::pack
