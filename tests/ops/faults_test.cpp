// Every call that inference refuses has a message of its own, at the place where the mistake
// stands: what was expected, what was found.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using ops::Attributes;
using ops::Integers;
using ops::Pairs;
using ops::Range;
using ops::Ranges;
using testing::Described;

// Inputs of several types, for calls to go wrong with.
Described given() {
  return Described()
      .input("m", DType::kF32, {2, 3})
      .input("v", DType::kF32, {4})
      .input("s", DType::kF32, {})
      .input("i", DType::kI32, {2, 3})
      .input("empty", DType::kF32, {0, 3})
      .input("full", DType::kF32, {1, 1, 1, 1, 1, 1, 1, 1})
      .input("huge", DType::kF32, {1 << 23, 1 << 22});
}

std::string errors_of(std::string op, std::vector<testing::Operand> operands,
                      Attributes attributes = {}) {
  return given()
      .node("y", std::move(op), std::move(operands), std::move(attributes))
      .output("y")
      .errors();
}

std::string errors_with_shape(std::string op, std::vector<testing::Operand> operands,
                              std::vector<std::int64_t> shape) {
  return given()
      .node("y", std::move(op), std::move(operands))
      .shape(std::move(shape))
      .output("y")
      .errors();
}

// ---- Elementwise --------------------------------------------------------------------------------

TEST(Faults, Broadcast) {
  EXPECT_EQ(
      errors_of("add", {"m", "v"}),
      "/nodes/0/inputs/1: the operands do not broadcast: found f32[2, 3] and f32[4] (aligned at "
      "the last axis, extents must be equal or 1)\n");
  EXPECT_EQ(errors_of("fma", {"m", "s", "v"}),
            "/nodes/0/inputs/2: the operands do not broadcast: found f32[2, 3], f32[] and f32[4] "
            "(aligned at the last axis, extents must be equal or 1)\n");
}

TEST(Faults, BroadcastBeyondTheLimit) {
  EXPECT_EQ(
      given()
          .input("w", DType::kF32, {1 << 20, 1, 1})
          .node("y", "mul", {"w", "huge"})
          .output("y")
          .errors(),
      "/nodes/0: f32[1048576, 1, 1] and f32[8388608, 4194304] broadcast to a result that is too "
      "large: expected at most 2^47 bytes\n");
}

TEST(Faults, ClampBounds) {
  EXPECT_EQ(errors_of("clamp", {"i"}, {{"min", 0.5}}),
            "/nodes/0/min: expected a number that i32 can hold; found 0.5\n");
  EXPECT_EQ(errors_of("clamp", {"i"}, {{"max", 1e10}}),
            "/nodes/0/max: expected a number that i32 can hold; found 1e+10\n");
  EXPECT_EQ(errors_of("clamp", {"m"}, {{"max", std::nan("")}}),
            "/nodes/0/max: a bound cannot be NaN\n");
}

TEST(Faults, CastWithoutADType) {
  EXPECT_EQ(errors_of("cast", {"m"}), "/nodes/0: the node must state its \"dtype\"\n");
}

// ---- Axes ---------------------------------------------------------------------------------------

TEST(Faults, AxisOutOfRange) {
  EXPECT_EQ(errors_of("softmax", {"m"}, {{"axis", 2}}),
            "/nodes/0/axis: axis 2 is out of range for f32[2, 3]: expected -2 to 1\n");
  EXPECT_EQ(errors_of("cumsum", {"m"}, {{"axis", -3}}),
            "/nodes/0/axis: axis -3 is out of range for f32[2, 3]: expected -2 to 1\n");
  EXPECT_EQ(errors_of("sort", {"s"}),
            "/nodes/0/axis: axis -1 is out of range for f32[], which has no axes\n");
  EXPECT_EQ(errors_of("sum", {"m"}, {{"axes", Integers{0, 5}}}),
            "/nodes/0/axes/1: axis 5 is out of range for f32[2, 3]: expected -2 to 1\n");
}

TEST(Faults, DuplicateAxis) {
  EXPECT_EQ(errors_of("sum", {"m"}, {{"axes", Integers{1, -1}}}),
            "/nodes/0/axes/1: duplicate axis: [1, -1] names axis 1 of f32[2, 3] twice\n");
  EXPECT_EQ(errors_of("transpose_axes", {"m"}, {{"axes", Integers{0, 0}}}),
            "/nodes/0/axes/1: duplicate axis: [0, 0] names axis 0 of f32[2, 3] twice\n");
}

TEST(Faults, PermutationOfAnotherLength) {
  EXPECT_EQ(errors_of("transpose_axes", {"m"}, {{"axes", Integers{1}}}),
            "/nodes/0/axes: expected one entry per axis of f32[2, 3]; found [1]\n");
}

