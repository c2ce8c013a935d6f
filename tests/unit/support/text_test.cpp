#include "compiler/support/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace wick::compiler {
namespace {

TEST(Text, NumbersAreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-999), "-999");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Text, PartsAreJoinedByWhatStandsBetweenThem) {
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(joined(std::vector<std::string>{"a", "", "c"}, ", "), "a, , c");
}

TEST(Text, QuotesAreJson) {
  EXPECT_EQ(quoted("plain"), "\"plain\"");
  EXPECT_EQ(quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(quoted("\n\t"), "\"\\n\\t\"");
  EXPECT_EQ(quoted(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\\u007f\"");
  EXPECT_EQ(quoted("gr\xc3\xbc\xc3\x9f"), "\"gr\xc3\xbc\xc3\x9f\"");
}

std::string suggestion(std::string_view name, std::vector<std::string_view> candidates) {
  return nearest(name, candidates).value_or("(none)");
}

TEST(Nearest, OneMistakeIsForgiven) {
  EXPECT_EQ(suggestion("expp", {"log", "exp", "expm1"}), "exp");   // one too many
  EXPECT_EQ(suggestion("matml", {"max", "matmul"}), "matmul");     // one missing
  EXPECT_EQ(suggestion("sogmoid", {"sigmoid"}), "sigmoid");        // one wrong
  EXPECT_EQ(suggestion("taechr", {"teach", "taehcr"}), "taehcr");  // two swapped: one mistake
}

TEST(Nearest, TheNearestWinsAndTheFirstOfEquals) {
  EXPECT_EQ(suggestion("cosh", {"cos", "cost"}), "cos");
  EXPECT_EQ(suggestion("abcdef", {"abcxyf", "abcxef"}), "abcxef");
}

TEST(Nearest, WhatIsFarIsNotSuggested) {
  EXPECT_EQ(suggestion("fourier", {"exp", "log", "concat"}), "(none)");
  EXPECT_EQ(suggestion("xy", {"ab"}), "(none)");
  EXPECT_EQ(suggestion("abcdef", {"abcxyz"}), "(none)");  // three of six
  EXPECT_EQ(suggestion("abcdef", {"abcdyz"}), "abcdyz");  // two of six
}

TEST(Nearest, LongNamesAreLeftAlone) {
  const std::string sixty_four(64, 'a'), longer(65, 'a');
  EXPECT_EQ(suggestion(sixty_four, {sixty_four}), sixty_four);
  EXPECT_EQ(suggestion(longer, {sixty_four}), "(none)");
  EXPECT_EQ(suggestion(sixty_four, {longer}), "(none)");
}

TEST(Nearest, AQuestionOrNothing) {
  const std::vector<std::string_view> names = {"exp"};
  EXPECT_EQ(did_you_mean("epx", names), "did you mean \"exp\"?");
  EXPECT_EQ(did_you_mean("concat", names), "");
}

TEST(Shortest, TextReadsBackAsTheSameValue) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(0.1f), "0.1");
  // The float nearest to 0.1, as a double.
  EXPECT_EQ(shortest(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(shortest(16.0), "16");
  EXPECT_EQ(shortest(-0.0), "-0");
  EXPECT_EQ(shortest(1e300), "1e+300");
}

TEST(Shortest, WhatIsNotFiniteHasAName) {
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(shortest(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(shortest(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace wick::compiler
