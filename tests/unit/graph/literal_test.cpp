#include "compiler/graph/literal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace wick::compiler {
namespace {

template <class E>
E value_of(std::string_view text) {
  const ReadLiteral read = read_literal(text, dtype_of<E>());
  EXPECT_TRUE(read.value.has_value()) << text << ": " << read.message;
  EXPECT_EQ(read.value->shape().rank(), 0u);
  EXPECT_EQ(read.value->dtype(), dtype_of<E>());
  return read.value->template at<E>(0);
}

std::string refusal(std::string_view text, DType dtype) {
  const ReadLiteral read = read_literal(text, dtype);
  EXPECT_FALSE(read.value.has_value()) << text;
  return read.message;
}

TEST(Literal, FloatsAreRoundedOnceFromTheText) {
  EXPECT_EQ(value_of<float>("0.1"), 0x1.99999ap-4f);
  EXPECT_EQ(value_of<double>("0.1"), 0x1.999999999999ap-4);
  // Just above the middle of 1 and the next float: by way of double it would be rounded down.
  EXPECT_EQ(value_of<float>("1.00000005960464477540"), 0x1.000002p0f);
  // The middle itself goes to even.
  EXPECT_EQ(value_of<float>("16777217"), 16777216.0f);
  EXPECT_EQ(value_of<double>("9007199254740993"), 9007199254740992.0);
}

TEST(Literal, FloatsKeepTheSignOfZero) {
  EXPECT_TRUE(std::signbit(value_of<float>("-0")));
  EXPECT_TRUE(std::signbit(value_of<double>("-0.0e5")));
  EXPECT_FALSE(std::signbit(value_of<float>("0")));
}

TEST(Literal, SmallFloatsBecomeSubnormalOrZero) {
  EXPECT_EQ(value_of<float>("1e-45"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value_of<float>("1e-50")), 0u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value_of<float>("-1e-50")), 0x80000000u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(value_of<double>("-1e-400")), 0x8000000000000000u);
  EXPECT_EQ(value_of<double>("0.000000000000001e-999999999999999999999"), 0.0);
}

TEST(Literal, FiniteTextIsNeverInfinite) {
  EXPECT_EQ(value_of<float>("3.4028234e38"), std::numeric_limits<float>::max());
  EXPECT_EQ(refusal("1e39", DType::kF32),
            "1e39 is too large for f32, whose largest value is 3.4028235e+38");
  EXPECT_EQ(refusal("-1e400", DType::kF64),
            "-1e400 is too large for f64, whose largest value is 1.7976931348623157e+308");
  EXPECT_EQ(value_of<double>("1e39"), 1e39);
  // The middle between the largest float and 2^128 already rounds up.
  refusal("340282356779733661637539395458142568448", DType::kF32);
  EXPECT_EQ(value_of<float>("340282356779733661637539395458142568447"),
            std::numeric_limits<float>::max());
}

TEST(Literal, NonFiniteFloatsAreNamed) {
  EXPECT_EQ(value_of<float>("inf"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(value_of<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(value_of<float>("nan")));
  refusal("infinity", DType::kF32);
  refusal("INF", DType::kF64);
}

TEST(Literal, IntegersAreExact) {
  EXPECT_EQ(value_of<std::int64_t>("9007199254740993"), 9007199254740993);
  EXPECT_EQ(value_of<std::int64_t>("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(value_of<std::int64_t>("-9223372036854775808"),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of<std::int32_t>("1e3"), 1000);
  EXPECT_EQ(value_of<std::int32_t>("-2.50e1"), -25);
  EXPECT_EQ(value_of<std::uint8_t>("255.0"), 255);
  EXPECT_EQ(value_of<std::int8_t>("-128"), -128);
  EXPECT_EQ(value_of<std::int32_t>("-0"), 0);
  EXPECT_EQ(value_of<std::int32_t>("0e99999999999999999999"), 0);
}

TEST(Literal, IntegersOutOfRangeAreRefused) {
  EXPECT_EQ(refusal("256", DType::kU8), "256 is out of range for u8, which holds 0 to 255");
  EXPECT_EQ(refusal("-1", DType::kU8), "-1 is out of range for u8, which holds 0 to 255");
  EXPECT_EQ(refusal("128", DType::kI8), "128 is out of range for i8, which holds -128 to 127");
  refusal("2147483648", DType::kI32);
  refusal("9223372036854775808", DType::kI64);
  refusal("1e19", DType::kI64);
  refusal("1e999999999999999999999", DType::kI64);
}

TEST(Literal, WhatIsNoIntegerIsRefusedAsOne) {
  EXPECT_EQ(refusal("0.5", DType::kI32), "0.5 is not an integer, and the dtype here is i32");
  refusal("1e-1", DType::kI64);
  refusal("inf", DType::kI64);
  refusal("true", DType::kI8);
}

TEST(Literal, BoolsAreTrueAndFalseAlone) {
  EXPECT_TRUE(value_of<bool>("true"));
  EXPECT_FALSE(value_of<bool>("false"));
  EXPECT_EQ(refusal("1", DType::kBool), "expected true or false for the dtype bool, found 1");
  EXPECT_EQ(refusal("true", DType::kF32), "expected a number for the dtype f32, found true");
}

TEST(Literal, TextThatIsNoNumberIsRefused) {
  for (const char* text :
       {"", "-", "+1", ".5", "1e", "1e+", "0x10", "1 ", " 1", "1,5", "--1", "1e5x", "1.2.3"}) {
    for (const DType dtype : {DType::kF32, DType::kF64, DType::kI32}) {
      EXPECT_FALSE(read_literal(text, dtype).value.has_value()) << text;
    }
  }
}

}  // namespace
}  // namespace wick::compiler