TEST(Faults, Squeeze) {
  EXPECT_EQ(errors_of("squeeze", {"m"}, {{"axes", Integers{-1}}}),
            "/nodes/0/axes: cannot squeeze axis 1 of f32[2, 3]: expected extent 1, found 3\n");
}

TEST(Faults, RankBeyondTheLimit) {
  EXPECT_EQ(errors_of("unsqueeze", {"full"}, {{"axes", Integers{0}}}),
            "/nodes/0/axes: the result has rank 9: expected at most 8\n");
  EXPECT_EQ(errors_of("stack", {"full", "full"}),
            "/nodes/0: the result has rank 9: expected at most 8\n");
  EXPECT_EQ(errors_of("gather", {"full", "i"}),
            "/nodes/0: the result has rank 9: expected at most 8\n");
}

TEST(Faults, UnsqueezeOutOfRange) {
  EXPECT_EQ(errors_of("unsqueeze", {"m"}, {{"axes", Integers{3}}}),
            "/nodes/0/axes/0: axis 3 is out of range for a result of rank 3: expected -3 to 2\n");
}

// ---- Layout -------------------------------------------------------------------------------------

TEST(Faults, ViewOfTheWrongSize) {
  for (const char* op : {"view", "reshape"}) {
    EXPECT_EQ(errors_with_shape(op, {"m"}, {4}),
              "/nodes/0/shape: cannot give f32[2, 3] the shape [4]: expected 6 elements\n");
    EXPECT_EQ(errors_with_shape(op, {"m"}, {-1, 4}),
              "/nodes/0/shape: cannot give f32[2, 3] the shape [-1, 4]: expected 6 elements\n");
    EXPECT_EQ(errors_with_shape(op, {"empty"}, {-1, 0}),
              "/nodes/0/shape: cannot give f32[0, 3] the shape [-1, 0]: expected 0 elements\n");
    EXPECT_EQ(errors_with_shape(op, {"m"}, {1LL << 40, 1LL << 40}),
              "/nodes/0/shape: cannot give f32[2, 3] the shape [1099511627776, 1099511627776]: "
              "expected 6 elements\n");
  }
}

TEST(Faults, ReshapeWithTwoOpenExtents) {
  EXPECT_EQ(errors_with_shape("reshape", {"m"}, {-1, -1}),
            "/nodes/0/shape: expected extents of 0 or more, and at most one -1; found [-1, -1]\n");
}

TEST(Faults, ViewWithoutAShape) {
  EXPECT_EQ(errors_of("view", {"m"}), "/nodes/0: the node must state its \"shape\"\n");
}

TEST(Faults, ViewOfANonContiguousValue) {
  EXPECT_EQ(given()
                .node("t", "transpose", {"m"})
                .node("y", "view", {"t"})
                .shape({6})
                .output("y")
                .errors(),
            "/nodes/1/inputs/0: a view needs a contiguous operand; found f32[3, 2] strides [1, 3] "
            "(put \"as_contiguous\" before it, or use \"reshape\")\n");
}

TEST(Faults, BroadcastTo) {
  EXPECT_EQ(
      errors_with_shape("broadcast_to", {"m"}, {3, 2}),
      "/nodes/0/shape: cannot broadcast f32[2, 3] to [3, 2] (aligned at the last axis, extents "
      "must be equal, or 1 in the operand)\n");
}

TEST(Faults, SliceRank) {
  EXPECT_EQ(errors_of("slice", {"v"}, {{"ranges", Ranges{Range{}, Range{}}}}),
            "/nodes/0/ranges: 2 ranges for f32[4]: expected at most one per axis, 1\n");
}

TEST(Faults, SliceStep) {
  EXPECT_EQ(errors_of("slice", {"m"}, {{"ranges", Ranges{Range{}, Range{0, 2, 0}}}}),
            "/nodes/0/ranges/1/2: a step of 0: expected a positive or negative step\n");
}

TEST(Faults, SplitSizes) {
  const auto split = [](Integers sizes) {
    return given()
        .nodes({"a", "b"}, "split", {"m"}, {{"axis", 1}, {"sizes", sizes}})
        .output("a")
        .errors();
  };
  EXPECT_EQ(split({2, 2}),
            "/nodes/0/sizes: the sizes [2, 2] do not add up to axis 1 of f32[2, 3]: expected 3\n");
  EXPECT_EQ(split({4, -1}),
            "/nodes/0/sizes: the sizes [4, -1] do not add up to axis 1 of f32[2, 3]: expected 3\n");
  EXPECT_EQ(split({INT64_MAX, INT64_MAX}),
            "/nodes/0/sizes: the sizes [9223372036854775807, 9223372036854775807] do not add up to "
            "axis 1 of f32[2, 3]: expected 3\n");
}

// ---- Joining ------------------------------------------------------------------------------------

