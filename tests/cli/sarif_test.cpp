// --diagnostics=sarif, read back with a JSON reader and held to the parts of SARIF 2.1.0 that
// code-review tools go by: section 3.13 (log), 3.14 (run), 3.19 (driver), 3.27 (result), 3.30
// (region).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using nlohmann::json;
using testing::StartsWith;

// What holds for every log, whatever went wrong.
json checked_log(const Outcome& outcome) {
  const json log = json::parse(outcome.err);
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_THAT(log["$schema"].get<std::string>(), StartsWith("https://"));
  EXPECT_EQ(log["runs"].size(), 1u);
  const json& run = log["runs"][0];
  const json& driver = run["tool"]["driver"];
  EXPECT_EQ(driver["name"], "wick");
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  EXPECT_EQ(run["invocations"][0]["exitCode"], outcome.code);
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], outcome.code == 0);
  EXPECT_TRUE(run["results"].is_array());
  for (const json& result : run["results"]) {
    const json& rule = driver["rules"].at(result["ruleIndex"].get<std::size_t>());
    EXPECT_EQ(rule["id"], result["ruleId"]);
    EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
  }
  return run;
}

TEST(Sarif, AnErrorInAGraphHasItsPlace) {
  const Workbench bench;
  bench.write("a b#é.json",
              "{\"wick\": 1, \"name\": \"g\",\n"
              "\"inputs\": [{\"name\": \"x\", \"dtype\": \"f32\", \"shape\": [4]}],\n"
              "\"nodes\": [{\"name\": \"y\", \"op\": \"expp\", \"inputs\": [\"x\"]}],\n"
              "\"outputs\": [\"y\"]}\n");
  const Outcome outcome = bench.wick({"compile", "a b#é.json", "-o", "out", "--diagnostics=sarif"});
  EXPECT_EQ(outcome.code, 1);
  const json run = checked_log(outcome);
  ASSERT_EQ(run["results"].size(), 1u);
  const json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "bad-input");
  EXPECT_EQ(result["level"], "error");
  EXPECT_THAT(result["message"]["text"].get<std::string>(),
              testing::HasSubstr("did you mean \"exp\"?"));
  const json& location = result["locations"][0];
  const json& place = location["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "a%20b%23%C3%A9.json");
  // The word "expp" with its quotes: columns 31 to 36 of line 3, the end exclusive.
  EXPECT_EQ(place["region"],
            json({{"startLine", 3}, {"startColumn", 31}, {"endLine", 3}, {"endColumn", 37}}));
  EXPECT_EQ(location["logicalLocations"][0]["fullyQualifiedName"], "/nodes/0/op");
  EXPECT_EQ(location["logicalLocations"][0]["name"], "y");
}

TEST(Sarif, SuccessIsALogWithoutResults) {
  const Workbench bench;
  bench.write("g.json", kSmallGraph);
  const Outcome outcome = bench.wick({"compile", "g.json", "-o", "out", "--diagnostics=sarif"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(checked_log(outcome)["results"].empty());
}

TEST(Sarif, SeveralGraphsMakeOneLog) {
  const Workbench bench;
  bench.write("bad.json", "{");
  bench.write("big.json", kArenaGraph);
  const Outcome outcome = bench.wick({"compile", "bad.json", "missing.json", "big.json", "-o",
                                      "out", "-j3", "--max-arena=1KiB", "--diagnostics=sarif"});
  EXPECT_EQ(outcome.code, 5);
  const json run = checked_log(outcome);
  ASSERT_EQ(run["results"].size(), 3u);
  EXPECT_EQ(run["results"][0]["ruleId"], "bad-input");
  EXPECT_EQ(run["results"][1]["ruleId"], "input-output");
  EXPECT_EQ(run["results"][2]["ruleId"], "over-budget");
}

TEST(Sarif, OtherCommandsWriteItToo) {
  const Workbench bench;
  bench.write("bad.csv", "id,lower\n1,2\n");
  const Outcome pack = bench.wick({"pack", "bad.csv", "--diagnostics=sarif"});
  EXPECT_EQ(pack.code, 1);
  EXPECT_EQ(checked_log(pack)["results"][0]["ruleId"], "bad-input");
  const Outcome ops = bench.wick({"ops", "sofmax", "--diagnostics=sarif"});
  EXPECT_EQ(ops.code, 2);
  EXPECT_EQ(checked_log(ops)["results"][0]["ruleId"], "usage");
}

}  // namespace
}  // namespace wick::cli_test
