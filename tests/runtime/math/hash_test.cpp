// XXH64 against published digests, and piece by piece against at once.

#include "wick/hash.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wick::testing {
namespace {

std::uint64_t hash(std::string_view text, std::uint64_t seed = 0) {
  return hash64(text.data(), text.size(), seed);
}

// Digests as published with the xxHash implementations for C and Python.
TEST(Hash64, GivesThePublishedDigests) {
  EXPECT_EQ(hash(""), 0xEF46DB3751D8E999);
  EXPECT_EQ(hash("a"), 0xD24EC4F1A98C6E5B);
  EXPECT_EQ(hash("abc"), 0x44BC2CF5AD770999);
  EXPECT_EQ(hash("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1);
  EXPECT_EQ(hash("xxhash", 20141025), 13067679811253438005u);
}

TEST(Hash64, IsTheSameHoweverTheBytesArrive) {
  std::string text;
  for (int i = 0; i < 300; ++i) text.push_back(static_cast<char>(i * i + 7 * i));
  for (std::size_t size = 0; size <= text.size(); size += 7) {
    const std::uint64_t whole = hash64(text.data(), size);
    for (std::size_t step = 1; step <= 70; step += 3) {
      Hash64 pieces;
      for (std::size_t at = 0; at < size; at += step) {
        pieces.update(text.data() + at, size - at < step ? size - at : step);
      }
      ASSERT_EQ(pieces.digest(), whole) << size << " bytes, " << step << " at a time";
    }
  }
}

TEST(Hash64, ADigestDoesNotEndTheHash) {
  Hash64 pieces;
  pieces.update("ab", 2);
  EXPECT_EQ(pieces.digest(), hash("ab"));
  pieces.update(nullptr, 0);
  pieces.update("c", 1);
  EXPECT_EQ(pieces.digest(), hash("abc"));
}

TEST(Hash64, EveryByteCounts) {
  std::string text(100, '\0');
  const std::uint64_t zeros = hash(text);
  for (char& byte : text) {
    byte = 1;
    EXPECT_NE(hash(text), zeros);
    byte = 0;
  }
}

}  // namespace
}  // namespace wick::testing
