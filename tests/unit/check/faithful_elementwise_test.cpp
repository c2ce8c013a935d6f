// Elementwise graphs: what a kernel says against what the graph says.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/check/comparison.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::testing::Described;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Faithfulness compared(Source& source, const Graph& graph) {
  return compare(source.done(), graph, {});
}

Described two_inputs() {
  return Described().input("a", DType::kF32, {2, 3}).input("b", DType::kF32, {2, 3});
}

// A file of one statement: y = kernel(a, b).
struct OneMap {
  Source s{0};
  NameIndex a = s.input("a", kMatrix), b = s.input("b", kMatrix), y = s.output("y", kMatrix);

  Faithfulness against(const Graph& graph, const Equation& equation, bool swapped = false) {
    s.call("map", {}, {out(y), equation.in(s), in(swapped ? b : a), in(swapped ? a : b)});
    return compared(s, graph);
  }
};

Equation infix(const std::string& token) {
  Equation equation("y_kernel");
  const auto a = equation.parameter(), b = equation.parameter();
  equation.infix(token, a, b);
  return equation;
}

// ---- What is the same ---------------------------------------------------------------------------

TEST(FaithfulElementwise, AcceptsTheSameOperation) {
  const Graph graph = two_inputs().node("y", "sub", {"a", "b"}).output("y").verified();
  EXPECT_THAT(OneMap().against(graph, infix("-")).findings, IsEmpty());
}

TEST(FaithfulElementwise, AcceptsOperandsOfACommutativeOperationInEitherOrder) {
  const Graph graph = two_inputs().node("y", "add", {"a", "b"}).output("y").verified();
  EXPECT_THAT(OneMap().against(graph, infix("+"), true).findings, IsEmpty());
}

TEST(FaithfulElementwise, AcceptsNodesComputedOneByOneInReusedAndSharedMemory) {
  const Graph graph = two_inputs()
                          .node("d", "sub", {"a", "b"})
                          .node("e", "exp", {"d"})
                          .node("y", "mul", {"e", "a"})
                          .output("y")
                          .verified();
  Source s(128);
  const auto a = s.input("a", kMatrix), b = s.input("b", kMatrix), y = s.output("y", kMatrix);
  const auto d = s.slot("d", kMatrix, 0);
  s.call("map", {}, {out(d), binary(s, "-"), in(a), in(b)});
  const auto e = s.slot("e", kMatrix, 64);
  s.call("map", {}, {out(e), unary(s, "exp"), in(d)});
  const auto f = s.slot("f", kMatrix, 0);  // where d was
  s.call("map", {}, {out(f), binary(s, "*"), in(e), in(a)});
  const auto g = s.in_place("g", kMatrix, f);
  s.call("map_in_place", {}, {inout(g), unary(s, "relu"), in(f)});
  s.call("map", {}, {out(y), binary(s, "*"), in(e), in(a)});
  EXPECT_THAT(compared(s, graph).findings, IsEmpty());
}

TEST(FaithfulElementwise, RefusesAValueThatWasOverwrittenInPlace) {
  const Graph graph =
      two_inputs().node("d", "sub", {"a", "b"}).node("y", "mul", {"d", "a"}).output("y").verified();
  Source s(128);
  const auto a = s.input("a", kMatrix), b = s.input("b", kMatrix), y = s.output("y", kMatrix);
  const auto d = s.slot("d", kMatrix, 0);
  s.call("map", {}, {out(d), binary(s, "-"), in(a), in(b)});
  const auto e = s.in_place("e", kMatrix, d);
  s.call("map_in_place", {}, {inout(e), unary(s, "exp"), in(d)});
  s.call("map", {}, {out(y), binary(s, "*"), in(d), in(a)});
  const Finding finding = only(compared(s, graph));
  EXPECT_THAT(finding.message, HasSubstr("`exp` is not in the graph"));
}

TEST(FaithfulElementwise, AcceptsWhatTheTraitsPromise) {
  const Graph graph = two_inputs()
                          .node("one", "mul", {"a", 1})  // x * 1 is x
                          .node("n", "neg", {"one"})
                          .node("nn", "neg", {"n"})  // --x is x
                          .node("r", "relu", {"nn"})
                          .node("rr", "relu", {"r"})  // relu(relu(x)) is relu(x)
                          .node("y", "add", {"rr", "b"})
                          .output("y")
                          .verified();
  Equation equation("y_kernel");
  const auto a = equation.parameter(), b = equation.parameter();
  equation.infix("+", b, equation.call("relu", {a}));
  EXPECT_THAT(OneMap().against(graph, equation).findings, IsEmpty());
}

