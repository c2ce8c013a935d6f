// wick pack: lifetimes in, offsets and figures out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Two buffers that are alive together, and a third that fits into the place of the first.
const std::string kThree =
    "id,lower,upper,size\n"
    "a,0,2,10\n"
    "b,1,3,20\n"
    "c,2,4,10\n";

TEST(Pack, PrintsPeakBoundGapMethodAndProof) {
  const Outcome outcome = Workbench().wick({"pack", "-"}, kThree);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("buffers      3\n"));
  EXPECT_THAT(outcome.out, HasSubstr("peak         30 bytes\n"));
  EXPECT_THAT(outcome.out, HasSubstr("lower bound  30 bytes\n"));
  EXPECT_THAT(outcome.out, HasSubstr("gap          0.000 %\n"));
  EXPECT_THAT(outcome.out, HasSubstr("method       "));
  EXPECT_THAT(outcome.out, HasSubstr("proof        optimal"));
}

TEST(Pack, PrintsThemForPrograms) {
  const Outcome outcome = Workbench().wick({"pack", "-", "--report=json"}, kThree);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("{\"buffers\": 3, \"peak\": 30, \"lower_bound\": 30, "));
  EXPECT_THAT(outcome.out, HasSubstr("\"optimal\": true"));
}

TEST(Pack, OffsetsComeAsCsv) {
  const Outcome outcome = Workbench().wick({"pack", "-", "--offsets"}, kThree);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("id,lower,upper,size,offset\na,0,2,10,"));
  EXPECT_THAT(outcome.err, HasSubstr("peak"));
  // a and c share their place, b stands beside: at 20 and 0, or at 0 and 10.
  const bool below = outcome.out.find("b,1,3,20,0\n") != std::string::npos;
  const std::string beside = below ? "20" : "0";
  EXPECT_THAT(outcome.out, HasSubstr("a,0,2,10," + beside + "\n"));
  EXPECT_THAT(outcome.out, HasSubstr("c,2,4,10," + beside + "\n"));
}

TEST(Pack, SearchesExactlyWithinATime) {
  const Workbench bench;
  bench.write("three.csv", kThree);
  const Outcome outcome = bench.wick({"pack", "three.csv", "--exact", "--time", "1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("proof        optimal"));
  EXPECT_EQ(bench.wick({"pack", "three.csv", "--exact", "--time=-1"}).code, 2);
}

TEST(Pack, NothingToPackNeedsNothing) {
  const Outcome outcome = Workbench().wick({"pack", "-"}, "id,lower,upper,size\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("peak         0 bytes"));
}

TEST(Pack, AWrongRowIsToldWithItsLine) {
  const Workbench bench;
  bench.write("bad.csv", kThree + "d,4,3,10\ne,x,3,10\n");
  const Outcome outcome = bench.wick({"pack", "bad.csv"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("bad.csv:5: "));
  EXPECT_THAT(outcome.err, HasSubstr("bad.csv:6: "));
  EXPECT_EQ(outcome.out, "");
}

TEST(Pack, AFileThatCannotBeReadIsAnInputError) {
  EXPECT_EQ(Workbench().wick({"pack", "none.csv"}).code, 5);
}

}  // namespace
}  // namespace wick::cli_test
