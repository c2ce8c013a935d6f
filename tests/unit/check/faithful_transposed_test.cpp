// Products whose result has its axes in another order.
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/check/faithful.h"
#include "tests/support/graphs.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::testing::Described;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// y = transpose(a @ b + c), written by the product in the order of axes `order`.
Faithfulness transposed(const std::vector<std::int64_t>& order) {
  const Graph graph =
      Described()
          .input("a", DType::kF32, {2, 2, 3})
          .input("b", DType::kF32, {2, 3, 4})
          .input("c", DType::kF32, {2, 1, 4})
          .node("p", "matmul", {"a", "b"})
          .node("s", "add", {"p", "c"})
          .node("y", "transpose_axes", {"s"}, {{"axes", compiler::ops::Integers{1, 0, 2}}})
          .output("y")
          .verified();
  Source s(0);
  const auto a = s.input("a", f32({2, 2, 3})), b = s.input("b", f32({2, 3, 4})),
             c = s.input("c", f32({2, 1, 4}));
  const auto y = s.output("y", f32({2, 2, 4}));
  Equation epilogue("y_kernel");
  const auto p = epilogue.parameter(), q = epilogue.parameter();
  epilogue.infix("+", p, q);
  s.call("matmul_transposed", {axes(order)}, {out(y), in(a), in(b), epilogue.in(s), in(c)});
  return compare(s.done(), graph, {});
}

TEST(FaithfulProducts, MayBeWrittenTransposed) {
  EXPECT_THAT(transposed({1, 0, 2}).findings, IsEmpty());
}

TEST(FaithfulProducts, RefuseAnotherOrderOfAxes) {
  EXPECT_THAT(transposed({0, 1, 2}).findings, SizeIs(1));
  for (const std::vector<std::int64_t>& order : {std::vector<std::int64_t>{1, 1, 2}, {1, 0}}) {
    EXPECT_THAT(transposed(order).findings,
                Contains(Field(&Finding::message, HasSubstr("each axis of the product once"))));
  }
}

}  // namespace
}  // namespace wick::frontend::check
