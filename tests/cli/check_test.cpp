// wick check, and the check that compile makes before it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

// A folder with the emitted arena graph, and the graph itself.
class Check : public testing::Test {
 protected:
  void SetUp() override {
    bench_.write("g.json", kArenaGraph);
    ASSERT_EQ(bench_.wick({"compile", "g.json", "-o", "out"}).code, 0);
  }

  // Replaces the one place where `from` stands in a file.
  void edit(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = bench_.read(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in\n" << text;
    bench_.write(file, text.replace(at, from.size(), to));
  }

  Workbench bench_;
};

TEST_F(Check, ProvesWhatWasEmitted) {
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "out/arena.cpp: proven safe\n");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Check, ProvesItAgainstTheGraph) {
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp", "--against", "g.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("out/arena.cpp: proven safe, and to compute what g.json says\n"));
}

TEST_F(Check, SaysNothingIfQuiet) {
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp", "--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

// A reviewer's small fix: a free that looks as if it stood too early.
TEST_F(Check, RefusesAFreeThatWasTakenOut) {
  const std::string text = bench_.read("out/arena.cpp");
  const std::size_t at = text.find("  wick::free(");
  ASSERT_NE(at, std::string::npos);
  edit("out/arena.cpp", text.substr(at, text.find('\n', at) + 1 - at), "");
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              AllOf(MatchesRegex("out/arena\\.cpp:[0-9]+:[0-9]+: error: `.*"),
                    HasSubstr("is never freed, and this is the last statement that uses it"),
                    HasSubstr("hint: free it directly after this statement"), HasSubstr("^")));
}

TEST_F(Check, TellsProgramsInJson) {
  edit("out/arena.cpp", "= 0;", "= 32;");
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp", "--diagnostics=json"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("{\"errors\": 1, "),
                                 HasSubstr("\"file\": \"out/arena.cpp\", \"line\": "),
                                 HasSubstr("occupies 16000 bytes at 32, but the arena has 16000")));
}

TEST_F(Check, RefusesCodeOfAnotherGraph) {
  edit("g.json", "\"op\": \"sub\"", "\"op\": \"add\"");
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp", "--against", "g.json"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("out/arena.cpp:"), HasSubstr("/nodes/3")));
}

TEST_F(Check, RefusesWhatDoesNotCompile) {
  edit("out/arena.cpp", "wick::leave", "wick::depart");
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("out/arena.cpp:"), HasSubstr("depart")));
}

TEST_F(Check, RefusesAnotherForm) {
  edit("out/arena.cpp", "\n  wick::leave", "\n    wick::leave");
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("this is not in the form of emitted code"));
  EXPECT_EQ(bench_.wick({"check", "out/arena.cpp", "--any-style"}).code, 0);
}

TEST_F(Check, TellsFilesApartThatItCannotRead) {
  EXPECT_EQ(bench_.wick({"check", "out/missing.cpp"}).code, 5);
  EXPECT_EQ(bench_.wick({"check", "out/arena.cpp", "--weights", "missing"}).code, 5);
  EXPECT_EQ(bench_.wick({"check", "out/arena.cpp", "--against", "missing"}).code, 5);
  bench_.write("wrong.json", "{}");
  EXPECT_EQ(bench_.wick({"check", "out/arena.cpp", "--against", "wrong.json"}).code, 1);
  fs::remove(bench_.path("out/arena.h"));
  const Outcome outcome = bench_.wick({"check", "out/arena.cpp"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("out/arena.h"));
}

// ---- compile ------------------------------------------------------------------------------------

TEST_F(Check, ChangesNoByteOfWhatIsWritten) {
  ASSERT_EQ(bench_.wick({"compile", "g.json", "-o", "unchecked", "--no-check"}).code, 0);
  for (const std::string name : {"arena.cpp", "arena.h"})
    EXPECT_EQ(bench_.read("out/" + name), bench_.read("unchecked/" + name)) << name;
}

TEST_F(Check, TheVersionTellsOfIt) {
  EXPECT_THAT(bench_.wick({"--version"}).out, HasSubstr("(built with the checker)"));
}

TEST_F(Check, CompileWritesInTheUsersStyle) {
  bench_.write(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 8\n");
  const Outcome outcome = bench_.wick({"compile", "g.json", "-o", "styled", "--style=file"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench_.read("styled/arena.cpp"), HasSubstr("\n        wick::leave("));
  EXPECT_THAT(bench_.read("out/arena.cpp"), HasSubstr("\n  wick::leave("));
  // The same code all the same.
  EXPECT_EQ(bench_.wick({"check", "styled/arena.cpp", "--any-style", "--against", "g.json"}).code,
            0);
  // Nothing is written anew.
  const auto before = fs::last_write_time(bench_.path("styled/arena.cpp"));
  ASSERT_EQ(bench_.wick({"compile", "g.json", "-o", "styled", "--style=file"}).code, 0);
  EXPECT_EQ(fs::last_write_time(bench_.path("styled/arena.cpp")), before);
}

TEST_F(Check, CompileTakesAStyleFromElsewhere) {
  bench_.write("styles/ours", "IndentWidth: 3\n");
  const Outcome outcome =
      bench_.wick({"compile", "g.json", "-o", "styled", "--style=file:styles/ours"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench_.read("styled/arena.cpp"), HasSubstr("\n   wick::leave("));
}

TEST_F(Check, OutputsDependOnTheStyle) {
  bench_.write(".clang-format", "IndentWidth: 8\n");
  ASSERT_EQ(bench_.wick({"compile", "g.json", "-o", "a", "--style=file", "--depfile=a.d"}).code, 0);
  EXPECT_THAT(bench_.read("a.d"), HasSubstr(bench_.path(".clang-format").string()));
  bench_.write("ours", "IndentWidth: 3\n");
  ASSERT_EQ(
      bench_.wick({"compile", "g.json", "-o", "b", "--style=file:ours", "--depfile=b.d"}).code, 0);
  EXPECT_THAT(bench_.read("b.d"), HasSubstr(" ours"));
}

TEST_F(Check, CompileRefusesStylesThatAreNone) {
  EXPECT_EQ(bench_.wick({"compile", "g.json", "-o", "styled", "--style=google"}).code, 2);
  EXPECT_EQ(bench_.wick({"compile", "g.json", "-o", "styled", "--style=file:"}).code, 2);
  EXPECT_EQ(bench_.wick({"compile", "g.json", "--report", "--style=file"}).code, 2);
  const Outcome pipe = bench_.shell("mkfifo pipe && timeout 20 '" WICK_PROGRAM
                                    "' compile g.json -o styled --style=file:pipe");
  EXPECT_EQ(pipe.code, 5);
  EXPECT_THAT(pipe.err, HasSubstr("--style: \"pipe\" is not a regular file"));
  const Outcome none = bench_.wick({"compile", "g.json", "-o", "styled", "--style=file"});
  EXPECT_EQ(none.code, 5);
  EXPECT_THAT(none.err, HasSubstr("no .clang-format in the folder of the output or above it"));
  bench_.write(".clang-format", "IndentWidth: many\n");
  EXPECT_EQ(bench_.wick({"compile", "g.json", "-o", "styled", "--style=file"}).code, 5);
  EXPECT_FALSE(bench_.exists("styled"));
}

}  // namespace
}  // namespace wick::cli_test
