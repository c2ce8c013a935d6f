// The packers one by one, where pack() would hide which of them did the work.

#include <gtest/gtest.h>

#include "compiler/plan/pack/best_fit.h"
#include "compiler/plan/pack/failed_states.h"
#include "compiler/plan/pack/instance.h"
#include "compiler/plan/pack/ladder.h"
#include "compiler/plan/pack/search.h"
#include "compiler/plan/pack/skyline.h"

namespace wick::compiler::pack {
namespace {

bool never() { return false; }

// The example drawn in pack.h, with d = {0, 2, 1} left of c: 3 units high in each section.
const Problem kFilled{{{0, 4, 2}, {4, 6, 3}, {2, 4, 1}, {0, 2, 1}}};

// 4 units are alive in each of the times 0 to 3, and 4 suffice:
// {0,2,2} and {2,4,2} at 0, {0,1,2}, {1,3,1} and {3,4,2} at 2, {1,2,1} and {2,3,1} at 3.
const Problem kStairs{
    {{0, 2, 2}, {1, 3, 1}, {2, 4, 2}, {0, 1, 2}, {3, 4, 2}, {1, 2, 1}, {2, 3, 1}}};

TEST(Instance, SectionsAreTheMomentsOfMostLife) {
  // The drawing in instance.h: a [0, 2), b [1, 4), c [2, 5).
  const Instance instance = make_instance({{{0, 2, 8}, {1, 4, 8}, {2, 5, 8}}});
  ASSERT_EQ(instance.blocks.size(), 3U);
  EXPECT_EQ(instance.load, (std::vector<std::int64_t>{2, 2}));  // in units of 8
  EXPECT_EQ(instance.unit, 8);
  EXPECT_EQ(instance.bound, 2);
  EXPECT_EQ(instance.pairs, 2);  // a with b, b with c
  EXPECT_EQ(instance.blocks[0].first, 0U);
  EXPECT_EQ(instance.blocks[0].last, 1U);
  EXPECT_EQ(instance.blocks[1].first, 0U);
  EXPECT_EQ(instance.blocks[1].last, 2U);
  EXPECT_EQ(instance.blocks[2].first, 1U);
  EXPECT_EQ(instance.blocks[2].last, 2U);
}

TEST(Instance, UnitsFollowAlignmentsAndSizes) {
  EXPECT_EQ(make_instance({{{0, 1, 12}, {0, 1, 18}}}).unit, 6);
  EXPECT_EQ(make_instance({{{0, 1, 12, 8}, {0, 1, 30, 8}}}).unit, 16);  // 16 and 32
  EXPECT_EQ(make_instance({{{0, 1, 64, 8}, {0, 1, 64, 16}}}).unit, 8);  // alignments differ
}

TEST(Instance, ReversedTurnsTimeAround) {
  const Instance instance = reversed(make_instance({{{0, 1, 1}, {0, 3, 2}, {2, 3, 4}}}));
  EXPECT_EQ(instance.load, (std::vector<std::int64_t>{6, 3}));
  EXPECT_EQ(instance.blocks[0].first, 1U);
  EXPECT_EQ(instance.blocks[0].last, 2U);
  EXPECT_EQ(instance.blocks[1].first, 0U);
  EXPECT_EQ(instance.blocks[1].last, 2U);
}

TEST(BestFit, Behaviour16FreeNeighboursMerge) {
  const Instance instance = make_instance({{{0, 2, 100}, {0, 2, 100}, {1, 3, 100}, {2, 4, 200}}});
  for (const BirthOrder order :
       {BirthOrder::kLargest, BirthOrder::kLongest, BirthOrder::kBusiestArea}) {
    EXPECT_EQ(best_fit(instance, order).height * instance.unit, 300);
  }
}

TEST(BestFit, TakesTheSmallestHoleThatFits) {
  // Holes of 3 (of b) and 2 (of d) below walls a, c and e; then f of 2 and g of 3 fill both.
  const Instance instance = make_instance(
      {{{0, 4, 1}, {0, 2, 3}, {0, 4, 1}, {0, 2, 2}, {0, 4, 1}, {2, 4, 2}, {3, 4, 3}}});
  EXPECT_EQ(best_fit(instance, BirthOrder::kLargest).height, 8);
}

TEST(Skyline, FillsWhatCanBeFilledAndGivesUpWhenTold) {
  const Instance instance = make_instance(kFilled);
  EXPECT_EQ(skyline(instance, SkylineKey::kLongest, 100)->height, 3);
  EXPECT_FALSE(skyline(instance, SkylineKey::kLongest, 3).has_value());
}

TEST(TreeSearch, FindsProvesAndGivesUp) {
  const Instance instance = make_instance(kFilled);
  TreeSearch search(instance, 8);
  const SearchStyle style = SearchStyles(instance).style(1);
  EXPECT_EQ(search.run(3, style, 1000, never), SearchOutcome::kFound);
  EXPECT_EQ(search.placement().height, 3);
  EXPECT_EQ(search.run(2, style, 1000, never), SearchOutcome::kImpossible);
  EXPECT_EQ(search.run(3, style, 2, never), SearchOutcome::kGaveUp);
  EXPECT_EQ(search.run(3, style, 1000, never), SearchOutcome::kFound);  // nothing is left behind
}

TEST(TreeSearch, EveryStyleComesToTheSameVerdict) {
  const Instance instance = make_instance(kStairs);
  const SearchStyles styles(instance);
  for (std::int64_t number = 1; number <= 40; ++number) {
    TreeSearch search(instance, 8);
    for (std::int64_t target = 2; target <= 6; ++target) {
      EXPECT_EQ(search.run(target, styles.style(number), 100'000, never),
                target < 4 ? SearchOutcome::kImpossible : SearchOutcome::kFound)
          << "target " << target << ", style " << number;
    }
  }
}

TEST(Ladder, KeepsTheBestWhenItHasNoEffortToSpend) {
  const Instance instance = make_instance(kFilled);
  const LadderResult result = climb(instance, {{0, 2, 5, 9}, 12}, {});
  EXPECT_EQ(result.best.height, 12);
  EXPECT_EQ(result.bound, 3);
  EXPECT_FALSE(result.improved);
}

TEST(FailedStates, RemembersAndForgets) {
  FailedStates states(4);
  StateHash state;
  state.add(7, 1);
  EXPECT_FALSE(states.contains(state));
  states.insert(state);
  EXPECT_TRUE(states.contains(state));
  int remembered = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    StateHash other;
    other.add(i, 2);
    states.insert(other);
  }
  for (std::uint64_t i = 0; i < 100; ++i) {
    StateHash other;
    other.add(i, 2);
    if (states.contains(other)) ++remembered;
  }
  EXPECT_GT(remembered, 0);
  EXPECT_LE(remembered, 16);  // room for 2^4
}

TEST(StateHash, DoesNotDependOnTheOrderOfItsValues) {
  StateHash a;
  a.add(1, 10);
  a.add(2, 20);
  StateHash b;
  b.add(2, 20);
  b.add(1, 10);
  StateHash c;
  c.add(2, 10);
  c.add(1, 20);
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a == c);
}

}  // namespace
}  // namespace wick::compiler::pack
