// Each folder here is one wrong graph: `graph.json` with the files it names, `stage` (structure or
// meaning), and `expected.txt`, the whole of what wick says. With WICK_UPDATE_ERRORS set in the
// environment, expected.txt is written instead of compared: read the change before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/graph/verify.h"
#include "frontend/json/reader.h"
#include "frontend/json/render.h"

namespace wick::frontend {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WICK_SOURCE_DIR) / "tests/errors";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (fs::exists(entry.path() / "graph.json")) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

class Errors : public testing::TestWithParam<std::string> {};

TEST_P(Errors, AreExplained) {
  const fs::path folder = kFolder / GetParam();
  const SourceFile source =
      SourceFile::of_text("graph.json", contents(folder / "graph.json"), folder.string());
  compiler::Diagnostics diagnostics;
  auto description = read_graph(source, {}, diagnostics);
  if (description) {
    EXPECT_FALSE(compiler::verify(std::move(*description), diagnostics));
  }
  EXPECT_TRUE(diagnostics.has_errors());
  const std::string message = render(diagnostics, source);
  if (std::getenv("WICK_UPDATE_ERRORS") != nullptr) {
    std::ofstream(folder / "expected.txt", std::ios::binary) << message;
  }
  EXPECT_EQ(message, contents(folder / "expected.txt"));

  compiler::Diagnostics structural;
  EXPECT_EQ(contents(folder / "stage"),
            has_valid_structure(source, structural) ? "meaning\n" : "structure\n");
}

INSTANTIATE_TEST_SUITE_P(Case, Errors, testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace wick::frontend
