// Integer arithmetic: exhaustive for the 8-bit types, the corners of the others.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "wick/elementwise.h"

namespace wick::testing {
namespace {

// Every pair of 8-bit operands, 64 at a time, against the operation in plain int.
template <class E, class F, class G>
void expect_all_pairs(F operation, G expected) {
  constexpr int low = std::numeric_limits<E>::min(), high = std::numeric_limits<E>::max();
  for (int a = low; a <= high; ++a) {
    for (int b = low; b <= high; b += 64) {
      E divisors[64], results[64];
      for (int i = 0; i < 64; ++i) divisors[i] = static_cast<E>(b + i);
      operation(Lanes<E, 64>(static_cast<E>(a)), Lanes<E, 64>::load(divisors)).store(results);
      for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(results[i], static_cast<E>(expected(a, b + i))) << a << ", " << b + i;
        const auto single = operation(Lanes<E, 1>(static_cast<E>(a)), Lanes<E, 1>(divisors[i]));
        ASSERT_EQ(single.get(0), results[i]) << a << ", " << b + i;
      }
    }
  }
}

template <class E>
class Integers8 : public ::testing::Test {};
using Bytes = ::testing::Types<std::int8_t, std::uint8_t>;
TYPED_TEST_SUITE(Integers8, Bytes);

TYPED_TEST(Integers8, SumsDifferencesAndProductsWrap) {
  expect_all_pairs<TypeParam>([](auto a, auto b) { return a + b; },
                              [](int a, int b) { return a + b; });
  expect_all_pairs<TypeParam>([](auto a, auto b) { return a - b; },
                              [](int a, int b) { return a - b; });
  expect_all_pairs<TypeParam>([](auto a, auto b) { return a * b; },
                              [](int a, int b) { return a * b; });
}

TYPED_TEST(Integers8, QuotientsTruncateAndByZeroAreZero) {
  expect_all_pairs<TypeParam>([](auto a, auto b) { return a / b; },
                              [](int a, int b) { return b == 0 ? 0 : a / b; });
}

TYPED_TEST(Integers8, RemaindersFloorAndByZeroAreZero) {
  expect_all_pairs<TypeParam>([](auto a, auto b) { return wick::mod(a, b); },
                              [](int a, int b) { return b == 0 ? 0 : ((a % b) + b) % b; });
}

TYPED_TEST(Integers8, MinimaAndMaxima) {
  expect_all_pairs<TypeParam>([](auto a, auto b) { return wick::minimum(a, b); },
                              [](int a, int b) { return a < b ? a : b; });
  expect_all_pairs<TypeParam>([](auto a, auto b) { return wick::maximum(a, b); },
                              [](int a, int b) { return a > b ? a : b; });
}

TYPED_TEST(Integers8, PowersWrapAndNegativeOnesAreTruncatedQuotients) {
  expect_all_pairs<TypeParam>([](auto a, auto b) { return wick::pow(a, b); },
                              [](int a, int b) {
                                if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
                                int power = 1;
                                for (int i = 0; i < b; ++i)
                                  power = static_cast<TypeParam>(power * a);
                                return power;
                              });
}

template <class E>
class Integers : public ::testing::Test {};
using Signed = ::testing::Types<std::int8_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Integers, Signed);

TYPED_TEST(Integers, WrapAtTheEndsOfTheRange) {
  using E = TypeParam;
  constexpr E low = std::numeric_limits<E>::min(), high = std::numeric_limits<E>::max();
  const Lanes<E, 16> least(low), most(high), minus_one(static_cast<E>(-1));
  EXPECT_EQ((most + E{1}).get(9), low);
  EXPECT_EQ((least - E{1}).get(9), high);
  EXPECT_EQ((-least).get(9), low);
  EXPECT_EQ((least / minus_one).get(9), low);
  EXPECT_EQ((least * minus_one).get(9), low);
  EXPECT_EQ(wick::abs(least).get(9), low);
  EXPECT_EQ(wick::mod(least, minus_one).get(9), 0);
  EXPECT_EQ(wick::sign(least).get(9), -1);
  EXPECT_EQ(wick::relu(least).get(9), 0);
  EXPECT_EQ(wick::clamp(most, E{-3}, E{5}).get(9), 5);
  EXPECT_EQ(wick::pow(Lanes<E, 16>(E{-1}), low).get(9), 1);
}

TYPED_TEST(Integers, DivideByVectorsOfMixedDivisors) {
  using E = TypeParam;
  const E divisors[8] = {0, 1, -1, 2, -2, 3, -3, 0};
  const E quotients[8] = {0, 7, -7, 3, -3, 2, -2, 0};
  const E remainders[8] = {0, 0, 0, 1, -1, 1, -2, 0};
  const auto b = Lanes<E, 8>::load(divisors);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ((E{7} / b).get(i), quotients[i]) << i;
    EXPECT_EQ(wick::mod(E{7}, b).get(i), remainders[i]) << i;
  }
}

}  // namespace
}  // namespace wick::testing
