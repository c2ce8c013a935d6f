// wick compile with several graphs at once, and command lines from response files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// The small graph under another name.
std::string named(const std::string& name) {
  std::string graph = kSmallGraph;
  return graph.replace(graph.find("demo"), 4, name);
}

class Several : public testing::Test {
 protected:
  Several() {
    for (const char* name : {"a", "b", "c"}) bench_.write(std::string(name) + ".json", named(name));
  }
  Workbench bench_;
};

TEST_F(Several, EachHasFilesOfItsOwnName) {
  const Outcome outcome = bench_.wick({"compile", "a.json", "b.json", "-o", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench_.list("out"), ElementsAre("a.cpp", "a.h", "b.cpp", "b.h"));
}

TEST_F(Several, JobsChangeNeitherFilesNorOutput) {
  std::vector<std::string> arguments = {"compile"};
  for (int i = 0; i < 20; ++i) {
    const std::string name = "g" + std::to_string(i);
    bench_.write(name + ".json", named(name));
    arguments.push_back(name + ".json");
  }
  arguments.insert(arguments.end(), {"--emit=plan", "-o", "one"});
  const Outcome one = bench_.wick(arguments);
  arguments.back() = "eight";
  arguments.insert(arguments.end(), {"-j", "8"});
  const Outcome eight = bench_.wick(arguments);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(eight.code, 0) << eight.err;
  EXPECT_EQ(one.out, eight.out);
  EXPECT_LT(one.out.find("plan \"g2\""), one.out.find("plan \"g10\""));
  EXPECT_EQ(bench_.list("one").size(), 40u);
  EXPECT_EQ(bench_.shell("diff -r one eight").out, "");
}

// More files than may be open at once.
TEST_F(Several, AreLimitedByNoNumberOfOpenFiles) {
  std::string line = "ulimit -n 40; '" WICK_PROGRAM "' compile --no-check -j 2 -o out";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "g" + std::to_string(i);
    bench_.write(name + ".json", named(name));
    line += " " + name + ".json";
  }
  const Outcome outcome = bench_.shell(line);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(bench_.list("out").size(), 120u);
}

TEST_F(Several, ErrorsComeInOrderAndTheWorstCodeWins) {
  bench_.write("bad.json", "{");
  for (const char* jobs : {"-j1", "-j4"}) {
    const Outcome outcome = bench_.wick(
        {"compile", "bad.json", "a.json", "missing.json", "bad.json", "-o", "out", jobs});
    EXPECT_EQ(outcome.code, 5);
    const std::size_t missing = outcome.err.find("\"missing.json\" does not exist");
    EXPECT_LT(outcome.err.find("bad.json:1:2: error: "), missing) << outcome.err;
    EXPECT_NE(outcome.err.find("bad.json:1:2: error: ", missing), std::string::npos);
    EXPECT_FALSE(bench_.exists("out")) << "all files appear or none does";
  }
  EXPECT_EQ(bench_.wick({"compile", "a.json", "bad.json", "-o", "out", "-j2"}).code, 1);
  EXPECT_FALSE(bench_.exists("out"));
}

TEST_F(Several, TheBudgetIsWorseThanAWrongGraph) {
  bench_.write("bad.json", "{");
  bench_.write("big.json", kArenaGraph);
  const Outcome outcome = bench_.wick(
      {"compile", "bad.json", "big.json", "a.json", "-o", "out", "--max-arena=1KiB", "-j3"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the plan of \"arena\" needs 16,0"));
}

