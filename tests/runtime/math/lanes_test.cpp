// Lanes: construction, memory, halves, selection across dtypes, conversion, reduction, fused
// multiply-add.

#include "wick/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

namespace wick::testing {
namespace {

template <class E, int N>
struct Case {
  using Element = E;
  static constexpr int kCount = N;
  static constexpr std::size_t kSize = static_cast<std::size_t>(N);
};

template <class C>
class LanesOf : public ::testing::Test {};
using Cases =
    ::testing::Types<Case<float, 1>, Case<float, 2>, Case<float, 16>, Case<float, 64>,
                     Case<double, 1>, Case<double, 4>, Case<double, 64>, Case<std::int8_t, 2>,
                     Case<std::int8_t, 64>, Case<std::uint8_t, 16>, Case<std::uint8_t, 64>,
                     Case<std::int32_t, 8>, Case<std::int32_t, 64>, Case<std::int64_t, 1>,
                     Case<std::int64_t, 32>>;
TYPED_TEST_SUITE(LanesOf, Cases);

TYPED_TEST(LanesOf, LoadsAndStoresAtAnyAlignmentOfAnElement) {
  using E = typename TypeParam::Element;
  constexpr int n = TypeParam::kCount;
  E from[TypeParam::kSize + 1], to[TypeParam::kSize + 2] = {};
  for (int i = 0; i <= n; ++i) from[i] = static_cast<E>(i + 1);
  Lanes<E, n>::load(from + 1).store(to + 1);
  EXPECT_EQ(to[0], E{0});
  for (int i = 0; i < n; ++i) EXPECT_EQ(to[i + 1], static_cast<E>(i + 2)) << i;
  EXPECT_EQ(to[n + 1], E{0});
}

TYPED_TEST(LanesOf, ScalarsStandForAllLanes) {
  using E = typename TypeParam::Element;
  constexpr int n = TypeParam::kCount;
  const auto sum = E{3} + Lanes<E, n>(E{4}) * Lanes<E, 1>(E{5});
  static_assert(std::is_same_v<decltype(sum), const Lanes<E, n>>);
  for (int i = 0; i < n; ++i) EXPECT_EQ(sum.get(i), E{23});
}

TYPED_TEST(LanesOf, HalvesJoinToTheWhole) {
  using E = typename TypeParam::Element;
  constexpr int n = TypeParam::kCount;
  if constexpr (n > 1) {
    E from[TypeParam::kSize];
    for (int i = 0; i < n; ++i) from[i] = static_cast<E>(7 * i + 1);
    const auto x = Lanes<E, n>::load(from);
    const auto whole = join(lower(x), upper(x));
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(whole[i], from[i]);
      EXPECT_EQ(i < n / 2 ? lower(x).get(i) : upper(x).get(i - n / 2), from[i]);
    }
  }
}

TYPED_TEST(LanesOf, ComparisonsMakeMasksThatSelectAnyDtype) {
  using E = typename TypeParam::Element;
  constexpr int n = TypeParam::kCount;
  E from[TypeParam::kSize];
  for (int i = 0; i < n; ++i) from[i] = static_cast<E>(i % 5);
  const auto x = Lanes<E, n>::load(from);
  const Lanes<bool, n> above = x > E{2};
  const auto bytes = where(above, std::int8_t{1}, std::int8_t{-1});
  const auto wide = where(above, 2.5, Lanes<double, n>(-2.5));
  const auto own = where(x <= E{1}, x, E{9});
  bool stored[TypeParam::kSize];
  above.store(stored);
  const auto loaded = Lanes<bool, n>::load(stored);
  for (int i = 0; i < n; ++i) {
    const bool expected = i % 5 > 2;
    EXPECT_EQ(above.get(i), expected);
    EXPECT_EQ(loaded.get(i), expected);
    EXPECT_EQ(reinterpret_cast<const unsigned char*>(stored)[i], expected ? 1 : 0);
    EXPECT_EQ(bytes.get(i), expected ? 1 : -1);
    EXPECT_EQ(wide.get(i), expected ? 2.5 : -2.5);
    EXPECT_EQ(own.get(i), static_cast<E>(i % 5 <= 1 ? i % 5 : 9));
  }
}

// The sum of floats that do not add up exactly shows the order: halves, first with second.
TEST(Lanes, ReduceByHalves) {
  float x[8] = {1e8f, 1, 1, 1, -1e8f, 1, 1, 1};
  auto add = [](auto a, auto b) { return a + b; };
  EXPECT_EQ(reduce_lanes(add, Lanes<float, 8>::load(x)), 6.0f);
  float y[4] = {1e8f, -1e8f, 1, 1};  // (1e8 + 1) + (-1e8 + 1) = 1e8 - 1e8
  EXPECT_EQ(reduce_lanes(add, Lanes<float, 4>::load(y)), 0.0f);
}

TEST(Lanes, FloatingComparisonsWithNanAreFalseButForInequality) {
  const Lanes<double, 4> nan(std::numeric_limits<double>::quiet_NaN()), one(1.0);
  for (const auto& mask : {nan<one, nan <= one, nan> one, nan >= one, nan == nan}) {
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(mask.get(i));
  }
  for (int i = 0; i < 4; ++i) EXPECT_TRUE((nan != nan).get(i));
}

TEST(Lanes, BroadcastAndNegationKeepTheSignOfZero) {
  EXPECT_TRUE(std::signbit(Lanes<float, 16>(-0.0f).get(7)));
  EXPECT_TRUE(std::signbit((-Lanes<double, 16>(0.0)).get(7)));
  EXPECT_FALSE(std::signbit((-Lanes<double, 16>(-0.0)).get(7)));
}

// ---- Conversion ----------------------------------------------------------------------------

template <class To, class From>
To converted(From x) {
  const To lane = cast<To>(Lanes<From, 32>(x)).get(19);
  const To single = cast<To>(x).get(0);
  EXPECT_EQ(std::memcmp(&lane, &single, sizeof(To)), 0) << +x;
  return lane;
}

TEST(Cast, FloatingToIntegerSaturatesAndTruncates) {
  EXPECT_EQ((converted<std::int8_t>(127.9f)), 127);
  EXPECT_EQ((converted<std::int8_t>(-1e9f)), -128);
  EXPECT_EQ((converted<std::int8_t>(-1.9)), -1);
  EXPECT_EQ((converted<std::uint8_t>(-0.5f)), 0);
  EXPECT_EQ((converted<std::uint8_t>(1e300)), 255);
  EXPECT_EQ((converted<std::int32_t>(2147483520.0f)), 2147483520);
  EXPECT_EQ((converted<std::int32_t>(2147483648.0f)), 2147483647);
  EXPECT_EQ((converted<std::int32_t>(-2147483648.0f)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((converted<std::int32_t>(2147483647.5)), 2147483647);
  EXPECT_EQ((converted<std::int32_t>(-1e300)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((converted<std::int64_t>(1e30f)), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((converted<std::int64_t>(-1e30)), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((converted<std::int64_t>(9007199254740993.0)), 9007199254740992);
}

TEST(Cast, NanIsZeroInIntegersAndTrueInBool) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ((converted<std::int8_t>(nan)), 0);
  EXPECT_EQ((converted<std::uint8_t>(nan)), 0);
  EXPECT_EQ((converted<std::int32_t>(nan)), 0);
  EXPECT_EQ((converted<std::int64_t>(double{nan})), 0);
  EXPECT_TRUE((converted<bool>(nan)));
}

TEST(Cast, IntegersWrapAndRound) {
  EXPECT_EQ((converted<std::int8_t>(std::int32_t{300})), 44);
  EXPECT_EQ((converted<std::uint8_t>(std::int64_t{-1})), 255);
  EXPECT_EQ((converted<std::int32_t>(std::int64_t{0x1'8000'0001})),
            std::numeric_limits<std::int32_t>::min() + 1);
  EXPECT_EQ((converted<std::int64_t>(std::int8_t{-5})), -5);
  EXPECT_EQ((converted<std::int32_t>(std::uint8_t{200})), 200);
  EXPECT_EQ((converted<float>(std::int32_t{16777217})), 16777216.0f);
  EXPECT_EQ((converted<double>(std::int64_t{9007199254740993})), 9007199254740992.0);
  EXPECT_EQ((converted<float>(std::int64_t{0x7FFFFFBFFFFFFFFF})), 0x1.fffffep+62f);
}

TEST(Cast, BoolIsZeroOrOne) {
  EXPECT_EQ((converted<float>(true)), 1.0f);
  EXPECT_EQ((converted<double>(false)), 0.0);
  EXPECT_EQ((converted<std::int8_t>(true)), 1);
  EXPECT_EQ((converted<std::int64_t>(true)), 1);
  EXPECT_FALSE((converted<bool>(-0.0)));
  EXPECT_TRUE((converted<bool>(std::int64_t{1} << 40)));
  EXPECT_TRUE((converted<bool>(std::numeric_limits<double>::denorm_min())));
}

TEST(Cast, F64ToF32RoundsToEvenAndOverflows) {
  EXPECT_EQ((converted<float>(1 + 0x1p-24)), 1.0f);
  EXPECT_EQ((converted<float>(1 + 0x1.8p-23)), 1 + 0x1p-22f);
  EXPECT_EQ((converted<float>(1e300)), std::numeric_limits<float>::infinity());
  EXPECT_EQ((converted<float>(0x1p-150)), 0.0f);
}

// ---- Fused multiply-add --------------------------------------------------------------------

template <class E>
E drawn(std::mt19937_64& random, int spread) {
  std::uniform_real_distribution<double> digits(1, 2);
  const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread;
  const double value = std::ldexp(digits(random), exponent);
  return static_cast<E>(random() % 2 == 0 ? value : -value);
}

// Against the C library's fma, which is rounded once; addends are often close to the product, where
// rounding twice shows.
template <class E>
void expect_fused(int spread) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    E a[16], b[16], c[16], result[16];
    for (int i = 0; i < 16; ++i) {
      a[i] = drawn<E>(random, spread);
      b[i] = drawn<E>(random, spread);
      c[i] = i % 2 == 0 ? -a[i] * b[i] : drawn<E>(random, spread);
    }
    fma(Lanes<E, 16>::load(a), Lanes<E, 16>::load(b), Lanes<E, 16>::load(c)).store(result);
    for (int i = 0; i < 16; ++i) {
      ASSERT_EQ(result[i], std::fma(a[i], b[i], c[i])) << a[i] << " " << b[i] << " " << c[i];
      ASSERT_EQ(fma(Lanes<E, 1>(a[i]), b[i], c[i]).get(0), result[i]);
    }
  }
}
TEST(Fma, IsRoundedOnceInF32) { expect_fused<float>(4); }
TEST(Fma, IsRoundedOnceInF32NearTheEndsOfTheRange) { expect_fused<float>(74); }
TEST(Fma, IsRoundedOnceInF64) { expect_fused<double>(4); }
TEST(Fma, IsRoundedOnceInF64NearTheEndsOfTheRange) { expect_fused<double>(530); }

// With b and c known to it, fma may take a product and a sum. Where it does they are right for
// every a, above all where the product leaves the range: the C library's fma says so.
template <class E>
void expect_same_from_two_roundings() {
  using Limits = std::numeric_limits<E>;
  const int low = Limits::min_exponent - 1;
  const int high = Limits::max_exponent - 1;
  const E powers[] = {1,
                      2,
                      -4,
                      E{0.25},
                      std::ldexp(E{1}, high),
                      -std::ldexp(E{1}, low),
                      std::ldexp(E{1}, 60 - high),
                      std::ldexp(E{-1}, high - 30)};
  const E addends[] = {-1,
                       E{1.5},
                       std::ldexp(E{1}, 100),
                       -std::ldexp(E{1}, 100),
                       std::ldexp(E{1}, -100),
                       std::nextafter(-std::ldexp(E{1}, -100), E{-1})};
  const E fractions[] = {1, std::nextafter(E{2}, E{0}), E{1.75}, std::nextafter(E{1}, E{2})};
  for (const E b : powers) {
    for (const E c : addends) {
      ASSERT_TRUE(detail::rounds_alike(b, c)) << b << " " << c;
      for (int exponent = low - Limits::digits; exponent <= high; ++exponent) {
        for (const E fraction : fractions) {
          for (const E a : {std::ldexp(fraction, exponent), -std::ldexp(fraction, exponent)}) {
            const E twice = (Lanes<E, 2>(a) * b + c).get(1);
            ASSERT_EQ(twice, std::fma(a, b, c)) << a << " " << b << " " << c;
          }
        }
      }
    }
  }
  const E infinity = Limits::infinity();
  for (const E b : {E{0}, E{3}, E{-0.1f}, Limits::denorm_min(), infinity, Limits::quiet_NaN()})
    EXPECT_FALSE(detail::rounds_alike(b, E{1})) << b;
  for (const E c : {E{0}, std::ldexp(E{1.5}, 100), std::ldexp(E{1}, -101), infinity, -infinity})
    EXPECT_FALSE(detail::rounds_alike(E{2}, c)) << c;
  EXPECT_FALSE(detail::rounds_alike(E{2}, Limits::quiet_NaN()));
}
TEST(Fma, RoundsAlikeInF32) { expect_same_from_two_roundings<float>(); }
TEST(Fma, RoundsAlikeInF64) { expect_same_from_two_roundings<double>(); }

// 2^128 does not fit, 2^128 - 2^127 does; 2^-127 + 2^-150 + 2^-149 is half-way between two numbers.
TEST(Fma, OfNumbersIsRoundedOnce) {
  EXPECT_EQ(fma(Lanes<float, 4>(0x1p127f), 2.0f, -0x1p127f).get(0), 0x1p127f);
  EXPECT_EQ(fma(Lanes<float, 4>(0x1.000002p-126f), 0.5f, 0x1p-149f).get(3), 0x1.000008p-127f);
  EXPECT_EQ(fma(Lanes<double, 2>(3.0), 4.0, 5.5).get(1), 17.5);
}

// Every pair of these, with its sign of zero and NaN: `a < b ? a : b` and `a > b ? a : b`.
template <class E, int N>
void expect_limits() {
  constexpr E nan = std::numeric_limits<E>::quiet_NaN();
  constexpr E infinity = std::numeric_limits<E>::infinity();
  const E values[] = {E{0}, -E{0}, E{1},     E{-1},    std::numeric_limits<E>::denorm_min(),
                      nan,  -nan,  infinity, -infinity};
  const auto lesser = [](auto x, auto y) { return detail::least_of(x, y); };
  const auto greater = [](auto x, auto y) { return detail::greatest_of(x, y); };
  const auto same = [](E x, E y) { return std::memcmp(&x, &y, sizeof(E)) == 0; };
  for (const E a : values) {
    for (const E b : values) {
      const Lanes<E, N> x(a), y(b);
      const E least = detail::apply(lesser, x, y).get(N - 1);
      const E most = detail::apply(greater, x, y).get(N / 2);
      EXPECT_TRUE(same(least, a < b ? a : b)) << a << " " << b << " " << least;
      EXPECT_TRUE(same(most, a > b ? a : b)) << a << " " << b << " " << most;
    }
  }
}
TEST(Limits, AreTheSecondOperandWhereNeitherIsLess) {
  expect_limits<float, 1>();
  expect_limits<float, 4>();
  expect_limits<float, 8>();
  expect_limits<float, 64>();
  expect_limits<double, 2>();
  expect_limits<double, 4>();
  expect_limits<double, 32>();
}

TEST(Fma, ShowsTheBitThatTwoRoundingsLose) {
  // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which the rounded product has lost.
  const Lanes<float, 8> x(1 + 0x1p-12f), c(-(1 + 0x1p-11f));
  EXPECT_EQ(fma(x, x, c).get(5), 0x1p-24f);
  EXPECT_EQ((x * x + c).get(5), 0.0f);
}

TEST(Fma, OfIntegersWraps) {
  EXPECT_EQ(fma(Lanes<std::int8_t, 32>(std::int8_t{100}), std::int8_t{2}, std::int8_t{7}).get(30),
            static_cast<std::int8_t>(207));
}

}  // namespace
}  // namespace wick::testing
