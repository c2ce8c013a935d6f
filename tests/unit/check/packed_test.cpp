// Packed weights in one piece and in several.
#include "frontend/check/packed.h"

#include <gtest/gtest.h>

namespace wick::frontend::check {
namespace {

TEST(Packed, OneFile) {
  const std::vector<std::byte> file(128);
  const Packed packed(file);
  const auto end = packed.at(64, 64);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->data(), file.data() + 64);
  EXPECT_EQ(end->size(), 64u);
  EXPECT_FALSE(packed.at(64, 65).has_value());
  EXPECT_FALSE(packed.at(-1, 4).has_value());
  EXPECT_FALSE(packed.at(129, 4).has_value());
}

TEST(Packed, PiecesLieBehindEachOther) {
  const std::vector<std::byte> first(100), gap(28), second(8);
  const Packed packed = Packed::of_pieces({first, gap, second});
  EXPECT_EQ(packed.at(0, 100)->data(), first.data());
  EXPECT_EQ(packed.at(128, 8)->data(), second.data());
  EXPECT_EQ(packed.at(132, 4)->data(), second.data() + 4);
  EXPECT_FALSE(packed.at(0, 101).has_value());  // in two pieces
  EXPECT_FALSE(packed.at(128, 9).has_value());
  EXPECT_EQ(packed.size(), 136);
}

// XXH64 of "abc" is published with its reference implementation.
TEST(Packed, HashesAllPieces) {
  const std::vector<std::byte> a = {std::byte{'a'}}, bc = {std::byte{'b'}, std::byte{'c'}};
  EXPECT_EQ(Packed::of_pieces({a, bc}).hash(), 0x44BC2CF5AD770999u);
}

TEST(Packed, WithoutBytes) {
  EXPECT_FALSE(Packed().at(0, 1).has_value());
  EXPECT_TRUE(Packed().at(0, 0).has_value());
}

}  // namespace
}  // namespace wick::frontend::check