TEST(FaithfulElementwise, KeepsTheZeroThatAnAdditionWouldChange) {
  // x + 0 turns -0 into 0: no identity.
  const Graph graph =
      two_inputs().node("z", "add", {"a", 0}).node("y", "div", {"b", "z"}).output("y").verified();
  Equation equation("y_kernel");
  const auto a = equation.parameter(), b = equation.parameter();
  equation.infix("/", b, a);
  EXPECT_THAT(only(OneMap().against(graph, equation)).message, HasSubstr("`z` is missing"));
}

TEST(FaithfulElementwise, AcceptsBroadcastOperands) {
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .input("row", DType::kF32, {3})
                          .node("n", "neg", {"row"})
                          .node("y", "add", {"a", "n"})
                          .output("y")
                          .verified();
  // The negation at each element, where the graph has it once per column.
  Source s(0);
  const auto a = s.input("a", kMatrix), row = s.input("row", f32({3})), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter(), q = equation.parameter();
  equation.infix("+", p, equation.prefix("-", q));
  s.call("map", {}, {out(y), equation.in(s), in(a), in(row)});
  EXPECT_THAT(compared(s, graph).findings, IsEmpty());
}

// ---- Chains of scalars --------------------------------------------------------------------------

Described chain() {
  return Described()
      .input("a", DType::kF32, {2, 3})
      .node("t", "add", {"a", 1})
      .node("y", "mul", {"t", 0.1})
      .output("y");
}

Faithfulness multiply_add(const Graph& graph, float scale, float shift) {
  Source s(0);
  const auto a = s.input("a", kMatrix), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter();
  const auto scale_at = equation.literal(f32_literal(scale));
  equation.call("fma", {p, scale_at, equation.literal(f32_literal(shift))});
  s.call("map", {}, {out(y), equation.in(s), in(a)});
  return compared(s, graph);
}

TEST(FaithfulChains, AcceptAFoldedChain) {
  // (a + 1) * 0.1f: both coefficients are 0.1f.
  EXPECT_THAT(multiply_add(chain().verified(), 0.1f, 0.1f).findings, IsEmpty());
}

// Nothing is added to a / -2, and -0 is not added either.
TEST(FaithfulChains, AcceptADivisionByANegativePowerOfTwo) {
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("y", "div", {"a", -2})
                          .output("y")
                          .verified();
  const auto multiplied_by = [&](float number) {
    Source s(0);
    const auto a = s.input("a", kMatrix), y = s.output("y", kMatrix);
    Equation equation("y_kernel");
    const auto p = equation.parameter();
    equation.infix("*", p, equation.literal(f32_literal(number)));
    s.call("map", {}, {out(y), equation.in(s), in(a)});
    return compared(s, graph);
  };
  EXPECT_THAT(multiplied_by(-0.5f).findings, IsEmpty());
  EXPECT_FALSE(multiplied_by(0.5f).findings.empty());
}

TEST(FaithfulChains, RefuseACoefficientThatIsOneBitOff) {
  const float off = std::nextafter(0.1f, 1.0f);
  const Finding finding = only(multiply_add(chain().verified(), 0.1f, off));
  EXPECT_EQ(finding.message,
            "`y`: computes `x * 0.1 + 0.10000001`; the graph says `x * 0.1 + 0.1`");
  EXPECT_EQ(finding.pointer, "/nodes/1");
  EXPECT_EQ(finding.place.line, 1004u);
}

