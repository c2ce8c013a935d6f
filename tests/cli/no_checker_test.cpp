// A wick that was built without LLVM: it says so, and hands nothing out unchecked without being
// told to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::HasSubstr;

TEST(NoChecker, TheVersionTellsOfIt) {
  EXPECT_THAT(Workbench().wick({"--version"}).out, HasSubstr("(built without the checker)"));
}

TEST(NoChecker, CompileAsksForNoCheck) {
  const Workbench bench;
  bench.write("g.json", kSmallGraph);
  const Outcome refused = bench.wick_as_is({"compile", "g.json", "-o", "out"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--no-check"));
  EXPECT_FALSE(bench.exists("out"));
  EXPECT_EQ(bench.wick_as_is({"compile", "g.json", "-o", "out", "--no-check"}).code, 0);
  EXPECT_TRUE(bench.exists("out/demo.cpp"));
}

TEST(NoChecker, CompileHasNoStyles) {
  const Workbench bench;
  bench.write("g.json", kSmallGraph);
  bench.write(".clang-format", "IndentWidth: 3\n");
  EXPECT_EQ(bench.wick_as_is({"compile", "g.json", "-o", "out", "--no-check", "--style=file"}).code,
            2);
}

TEST(NoChecker, CheckIsAUsageError) {
  const Workbench bench;
  bench.write("m.cpp", "");
  EXPECT_EQ(bench.wick({"check", "m.cpp"}).code, 2);
}

}  // namespace
}  // namespace wick::cli_test
