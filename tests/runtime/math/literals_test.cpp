// Typed literals and the version that emitted code asserts.

#include "wick/literals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "wick/version.h"

namespace wick::testing {
namespace {

WICK_REQUIRE_RUNTIME(WICK_RUNTIME_MAJOR, 0);
WICK_REQUIRE_RUNTIME(WICK_RUNTIME_MAJOR, WICK_RUNTIME_MINOR);

TEST(Literals, InfinityAndNan) {
  EXPECT_EQ(wick::infinity<float>, HUGE_VALF);
  EXPECT_EQ(-wick::infinity<double>, -HUGE_VAL);
  EXPECT_TRUE(std::isnan(wick::nan<float>));
  EXPECT_TRUE(std::isnan(wick::nan<double>));
}

TEST(Literals, ScalarsFromBits) {
  EXPECT_EQ((wick::scalar<float, 0x40490FDB>), 3.14159274f);
  EXPECT_EQ((wick::scalar<double, 0x400921FB54442D18>), 3.141592653589793);
  EXPECT_EQ((wick::scalar<std::int8_t, 0xFF>), -1);
  EXPECT_EQ((wick::scalar<std::int64_t, 0x8000000000000000>),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(std::signbit(wick::scalar<double, 0x8000000000000000>));
}

TEST(Literals, NanKeepsItsPayload) {
  const float quiet = wick::scalar<float, 0x7FC01234>;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &quiet, sizeof(bits));
  EXPECT_EQ(bits, 0x7FC01234u);
}

TEST(Version, ServesItsOwnAndEarlierMinorVersions) {
  EXPECT_TRUE(runtime_serves(kRuntimeMajor, kRuntimeMinor));
  EXPECT_FALSE(runtime_serves(kRuntimeMajor, kRuntimeMinor + 1));
  EXPECT_FALSE(runtime_serves(kRuntimeMajor + 1, 0));
}

}  // namespace
}  // namespace wick::testing
