// The examples of docs/graph-format.md are what they claim to be.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/graph/verify.h"
#include "tests/unit/json/files.h"

namespace wick::frontend {
namespace {

const std::string kRoot = WICK_SOURCE_DIR;

std::string page() { return file_bytes(kRoot + "/docs/graph-format.md"); }

// The contents of the fenced blocks of a language.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  const std::string opening = "\n```" + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = text.find(opening); at != std::string::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t begin = at + opening.size();
    found.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return found;
}

bool is_whole(const std::string& block) { return block.find("\"wick\"") != std::string::npos; }

TEST(Documentation, WholeGraphsAreValid) {
  int count = 0;
  for (const std::string& block : blocks(page(), "json")) {
    if (!is_whole(block)) continue;
    ++count;
    Read result = read(block);
    ASSERT_TRUE(result.graph) << result.error();
    EXPECT_TRUE(compiler::verify(std::move(*result.graph), result.diagnostics)) << result.error();
  }
  EXPECT_EQ(count, 1);
}

TEST(Documentation, PartsHaveAValidStructure) {
  int count = 0;
  for (const std::string& block : blocks(page(), "json")) {
    if (is_whole(block)) continue;
    ++count;
    const bool node = block.find("\"op\"") != std::string::npos;
    const bool constant = block.find("\"values\"") != std::string::npos ||
                          block.find("\"file\"") != std::string::npos;
    const std::string table = node ? "nodes" : constant ? "constants" : "inputs";
    std::string text = R"({"wick": 1, "name": "g", "outputs": ["x"], ")" + table + "\": [" + block;
    text += node ? "]}" : "], \"nodes\": []}";
    compiler::Diagnostics diagnostics;
    EXPECT_TRUE(has_valid_structure(SourceFile::of_text("g", text), diagnostics)) << block;
  }
  EXPECT_EQ(count, 6);
}

TEST(Documentation, TheMessageIsOne) {
  const std::string expected = file_bytes(kRoot + "/tests/errors/operand_unknown/expected.txt");
  ASSERT_FALSE(expected.empty());
  EXPECT_NE(page().find("```text\n" + expected + "```"), std::string::npos);
}

}  // namespace
}  // namespace wick::frontend
