// Folding a*x + b: each expected coefficient is worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/fuse/fuse.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Described;

// What a chain of operations with numbers on an input x of the dtype becomes: "fma(x, 2, 2)".
struct Link {
  std::string op;
  std::string number;
  bool number_first = false;
};

std::string folded(const std::vector<Link>& links, DType dtype = DType::kF32,
                   FpMode fp = FpMode::kDefault) {
  Described described;
  described.input("x", dtype, {8});
  std::string last = "x";
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string name = "n" + std::to_string(i);
    const testing::Operand number = Literal{links[i].number};
    const testing::Operand value = last;
    described.node(name, links[i].op,
                   links[i].number_first ? std::vector{number, value} : std::vector{value, number});
    last = name;
  }
  const Graph graph = described.output(last).verified();
  const FusedGraph fused = fuse(graph, {.fp = fp});
  std::vector<std::string> texts;
  const Body& body = fused.bodies[fused.kernels[KernelId(0)].body];
  for (const BodyStatement& statement : body.statements) {
    std::string text(statement.op->name);
    text += "(";
    for (const BodyOperand& operand : statement.operands) {
      if (text.back() != '(') text += ", ";
      if (operand.kind == BodyOperand::Kind::kParameter) text += "x";
      if (operand.kind == BodyOperand::Kind::kStatement) text += texts[operand.index];
      if (operand.kind == BodyOperand::Kind::kLiteral) {
        const double number = operand.literal.as_double();
        text += std::abs(number) < 1e6 && number == std::trunc(number)
                    ? std::to_string(static_cast<int>(number))
                    : std::to_string(number);
      }
    }
    texts.push_back(text + ")");
  }
  return texts.back();
}

TEST(ScalarChain, TheSeedsExample) {
  EXPECT_EQ(folded({{"add", "1"}, {"mul", "2"}}), "fma(x, 2, 2)");
}
TEST(ScalarChain, ScaleThenShift) {
  EXPECT_EQ(folded({{"mul", "2"}, {"sub", "1"}}), "fma(x, 2, -1)");
}
TEST(ScalarChain, OnlyScales) { EXPECT_EQ(folded({{"mul", "2"}, {"mul", "3"}}), "mul(x, 6)"); }
TEST(ScalarChain, OnlyShifts) { EXPECT_EQ(folded({{"add", "2"}, {"sub", "5"}}), "add(x, -3)"); }
TEST(ScalarChain, NumberMinusValueTurnsTheSign) {
  // 3 - (x + 1) = -x + 2, then times 4: -4x + 8.
  EXPECT_EQ(folded({{"add", "1"}, {"sub", "3", true}, {"mul", "4"}}), "fma(x, -4, 8)");
}
TEST(ScalarChain, DivisionByAPowerOfTwoIsExact) {
  EXPECT_EQ(folded({{"add", "6"}, {"div", "4"}}), "fma(x, 0.250000, 1.500000)");
}
TEST(ScalarChain, OtherDivisionsStayDivisions) {
  EXPECT_EQ(folded({{"add", "6"}, {"div", "3"}}), "div(add(x, 6), 3)");
  EXPECT_EQ(folded({{"add", "6"}, {"div", "3", true}}), "div(3, add(x, 6))");
}
TEST(ScalarChain, ADivisionByAPowerOfTwoIsAProduct) {
  EXPECT_EQ(folded({{"div", "8"}}), "mul(x, 0.125000)");
  EXPECT_EQ(folded({{"div", "-0.5"}}), "mul(x, -2)");
  EXPECT_EQ(folded({{"div", "8"}}, DType::kF32, FpMode::kStrict), "mul(x, 0.125000)");
  EXPECT_EQ(folded({{"div", "3"}}), "div(x, 3)");
  EXPECT_EQ(folded({{"div", "8"}}, DType::kI32), "div(x, 8)");
  EXPECT_EQ(folded({{"div", "8", true}}), "div(8, x)");
  // 2^127, whose reciprocal is subnormal, in f32.
  EXPECT_EQ(folded({{"div", "170141183460469231731687303715884105728"}}).substr(0, 4), "div(");
  EXPECT_EQ(folded({{"div", "170141183460469231731687303715884105728"}}, DType::kF64).substr(0, 4),
            "mul(");
}
TEST(ScalarChain, ZeroIsNeverFolded) {
  EXPECT_EQ(folded({{"mul", "0"}, {"add", "1"}}), "add(mul(x, 0), 1)");
  EXPECT_EQ(folded({{"mul", "2"}, {"mul", "0"}}), "mul(mul(x, 2), 0)");
  // 1 - 1 = 0 from terms that are not 0: left alone.
  EXPECT_EQ(folded({{"add", "1"}, {"sub", "1"}}), "sub(add(x, 1), 1)");
}
TEST(ScalarChain, CoefficientsThatOverflowOrVanishAreNotFolded) {
  EXPECT_EQ(folded({{"mul", "1e30"}, {"mul", "1e30"}}).substr(0, 8), "mul(mul(");
  EXPECT_EQ(folded({{"mul", "1e-30"}, {"mul", "1e-30"}}).substr(0, 8), "mul(mul(");
  EXPECT_EQ(folded({{"mul", "1e-20"}, {"mul", "1e-20"}}).substr(0, 8),
            "mul(mul(");  // 1e-40 is subnormal
  EXPECT_EQ(folded({{"mul", "1e30"}, {"mul", "1e30"}}, DType::kF64).substr(0, 5), "mul(x");
}
TEST(ScalarChain, InfinityIsNotFolded) {
  EXPECT_EQ(folded({{"add", "inf"}, {"mul", "2"}}).substr(0, 8), "mul(add(");
}
TEST(ScalarChain, IntegersAreLeftAlone) {
  EXPECT_EQ(folded({{"add", "1"}, {"mul", "2"}}, DType::kI32), "mul(add(x, 1), 2)");
}

TEST(ScalarChain, AValueReadTwiceEndsTheChain) {
  // 2x - (2x + 1): 2x is read by both.
  const Graph graph = Described()
                          .input("x", DType::kF32, {8})
                          .node("a", "mul", {"x", 2})
                          .node("b", "add", {"a", 1})
                          .node("y", "sub", {"a", "b"})
                          .output("y")
                          .verified();
  const FusedGraph fused = fuse(graph, {});
  const Body& body = fused.bodies[fused.kernels[KernelId(0)].body];
  EXPECT_EQ(body.statements.size(), 3u);
}

// Their values are known: where they are folded or compared, it is as the graph has them.
TEST(ScalarChain, ConstantsAreLeftAsTheyAre) {
  const Graph graph = Described()
                          .constant("w", {2}, {1.5f, 1.1f})
                          .node("half", "div", {"w", 4})
                          .node("y", "add", {"half", 1})
                          .output("y")
                          .verified();
  const FusedGraph fused = fuse(graph, {});
  const Body& body = fused.bodies[fused.kernels[KernelId(0)].body];
  ASSERT_EQ(body.statements.size(), 2u);
  EXPECT_EQ(body.statements[0].op->name, "div");
  EXPECT_EQ(body.statements[1].op->name, "add");
}

}  // namespace
}  // namespace wick::compiler
