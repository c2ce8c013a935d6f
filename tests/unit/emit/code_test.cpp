// The renderer: what stands on which line.
#include "compiler/emit/code.h"

#include <gtest/gtest.h>

namespace wick::compiler::cpp {
namespace {

TEST(Render, StatementsInABlockAreIndentedAndTheirCommentsAligned) {
  EXPECT_EQ(render({block("void f() {",
                          {statement("const auto a = ", {"g", {"x", "y"}}, "first"),
                           statement("", {"h", {}}, "second")},
                          "}")})
                .text,
            "void f() {\n"
            "  const auto a = g(x, y);  // first\n"
            "  h();                     // second\n"
            "}\n");
}

TEST(Render, NamespacesDoNotIndent) {
  EXPECT_EQ(render({block("namespace n {", {raw("int x;")}, "}  // namespace n")}).text,
            "namespace n {\nint x;\n}  // namespace n\n");
}

TEST(Render, ALongCallBreaksAfterItsParenthesis) {
  const std::string name(40, 'a');
  EXPECT_EQ(render({statement("", {"call", {name, name, name}})}).text,
            "call(\n    " + name + ", " + name + ",\n    " + name + ");\n");
}

TEST(Render, ACommentThatDoesNotFitStandsAbove) {
  const std::string name(80, 'a');
  EXPECT_EQ(render({statement("", {"f", {name}}, "a comment of some length")}).text,
            "// a comment of some length\nf(" + name + ");\n");
}

// The column of two short statements, not that of a long one, which would leave no room.
TEST(Render, CommentsStandInTheColumnWhereMostOfThemFit) {
  const std::string name(80, 'a'), remark(60, 'b');
  EXPECT_EQ(render({statement("", {"f", {name}}, "short"), statement("", {"g", {}}, remark),
                    statement("", {"h", {"x"}}, remark)})
                .text,
            "// short\nf(" + name + ");\ng();   // " + remark + "\nh(x);  // " + remark + "\n");
}

TEST(Render, LongCommentsAreWrappedBetweenWords) {
  std::string words;
  for (int i = 0; i < 30; ++i) words += i == 0 ? "word" : " word";
  const std::string text = render({comment(words)}).text;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       start = end + 1, end = text.find('\n', start)) {
    EXPECT_LE(end - start, 100u);
    EXPECT_EQ(text.substr(start, 2), "//");
  }
}

TEST(Render, WrappedCommentsAreIndentedFromTheirFirstLine) {
  const std::string word(93, 'a');
  EXPECT_EQ(render({comment("head " + word)}).text, "// head\n//   " + word + "\n");
  EXPECT_EQ(render({comment("  head " + word)}).text, "//   head\n//     " + word + "\n");
}

TEST(Render, NoLineEndsInASpace) {
  EXPECT_EQ(render({comment("head  "), comment("  ")}).text, "// head\n//\n");
}

TEST(Render, LinesAreMappedToNodes) {
  Line line = statement("", {"f", {}});
  line.node = NodeId(7);
  const Rendered rendered = render({comment("head"), blank(), block("void g() {", {line}, "}")});
  ASSERT_EQ(rendered.origins.size(), 1u);
  EXPECT_EQ(rendered.origins[0].line, 4u);
  EXPECT_EQ(rendered.origins[0].node, NodeId(7));
}

TEST(CommentText, NothingOfTheInputCanLeaveTheComment) {
  EXPECT_EQ(comment_text("plain */ text"), "plain */ text");
  EXPECT_EQ(comment_text("a\nb"), "a<U+000A>b");
  EXPECT_EQ(comment_text("end\\"), "end<U+005C>");
  EXPECT_EQ(comment_text("\?\?/"), "<U+003F><U+003F>/");
  EXPECT_EQ(comment_text("a\?\?\?"), "a<U+003F><U+003F><U+003F>");
  EXPECT_EQ(comment_text("Is it? It is."), "Is it? It is.");
  EXPECT_EQ(comment_text("\xC3\xA9"), "<U+00E9>");
  EXPECT_EQ(comment_text("\xE2\x80\xAE"), "<U+202E>");
  EXPECT_EQ(comment_text("\xFF"), "<U+00FF>");
  EXPECT_EQ(comment_text(std::string("\0", 1)), "<U+0000>");
}

}  // namespace
}  // namespace wick::compiler::cpp
