// How far the functions are from the exact values, over the whole range, and that vectors and
// single elements agree in every bit. Prints the rows of the tables of docs/numerics.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/runtime/math/hard_cases.h"
#include "tests/runtime/math/measure.h"

namespace wick::testing {
namespace {

constexpr std::uint64_t kPoints = 1 << 17;

template <class E, class Bits>
E number(Bits bits) {
  static_assert(sizeof(E) == sizeof(Bits));
  E value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

class Accuracy : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Function& function() const { return kFunctions[GetParam()]; }

  void expect_within_bound(const char* dtype, const Measurement& measured) const {
    std::printf("%s %s\n", dtype, measured.row(function().name, function().operands).c_str());
    EXPECT_EQ(measured.fault, "");
    EXPECT_LE(measured.worst, bound_of(function().name, std::strcmp(dtype, "f32") == 0));
  }
  // Every pair of the given numbers, or each one for functions of one operand.
  template <class E>
  void expect_within_bound_at(const char* dtype, const std::vector<E>& numbers) const {
    std::vector<E> a, b;
    for (const E first : numbers) {
      for (std::size_t i = 0; i < (function().operands == 1 ? 1 : numbers.size()); ++i) {
        a.push_back(first);
        b.push_back(numbers[i]);
      }
    }
    expect_within_bound(dtype, measure_given(function(), a.data(), b.data(), a.size()));
  }
};

// Both signs, denormals, infinities and NaNs are among the patterns.
TEST_P(Accuracy, StaysWithinItsBoundOverThePatternsOfF32) {
  if (function().operands == 1) {
    const Patterns patterns{0, kPatternStride, (std::uint64_t{1} << 32) / kPatternStride};
    expect_within_bound("f32", measure_patterns(function(), patterns));
  } else {
    expect_within_bound("f32", measure_points<float>(function(), kPoints, 7));
  }
}

// Around each power of two, the root of two times it, and the ends of the range: 16 neighbours each
// way. Fewer for functions of two operands, where every pair is taken.
TEST_P(Accuracy, StaysWithinItsBoundAtTheBoundariesOfF32) {
  const bool pairs = function().operands == 2;
  std::vector<float> numbers;
  for (std::uint32_t exponent = 0; exponent <= 255; exponent += pairs ? 17 : 1) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      for (std::uint32_t i = 0; i < 64; i += pairs ? 15 : 1) {
        const std::uint32_t centre = exponent << 23;
        const std::uint32_t around = i < 32 ? centre + i - 16 : centre + 0x3504F3 + i - 48;
        numbers.push_back(number<float>((around & 0x7FFFFFFF) | sign));
      }
    }
  }
  expect_within_bound_at("f32", numbers);
}

TEST_P(Accuracy, StaysWithinItsBoundForF64) {
  expect_within_bound("f64", measure_points<double>(function(), kPoints, 20));
}

TEST_P(Accuracy, StaysWithinItsBoundAtTheBoundariesOfF64) {
  const bool pairs = function().operands == 2;
  std::vector<double> numbers;
  for (std::uint64_t exponent = 0; exponent <= 2047;
       exponent += pairs ? 89 : (exponent < 960 || exponent > 1090 ? 16 : 1)) {
    for (std::uint64_t i = 0; i < 64; i += pairs ? 15 : 1) {
      const std::uint64_t centre = (exponent << 52) + (i % 32 < 16 ? 0 : 0x6A09E667F3BCD);
      const std::uint64_t around = (centre + i % 16 - 8) & 0x7FFFFFFFFFFFFFFF;
      numbers.push_back(number<double>(around | (i < 32 ? 0 : std::uint64_t{1} << 63)));
    }
  }
  expect_within_bound_at("f64", numbers);
}

TEST_P(Accuracy, StaysWithinItsBoundAtZerosInfinitiesAndNan) {
  const double inf = HUGE_VAL;
  expect_within_bound_at<double>("f64", {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, inf, -inf, NAN});
  expect_within_bound_at<float>("f32",
                                {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 2.0f, HUGE_VALF, -HUGE_VALF, NAN});
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& info) {
  return kFunctions[info.param].name;
}
INSTANTIATE_TEST_SUITE_P(All, Accuracy, ::testing::Range(std::size_t{0}, kFunctionCount), name_of);

TEST(HardCases, StayWithinTheBounds) {
  for (const HardCases& cases : kHardCases) {
    for (const char* name : cases.functions) {
      if (name == nullptr) continue;
      const auto measured =
          measure_given(function_named(name), cases.a, cases.b, std::size(cases.a));
      EXPECT_EQ(measured.fault, "");
      EXPECT_LE(measured.worst, bound_of(name, false)) << name << " at " << measured.at_a;
    }
  }
}

}  // namespace
}  // namespace wick::testing