TEST(Faults, Concat) {
  EXPECT_EQ(
      errors_of("concat", {"m", "v"}),
      "/nodes/0/inputs/1: cannot join f32[4] to f32[2, 3]: expected equal shapes but along axis "
      "0\n");
  EXPECT_EQ(
      errors_of("concat", {"m", "empty"}, {{"axis", 1}}),
      "/nodes/0/inputs/1: cannot join f32[0, 3] to f32[2, 3]: expected equal shapes but along "
      "axis 1\n");
}

TEST(Faults, ConcatBeyondTheLimit) {
  EXPECT_EQ(
      errors_of("concat", {"huge", "huge"}),
      "/nodes/0: the result f32[16777216, 4194304] is too large: expected at most 2^47 bytes\n");
}

TEST(Faults, Stack) {
  EXPECT_EQ(errors_of("stack", {"m", "v"}),
            "/nodes/0/inputs/1: cannot join f32[4] to f32[2, 3]: expected equal shapes\n");
}

TEST(Faults, Pad) {
  EXPECT_EQ(
      errors_of("pad", {"m"}, {{"pad_width", Pairs{{0, 0}, {0, 0}, {1, 1}}}}),
      "/nodes/0/pad_width: expected one pair per axis of f32[2, 3], or one for all; found 3\n");
  EXPECT_EQ(
      errors_of("pad", {"v"}, {{"pad_width", Pairs{{-1, 0}}}}),
      "/nodes/0/pad_width/0: cannot pad axis 0 of f32[4] by [-1, 0] in mode constant: expected 0 "
      "to 140737488355328\n");
  EXPECT_EQ(
      errors_of("pad", {"v"}, {{"pad_width", Pairs{{0, 4}}}, {"mode", std::string("reflect")}}),
      "/nodes/0/pad_width/0: cannot pad axis 0 of f32[4] by [0, 4] in mode reflect: expected 0 to "
      "3\n");
  EXPECT_EQ(
      errors_of("pad_edge", {"empty"}, {{"pad_width", Pairs{{1, 0}, {0, 0}}}}),
      "/nodes/0/pad_width/0: cannot pad axis 0 of f32[0, 3] by [1, 0] in mode edge: expected 0 to "
      "0\n");
  EXPECT_EQ(errors_of("pad", {"i"}, {{"pad_width", Pairs{{1, 1}}}, {"constant_values", 0.5}}),
            "/nodes/0/constant_values: expected a number that i32 can hold; found 0.5\n");
}

TEST(Faults, Tile) {
  EXPECT_EQ(errors_of("tile", {"v"}, {{"reps", Integers{-2}}}),
            "/nodes/0/reps: expected repetitions of 0 or more; found [-2]\n");
  EXPECT_EQ(
      errors_of("tile", {"v"}, {{"reps", Integers{INT64_MAX}}}),
      "/nodes/0: the result f32[140737488355329] is too large: expected at most 2^47 bytes\n");
}

// ---- Indexing -----------------------------------------------------------------------------------

TEST(Faults, GatherFromNothing) {
  EXPECT_EQ(
      errors_of("gather", {"empty", "i"}),
      "/nodes/0/inputs/1: indices i32[2, 3] into axis 0 of f32[0, 3], which has no elements\n");
}

TEST(Faults, GatherElements) {
  EXPECT_EQ(
      errors_of("gather_elements", {"v", "i"}),
      "/nodes/0/inputs/1: indices i32[2, 3] do not fit f32[4]: expected equal shapes but along "
      "axis 0\n");
}

TEST(Faults, OneHotDepth) {
  EXPECT_EQ(errors_of("one_hot", {"i"}, {{"depth", -1}}),
            "/nodes/0/depth: expected a depth of 0 or more; found -1\n");
  EXPECT_EQ(errors_of("one_hot", {"i"}, {{"depth", std::int64_t{1} << 50}}),
            "/nodes/0: the result f32[2, 3, 1125899906842624] is too large: expected at most 2^47 "
            "bytes\n");
}

// Kinds of fault 14.
TEST(Faults, IotaBeyondTheLimit) {
  const auto iota = [](std::vector<std::int64_t> shape) {
    return given()
        .node("y", "iota", {})
        .dtype(DType::kF32)
        .shape(std::move(shape))
        .output("y")
        .errors();
  };
  EXPECT_EQ(
      iota({(std::int64_t{1} << 59) + 1}),
      "/nodes/0: the result f32[576460752303423489] is too large: expected at most 2^47 bytes\n");
  EXPECT_EQ(
      iota({65536, 65536, 65536}),
      "/nodes/0: the result f32[65536, 65536, 65536] is too large: expected at most 2^47 bytes\n");
  EXPECT_EQ(
      iota({65536, 65536, 32768}),
      "/nodes/0: the result f32[65536, 65536, 32768] is too large: expected at most 2^47 bytes\n");
}

