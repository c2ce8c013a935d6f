#include "compiler/support/ids.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "compiler/support/check.h"

namespace wick::compiler {
namespace {

using Apple = Id<struct AppleTag>;
using Pear = Id<struct PearTag>;

static_assert(!std::is_convertible_v<Apple, Pear>);
static_assert(!std::is_convertible_v<std::size_t, Apple>);
static_assert(!std::is_convertible_v<Apple, std::size_t>);

TEST(Ids, AnIdNamesNothingUntilItIsGivenAnIndex) {
  EXPECT_FALSE(Apple().valid());
  EXPECT_TRUE(Apple(0).valid());
  EXPECT_EQ(Apple(7).index(), 7u);
  EXPECT_LT(Apple(1), Apple(2));
  EXPECT_EQ(Apple(3), Apple(3));
}

TEST(Ids, ATableGivesTheIdsOfItsElements) {
  IdVector<Apple, int> table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.next_id(), Apple(0));
  EXPECT_EQ(table.push_back(10), Apple(0));
  EXPECT_EQ(table.push_back(20), Apple(1));
  EXPECT_EQ(table[Apple(1)], 20);
  table[Apple(0)] = 11;
  int sum = 0;
  for (const Apple id : ids(table)) sum += table[id];
  EXPECT_EQ(sum, 31);
}

TEST(Ids, ATableMayBeMadeOfOneValue) {
  const IdVector<Apple, bool> table(3, true);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_TRUE(table[Apple(2)]);
}

TEST(Ids, AnEmptyRangeHasNoIds) {
  for (const Apple id : ids<Apple>(0)) FAIL() << id.index();
}

TEST(ByteCounts, TheyAddAndCompare) {
  Bytes total{3};
  total += Bytes{4};
  EXPECT_EQ(total, (Bytes{7}));
  EXPECT_EQ((Bytes{7} - Bytes{2}), (Bytes{5}));
  EXPECT_LT((Bytes{1}), (Bytes{2}));
}

TEST(ByteCounts, RoundingUpGoesToTheNextMultiple) {
  EXPECT_EQ(round_up(Bytes{0}), (Bytes{0}));
  EXPECT_EQ(round_up(Bytes{1}), (Bytes{64}));
  EXPECT_EQ(round_up(Bytes{64}), (Bytes{64}));
  EXPECT_EQ(round_up(Bytes{65}), (Bytes{128}));
  EXPECT_EQ(round_up(Bytes{9}, Bytes{4}), (Bytes{12}));
}

TEST(Check, OnlyWhatDoesNotHoldIsABug) {
  EXPECT_NO_THROW(check(true, "fine"));
  try {
    check(false, std::string("the reason"));
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.what(), "the reason");
  }
}

}  // namespace
}  // namespace wick::compiler
