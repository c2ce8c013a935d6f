// What the program says about itself and about command lines that it cannot read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Usage, VersionSaysWhetherThereIsAChecker) {
  const Outcome outcome = Workbench().wick({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("wick 0."));
  EXPECT_EQ(outcome.err, "");
}

TEST(Usage, HelpListsCommandsAndExitCodes) {
  const Outcome outcome = Workbench().wick({"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* word : {"compile", "check", "run", "pack", "ops", "runtime", "70  a bug in wick",
                           "3   over budget", "5   input or output"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST(Usage, EachCommandHasHelpWithAnExample) {
  const Workbench bench;
  for (const std::string command : {"compile", "check", "run", "pack", "ops", "runtime"}) {
    const Outcome outcome = bench.wick({command, "--help"});
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr("  wick " + command)) << command;
  }
}

TEST(Usage, NoCommandIsAnError) {
  const Outcome outcome = Workbench().wick({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("wick --help"));
}

TEST(Usage, MisspeltCommandGetsASuggestion) {
  const Outcome outcome = Workbench().wick({"complie", "graph.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no command \"complie\""));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"compile\"?"));
}

TEST(Usage, MisspeltOptionGetsASuggestion) {
  const Outcome outcome = Workbench().wick({"compile", "graph.json", "--storge=static", "-o", "d"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("wick compile has no option \"--storge\""));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"--storage\"?"));
}

TEST(Usage, MisspeltWordOfAnOptionGetsASuggestion) {
  const Workbench bench;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--storage=statik", "static"},  {"--fp=strickt", "strict"},
      {"--pack=exakt", "exact"},       {"--schedule=memroy", "memory"},
      {"--weights=pointr", "pointer"}, {"--emit=lifetime", "lifetimes"},
      {"--diagnostics=jsn", "json"}};
  for (const auto& [argument, word] : cases) {
    const Outcome outcome = bench.wick({"compile", "graph.json", "-o", "d", argument});
    EXPECT_EQ(outcome.code, 2) << argument;
    EXPECT_THAT(outcome.err, HasSubstr("did you mean \"" + word + "\"?")) << argument;
  }
}

TEST(Usage, AMissingGraphIsAskedFor) {
  const Outcome outcome = Workbench().wick({"compile", "-o", "d"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("wick compile --help"));
}

// Each says what to do in words of the command line, not of the library that reads it.
TEST(Usage, EveryMistakeIsToldInOurWords) {
  const Workbench bench;
  bench.write("g.json", kSmallGraph);
  using Words = std::vector<std::string>;
  const std::vector<std::pair<Words, std::string>> cases = {
      {{},
       "say what to do, wick COMMAND; the commands are compile, check, run, pack, ops, "
       "runtime"},
      {{"--foo"}, "wick has no option \"--foo\""},
      {{"-x"}, "wick has no option \"-x\""},
      {{"compile", "-o", "d"}, "wick compile needs GRAPH"},
      {{"compile", "g.json"}, "say where the code goes: -o DIR"},
      {{"compile", "g.json", "-o"}, "--output needs a value: --output DIR"},
      {{"compile", "g.json", "-o", "d", "-o", "e"}, "--output is given twice; it is taken once"},
      {{"compile", "g.json", "-o", "d", "-x"}, "wick compile has no option \"-x\""},
      {{"compile", "g.json", "-o", "d", "-j"}, "--jobs needs a value: --jobs N"},
      {{"compile", "g.json", "-o", "d", "--style"}, "--style needs a value: --style STYLE"},
      {{"compile", "g.json", "-o", "d", "--quiet=no way"}, "--quiet takes no value"},
      {{"compile", "g.json", "--report=xml"}, "there is no \"xml\"; expected text or json"},
      {{"compile", "g.json", "-o", "d", "--pack-seconds=x"},
       "--pack-seconds: expected a number of seconds from 0 to 86400, found x"},
      {{"compile", "g.json", "-o", "d", "--storage="},
       "--storage needs a value: --storage arena|static|heap|none"},
      {{"run", "g.json", "x", "--print"}, "wick run takes no further argument \"x\""},
      {{"run", "g.json"}, "say where the outputs go"},
      {{"pack", "a", "b"}, "wick pack takes no further argument \"b\""},
      {{"runtime"}, "wick runtime needs --output DIR"},
  };
  for (const auto& [words, message] : cases) {
    const Outcome outcome = bench.wick(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_FALSE(bench.exists("d"));
}

TEST(Usage, NothingToWriteAndNothingToPrintIsAnError) {
  const Workbench bench;
  bench.write("g.json", kSmallGraph);
  EXPECT_EQ(bench.wick({"compile", "g.json"}).code, 2);
  EXPECT_EQ(bench.wick({"run", "g.json"}).code, 2);
}

TEST(Usage, NoColoursAndNoProgressWhereNobodyWatches) {
  const Workbench bench;
  bench.write("bad.json", "{");
  const Outcome outcome = bench.wick({"compile", "bad.json", "-o", "d"}, "", {{"TERM", "xterm"}});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("\r")));
}

TEST(Ops, ListsAndExplains) {
  const Workbench bench;
  const Outcome list = bench.wick({"ops"});
  EXPECT_EQ(list.code, 0);
  for (const char* name : {"matmul", "softmax", "concat"}) EXPECT_THAT(list.out, HasSubstr(name));
  const Outcome one = bench.wick({"ops", "concat"});
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, HasSubstr("axis"));
  EXPECT_LT(one.out.size(), list.out.size());
}

TEST(Ops, MarkdownIsTheDocumentedReference) {
  const Outcome outcome = Workbench().wick({"ops", "--markdown"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("# "));
  EXPECT_THAT(outcome.out, HasSubstr("logsumexp"));
}

TEST(Ops, MisspeltNameGetsASuggestion) {
  const Outcome outcome = Workbench().wick({"ops", "sofmax"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"softmax\"?"));
}

}  // namespace
}  // namespace wick::cli_test
