// How far the functions of one operand are from the exact values, over the whole range, and that
// vectors and single elements agree in every bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "tests/runtime/math/functions.h"
#include "tests/runtime/math/ulp.h"

namespace wick::testing {
namespace {

#ifndef WICK_MATH_STRIDE
#define WICK_MATH_STRIDE 257
#endif

float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
double double_of(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// Bit for bit, all NaNs being one value.
template <class E>
bool same(E a, E b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof(a)) == 0;
}

struct Worst {
  double error = 0;
  double at = 0;

  void see(double x, double ulps) {
    if (ulps > error) *this = {ulps, x};
  }
  void print(const char* dtype, const char* name) const {
    std::printf("| %s | %-10s | %.3f ulp | at %a |\n", dtype, name, error, at);
  }
};

class Accuracy : public ::testing::TestWithParam<std::size_t> {
 protected:
  const Function& function() const { return kFunctions[GetParam()]; }

  void judge_f32(const float* x, Worst& worst) const {
    float y[kBlock], one[kBlock];
    function().f32(x, y);
    function().f32_by_one(x, one);
    for (std::size_t i = 0; i < kBlock; ++i) {
      ASSERT_TRUE(same(y[i], one[i])) << function().name << " at " << x[i];
      worst.see(x[i], ulps(y[i], function().reference(x[i])));
    }
  }
  void judge_f64(const double* x, Worst& worst) const {
    double y[kBlock], one[kBlock];
    function().f64(x, y);
    function().f64_by_one(x, one);
    for (std::size_t i = 0; i < kBlock; ++i) {
      ASSERT_TRUE(same(y[i], one[i])) << function().name << " at " << x[i];
      worst.see(x[i], ulps(y[i], exact_value(function(), x[i])));
    }
  }
};

// Every WICK_MATH_STRIDE-th bit pattern: both signs, denormals, infinities and NaNs among them.
TEST_P(Accuracy, StaysWithinItsBoundOverAllPatternsOfF32) {
  Worst worst;
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFF;) {
    float x[kBlock];
    for (float& element : x) {
      element = float_of(static_cast<std::uint32_t>(bits));
      bits += WICK_MATH_STRIDE;
    }
    ASSERT_NO_FATAL_FAILURE(judge_f32(x, worst));
  }
  worst.print("f32", function().name);
  EXPECT_LE(worst.error, bound_of(function().name, true)) << "at " << worst.at;
}

// Around each power of two, each power of ten and the ends of the range: 16 neighbours each way.
TEST_P(Accuracy, StaysWithinItsBoundAtTheBoundariesOfF32) {
  Worst worst;
  for (std::uint32_t exponent = 0; exponent <= 255; ++exponent) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      float x[kBlock];
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        const std::uint32_t centre = exponent << 23;
        const std::uint32_t around = i < 32 ? centre + i - 16 : centre + 0x3504F3 + i - 48;
        x[i] = float_of((around & 0x7FFFFFFF) | sign);
      }
      ASSERT_NO_FATAL_FAILURE(judge_f32(x, worst));
    }
  }
  EXPECT_LE(worst.error, bound_of(function().name, true)) << "at " << worst.at;
}

TEST_P(Accuracy, StaysWithinItsBoundForF64) {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> anywhere(function().lowest, function().highest);
  std::uniform_real_distribution<double> near(-2, 2), exponent(-300, 300);
  Worst worst;
  for (int block = 0; block < 200; ++block) {
    double x[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) {
      switch (i % 4) {
        case 0:
          x[i] = anywhere(random);
          break;
        case 1:
          x[i] = near(random);
          break;
        case 2:
          x[i] = near(random) * std::pow(10.0, exponent(random));
          break;
        default:
          x[i] = double_of(random());
          break;
      }
    }
    ASSERT_NO_FATAL_FAILURE(judge_f64(x, worst));
  }
  worst.print("f64", function().name);
  EXPECT_LE(worst.error, bound_of(function().name, false)) << "at " << worst.at;
}

TEST_P(Accuracy, StaysWithinItsBoundAtTheBoundariesOfF64) {
  Worst worst;
  for (std::uint64_t exponent = 0; exponent <= 2047;
       exponent += exponent < 960 || exponent > 1090 ? 16 : 1) {
    double x[kBlock];
    for (std::uint64_t i = 0; i < kBlock; ++i) {
      const std::uint64_t centre = (exponent << 52) + (i % 32 < 16 ? 0 : 0x6A09E667F3BCD);
      x[i] = double_of(((centre + i % 16 - 8) & 0x7FFFFFFFFFFFFFFF) | (i < 32 ? 0 : 1ull << 63));
    }
    ASSERT_NO_FATAL_FAILURE(judge_f64(x, worst));
  }
  EXPECT_LE(worst.error, bound_of(function().name, false)) << "at " << worst.at;
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& info) {
  return kFunctions[info.param].name;
}
INSTANTIATE_TEST_SUITE_P(All, Accuracy, ::testing::Range(std::size_t{0}, kFunctionCount), name_of);

}  // namespace
}  // namespace wick::testing