TEST(Faults, IotaOfBool) {
  EXPECT_EQ(given().node("y", "iota", {}).dtype(DType::kBool).shape({2}).output("y").errors(),
            "/nodes/0/dtype: expected a dtype of numbers; found bool\n");
}

// ---- Reductions and products --------------------------------------------------------------------

TEST(Faults, NothingToChooseFrom) {
  EXPECT_EQ(
      errors_of("max", {"empty"}, {{"axes", Integers{0}}}),
      "/nodes/0/axes: no elements to choose from: the reduced axes of f32[0, 3] are empty, and "
      "there is no identity\n");
  EXPECT_EQ(
      errors_of("argmin", {"empty"}, {{"axis", 0}}),
      "/nodes/0/axis: no elements to choose from: the reduced axes of f32[0, 3] are empty, and "
      "there is no identity\n");
  EXPECT_EQ(errors_of("min", {"empty"}),
            "/nodes/0: no elements to choose from: the reduced axes of f32[0, 3] are empty, and "
            "there is no identity\n");
  // Where nothing is chosen, nothing is missing.
  EXPECT_EQ(errors_of("max", {"empty"}, {{"axes", Integers{1}}}), "");
}

TEST(Faults, ArgmaxWithBothAttributes) {
  EXPECT_EQ(errors_of("argmax", {"m"}, {{"axis", 0}, {"axes", Integers{0}}}),
            "/nodes/0/axis: expected \"axis\" or \"axes\", not both\n");
}

// Behaviour 18: `[2] @ [1, 2]` is an error.
TEST(Faults, Matmul) {
  const Described vectors = given().input("a", DType::kF32, {2}).input("b", DType::kF32, {1, 2});
  EXPECT_EQ(Described(vectors).node("y", "matmul", {"a", "b"}).output("y").errors(),
            "/nodes/0/inputs/1: cannot multiply f32[2] by f32[1, 2]: expected equal inner extents, "
            "found 2 and 1\n");
  EXPECT_EQ(
      errors_of("matmul", {"m", "m"}),
      "/nodes/0/inputs/1: cannot multiply f32[2, 3] by f32[2, 3]: expected equal inner extents, "
      "found 3 and 2\n");
  EXPECT_EQ(
      errors_of("matmul", {"m", "s"}),
      "/nodes/0/inputs/1: cannot multiply f32[2, 3] by f32[]: expected operands of rank 1 or more "
      "(a product with a scalar is \"mul\")\n");
  const Described stacks =
      given().input("a", DType::kF32, {2, 1, 3}).input("b", DType::kF32, {4, 3, 1});
  EXPECT_EQ(
      Described(stacks).node("y", "matmul", {"a", "b"}).output("y").errors(),
      "/nodes/0/inputs/1: cannot multiply f32[2, 1, 3] by f32[4, 3, 1]: the leading axes [2] and "
      "[4] do not broadcast\n");
}

TEST(Faults, MatmulAddend) {
  const Described square = given().input("a", DType::kF32, {3, 3});
  EXPECT_EQ(Described(square).node("y", "matmul", {"m", "a", "v"}).output("y").errors(),
            "/nodes/0/inputs/2: cannot add f32[4] to the product f32[2, 3]: expected a shape that "
            "broadcasts to it\n");
}

TEST(Faults, Linear) {
  EXPECT_EQ(errors_of("linear", {"m", "v"}),
            "/nodes/0/inputs/1: expected weights of shape [in, out]; found f32[4]\n");
  const Described square = given().input("w", DType::kF32, {3, 5});
  EXPECT_EQ(
      Described(square).node("y", "linear", {"m", "w", "v"}).output("y").errors(),
      "/nodes/0/inputs/2: expected a bias of shape [5], one element per column of f32[3, 5]; found "
      "f32[4]\n");
}

TEST(Faults, Norms) {
  EXPECT_EQ(errors_of("layer_norm", {"m", "v"}),
            "/nodes/0/inputs/1: expected a shape that broadcasts to f32[2, 3]; found f32[4]\n");
  EXPECT_EQ(
      errors_of("batch_norm", {"m", "v", "v"}),
      "/nodes/0/inputs/1: expected shape [3], one element per channel: axis 1 of f32[2, 3]; found "
      "f32[4]\n");
}

TEST(Faults, TopK) {
  const auto topk = [](std::int64_t k) {
    return given().nodes({"a", "b"}, "topk", {"m"}, {{"k", k}}).output("a").errors();
  };
  EXPECT_EQ(topk(4), "/nodes/0/k: cannot take 4 of axis 1 of f32[2, 3]: expected 0 to 3\n");
  EXPECT_EQ(topk(-1), "/nodes/0/k: cannot take -1 of axis 1 of f32[2, 3]: expected 0 to 3\n");
}

}  // namespace
}  // namespace wick::compiler
