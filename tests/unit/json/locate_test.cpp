#include "frontend/json/locate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wick::frontend {
namespace {

using testing::ElementsAre;

// The text that each pointer leads to.
std::vector<std::string> found(std::string_view text, const std::vector<std::string>& pointers) {
  std::vector<std::string> parts;
  for (const TextSpan& span : locate(text, pointers)) {
    parts.emplace_back(text.substr(span.offset, span.length));
  }
  return parts;
}

TEST(Locate, FindsValuesOfAllKinds) {
  constexpr std::string_view kText =
      R"({"a": [1, "two, [}", {"b": -3.5e2}], "c": true, "d": null})";
  EXPECT_THAT(found(kText, {"/a/0", "/a/1", "/a/2/b", "/c", "/d", "/a", "/a/2", ""}),
              ElementsAre("1", "\"two, [}\"", "-3.5e2", "true", "null", "[", "{", "{"));
}

TEST(Locate, GivesTheNearestPlaceThatThereIs) {
  constexpr std::string_view kText = R"({"nodes": [{"op": "f"}, {"op": "g"}]})";
  const auto spans = locate(kText, std::vector<std::string>{"/nodes/1/axis", "/nodes/7", "/x"});
  EXPECT_EQ(spans[0].offset, 24u);
  EXPECT_EQ(spans[1].offset, 10u);
  EXPECT_EQ(spans[2].offset, 0u);
}

TEST(Locate, DecodesTokensAndKeys) {
  EXPECT_THAT(found(R"({"a/b~c": 1, "q\"\u0041\n\ud83d\ude00": 2, "0": 3})",
                    {"/a~1b~0c", "/q\"A\n\xF0\x9F\x98\x80", "/0"}),
              ElementsAre("1", "2", "3"));
}

TEST(Locate, TakesTheFirstOfDuplicates) {
  EXPECT_THAT(found(R"({"a": 1, "a": 2})", {"/a"}), ElementsAre("1"));
}

TEST(Locate, StopsWhereTheTextIsNoJson) {
  EXPECT_THAT(found(R"({"a": 1, b: 2})", {"/a", "/b"}), ElementsAre("1", "{"));
  EXPECT_THAT(found(R"({"a": "unclosed)", {"/a", "/b"}), ElementsAre("\"unclosed", "{"));
  EXPECT_THAT(found("", {"", "/a"}), ElementsAre("", ""));
  EXPECT_THAT(found("\"\\", {""}), ElementsAre("\"\\"));
  EXPECT_THAT(found("[1, [2", {"/1/0", "/1/1"}), ElementsAre("2", "["));
}

TEST(Locate, PassesOverAByteOrderMark) {
  const auto spans = locate("\xEF\xBB\xBF[7]", std::vector<std::string>{"/0"});
  EXPECT_EQ(spans[0].offset, 4u);
}

TEST(Locate, FindsPlacesInAMillionNodes) {
  std::string text = "[0";
  for (int i = 1; i <= 1'000'000; ++i)
    text += ", {\"name\": \"x\", \"inputs\": [" + std::to_string(i) + "]}";
  text += "]";
  EXPECT_THAT(found(text, {"/1000000/inputs/0", "/500000/inputs/0", "/1000000/axis"}),
              ElementsAre("1000000", "500000", "{"));
}

TEST(Lines, CountFromOneInCharacters) {
  constexpr std::string_view kText = "ab\n\xC3\xA9\xE2\x82\xAC!\n\n\xFF!";
  const auto lines = lines_of(kText, std::vector<std::size_t>{10, 0, 8, 2, 3, 9, 11, 99});
  const std::vector<std::pair<std::size_t, std::size_t>> kExpected = {
      {3, 1}, {1, 1}, {2, 3}, {1, 3}, {2, 1}, {2, 4}, {4, 1}, {4, 3}};
  for (std::size_t i = 0; i < kExpected.size(); ++i) {
    EXPECT_EQ(lines[i].line, kExpected[i].first) << i;
    EXPECT_EQ(lines[i].column, kExpected[i].second) << i;
  }
}

}  // namespace
}  // namespace wick::frontend
