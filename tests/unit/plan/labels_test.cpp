// What a slot is said to reuse, and when most is alive.
#include "compiler/plan/labels.h"

#include <gtest/gtest.h>

#include "compiler/plan/lifetimes.h"

namespace wick::compiler {
namespace {

StorageId add(Plan& plan, std::int64_t offset, std::int64_t size, StepIndex birth,
              StepIndex death) {
  Storage storage;
  storage.offset = {offset};
  storage.size = {size};
  storage.birth = birth;
  storage.death = death;
  return plan.storages.push_back(storage);
}

//          bytes       alive
//   a    [0, 128)     [0, 2)
//   b  [128, 192)     [0, 3)
//   c    [0,  64)     [2, 4)    on the lower half of a
//   d    [0, 128)     [4, 6)    on c and the upper half of a: c died last
//   e  [128, 192)     [5, 6)    on b
TEST(ReuseLabels, OfSeveralSlotsTheOneThatDiedLast) {
  Plan plan;
  const StorageId a = add(plan, 0, 128, 0, 2);
  const StorageId b = add(plan, 128, 64, 0, 3);
  const StorageId c = add(plan, 0, 64, 2, 4);
  const StorageId d = add(plan, 0, 128, 4, 6);
  const StorageId e = add(plan, 128, 64, 5, 6);
  const std::vector<Reuse> reuses = reuse_by_place(plan, {a, b, c, d, e});
  ASSERT_EQ(reuses.size(), 3U);
  EXPECT_EQ(reuses[0].slot, c);
  EXPECT_EQ(reuses[0].reused, a);
  EXPECT_EQ(reuses[1].slot, d);
  EXPECT_EQ(reuses[1].reused, c);
  EXPECT_EQ(reuses[2].slot, e);
  EXPECT_EQ(reuses[2].reused, b);
}

TEST(ReuseLabels, ThePartOfASlotThatWasNotLaidOnStaysItsOwn) {
  Plan plan;
  const StorageId wide = add(plan, 0, 192, 0, 1);
  const StorageId middle = add(plan, 64, 64, 1, 2);
  const StorageId low = add(plan, 0, 64, 2, 3);
  const StorageId high = add(plan, 128, 64, 2, 3);
  const std::vector<Reuse> reuses = reuse_by_place(plan, {wide, middle, low, high});
  ASSERT_EQ(reuses.size(), 3U);
  for (const Reuse& reuse : reuses) EXPECT_EQ(reuse.reused, wide);
}

TEST(ReuseLabels, WorkspaceAndNothingAreNobody) {
  Plan plan;
  const StorageId scratch = add(plan, 0, 64, 0, 1);
  plan.storages[scratch].workspace = true;
  const StorageId nothing = add(plan, 0, 0, 0, 1);
  const StorageId slot = add(plan, 0, 64, 1, 2);
  EXPECT_TRUE(reuse_by_place(plan, {scratch, nothing, slot}).empty());
}

TEST(PeakOfLifetimes, CountsHalfOpenIntervals) {
  Plan plan;
  add(plan, 0, 100, 0, 2);  // 128 rounded
  add(plan, 0, 10, 2, 3);   // 64: born as the first dies
  add(plan, 0, 65, 1, 2);   // 128
  const Peak peak = peak_of(plan.storages, false, 3);
  EXPECT_EQ(peak.rounded, Bytes{256});
  EXPECT_EQ(peak.raw, Bytes{165});
  EXPECT_EQ(peak.step, 1U);
  EXPECT_EQ(peak_of(plan.storages, true, 0).rounded, Bytes{0});
}

}  // namespace
}  // namespace wick::compiler
