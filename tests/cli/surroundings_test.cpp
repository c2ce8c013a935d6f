// What wick's output must not depend on, and what it may not take: the environment, the folder it
// runs in, the locale, memory in proportion to the weights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::ElementsAre;

class Surroundings : public testing::Test {
 protected:
  Surroundings() {
    fs::copy(fs::path(WICK_SOURCE_DIR) / "samples/digits/graph.json", bench_.path("graph.json"));
    fs::copy(fs::path(WICK_SOURCE_DIR) / "samples/digits/mlp.safetensors",
             bench_.path("mlp.safetensors"));
    EXPECT_EQ(bench_.wick(compile("expected")).code, 0);
  }

  // All paths absolute.
  std::vector<std::string> compile(const std::string& folder) const {
    return {"compile", bench_.path("graph.json").string(), "-o", bench_.path(folder).string(),
            "--c-api"};
  }

  void expect_same(Command command) const {
    const auto arguments = Workbench::as_built(compile("found"));
    command.words = {WICK_PROGRAM};
    command.words.insert(command.words.end(), arguments.begin(), arguments.end());
    const Outcome outcome = bench_.run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(bench_.shell("diff -r expected found").out, "");
    fs::remove_all(bench_.path("found"));
  }

  Workbench bench_;
};

TEST_F(Surroundings, AnEmptyEnvironmentIsEnough) { expect_same({{}, "", {}, true}); }

TEST_F(Surroundings, LocaleTimeAndTerminalChangeNothing) {
  expect_same({{}, "", {{"LC_ALL", "de_DE.UTF-8"}, {"LANG", "tr_TR.UTF-8"}}});
  expect_same({{}, "", {{"TZ", "Asia/Tokyo"}, {"SOURCE_DATE_EPOCH", "1"}}});
  expect_same({{}, "", {{"TERM", "xterm-256color"}, {"COLUMNS", "20"}, {"CLICOLOR_FORCE", "1"}}});
  expect_same({{}, "", {{"TMPDIR", "/nowhere"}, {"XDG_CACHE_HOME", "/nowhere"}, {"USER", "x"}}});
}

TEST_F(Surroundings, NothingIsReadOrWrittenAtHome) {
  bench_.write("home/.wick", "--storage=static");
  bench_.write("home/.config/wick", "--storage=static");
  expect_same({{}, "", {{"HOME", bench_.path("home").string()}}});
  EXPECT_THAT(bench_.list("home"), ElementsAre(".config", ".config/wick", ".wick"));
  expect_same({{}, "", {{"HOME", "/nowhere"}}});
}

TEST_F(Surroundings, AnyFolderWillDo) {
  Command elsewhere;
  elsewhere.folder = "/";
  expect_same(elsewhere);
  fs::create_directory(bench_.path("locked"));
  fs::permissions(bench_.path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  elsewhere.folder = bench_.path("locked").string();
  expect_same(elsewhere);
  EXPECT_THAT(bench_.list("locked"), ElementsAre());
}

TEST_F(Surroundings, TheProgramAsksForNoSocket) {
  const Outcome symbols = bench_.shell("nm -D --undefined-only " WICK_PROGRAM);
  ASSERT_EQ(symbols.code, 0) << symbols.err;
  EXPECT_NE(symbols.out.find(" open"), std::string::npos);
  for (const char* call : {" socket", " connect", " getaddrinfo"}) {
    EXPECT_EQ(symbols.out.find(call), std::string::npos) << call;
  }
}

// A matrix of so many rows of 1,024 floats, all zero, in a file with holes.
void write_weights(const Workbench& bench, std::uint64_t rows) {
  const std::uint64_t bytes = rows * 4096;
  const std::string header = R"({"w": {"dtype": "F32", "shape": [)" + std::to_string(rows) +
                             R"(, 1024], "data_offsets": [0, )" + std::to_string(bytes) + "]}}";
  std::string start(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) start[i] = static_cast<char>(header.size() >> (8 * i));
  bench.write("w.safetensors", start + header);
  fs::resize_file(bench.path("w.safetensors"), start.size() + header.size() + bytes);
  bench.write("g.json", R"({"wick": 1, "name": "g",
    "inputs": [{"name": "x", "dtype": "f32", "shape": [1, )" +
                            std::to_string(rows) + R"(]}],
    "constants": [{"name": "w", "dtype": "f32", "shape": [)" +
                            std::to_string(rows) +
                            R"(, 1024], "file": "w.safetensors", "tensor": "w"}],
    "nodes": [{"name": "y", "op": "matmul", "inputs": ["x", "w"]}], "outputs": ["y"]})");
}

// 64 MiB pass through wick in pieces: read, compared, hashed and written. What it needs beyond the
// same run with 4 KiB is less than half of them; a single copy would be all.
TEST(Memory, WeightsPassThroughInPieces) {
  for (const std::string mode : {"--weights=embed", "--weights=file"}) {
    const Workbench bench;
    write_weights(bench, 1);
    const std::vector<std::string> arguments = {"compile", "g.json",     "-o",
                                                "out",     "--no-check", mode};
    const Outcome small = bench.wick(arguments);
    ASSERT_EQ(small.code, 0) << small.err;
    write_weights(bench, 16384);
    for (const char* what : {"written", "compared"}) {
      const Outcome large = bench.wick(arguments);
      ASSERT_EQ(large.code, 0) << large.err;
      EXPECT_EQ(fs::file_size(bench.path("out/g.weights")), 64u << 20u);
      EXPECT_LT(large.peak_kib - small.peak_kib, 32 << 10) << mode << ", " << what;
    }
  }
}

}  // namespace
}  // namespace wick::cli_test
