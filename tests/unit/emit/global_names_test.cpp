// Names of C that cannot be namespaces. Which these are is stated by ISO C11, chapter 7 and annex
// B, and by POSIX.1-2017.
#include "compiler/emit/global_names.h"

#include <gtest/gtest.h>

namespace wick::compiler::cpp {
namespace {

TEST(GlobalNames, FunctionsOfTheLibraryAreKnown) {
  for (const char* name : {"abs", "memcpy", "strlen", "index", "gamma", "exp", "wctomb", "log10"}) {
    EXPECT_TRUE(is_global_name(name)) << name;
  }
}

TEST(GlobalNames, OtherPrecisionsAndLocalesAreKnown) {
  for (const char* name : {"expf", "expl", "fmaxf", "strtok_r", "isalpha_l", "lseek64"}) {
    EXPECT_TRUE(is_global_name(name)) << name;
  }
}

TEST(GlobalNames, TypesAreKnown) {
  for (const char* name : {"int32_t", "ptrdiff_t", "my_t", "FILE", "tm", "wick_model"}) {
    EXPECT_TRUE(is_global_name(name)) << name;
  }
}

TEST(GlobalNames, OthersAreFree) {
  for (const char* name : {"", " ", "digits", "attention", "ind", "index2", "abs exp", "wick_demo",
                           "f", "l", "model", "t"}) {
    EXPECT_FALSE(is_global_name(name)) << name;
  }
}

}  // namespace
}  // namespace wick::compiler::cpp
