// Literals read back as the bits they stand for.
#include "compiler/emit/literals.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace wick::compiler::cpp {
namespace {

TEST(Literal, FloatsHaveAPointAndASuffix) {
  EXPECT_EQ(literal(Scalar::of(2.0f)), "2.0f");
  EXPECT_EQ(literal(Scalar::of(-0.5f)), "-0.5f");
  EXPECT_EQ(literal(Scalar::of(0.1f)), "0.1f");
  EXPECT_EQ(literal(Scalar::of(1e-5f)), "1e-05f");
  EXPECT_EQ(literal(Scalar::of(-0.0f)), "-0.0f");
  EXPECT_EQ(literal(Scalar::of(2.0)), "2.0");
  EXPECT_EQ(literal(Scalar::of(1e300)), "1e+300");
}

TEST(Literal, WhatDecimalsCannotSay) {
  EXPECT_EQ(literal(Scalar::of(std::numeric_limits<float>::infinity())), "wick::infinity<float>");
  EXPECT_EQ(literal(Scalar::of(-std::numeric_limits<double>::infinity())),
            "-wick::infinity<double>");
  EXPECT_EQ(literal(Scalar::of(std::numeric_limits<float>::quiet_NaN())), "wick::nan<float>");
  EXPECT_EQ(literal(Scalar::of(std::bit_cast<float>(0x7fc00123u))),
            "wick::scalar<float, 0x7fc00123u>");
}

TEST(Literal, IntegersAreTyped) {
  EXPECT_EQ(literal(Scalar::of(std::int8_t{-128})), "std::int8_t{-128}");
  EXPECT_EQ(literal(Scalar::of(std::uint8_t{255})), "std::uint8_t{255}");
  EXPECT_EQ(literal(Scalar::of(std::int64_t{7})), "std::int64_t{7}");
  EXPECT_EQ(literal(Scalar::of(std::numeric_limits<std::int64_t>::min())),
            "std::int64_t{-9223372036854775807 - 1}");
  EXPECT_EQ(literal(Scalar::of(true)), "true");
}

TEST(Literal, ElementsOfArraysNeedNoType) {
  EXPECT_EQ(element_literal(Scalar::of(std::int32_t{-3})), "-3");
  EXPECT_EQ(element_literal(Scalar::of(1.5f)), "1.5f");
}

TEST(StringLiteral, SpellsOutWhatIsNotPrintable) {
  EXPECT_EQ(string_literal("pixels"), "\"pixels\"");
  EXPECT_EQ(string_literal("a\"b\\c"), R"("a\"b\\c")");
  // No trigraph, and octal escapes of three digits, so that a digit behind one stays a digit.
  EXPECT_EQ(string_literal("?\?="), R"("\?\?=")");
  EXPECT_EQ(string_literal("\n1\x7f"), R"("\0121\177")");
  EXPECT_EQ(string_literal("\xc3\xa9"), R"("\303\251")");
  EXPECT_EQ(string_literal(std::string_view("\0", 1)), R"("\000")");
}

}  // namespace
}  // namespace wick::compiler::cpp
