#include "compiler/support/hash_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace wick::compiler {
namespace {

const auto kAny = [](std::uint32_t) { return true; };

TEST(HashIndex, NothingIsFoundInAnEmptyOne) { EXPECT_EQ(HashIndex().find(7, kAny), std::nullopt); }

TEST(HashIndex, FindsWhatWasEnteredFirst) {
  HashIndex index;
  EXPECT_EQ(index.find_or_enter(7, 40, kAny), std::nullopt);
  EXPECT_EQ(index.find_or_enter(7, 41, kAny), 40U);
  EXPECT_EQ(index.find(7, kAny), 40U);
  EXPECT_EQ(index.find(8, kAny), std::nullopt);
}

TEST(HashIndex, EqualHashesAreToldApartByWhatTheyStandFor) {
  const std::vector<std::string> texts = {"a", "b", "c"};
  HashIndex index;
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(index.find_or_enter(5, i, [&](std::uint32_t at) { return texts[at] == texts[i]; }),
              std::nullopt);
  }
  EXPECT_EQ(index.find(5, [&](std::uint32_t at) { return texts[at] == "b"; }), 1U);
  EXPECT_EQ(index.find(5, [&](std::uint32_t at) { return texts[at] == "d"; }), std::nullopt);
}

TEST(HashIndex, AgreesWithAMapHoweverItGrowsAndHoweverPoorTheHash) {
  for (const std::uint64_t kinds : {3ULL, 1000ULL, ~0ULL}) {
    std::mt19937_64 random(1);
    HashIndex index;
    std::map<std::uint64_t, std::uint32_t> expected;
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t key = random() % 1500;
      const std::uint64_t hash = key * 0x9e3779b97f4a7c15 % kinds;
      const auto next = static_cast<std::uint32_t>(keys.size());
      const auto found =
          index.find_or_enter(hash, next, [&](std::uint32_t at) { return keys[at] == key; });
      const auto [at, is_new] = expected.try_emplace(key, next);
      ASSERT_EQ(found.has_value(), !is_new);
      ASSERT_EQ(found.value_or(at->second), at->second);
      if (is_new) keys.push_back(key);
    }
  }
}

}  // namespace
}  // namespace wick::compiler