TEST(FaithfulChains, AreFoldedInPartsWhereAPartIsReadOtherwise) {
  // t = (a + 1) * 0.1 is an output, so that y = (t + 0.3) * 0.7 begins anew with it.
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("s", "add", {"a", 1})
                          .node("t", "mul", {"s", 0.1})
                          .node("u", "add", {"t", 0.3})
                          .node("y", "mul", {"u", 0.7})
                          .output("t")
                          .output("y")
                          .verified();
  const auto shift = static_cast<float>(double{0.3f} * double{0.7f});
  for (const float off : {shift, std::nextafter(shift, 1.0f)}) {
    Source s(0);
    const auto a = s.input("a", kMatrix), t = s.output("t", kMatrix), y = s.output("y", kMatrix);
    const auto multiply_add = [&](NameIndex to, NameIndex from, float scale, float addend) {
      Equation equation("kernel");
      const auto p = equation.parameter();
      const auto scale_at = equation.literal(f32_literal(scale));
      equation.call("fma", {p, scale_at, equation.literal(f32_literal(addend))});
      s.call("map", {}, {out(to), equation.in(s), in(from)});
    };
    multiply_add(t, a, 0.1f, 0.1f);
    multiply_add(y, t, 0.7f, off);
    EXPECT_EQ(compared(s, graph).findings.size(), off == shift ? 0u : 1u);
  }
}

TEST(FaithfulChains, RefuseTwoRoundingsWhereTheGraphHasOne) {
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("y", "fma", {"a", 3, 0.1})
                          .output("y")
                          .verified();
  Source s(0);
  const auto a = s.input("a", kMatrix), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter();
  const auto scaled = equation.infix("*", p, equation.literal(f32_literal(3)));
  equation.infix("+", scaled, equation.literal(f32_literal(0.1f)));
  s.call("map", {}, {out(y), equation.in(s), in(a)});
  EXPECT_THAT(only(compared(s, graph)).message,
              HasSubstr("`x + 0.1` of `x * 3`; the graph says `x * 3 + 0.1`"));
}

// One kernel of two operations with a number each.
Faithfulness two_steps(const Graph& graph, const std::string& first, float number,
                       const std::string& second, float other) {
  Source s(0);
  const auto a = s.input("a", kMatrix), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter();
  const auto between = equation.infix(first, p, equation.literal(f32_literal(number)));
  equation.infix(second, between, equation.literal(f32_literal(other)));
  s.call("map", {}, {out(y), equation.in(s), in(a)});
  return compared(s, graph);
}

TEST(FaithfulChains, RefuseAWayOnWhichBitsAreLost) {
  // a + 2^24 keeps no fraction of a, whatever is added afterwards.
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("t", "add", {"a", 1})
                          .node("y", "add", {"t", 2})
                          .output("y")
                          .verified();
  EXPECT_THAT(two_steps(graph, "+", 1, "+", 2).findings, IsEmpty());
  only(two_steps(graph, "+", 16777216, "-", 16777213));
}

TEST(FaithfulChains, RefuseAWayBackThatTheGraphDoesNotGo) {
  // a * 2^100 is infinite from a = 2^28 on.
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("t", "mul", {"a", 2})
                          .node("y", "mul", {"t", 0.5})
                          .output("y")
                          .verified();
  EXPECT_THAT(two_steps(graph, "*", 2, "*", 0.5f).findings, IsEmpty());
  only(two_steps(graph, "*", 0x1p100f, "*", 0x1p-100f));
}

// y is computed from t, which is an output too, by scale * t + shift.
Faithfulness by_way_of(const Graph& graph, float first, float scale, float shift) {
  Source s(0);
  const auto a = s.input("a", kMatrix), t = s.output("t", kMatrix), y = s.output("y", kMatrix);
  Equation sum("t_kernel");
  const auto p = sum.parameter();
  sum.infix("+", p, sum.literal(f32_literal(first)));
  s.call("map", {}, {out(t), sum.in(s), in(a)});
  Equation equation("y_kernel");
  const auto q = equation.parameter();
  const auto scale_at = equation.literal(f32_literal(scale));
  equation.call("fma", {q, scale_at, equation.literal(f32_literal(shift))});
  s.call("map", {}, {out(y), equation.in(s), in(t)});
  return compared(s, graph);
}

TEST(FaithfulChains, RefuseAWayByAnotherChainOfTheGraph) {
  // y = 2a + 6 does not go by way of t = a + 2^24, though 2t + 6 - 2^25 is the same.
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("t", "add", {"a", 16777216})
                          .node("u", "add", {"a", 3})
                          .node("y", "mul", {"u", 2})
                          .output("t")
                          .output("y")
                          .verified();
  only(by_way_of(graph, 16777216, 2, -33554426));
}

