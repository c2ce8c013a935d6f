// Any string becomes a legal, unique identifier. Expected names follow from the rules in
// compiler/emit/names.h.
#include "compiler/emit/names.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

namespace wick::compiler::cpp {
namespace {

TEST(Identifier, PlainNamesStay) {
  EXPECT_EQ(identifier("hidden"), "hidden");
  EXPECT_EQ(identifier("h0"), "h0");
  EXPECT_EQ(identifier("fc1_bias"), "fc1_bias");
}

TEST(Identifier, WhatIsNoLetterBecomesOneUnderscore) {
  EXPECT_EQ(identifier("fc1.bias"), "fc1_bias");
  EXPECT_EQ(identifier("encoder/layer 0/attn"), "encoder_layer_0_attn");
  EXPECT_EQ(identifier("a - b"), "a_b");
  EXPECT_EQ(identifier("trailing..."), "trailing");
}

TEST(Identifier, ReservedFormsAreAvoided) {
  EXPECT_EQ(identifier("__x"), "x");
  EXPECT_EQ(identifier("_X"), "X");
  EXPECT_EQ(identifier("a__b"), "a_b");
  EXPECT_EQ(identifier("0th"), "v0th");
  EXPECT_EQ(identifier(""), "v");
  EXPECT_EQ(identifier("\"\\\n"), "v");
}

TEST(Identifier, KeywordsTokensAndMacrosGetAnUnderscore) {
  for (const char* name : {"class", "int", "and", "not_eq", "co_await", "restrict", "NULL", "linux",
                           "unix", "INT8_MAX", "SIZE_MAX"}) {
    EXPECT_EQ(identifier(name), std::string(name) + "_");
  }
}

TEST(Identifier, NamesOfTheRuntimesMacrosAreAvoided) {
  EXPECT_EQ(identifier("WICK_CHECKS"), "vWICK_CHECKS");
  EXPECT_EQ(identifier("WICK_F32"), "vWICK_F32");
  EXPECT_EQ(identifier("WICK_of_mine"), "vWICK_of_mine");
  EXPECT_EQ(identifier("WICK"), "vWICK");
  EXPECT_EQ(identifier("_WICK_"), "vWICK");
  EXPECT_EQ(identifier("WICKED_x"), "WICKED_x");
}

TEST(Identifier, NamesOfTypesGetAnUnderscore) {
  for (const char* name : {"Row96", "F64Matrix2x3", "BoolScalar", "Scalar", "Tensor4x16x8"}) {
    EXPECT_EQ(identifier(name), std::string(name) + "_");
  }
  for (const char* name : {"Row", "Rows96", "Matrix_2", "F64", "row96"}) {
    EXPECT_EQ(identifier(name), name);
  }
}

TEST(Identifier, SuffixesMakeNoTwoUnderscores) {
  EXPECT_EQ(suffixed("hidden", "kernel"), "hidden_kernel");
  EXPECT_EQ(suffixed("class_", "kernel"), "class_kernel");
}

TEST(Identifier, OtherScriptsAreSpelledOut) {
  EXPECT_EQ(identifier("\xC3\xA9t\xC3\xA9"), "u00e9tu00e9");  // été
  EXPECT_EQ(identifier("\xE5\xB1\x82"), "u5c42");             // 层
  EXPECT_EQ(identifier("\xF0\x9F\x98\x80"), "u01f600");       // an emoji
  EXPECT_EQ(identifier("a\xE2\x80\xAE"
                       "b"),
            "au202eb");  // right-to-left override
}

TEST(Identifier, LongNamesAreCut) { EXPECT_EQ(identifier(std::string(5000, 'a')).size(), 60u); }

TEST(Identifier, MarksOfOurOwnSpellingInANameDoNoHarm) {
  EXPECT_EQ(identifier("<U+"), "U");
  EXPECT_EQ(identifier("<U+0041"), "U_0041_");  // reads like a macro
}

bool is_legal(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_')
    return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  return name.find("__") == std::string::npos;
}

TEST(Identifier, EveryByteAndPairOfBytesGivesALegalName) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string name = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_TRUE(is_legal(identifier(name))) << a << " " << b << ": " << identifier(name);
    }
  }
}

TEST(Scope, NamesOfOurOwnStayAsTheyAre) {
  Scope scope;
  EXPECT_EQ(scope.unique("y_kernel"), "y_kernel");
  EXPECT_EQ(scope.own("y_kernel"), "y_kernel_2");
  EXPECT_EQ(scope.own("Row96"), "Row96");
}

TEST(Scope, TheFirstKeepsItsNameLaterOnesAreNumbered) {
  Scope scope;
  EXPECT_EQ(scope.unique("a.b"), "a_b");
  EXPECT_EQ(scope.unique("a-b"), "a_b_2");
  EXPECT_EQ(scope.unique("a b"), "a_b_3");
  EXPECT_EQ(scope.unique("a_b_2"), "a_b_2_2");
}

TEST(Scope, OurOwnNamesAreTaken) {
  Scope scope;
  for (const char* name :
       {"wick", "std", "run", "arena", "weights", "state", "row", "kArenaBytes"}) {
    EXPECT_EQ(scope.unique(name), std::string(name) + "_2");
  }
}

TEST(Scope, AMillionEqualNamesAreTold) {
  Scope scope;
  std::set<std::string> seen;
  for (int i = 0; i < 20'000; ++i) EXPECT_TRUE(seen.insert(scope.unique("x")).second);
}

TEST(Pascal, WordsAreJoined) {
  EXPECT_EQ(pascal("hidden_layer"), "HiddenLayer");
  EXPECT_EQ(pascal("h0"), "H0");
  EXPECT_EQ(pascal("a_1_2"), "A1_2");
}

}  // namespace
}  // namespace wick::compiler::cpp
