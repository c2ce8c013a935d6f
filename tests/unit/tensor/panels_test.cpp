#include "compiler/tensor/panels.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace wick::compiler {
namespace {

// Two rows of 19 columns: a panel of 16, then one of 3.
TEST(Panels, FollowEachOtherRowByRow) {
  std::vector<float> rows(38);
  std::iota(rows.begin(), rows.end(), 0.0f);
  const HostTensor panels =
      in_panels(HostTensor::of<float>(*Shape::make(std::vector<std::int64_t>{2, 19}), rows));
  const std::vector<float> expected = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                       13, 14, 15, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                                       29, 30, 31, 32, 33, 34, 16, 17, 18, 35, 36, 37};
  ASSERT_EQ(panels.element_count(), 38);
  for (std::int64_t i = 0; i < 38; ++i)
    EXPECT_EQ(panels.at<float>(i), expected[static_cast<std::size_t>(i)]) << i;
}

TEST(Panels, AreSixtyFourBytesWide) {
  EXPECT_EQ(panel_width(DType::kF32), 16);
  EXPECT_EQ(panel_width(DType::kF64), 8);
}

}  // namespace
}  // namespace wick::compiler
