// Large graphs and large constants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/unit/check/comparison.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::testing::Described;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A chain of so many kernels in two slots, of which number `wrong` computes something else.
Faithfulness chain(int kernels, int wrong) {
  const TensorType type = f32({2, 3});
  Source s(128);
  NameIndex last = s.input("x", type);
  const NameIndex y = s.output("y", type);
  Described described;
  described.input("x", DType::kF32, {2, 3});
  std::string last_node = "x";
  const Argument tanh = unary(s, "tanh"), minus = binary(s, "-"), sigmoid = unary(s, "sigmoid");
  for (int i = 0; i < kernels; ++i) {
    const bool ends = i + 1 == kernels;
    const std::string name = ends ? "y" : "v" + std::to_string(i);
    const NameIndex to = ends ? y : s.slot(name, type, i % 2 * 64);
    const bool subtracts = i % 3 == 1;
    if (subtracts) {
      s.call("map", {}, {out(to), minus, in(last), in(0)});
      described.node(name, "sub", {last_node, "x"});
    } else {
      s.call("map", {}, {out(to), i == wrong ? sigmoid : tanh, in(last)});
      described.node(name, "tanh", {last_node});
    }
    last = to;
    last_node = name;
  }
  const Graph graph = described.output("y").verified();
  const Program program = s.done();
  const auto before = std::chrono::steady_clock::now();
  Faithfulness result = compare(program, graph, {});
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(1));
  return result;
}

TEST(FaithfulScale, ComparesAThousandKernelsInUnderASecond) {
  EXPECT_THAT(chain(1000, -1).findings, IsEmpty());
}

TEST(FaithfulScale, FindsTheOneThatIsWrong) {
  const Faithfulness result = chain(1000, 600);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].pointer, "/nodes/600");
  EXPECT_THAT(result.findings[0].message, HasSubstr("`v600`: computes `sigmoid`; the graph says"));
}

TEST(FaithfulScale, WalksLongChainsWithoutRecursion) {
  EXPECT_THAT(chain(20000, 0).findings, SizeIs(1));
}

// 4.8 MB: beyond what is folded, read through a view on both sides.
TEST(FaithfulScale, ComparesLargeConstantsAsTheyStand) {
  const std::int64_t rows = 1200, columns = 1000;
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 977);
  const compiler::Shape shape = compiler::Shape::of({rows, columns});
  const Graph graph = Described()
                          .input("x", DType::kF32, {columns, rows})
                          .constant("w", compiler::HostTensor::of<float>(shape, values))
                          .node("t", "transpose", {"w"})
                          .node("y", "mul", {"x", "t"})
                          .output("y")
                          .verified();
  Source s(0);
  const auto x = s.input("x", f32({columns, rows})), y = s.output("y", f32({columns, rows}));
  const auto w = s.constant("w", f32({rows, columns}), 0);
  const auto t = s.view("t", strided({columns, rows}, {1, columns}), w);
  s.call("map", {}, {out(y), binary(s, "*"), in(x), in(t)});
  const Program program = s.done();
  std::vector<std::byte> packed = bytes_of(values);
  EXPECT_THAT(compare(program, graph, packed).findings, IsEmpty());
  packed[4 * (5 * 1000 + 7)] ^= std::byte{1};
  EXPECT_THAT(only(compare(program, graph, packed)).message, HasSubstr("at [7, 5]"));
}

}  // namespace
}  // namespace wick::frontend::check
