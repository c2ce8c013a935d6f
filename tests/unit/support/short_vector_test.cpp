#include "compiler/support/short_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace wick::compiler {
namespace {

using Numbers = ShortVector<std::uint32_t, 2>;
using Vector = std::vector<std::uint32_t>;

TEST(ShortVector, IsTwoWordsForTwoHalves) { EXPECT_EQ(sizeof(Numbers), 16u); }

TEST(ShortVector, ConvertsFromAVectorAndToOne) {
  for (const std::size_t size : {0u, 1u, 2u, 3u, 100u}) {
    Vector vector(size);
    std::iota(vector.begin(), vector.end(), 7u);
    const Numbers numbers = vector;
    const Vector back = numbers;
    EXPECT_EQ(back, vector);
    EXPECT_EQ(numbers, vector);
  }
}

TEST(ShortVector, CopiesAreIndependent) {
  for (const std::uint32_t size : {1u, 2u, 3u, 9u}) {
    Numbers a;
    for (std::uint32_t i = 0; i < size; ++i) a.push_back(i);
    Numbers b = a;
    Numbers c = {40, 41, 42};
    c = a;
    b[0] = 99;
    c.back() = 98;
    EXPECT_EQ(a[0], 0u);
    EXPECT_EQ(a.back(), size - 1);
  }
}

TEST(ShortVector, AMoveTakesAllAndLeavesNothing) {
  for (const std::uint32_t size : {1u, 2u, 3u, 9u}) {
    Numbers a(Vector(size, 5));
    Numbers b = std::move(a);
    EXPECT_EQ(b, Vector(size, 5));
    Numbers c = {1, 2, 3, 4};
    c = std::move(b);
    EXPECT_EQ(c, Vector(size, 5));
    b = {6};  // what was moved from can be used again
    EXPECT_EQ(b, Vector{6});
  }
}

TEST(ShortVector, AssigningItselfChangesNothing) {
  Numbers a = {1, 2, 3};
  Numbers& same = a;
  a = same;
  EXPECT_EQ(a, (Vector{1, 2, 3}));
}

TEST(ShortVector, AnElementOfItsOwnCanBePushed) {
  Numbers a = {7, 8};
  a.push_back(a.front());  // grows while it is read
  EXPECT_EQ(a, (Vector{7, 8, 7}));
}

// The same random operations on a std::vector.
TEST(ShortVector, DoesWhatAVectorDoes) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    Numbers numbers;
    Vector vector;
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::size_t at = random() % (vector.size() + 1);
      const auto where = static_cast<std::ptrdiff_t>(at);
      switch (random() % 5) {
        case 0:
        case 1:
          numbers.push_back(i);
          vector.push_back(i);
          break;
        case 2:
          numbers.insert(numbers.begin() + where, i);
          vector.insert(vector.begin() + where, i);
          break;
        case 3:
          if (at == vector.size()) break;
          numbers.erase(numbers.begin() + where);
          vector.erase(vector.begin() + where);
          break;
        default:
          numbers.resize(at, 3);
          vector.resize(at, 3);
      }
      ASSERT_EQ(numbers, vector);
    }
  }
}

}  // namespace
}  // namespace wick::compiler
