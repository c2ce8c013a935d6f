// What inference says of convolutions and pools that cannot be.
#include <gtest/gtest.h>

#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using ops::Attributes;
using ops::Integers;
using ops::Pairs;
using testing::Described;

std::string errors_of(std::string op, std::vector<testing::Operand> operands,
                      Attributes attributes = {}) {
  return Described()
      .input("image", DType::kF32, {2, 4, 5, 6})
      .input("signal", DType::kF32, {2, 4, 5})
      .input("matrix", DType::kF32, {2, 4})
      .input("kernels", DType::kF32, {8, 4, 3, 3})
      .input("pairs", DType::kF32, {8, 2, 3, 3})
      .input("filters", DType::kF32, {6, 4, 3})
      .input("odd", DType::kF32, {7, 2, 3})
      .input("swapped", DType::kF32, {4, 6, 3})
      .input("none", DType::kF32, {6, 4, 0})
      .input("long", DType::kF32, {1, 4, 6})
      .input("bias", DType::kF32, {4})
      .input("dark", DType::kF32, {2, 0, 5, 6})
      .node("y", std::move(op), std::move(operands), std::move(attributes))
      .output("y")
      .errors();
}

TEST(WindowFaults, RankOfTheOperand) {
  for (const char* op : {"max_pool", "avg_pool"}) {
    EXPECT_EQ(errors_of(op, {"matrix"}, {{"kernel", Integers{2}}}),
              "/nodes/0/inputs/0: expected [batch, channels, width] or [batch, channels, height, "
              "width]; found f32[2, 4] (\"unsqueeze\" adds a batch of one)\n");
  }
  EXPECT_EQ(errors_of("conv", {"matrix", "kernels"}),
            "/nodes/0/inputs/0: expected [batch, channels, width] or [batch, channels, height, "
            "width]; found f32[2, 4] (\"unsqueeze\" adds a batch of one)\n");
}

TEST(WindowFaults, Weights) {
  EXPECT_EQ(
      errors_of("conv", {"image", "filters"}),
      "/nodes/0/inputs/1: expected weights of shape [channels_out, 4, height, width] for "
      "f32[2, 4, 5, 6] in 1 group; found f32[6, 4, 3] (\"unsqueeze\" adds axes of one element)\n");
  EXPECT_EQ(
      errors_of("conv", {"image", "kernels"}, {{"groups", 2}}),
      "/nodes/0/inputs/1: expected weights of shape [channels_out, 2, height, width] for "
      "f32[2, 4, 5, 6] in 2 groups; found f32[8, 4, 3, 3] (with \"groups\": 1 they would fit)\n");
  EXPECT_EQ(
      errors_of("conv", {"image", "pairs"}),
      "/nodes/0/inputs/1: expected weights of shape [channels_out, 4, height, width] for "
      "f32[2, 4, 5, 6] in 1 group; found f32[8, 2, 3, 3] (with \"groups\": 2 they would fit)\n");
  EXPECT_EQ(errors_of("conv", {"signal", "swapped"}),
            "/nodes/0/inputs/1: expected weights of shape [channels_out, 4, width] for "
            "f32[2, 4, 5] in 1 group; found f32[4, 6, 3] (\"transpose\" with axes 1, 0 and the "
            "others swaps channels)\n");
  EXPECT_EQ(errors_of("conv", {"signal", "none"}),
            "/nodes/0/inputs/1: expected kernels of 1 to 2147483647 elements along each spatial "
            "axis; found f32[6, 4, 0]\n");
}

TEST(WindowFaults, WeightsForNoChannels) {
  EXPECT_EQ(errors_of("conv", {"dark", "kernels"}),
            "/nodes/0/inputs/1: expected weights of shape [channels_out, 0, height, width] for "
            "f32[2, 0, 5, 6] in 1 group; found f32[8, 4, 3, 3]\n");
  EXPECT_EQ(errors_of("conv", {"dark", "kernels"}, {{"groups", 3}}),
            "/nodes/0/inputs/1: expected weights of shape [channels_out, 0, height, width] for "
            "f32[2, 0, 5, 6] in 3 groups; found f32[8, 4, 3, 3]\n");
}

TEST(WindowFaults, Groups) {
  const std::string hint =
      " (the number of groups divides that of channels and that of kernels; 1 is an ordinary "
      "convolution)\n";
  EXPECT_EQ(errors_of("conv", {"image", "pairs"}, {{"groups", 3}}),
            "/nodes/0/groups: cannot part the 4 channels of f32[2, 4, 5, 6] into 3 groups of equal "
            "size" +
                hint);
  EXPECT_EQ(errors_of("conv", {"image", "pairs"}, {{"groups", 0}}),
            "/nodes/0/groups: cannot part the 4 channels of f32[2, 4, 5, 6] into 0 groups of equal "
            "size" +
                hint);
  EXPECT_EQ(errors_of("conv", {"signal", "odd"}, {{"groups", 2}}),
            "/nodes/0/inputs/1: cannot part the 7 kernels of f32[7, 2, 3] into 2 groups of equal "
            "size" +
                hint);
}