TEST(FaithfulChains, KnowStepsThatRoundingSwallows) {
  // With t = a + 1e8, u = t + 1 has the coefficients of t; y is 0.9 * 0.7 * u all the same.
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("t", "add", {"a", 1e8})
                          .node("u", "add", {"t", 1})
                          .node("v", "mul", {"u", 0.9})
                          .node("y", "mul", {"v", 0.7})
                          .output("t")
                          .output("y")
                          .verified();
  const auto product = static_cast<float>(double{0.9f} * double{0.7f});
  EXPECT_THAT(by_way_of(graph, 1e8f, product, product).findings, IsEmpty());
  only(by_way_of(graph, 1e8f, product, std::nextafter(product, 1.0f)));
}

TEST(FaithfulChains, RefuseAWrongConstant) {
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("y", "mul", {"a", 0.125})
                          .output("y")
                          .verified();
  Source s(0);
  const auto a = s.input("a", kMatrix), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter();
  equation.infix("*", p, equation.literal(f32_literal(0.25f)));
  s.call("map", {}, {out(y), equation.in(s), in(a)});
  const Finding finding = only(compared(s, graph));
  EXPECT_EQ(finding.message, "`y`: computes `x * 0.25`; the graph says `x * 0.125`");
  EXPECT_EQ(finding.pointer, "/nodes/0");
}

// ---- What differs -------------------------------------------------------------------------------

TEST(FaithfulElementwise, RefusesSwappedOperands) {
  const Graph graph =
      two_inputs().node("d", "sub", {"a", "b"}).node("y", "exp", {"d"}).output("y").verified();
  Equation equation("y_kernel");
  const auto a = equation.parameter(), b = equation.parameter();
  equation.call("exp", {equation.infix("-", b, a)});
  const Finding finding = only(OneMap().against(graph, equation));
  EXPECT_EQ(finding.message, "`y`: operands 1 and 2 of `-` are swapped");
  EXPECT_EQ(finding.pointer, "/nodes/0");
  EXPECT_EQ(finding.place.line, 1003u);
}

TEST(FaithfulElementwise, RefusesSwappedArgumentsOfTheStatement) {
  const Graph graph = two_inputs().node("y", "div", {"a", "b"}).output("y").verified();
  EXPECT_THAT(only(OneMap().against(graph, infix("/"), true)).message, HasSubstr("swapped"));
}

TEST(FaithfulElementwise, RefusesSwappedBranches) {
  const Graph graph = two_inputs()
                          .node("less", "lt", {"a", "b"})
                          .node("y", "where", {"less", "a", "b"})
                          .output("y")
                          .verified();
  Equation equation("y_kernel");
  const auto a = equation.parameter(), b = equation.parameter();
  equation.call("where", {equation.infix("<", a, b, DType::kBool), b, a});
  EXPECT_THAT(only(OneMap().against(graph, equation)).message,
              HasSubstr("operands 2 and 3 of `where` are swapped"));
}

TEST(FaithfulElementwise, RefusesAnotherOperationAndShowsAPoint) {
  const Graph graph = two_inputs().node("y", "sub", {"a", "b"}).output("y").verified();
  const Finding finding = only(OneMap().against(graph, infix("/")));
  EXPECT_THAT(finding.message, HasSubstr("computes `/`; the graph says `-`"));
  EXPECT_THAT(finding.hint, HasSubstr("the graph"));
}

TEST(FaithfulElementwise, RefusesAMissingNode) {
  const Graph graph = two_inputs()
                          .node("scaled", "mul", {"a", "b"})
                          .node("bias", "tanh", {"scaled"})
                          .node("y", "relu", {"bias"})
                          .output("y")
                          .verified();
  Equation equation("y_kernel");
  const auto a = equation.parameter(), b = equation.parameter();
  equation.call("relu", {equation.infix("*", a, b)});
  const Finding finding = only(OneMap().against(graph, equation));
  EXPECT_THAT(finding.message, HasSubstr("`bias` is missing"));
  EXPECT_EQ(finding.pointer, "/nodes/1");
}