TEST_F(Several, TwoOfOneNameAreRefused) {
  bench_.write("again.json", named("a"));
  const Outcome outcome = bench_.wick({"compile", "a.json", "again.json", "-o", "out"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("\"out/a.h\" would be written twice"));
  EXPECT_FALSE(bench_.exists("out"));
}

TEST_F(Several, WhatIsForOneGraphIsRefused) {
  for (const std::string option : {"--name=x", "--namespace=x"}) {
    const Outcome outcome = bench_.wick({"compile", "a.json", "b.json", "-o", "out", option});
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_THAT(outcome.err, HasSubstr("is for one graph")) << option;
  }
  EXPECT_EQ(bench_.wick({"compile", "-", "-", "-o", "out"}).code, 2);
  for (const std::string jobs : {"0", "-1", "1025", "x", "2x", ""}) {
    EXPECT_EQ(bench_.wick({"compile", "a.json", "-o", "out", "--jobs=" + jobs}).code, 2) << jobs;
  }
}

TEST_F(Several, TheDepfileIsOneRuleForAll) {
  ASSERT_EQ(bench_.wick({"compile", "a.json", "b.json", "-o", "out", "--depfile=g.d"}).code, 0);
  EXPECT_THAT(bench_.read("g.d"), StartsWith("out/a.h out/a.cpp out/b.h out/b.cpp: \\\n"
                                             "  a.json \\\n  b.json \\\n  /"));
}

TEST_F(Several, NoOutputReplacesWhatAnyOfThemReads) {
  bench_.write("out/b.h", named("b"));
  const Outcome outcome =
      bench_.wick({"compile", "a.json", "b.json", "out/b.h", "-o", "out", "--force", "-j2"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("\"out/b.h\" is what was read"));
  EXPECT_EQ(bench_.read("out/b.h"), named("b"));
}

TEST_F(Several, AResponseFileStandsForItsWords) {
  bench_.write("sub/more", "-o 'the \"folder\"'\n\t--name=m\\\\o\\\"d");
  bench_.write("args", "compile\n\"a\".json\r\n@sub/more");
  const Outcome wrong = bench_.wick({"@args"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr(R"("m\\o\"d" cannot be the stem)"));
  bench_.write("sub/more", "-o 'the \"folder\"'\n\t--name=\"m\"o'd'");
  const Outcome outcome = bench_.wick({"@args", "--depfile", "g.d", "--no-check"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench_.list("the \"folder\""), ElementsAre("mod.cpp", "mod.h"));
  EXPECT_THAT(bench_.read("g.d"), HasSubstr("\n  a.json \\\n  args \\\n  sub/more \\\n  /"));
}

TEST_F(Several, AResponseFileMayHoldAnEmptyWord) {
  bench_.write("args", "compile a.json -o out --name ''");
  const Outcome outcome = bench_.wick({"@args"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("\"\" cannot be the stem of files"));
}

TEST_F(Several, ResponseFilesThatCannotBeReadAreTold) {
  const Outcome missing = bench_.wick({"compile", "@nothing", "-o", "out"});
  EXPECT_EQ(missing.code, 5);
  EXPECT_THAT(missing.err, HasSubstr("\"nothing\" does not exist"));
  EXPECT_THAT(missing.err, HasSubstr("begins with @ is written \"./@nothing\"\n"));
  bench_.write("open", "compile 'a.json");
  const Outcome open = bench_.wick({"@open"});
  EXPECT_EQ(open.code, 2);
  EXPECT_THAT(open.err, HasSubstr("\"open\" ends within quotes"));
  bench_.write("loop", "@loop");
  const Outcome loop = bench_.wick({"@loop"});
  EXPECT_EQ(loop.code, 2);
  EXPECT_THAT(loop.err, HasSubstr("does one of them name itself?"));
  bench_.write("@a.json", kSmallGraph);
  EXPECT_EQ(bench_.wick({"compile", "./@a.json", "-o", "out"}).code, 0);
}

// Fifteen files of ten words each would be 10^14 words.
TEST_F(Several, ResponseFilesThatMultiplyAreRefused) {
  for (int i = 0; i < 14; ++i) {
    std::string words;
    for (int k = 0; k < 10; ++k) words += "@r" + std::to_string(i + 1) + " ";
    bench_.write("r" + std::to_string(i), words);
  }
  bench_.write("r14", "a.json");
  const Outcome outcome = bench_.wick({"compile", "@r0", "-o", "out"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("more than 16 MiB or 1,000 response files"));
}

// The system would take "a.json" for the graph.
TEST_F(Several, AResponseFileHoldsNoZeroByte) {
  bench_.write("args", std::string("compile a.json\0b -o out", 23));
  const Outcome outcome = bench_.wick({"@args"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the response file \"args\" holds a zero byte"));
  EXPECT_FALSE(bench_.exists("out"));
}

}  // namespace
}  // namespace wick::cli_test
