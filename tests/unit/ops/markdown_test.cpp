#include "compiler/ops/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "compiler/ops/record.h"

namespace wick::compiler::ops {
namespace {

using ::testing::HasSubstr;

TEST(Markdown, DescribesEveryOperation) {
  const std::string text = ops_markdown();
  for (const OpRecord* op : all()) {
    EXPECT_THAT(text, HasSubstr("\n### " + std::string(op->name) + "\n"));
    EXPECT_THAT(text, HasSubstr(std::string(op->example)));
  }
}

TEST(Markdown, TheFileInDocsIsThisText) {
  std::ifstream file(std::string(WICK_SOURCE_DIR) + "/docs/ops.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), ops_markdown()) << "write it anew: wick ops --markdown > docs/ops.md";
}

TEST(Markdown, ShowsAttributesWithDefaults) {
  EXPECT_THAT(ops_markdown(), HasSubstr("| `keepdims` | true or false | false | keep the reduced "
                                        "axes with extent 1 |\n"));
  EXPECT_THAT(ops_markdown(), HasSubstr("| `min` | number | \"-inf\" | the least value |\n"));
}

TEST(OpText, IsAPageForATerminal) {
  EXPECT_EQ(op_text("cumsum"),
            "cumsum: running totals along an axis\n"
            "\n"
            "  Keeps the dtype; integers wrap. As numpy.cumsum with an axis.\n"
            "\n"
            "operands:\n"
            "  x  f32, f64, i8, u8, i32, i64  required\n"
            "\n"
            "attributes:\n"
            "  axis  integer  required  the axis to run along\n"
            "\n"
            "fusion: a function of its own\n"
            "accuracy: within gamma(n) * sum |terms| over the n elements that are accumulated, and "
            "1 ulp\n"
            "\n"
            "example:\n"
            "  {\"name\": \"y\", \"op\": \"cumsum\", \"inputs\": [\"x\"], \"axis\": 0}\n");
  EXPECT_EQ(op_text("no_such_operation"), std::nullopt);
}

TEST(OpText, NoLineIsWiderThanATerminal) {
  for (const OpRecord* op : all()) {
    std::istringstream lines(*op_text(op->name));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST(OpsList, HasALinePerOperation) {
  EXPECT_THAT(ops_list(),
              HasSubstr("Rounding:\n"
                        "  floor            the largest whole number that is at most x\n"));
}

}  // namespace
}  // namespace wick::compiler::ops