TEST(FaithfulElementwise, RefusesAWrongBound) {
  const Graph graph = Described()
                          .input("a", DType::kF32, {2, 3})
                          .node("y", "clamp", {"a"}, {{"min", 0.0}, {"max", 6.0}})
                          .output("y")
                          .verified();
  Source s(0);
  const auto a = s.input("a", kMatrix), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter();
  const auto low = equation.literal(f32_literal(0));
  equation.call("clamp", {p, low, equation.literal(f32_literal(5))});
  s.call("map", {}, {out(y), equation.in(s), in(a)});
  EXPECT_THAT(only(compared(s, graph)).message, HasSubstr("the constant is 5; the graph says 6"));
}

TEST(FaithfulElementwise, RefusesALiteralOfAnotherType) {
  const Graph graph = Described()
                          .input("a", DType::kI32, {2, 3})
                          .node("y", "minimum", {"a", 7})
                          .output("y")
                          .verified();
  Source s(0);
  const auto a = s.input("a", i32({2, 3})), y = s.output("y", i32({2, 3}));
  Equation equation("y_kernel");
  const auto p = equation.parameter(DType::kI32);
  equation.call("minimum", {p, equation.literal({DType::kI64, 7})}, DType::kI32);
  s.call("map", {}, {out(y), equation.in(s), in(a)});
  EXPECT_THAT(only(compared(s, graph)).message, HasSubstr("it is i64; the graph says i32"));
}

// ---- What is tested -----------------------------------------------------------------------------

TEST(FaithfulElementwise, TriesWhatNoLawDecides) {
  const Graph graph = two_inputs().node("y", "lt", {"a", "b"}).output("y").verified();
  Source s(0);
  const auto a = s.input("a", kMatrix), b = s.input("b", kMatrix);
  const auto y = s.output("y", type(DType::kBool, {2, 3}));
  Equation equation("y_kernel");
  const auto p = equation.parameter(), q = equation.parameter();
  equation.infix(">", q, p, DType::kBool);
  s.call("map", {}, {out(y), equation.in(s), in(a), in(b)});
  const Faithfulness result = compared(s, graph);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.tested, ElementsAre("`y`: `>` for `<`, at 10000 points"));
}

TEST(FaithfulElementwise, TriesEqualElementsToo) {
  // They differ only where a equals b.
  const Graph graph = two_inputs().node("y", "le", {"a", "b"}).output("y").verified();
  Source s(0);
  const auto a = s.input("a", kMatrix), b = s.input("b", kMatrix);
  const auto y = s.output("y", type(DType::kBool, {2, 3}));
  Equation equation("y_kernel");
  const auto p = equation.parameter(), q = equation.parameter();
  equation.infix("<", p, q, DType::kBool);
  s.call("map", {}, {out(y), equation.in(s), in(a), in(b)});
  EXPECT_THAT(only(compared(s, graph)).message, HasSubstr("computes `<`; the graph says `<=`"));
}

// ---- The interface ------------------------------------------------------------------------------

TEST(FaithfulInterface, RefusesAnotherTypeOfAnInput) {
  const Graph graph =
      Described().input("a", DType::kF32, {3, 2}).node("y", "neg", {"a"}).output("y").verified();
  Source s(0);
  s.input("a", kMatrix);
  s.output("y", f32({3, 2}));
  const Finding finding = only(compared(s, graph));
  EXPECT_EQ(finding.message, "`a` is f32[2, 3]; the graph says f32[3, 2]");
  EXPECT_EQ(finding.pointer, "/inputs/0");
}

TEST(FaithfulInterface, RefusesToOverwriteWhatIsNotDonated) {
  const Graph graph =
      Described().input("a", DType::kF32, {2, 3}).node("y", "exp", {"a"}).output("y").verified();
  Source s(0);
  const auto a = s.donated("a", kMatrix), y = s.output("y", kMatrix);
  s.call("map", {}, {out(y), unary(s, "exp"), in(a)});
  EXPECT_THAT(only(compared(s, graph)).message, HasSubstr("the graph only reads it"));
}

TEST(FaithfulInterface, RefusesAMissingOutput) {
  const Graph graph = two_inputs().node("y", "add", {"a", "b"}).output("y").output("a").verified();
  EXPECT_EQ(only(OneMap().against(graph, infix("+"))).pointer, "/outputs/1");
}

}  // namespace
}  // namespace wick::frontend::check
