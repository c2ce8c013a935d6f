// wick compile: the products that it prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Outcome print(const std::string& option, const std::string& graph = kSmallGraph) {
  const Workbench bench;
  const Outcome outcome = bench.wick({"compile", "-", option}, graph);
  EXPECT_EQ(outcome.code, 0) << option << "\n" << outcome.err;
  EXPECT_TRUE(bench.list("").empty()) << "without -o nothing is written";
  return outcome;
}

TEST(Print, TheGraphReadsBackAsItself) {
  const std::string once = print("--emit=graph").out;
  EXPECT_THAT(once, HasSubstr("\"wick\": 1"));
  EXPECT_EQ(print("--emit=graph", once).out, once);
}

TEST(Print, TheSimplifiedGraphHasNoComposite) {
  std::string graph = kSmallGraph;
  const std::string sum = R"("add", "inputs": ["x", 1])";
  graph.replace(graph.find(sum), sum.size(), R"("softmax", "inputs": ["x"], "axis": 0)");
  EXPECT_THAT(print("--emit=graph", graph).out, HasSubstr("\"softmax\""));
  const std::string simplified = print("--emit=simplified", graph).out;
  EXPECT_THAT(simplified, Not(HasSubstr("\"softmax\"")));
  EXPECT_THAT(simplified, HasSubstr("\"exp\""));
}

TEST(Print, FusedListsKernelsWithTheirStatements) {
  const std::string text = print("--emit=fused", kArenaGraph).out;
  EXPECT_THAT(text, StartsWith("fused \"arena\": 3 kernels\n"));
  EXPECT_THAT(text, HasSubstr("reads \"x\" f32[4, 1000]"));
  EXPECT_THAT(text, HasSubstr("\"y\" = sub("));
  EXPECT_THAT(text, EndsWith("outputs\n  \"y\" f32[4]\n"));
}

TEST(Print, DotIsAGraphOfThem) {
  const std::string text = print("--emit=dot", kArenaGraph).out;
  EXPECT_THAT(text, StartsWith("digraph \"arena\" {\n"));
  EXPECT_THAT(text, HasSubstr("label=\"input x\""));
  EXPECT_THAT(text, HasSubstr(" -> out0 [label=\"f32[4]\"];"));
  EXPECT_THAT(text, EndsWith("}\n"));
}

TEST(Print, NoNameLeavesItsStringInADrawing) {
  std::string graph = kSmallGraph;
  for (std::size_t at; (at = graph.find("\"x\"")) != std::string::npos;) {
    graph.replace(at, 3, R"("q\"];\\\n")");
  }
  EXPECT_THAT(print("--emit=dot", graph).out, HasSubstr(R"(label="input q\"];\\ "])"));
}

TEST(Print, PlanNamesTheSeedsKinds) {
  const std::string text = print("--emit=plan", kArenaGraph).out;
  EXPECT_THAT(text, StartsWith("plan \"arena\"\n"));
  EXPECT_THAT(text, HasSubstr("fresh"));
  EXPECT_THAT(text, HasSubstr("frees"));
}

TEST(Print, CppIsTheSourceThatWouldBeWritten) {
  const Workbench bench;
  const Outcome both = bench.wick({"compile", "-", "--emit=cpp", "-o", "out"}, kSmallGraph);
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(both.out, bench.read("out/demo.cpp"));
  EXPECT_EQ(both.out, print("--emit=cpp").out);
}

// u has 4 * 1000 elements of 4 bytes.
TEST(Print, LifetimesAreThoseThatPackReads) {
  const std::string csv = print("--emit=lifetimes", kArenaGraph).out;
  EXPECT_THAT(csv, StartsWith("id,lower,upper,size,alignment\n"));
  EXPECT_THAT(csv, HasSubstr(",16000,64\n"));
  const Outcome packed = Workbench().wick({"pack", "-"}, csv);
  EXPECT_EQ(packed.code, 0) << packed.err;
  EXPECT_THAT(packed.out, HasSubstr("optimal"));
}

TEST(Print, ExplainsWhatFusionKeptApart) {
  EXPECT_EQ(print("--explain-fusion").out, "fusion: nothing was kept apart\n");
  const std::string text = print("--explain-fusion", kArenaGraph).out;
  EXPECT_THAT(text, HasSubstr("\n  \"t\" and \"y\": "));
}

TEST(Print, ReportsMemoryForPeopleAndPrograms) {
  EXPECT_THAT(print("--report", kArenaGraph).out, HasSubstr("lower bound"));
  EXPECT_THAT(print("--report=text", kArenaGraph).out, HasSubstr("lower bound"));
  EXPECT_THAT(print("--report=json", kArenaGraph).out, StartsWith("{"));
  EXPECT_EQ(Workbench().wick({"compile", "-", "--report=xml"}, kArenaGraph).code, 2);
}

TEST(Print, ReportTakesNoWordOfItsOwn) {
  const Workbench bench;
  bench.write("g.json", kSmallGraph);
  const Outcome outcome = bench.wick({"compile", "--report", "g.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace wick::cli_test