TEST(WindowFaults, PadsThatAreNoPairs) {
  EXPECT_EQ(errors_of("max_pool", {"signal"}, {{"kernel", Integers{3}}, {"pads", 1}}),
            "/nodes/0/pads: \"pads\" must be a list of pairs of integers, found 1 (write "
            "[[1, 1]])\n");
  EXPECT_EQ(errors_of("max_pool", {"signal"}, {{"kernel", Integers{3}}, {"pads", Integers{1, 2}}}),
            "/nodes/0/pads: \"pads\" must be a list of pairs of integers, found a list of integers "
            "(write [[1, 2]])\n");
}

TEST(WindowFaults, Bias) {
  EXPECT_EQ(errors_of("conv", {"image", "kernels", "bias"}),
            "/nodes/0/inputs/2: expected a bias of shape [8], one element per kernel of "
            "f32[8, 4, 3, 3]; found f32[4]\n");
}

TEST(WindowFaults, Numbers) {
  EXPECT_EQ(errors_of("conv", {"image", "kernels"}, {{"strides", Integers{1, 0}}}),
            "/nodes/0/strides/1: expected 1 to 2147483647; found 0\n");
  EXPECT_EQ(errors_of("conv", {"image", "kernels"}, {{"dilations", Integers{2147483648}}}),
            "/nodes/0/dilations/0: expected 1 to 2147483647; found 2147483648\n");
  EXPECT_EQ(errors_of("max_pool", {"signal"}, {{"kernel", Integers{-2}}}),
            "/nodes/0/kernel/0: expected 1 to 2147483647; found -2\n");
  EXPECT_EQ(errors_of("conv", {"signal", "filters"}, {{"pads", Pairs{{1, -1}}}}),
            "/nodes/0/pads/0: cannot pad by [1, -1]: expected 0 to 2147483647\n");
}

TEST(WindowFaults, EntriesPerAxis) {
  EXPECT_EQ(errors_of("avg_pool", {"signal"}, {{"kernel", Integers{2, 2}}}),
            "/nodes/0/kernel: expected one number per spatial axis of f32[2, 4, 5], or one for "
            "all; found 2\n");
  EXPECT_EQ(errors_of("conv", {"image", "kernels"}, {{"strides", Integers{}}}),
            "/nodes/0/strides: expected one number per spatial axis of f32[2, 4, 5, 6], or one for "
            "all; found 0\n");
  EXPECT_EQ(errors_of("conv", {"image", "kernels"}, {{"pads", Pairs{{1, 1}, {1, 1}, {1, 1}}}}),
            "/nodes/0/pads: expected one pair per spatial axis of f32[2, 4, 5, 6], or one for all; "
            "found 3\n");
}

TEST(WindowFaults, WindowLargerThanTheOperand) {
  EXPECT_EQ(errors_of("conv", {"signal", "long"}),
            "/nodes/0: a window spans 6 elements of spatial axis 0, but f32[2, 4, 5] has only 5 "
            "there with its padding (pad the operand, or make the window smaller)\n");
  EXPECT_EQ(errors_of("max_pool", {"image"},
                      {{"kernel", Integers{2, 3}},
                       {"dilations", Integers{1, 3}},
                       {"pads", Pairs{{0, 0}, {0, 0}}}}),
            "/nodes/0: a window spans 7 elements of spatial axis 1, but f32[2, 4, 5, 6] has only 6 "
            "there with its padding (pad the operand, or make the window smaller)\n");
}

// Windows of a pool start at -2, 0, …: the first has only padding, or the last, or, with elements
// six apart, the one that starts at -1 and goes on at 5.
TEST(WindowFaults, NothingButPadding) {
  const std::string message =
      "/nodes/0/pads: a window along spatial axis 0 of f32[2, 4, 5] would take nothing but "
      "padding (pad less, or pad the operand explicitly)\n";
  EXPECT_EQ(errors_of("max_pool", {"signal"}, {{"kernel", Integers{2}}, {"pads", Pairs{{2, 0}}}}),
            message);
  EXPECT_EQ(errors_of("avg_pool", {"signal"}, {{"kernel", Integers{2}}, {"pads", Pairs{{0, 2}}}}),
            message);
  EXPECT_EQ(
      errors_of("max_pool", {"signal"},
                {{"kernel", Integers{2}}, {"dilations", Integers{6}}, {"pads", Pairs{{1, 3}}}}),
      message);
  // A stride over the last one leaves it out.
  EXPECT_EQ(errors_of("max_pool", {"signal"},
                      {{"kernel", Integers{2}}, {"strides", Integers{4}}, {"pads", Pairs{{1, 2}}}}),
            "");
}

// The only window takes elements -2 and 4; others of its kind could take -1 and 5.
TEST(WindowFaults, ElementsFurtherApartThanTheOperandIsLong) {
  EXPECT_EQ(
      errors_of("max_pool", {"signal"},
                {{"kernel", Integers{2}}, {"dilations", Integers{6}}, {"pads", Pairs{{2, 0}}}}),
      "/nodes/0/pads: windows that begin in padding could step over the elements along spatial "
      "axis 0 of f32[2, 4, 5]: theirs are 6 apart (pad the operand explicitly, or dilate less)\n");
  EXPECT_EQ(
      errors_of("max_pool", {"signal"},
                {{"kernel", Integers{1}}, {"dilations", Integers{6}}, {"pads", Pairs{{0, 0}}}}),
      "");
}

}  // namespace
}  // namespace wick::compiler
