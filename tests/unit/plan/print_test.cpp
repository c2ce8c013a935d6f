// What people and programs read about a plan.
#include "compiler/plan/print.h"

#include <gtest/gtest.h>

#include "compiler/plan/report.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

constexpr DType kF32 = DType::kF32;

// a, b, c and d are 64 bytes each; c lies where a was.
Described chain() {
  return Described("chain")
      .input("x", kF32, {4, 4})
      .node("a", "add", {"x", 1})
      .node("b", "matmul", {"a", "a"})
      .node("c", "matmul", {"b", "b"})
      .node("v", "transpose", {"c"})
      .node("d", "matmul", {"v", "v"})
      .node("y", "neg", {"d"})
      .output("y");
}

TEST(PlanText, NamesThePlacementsOfTheSeed) {
  EXPECT_EQ(to_text(*planned(chain()).plan), R"(plan "chain"
  arena 128 bytes, lower bound 128 bytes, state 0 bytes

storages
  input x: 64 bytes
  a: 64 bytes at 0, live [0, 2)
  b: 64 bytes at 64, live [1, 3)
  c: 64 bytes at 0, live [2, 5)
  output y: 64 bytes

run
  0: a = map(x)  # fresh
  1: b = product(a, a)  # fresh; frees a
  2: c = product(b, b)  # reuse of a; frees b
  3: v [4, 4] strides [1, 4] = transpose(c)  # reference (slot) to c
  4: d = product(v [4, 4] strides [1, 4], v [4, 4] strides [1, 4])  # output; frees c
  5: y = map(d)  # in place of d
)");
}

TEST(PlanText, TellsOfAllocationsOnTheHeap) {
  PlanOptions options;
  options.storage = StorageMode::kHeap;
  const std::string text = to_text(*planned(chain(), options).plan);
  EXPECT_NE(text.find("a: 64 bytes, allocated, live [0, 2)"), std::string::npos);
  EXPECT_NE(text.find("c: 64 bytes, in the allocation of a, live [2, 5)"), std::string::npos);
}

TEST(PlanText, ShowsWhatIsPrepared) {
  const std::string text = to_text(*planned(Described()
                                                .parameter("p", kF32, {4})
                                                .node("k", "exp", {"p"})
                                                .cached()
                                                .node("y", "neg", {"k"})
                                                .output("y"))
                                        .plan);
  EXPECT_NE(text.find("prepare\n  0: k = map(p)  # state\n"), std::string::npos);
  EXPECT_NE(text.find("cached k: 16 bytes at 0 of the state"), std::string::npos);
}

TEST(PlanLifetimes, AreThoseOfTheSlotsInTheFormatOfThePacker) {
  EXPECT_EQ(lifetimes_csv(*planned(chain()).plan),
            "id,lower,upper,size,alignment\na,0,2,64,64\nb,1,3,64,64\nc,2,5,64,64\n");
}

// x -> a (64 bytes) -> b (64) -> c (64) -> y: d lives in the output.
TEST(MemoryReport, SaysWhatEachStepOfPlanningSaved) {
  const MemoryReport report = planned(chain()).plan->report;
  EXPECT_EQ(report.arena, Bytes{128});
  EXPECT_EQ(report.lower_bound, Bytes{128});
  EXPECT_EQ(report.live, Bytes{128});
  EXPECT_EQ(report.peak_step, 1U);
  EXPECT_EQ(report.at_peak.size(), 2U);
  EXPECT_EQ(report.slots, 3U);
  EXPECT_EQ(report.no_reuse, Bytes{5 * 64});       // a b c v d
  EXPECT_EQ(report.with_views, Bytes{4 * 64});     // a b c d
  EXPECT_EQ(report.with_in_place, Bytes{3 * 64});  // a b c
  // Read and written: by a and y 128 each, by three products 192 each.
  EXPECT_EQ(report.moved, Bytes{2 * 128 + 3 * 192});
  EXPECT_TRUE(report.packing_optimal);
  EXPECT_EQ(gap_percent(report), 0);
}

TEST(MemoryReport, InJson) {
  const std::string json = report_json(*planned(chain()).plan);
  EXPECT_NE(json.find("\"graph\": \"chain\",\n"), std::string::npos);
  EXPECT_NE(json.find("\"arena\": 128,\n"), std::string::npos);
  EXPECT_NE(json.find("\"gap_percent\": 0.00,\n"), std::string::npos);
  EXPECT_NE(json.find("{\"name\": \"a\", \"size\": 64, \"offset\": 0, \"live\": [0, 2]}"),
            std::string::npos);
}

TEST(MemoryReport, InWords) {
  const std::string text = report_text(*planned(chain()).plan);
  EXPECT_NE(text.find("arena          128  of slots\n"), std::string::npos);
  EXPECT_NE(text.find("in place       -64\n"), std::string::npos);
  EXPECT_NE(text.find("alive at the peak, step 1\n"), std::string::npos);
}

TEST(MemoryReport, OfAPlanWithoutSlots) {
  const Planned it =
      planned(Described("none").input("x", kF32, {4}).node("y", "neg", {"x"}).output("y"));
  EXPECT_EQ(it.plan->report.lower_bound, Bytes{0});
  EXPECT_EQ(gap_percent(it.plan->report), 0);
  EXPECT_NE(report_json(*it.plan).find("\"alive_at_peak\": []"), std::string::npos);
}

}  // namespace
}  // namespace wick::compiler::testing
