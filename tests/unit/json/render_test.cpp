#include "frontend/json/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/json/unicode.h"

namespace wick::frontend {
namespace {

using compiler::Diagnostics;
using compiler::Site;
using testing::HasSubstr;

SourceFile source(std::string text) { return SourceFile::of_text("g.json", std::move(text)); }

Site site(std::string pointer, std::size_t offset, std::size_t length) {
  Site site{std::move(pointer), {}};
  site.offset = offset;
  site.length = length;
  return site;
}

TEST(Render, ShowsThePlaceAndWhatToDo) {
  Diagnostics diagnostics;
  diagnostics.error({"/nodes/0/op", "n"}, "there is no operation \"ad\"", "did you mean \"add\"?");
  EXPECT_EQ(render(diagnostics, source("{\"nodes\": [\n  {\"op\": \"ad\"}\n]}")),
            "g.json:2:10: error: there is no operation \"ad\"\n"
            "    2 |   {\"op\": \"ad\"}\n"
            "      |          ^~~~\n"
            "      = at /nodes/0/op, in \"n\"\n"
            "      = hint: did you mean \"add\"?\n");
}

TEST(Render, GoesInTheOrderOfTheFile) {
  Diagnostics diagnostics;
  diagnostics.error({"/b", ""}, "second");
  diagnostics.error(site("", 0, 1), "first");
  diagnostics.warning({"/a", ""}, "between");
  const std::string text = render(diagnostics, source("{\"a\": 1, \"b\": 2}"));
  EXPECT_LT(text.find("1:1: error: first"), text.find("1:7: warning: between"));
  EXPECT_LT(text.find("1:7: warning: between"), text.find("1:15: error: second"));
}

TEST(Render, KeepsTabsUnderTabs) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 3, 2), "m");
  EXPECT_THAT(render(diagnostics, source("\ta\tbc")), HasSubstr(" | \ta\tbc\n      | \t \t^~\n"));
}

TEST(Render, SpellsOutWhatCannotBeSeen) {
  Diagnostics diagnostics;
  // An escape sequence, an invalid byte, and a character that turns the direction of text around.
  diagnostics.error(site("", 6, 1), "m");
  EXPECT_THAT(render(diagnostics, source("\x1b[\xff\xE2\x80\xAE!")),
              HasSubstr("g.json:1:5: error: m\n"
                        "    1 | \\x1B[\\xFF<U+202E>!\n"
                        "      |                  ^\n"));
  Diagnostics loud;
  loud.error(site("", 0, 1), "\x1b[31m", "\a");
  EXPECT_EQ(render(loud, source("x")).find('\x1b'), std::string::npos);
  EXPECT_EQ(render(loud, source("x")).find('\a'), std::string::npos);
}

TEST(Render, CountsColumnsOfWideAndCombiningCharacters) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 6, 1), "m");
  // Two characters of two columns each, then the place.
  EXPECT_THAT(render(diagnostics, source("\xE6\xBC\xA2\xE5\xAD\x97!")),
              HasSubstr("\n      |     ^\n"));
}

TEST(Render, CutsLongLines) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 500, 3), "m");
  const std::string line = std::string(500, 'a') + "bbb" + std::string(500, 'c');
  EXPECT_EQ(render(diagnostics, source(line)),
            "g.json:1:501: error: m\n"
            "    1 | ..." +
                std::string(76, 'a') + "bbb" + std::string(61, 'c') +
                "...\n"
                "      | " +
                std::string(79, ' ') + "^~~\n");
}

TEST(Render, MarksNoMoreThanTheLineShows) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 0, 1000), "m");
  EXPECT_EQ(render(diagnostics, source(std::string(1000, 'a'))),
            "g.json:1:1: error: m\n"
            "    1 | " +
                std::string(64, 'a') +
                "...\n"
                "      | ^" +
                std::string(63, '~') + "\n");
}

TEST(Render, PointsAtTheEnd) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 99, 1), "m");
  EXPECT_EQ(render(diagnostics, source("ab\r\n")), "g.json:2:1: error: m\n    2 | \n      | ^\n");
  EXPECT_EQ(render(diagnostics, source("")), "g.json:1:1: error: m\n    1 | \n      | ^\n");
}

TEST(Render, LeavesOutTheCarriageReturn) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 0, 2), "m");
  EXPECT_EQ(render(diagnostics, source("ab\r\ncd")),
            "g.json:1:1: error: m\n    1 | ab\n      | ^~\n");
}

TEST(Render, SaysHowManyAreNotShown) {
  Diagnostics diagnostics;
  for (int i = 0; i < 23; ++i) diagnostics.error(site("", 0, 1), "m");
  EXPECT_THAT(render(diagnostics, source("x")),
              testing::EndsWith("g.json: 3 more errors are not shown\n"));
}

TEST(Render, ColoursOnlyIfAsked) {
  Diagnostics diagnostics;
  diagnostics.error(site("", 0, 1), "m");
  EXPECT_EQ(render(diagnostics, source("x")).find('\x1b'), std::string::npos);
  EXPECT_EQ(
      render(diagnostics, source("x"), {.colour = true}),
      "\x1b[1mg.json:1:1: \x1b[1;31merror: \x1b[0mm\n    1 | x\n      | \x1b[1;32m^\x1b[0m\n");
}

TEST(Render, AsJson) {
  Diagnostics diagnostics;
  diagnostics.error({"/a", "n\"\xff"}, "m\n", "h");
  EXPECT_EQ(render(diagnostics, source("{\n\"a\": 12}"), {.format = RenderFormat::kJson}),
            "{\"errors\": 1, \"diagnostics\": [{\"severity\": \"error\", \"file\": \"g.json\", "
            "\"line\": 2, \"column\": 6, \"offset\": 7, \"length\": 2, \"pointer\": \"/a\", "
            "\"node\": \"n\\\"\xEF\xBF\xBD\", \"message\": \"m\\n\", \"hint\": \"h\"}]}\n");
  EXPECT_EQ(render(Diagnostics(), source("{}"), {.format = RenderFormat::kJson}),
            "{\"errors\": 0, \"diagnostics\": []}\n");
}

TEST(Unicode, TakesOnlyValidForms) {
  EXPECT_EQ(character_at("\xF0\x9F\x98\x80", 0).code, 0x1F600u);
  EXPECT_EQ(character_at("\xF0\x9F\x98\x80", 0).length, 4u);
  constexpr std::string_view kInvalid[] = {"\x80",         "\xC0\x80",         "\xC1\xBF",
                                           "\xE0\x9F\xBF", "\xED\xA0\x80",     "\xF4\x90\x80\x80",
                                           "\xE2\x82",     "\xF8\x88\x80\x80", "\xFF"};
  for (const std::string_view text : kInvalid) {
    EXPECT_FALSE(character_at(text, 0).valid);
    EXPECT_EQ(character_at(text, 0).length, 1u);
  }
}

}  // namespace
}  // namespace wick::frontend
