#include "compiler/plan/pack/lifetimes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wick::compiler::pack {
namespace {

using testing::ElementsAre;

// The one error of `text`, as "line: message".
std::string error_of(const std::string& text) {
  const LifetimesResult result = read_lifetimes(text);
  if (result.errors.size() != 1) return std::to_string(result.errors.size()) + " errors";
  return std::to_string(result.errors[0].line) + ": " + result.errors[0].message;
}

TEST(ReadLifetimes, ReadsEveryColumnInAnyOrder) {
  const LifetimesResult result =
      read_lifetimes("size,id,alignment,upper,lower\r\n8,a,4,3,-2\r\n\r\n0,b,1,9,5\r\n");
  ASSERT_TRUE(result.errors.empty()) << result.errors[0].message;
  EXPECT_THAT(result.lifetimes.ids, ElementsAre("a", "b"));
  ASSERT_EQ(result.lifetimes.problem.buffers.size(), 2U);
  const Buffer& a = result.lifetimes.problem.buffers[0];
  EXPECT_EQ(a.lower, -2);
  EXPECT_EQ(a.upper, 3);
  EXPECT_EQ(a.size, 8);
  EXPECT_EQ(a.alignment, 4);
  EXPECT_EQ(result.lifetimes.problem.buffers[1].lower, 5);
}

TEST(ReadLifetimes, AlignmentIsOneUnlessAColumnSaysMore) {
  const LifetimesResult result = read_lifetimes("id,lower,upper,size\na,0,1,8");
  ASSERT_TRUE(result.errors.empty());
  ASSERT_EQ(result.lifetimes.problem.buffers.size(), 1U);
  EXPECT_EQ(result.lifetimes.problem.buffers[0].alignment, 1);
}

TEST(ReadLifetimes, QuotedIdsMayHoldAnything) {
  const LifetimesResult result =
      read_lifetimes("id,lower,upper,size\n\"a,\"\"b\"\"\nc\",0,1,8\nd,x,1,8\n");
  EXPECT_THAT(result.lifetimes.ids, ElementsAre("a,\"b\"\nc"));
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_EQ(result.errors[0].line, 4U);  // the quoted line break counts
}

TEST(ReadLifetimes, ErrorsNameTheLineAndWhatIsWrong) {
  const std::string header = "id,lower,upper,size\n";
  EXPECT_EQ(error_of(""), "1: expected the header id,lower,upper,size[,alignment]");
  EXPECT_EQ(error_of("id,lower,size\n"),
            "1: column 'upper' is missing; the header is id,lower,upper,size[,alignment]");
  EXPECT_EQ(error_of("a,0,1,8\n"),
            "1: unknown column 'a'; the header is id,lower,upper,size[,alignment]");
  EXPECT_EQ(error_of("id,lower,upper,size,size\n"), "1: column 'size' occurs twice");
  EXPECT_EQ(error_of(header + "a,0,1\n"), "2: expected 4 fields, found 3");
  EXPECT_EQ(error_of(header + "a,0,1,8,9\n"), "2: expected 4 fields, found 5");
  EXPECT_EQ(error_of(header + "a,0,1,8\na,1,2,8\n"), "3: the id 'a' occurs twice");
  EXPECT_EQ(error_of(header + ",0,1,8\n"), "2: the id is empty");
  EXPECT_EQ(error_of(header + "a,0,1,eight\n"), "2: size 'eight' is not an integer");
  EXPECT_EQ(error_of(header + "a,0,1,\n"), "2: size '' is not an integer");
  EXPECT_EQ(error_of(header + "a,0,1, 8\n"), "2: size ' 8' is not an integer");
  EXPECT_EQ(error_of(header + "a,0,1.5,8\n"), "2: upper '1.5' is not an integer");
  EXPECT_EQ(error_of(header + "a,0,1,9223372036854775808\n"),
            "2: size '9223372036854775808' does not fit into 64 bits");
  EXPECT_EQ(error_of(header + "a,0,1,-8\n"), "2: its size is negative");
  EXPECT_EQ(error_of("id,lower,upper,size,alignment\na,0,1,8,0\n"),
            "2: its alignment is less than 1");
  EXPECT_EQ(error_of(header + "a,3,3,8\n"), "2: the lifetime [3, 3) does not end after it starts");
  EXPECT_EQ(error_of(header + "a,0,1,8\n\"b,0,1,8\nc,0,1,8"), "3: a quoted field is not closed");
  EXPECT_EQ(error_of(header + "\"a\"b,0,1,8\n"), "2: expected a comma or the end of the line");
}

TEST(ReadLifetimes, SizesTooLargeTogetherAreAnErrorWhereTheyOverflow) {
  // 2^60 + 2^60 exceeds 2^61 - 1; either alone is accepted.
  const std::string row = ",0,1,1152921504606846976\n";
  EXPECT_EQ(error_of("id,lower,upper,size\na" + row + "b" + row),
            "3: the sizes up to here do not fit into 61 bits together");
}

TEST(ReadLifetimes, ExtremeTimesAreOrdered) {
  const LifetimesResult result = read_lifetimes(
      "id,lower,upper,size\na,-9223372036854775808,9223372036854775807,8\n"
      "b,9223372036854775806,9223372036854775807,4\n");
  ASSERT_TRUE(result.errors.empty());
  EXPECT_EQ(pack(result.lifetimes.problem).height, 12);
}

TEST(ReadLifetimes, ReportsSeveralErrorsButNotWithoutBound) {
  std::string text = "id,lower,upper,size\n";
  for (int i = 0; i < 1000; ++i) text += "a,1,0,8\n";
  EXPECT_EQ(read_lifetimes(text).errors.size(), kMaxLifetimesErrors);
}

TEST(ReadLifetimes, LongAndBinaryFieldsAreShownShort) {
  const std::string message =
      error_of("id,lower,upper,size\na,0,1," + std::string(1000, '\x01') + "\n");
  EXPECT_EQ(message, "2: size '" + std::string(40, '?') + "...' is not an integer");
}

TEST(WriteLifetimes, IsReadBackAsItWas) {
  const Lifetimes lifetimes{{{{0, 2, 8, 64}, {-1, 5, 0, 1}}}, {"a \"b\", c", "line\nbreak"}};
  const std::string text = write_lifetimes(lifetimes);
  EXPECT_EQ(
      text,
      "id,lower,upper,size,alignment\n\"a \"\"b\"\", c\",0,2,8,64\n\"line\nbreak\",-1,5,0,1\n");
  const LifetimesResult result = read_lifetimes(text);
  ASSERT_TRUE(result.errors.empty());
  EXPECT_EQ(result.lifetimes.ids, lifetimes.ids);
  EXPECT_EQ(result.lifetimes.problem.buffers[0].alignment, 64);
  EXPECT_EQ(result.lifetimes.problem.buffers[1].lower, -1);
}

TEST(WriteLifetimes, PrintsOffsetsAndLeavesOutAlignmentOfOne) {
  EXPECT_EQ(write_lifetimes({{{{0, 2, 8}, {1, 3, 4}}}, {"a", "b"}}, {0, 8}),
            "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,4,8\n");
}

TEST(WriteLifetimes, RefusesTheWrongNumberOfIdsOrOffsets) {
  EXPECT_THROW(write_lifetimes({{{{0, 2, 8}}}, {}}), std::invalid_argument);
  EXPECT_THROW(write_lifetimes({{{{0, 2, 8}}}, {"a"}}, {0, 8}), std::invalid_argument);
}

}  // namespace
}  // namespace wick::compiler::pack
