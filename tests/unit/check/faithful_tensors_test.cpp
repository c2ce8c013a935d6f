// Views, reductions, products, calls, constants and state: what a file says against
// what the graph says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/check/comparison.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::ops::Integers;
using compiler::testing::Described;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const TensorType kTransposed = f32({3, 2});

// ---- Views --------------------------------------------------------------------------------------

// y = exp(view of x), the view given by strides and offset.
Faithfulness viewed(const Graph& graph, TensorType view, std::int64_t offset = 0) {
  Source s(0);
  const auto x = s.input("x", kMatrix);
  const auto y = s.output("y", {DType::kF32, compiler::Layout(view.shape())});
  const auto v = s.view("v", view, x, offset);
  s.call("map", {}, {out(y), unary(s, "exp"), in(v)});
  return compare(s.done(), graph, {});
}

TEST(FaithfulViews, AcceptATranspose) {
  const Graph graph =
      one_input().node("t", "transpose", {"x"}).node("y", "exp", {"t"}).output("y").verified();
  EXPECT_THAT(viewed(graph, strided({3, 2}, {1, 3})).findings, IsEmpty());
}

TEST(FaithfulViews, RefuseWrongStrides) {
  const Graph graph =
      one_input().node("t", "transpose", {"x"}).node("y", "exp", {"t"}).output("y").verified();
  const Finding finding = only(viewed(graph, strided({3, 2}, {2, 1})));
  EXPECT_EQ(finding.message, "`y`: reads `x` with strides [2, 1]; the graph says [1, 3]");
  EXPECT_EQ(finding.pointer, "/nodes/1");
}

TEST(FaithfulViews, RefuseAWrongOffset) {
  const Graph graph = one_input()
                          .node("s", "slice", {"x"}, {{"ranges", compiler::ops::Ranges{{1, 2, 1}}}})
                          .node("y", "exp", {"s"})
                          .output("y")
                          .verified();
  EXPECT_THAT(viewed(graph, f32({1, 3}), 3).findings, IsEmpty());
  EXPECT_EQ(only(viewed(graph, f32({1, 3}), 0)).message,
            "`y`: reads `x` from element 0 on; the graph says 3");
}

TEST(FaithfulViews, AcceptAPackedCopyBetweenViews) {
  // Six elements in column order: strides cannot say it of x, but of a packed copy.
  const Graph graph = one_input()
                          .node("t", "transpose", {"x"})
                          .node("f", "reshape", {"t"})
                          .shape({6})
                          .node("y", "exp", {"f"})
                          .output("y")
                          .verified();
  for (const bool copies : {true, false}) {
    Source s(64);
    const auto x = s.input("x", kMatrix), y = s.output("y", f32({6}));
    const auto columns = s.view("columns", strided({3, 2}, {1, 3}), x);
    const auto packed = s.slot("packed", kTransposed, 0);
    s.call("copy", {}, {out(packed), in(copies ? columns : s.view("same", kTransposed, x))});
    const auto flat = s.view("flat", f32({6}), packed);
    s.call("map", {}, {out(y), unary(s, "exp"), in(flat)});
    const Faithfulness result = compare(s.done(), graph, {});
    EXPECT_EQ(result.findings.empty(), copies);
  }
}

TEST(FaithfulViews, AcceptACopyThatIsReadBackInTheFirstShape) {
  const Graph graph = one_input()
                          .node("t", "transpose", {"x"})
                          .node("f", "reshape", {"t"})
                          .shape({6})
                          .node("b", "reshape", {"f"})
                          .shape({3, 2})
                          .node("y", "exp", {"b"})
                          .output("y")
                          .verified();
  EXPECT_THAT(viewed(graph, strided({3, 2}, {1, 3})).findings, IsEmpty());
}

// ---- Reductions ---------------------------------------------------------------------------------

Described summed(const std::string& op) {
  return one_input().node("y", op, {"x"}, {{"axes", Integers{1}}}).output("y");
}

Faithfulness reduced(const Graph& graph, const std::string& name, std::int64_t axis,
                     TensorType result) {
  Source s(0);
  const auto x = s.input("x", kMatrix), y = s.output("y", std::move(result));
  s.call("reduce", {axes({axis})}, {out(y), reducer(name), terms({in(x)})});
  return compare(s.done(), graph, {});
}

TEST(FaithfulReductions, AcceptTheSame) {
  EXPECT_THAT(reduced(summed("sum").verified(), "Sum", 1, f32({2})).findings, IsEmpty());
}

TEST(FaithfulReductions, RefuseAnotherReducer) {
  const Finding finding = only(reduced(summed("mean").verified(), "Sum", 1, f32({2})));
  EXPECT_EQ(finding.message, "`y`: reduces with wick::Sum; the graph says wick::Mean");
  EXPECT_EQ(finding.pointer, "/nodes/0");
}

TEST(FaithfulReductions, RefuseAnotherAxis) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2, 2})
                          .node("y", "sum", {"x"}, {{"axes", Integers{1}}})
                          .output("y")
                          .verified();
  Source s(0);
  const auto x = s.input("x", f32({2, 2})), y = s.output("y", f32({2}));
  s.call("reduce", {axes({0})}, {out(y), reducer("Sum"), terms({in(x)})});
  EXPECT_EQ(only(compare(s.done(), graph, {})).message,
            "`y`: reduces along axes [0]; the graph says [1]");
}

TEST(FaithfulReductions, RefuseKeptAxesThatBroadcastOtherwise) {
  // y = x - mean(x, 1): without keepdims the means of the rows stand along the columns.
  const Graph graph = Described()
                          .input("x", DType::kF32, {2, 2})
                          .node("m", "mean", {"x"}, {{"axes", Integers{1}}, {"keepdims", true}})
                          .node("y", "sub", {"x", "m"})
                          .output("y")
                          .verified();
  for (const bool keeps : {true, false}) {
    Source s(64);
    const auto x = s.input("x", f32({2, 2})), y = s.output("y", f32({2, 2}));
    const auto m = s.slot("m", keeps ? f32({2, 1}) : f32({2}), 0);
    s.call("reduce", {axes({1})}, {out(m), reducer("Mean"), terms({in(x)})});
    s.call("map", {}, {out(y), binary(s, "-"), in(x), in(m)});
    const Faithfulness result = compare(s.done(), graph, {});
    EXPECT_EQ(result.findings.empty(), keeps);
    if (!keeps) {
      EXPECT_THAT(only(result).message, HasSubstr("reads `m` with strides [0, 1]"));
    }
  }
}

TEST(FaithfulReductions, FollowTermsAndResults) {
  const Graph graph = one_input()
                          .node("e", "exp", {"x"})
                          .node("t", "sum", {"e"}, {{"axes", Integers{1}}})
                          .node("y", "log", {"t"})
                          .output("y")
                          .verified();
  for (const std::string last : {"log", "sqrt"}) {
    Source s(0);
    const auto x = s.input("x", kMatrix), y = s.output("y", f32({2}));
    s.call("reduce", {axes({1})},
           {out(y), reducer("Sum"), terms({unary(s, "exp"), in(x)}), results({unary(s, last)})});
    const Faithfulness result = compare(s.done(), graph, {});
    EXPECT_EQ(result.findings.empty(), last == "log");
    if (last != "log") {
      EXPECT_THAT(only(result).message, HasSubstr("computes `sqrt`"));
    }
  }
}

// ---- Products -----------------------------------------------------------------------------------

Described multiplied() {
  return Described()
      .input("a", DType::kF32, {2, 2})
      .input("b", DType::kF32, {2, 2})
      .input("c", DType::kF32, {2})
      .node("p", "matmul", {"a", "b"})
      .node("s", "add", {"p", "c"})
      .node("y", "relu", {"s"})
      .output("y");
}

Faithfulness product(bool swapped, const std::string& activation, bool biased) {
  Source s(0);
  const auto a = s.input("a", f32({2, 2})), b = s.input("b", f32({2, 2})),
             c = s.input("c", f32({2}));
  const auto y = s.output("y", f32({2, 2}));
  Equation epilogue("y_kernel");
  const auto p = epilogue.parameter(), q = epilogue.parameter();
  epilogue.call(activation, {biased ? epilogue.infix("+", p, q) : p});
  s.call("matmul", {}, {out(y), in(swapped ? b : a), in(swapped ? a : b), epilogue.in(s), in(c)});
  return compare(s.done(), multiplied().verified(), {});
}

TEST(FaithfulProducts, AcceptAnEpilogue) {
  EXPECT_THAT(product(false, "relu", true).findings, IsEmpty());
}

TEST(FaithfulProducts, RefuseWhatDiffers) {
  const Finding swapped = only(product(true, "relu", true));
  EXPECT_EQ(swapped.message, "`y`: the operands of the matrix product are swapped");
  EXPECT_EQ(swapped.pointer, "/nodes/0");
  EXPECT_THAT(only(product(false, "tanh", true)).message,
              HasSubstr("computes `tanh`; the graph says `relu`"));
  EXPECT_THAT(only(product(false, "relu", false)).message, HasSubstr("`s` is missing"));
}

// y = relu(x @ a + c) - relu(x @ b + d), from one product whose columns are cut at `first` and
// `second`.
Faithfulness joined(std::int64_t first, std::int64_t second, const std::vector<float>& weights) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {3, 2})
                          .constant<float>("a", {2, 2}, {1, 2, 3, 4})
                          .constant<float>("b", {2, 2}, {5, 6, 7, 8})
                          .constant<float>("c", {2}, {20, 30})
                          .constant<float>("d", {2}, {40, 50})
                          .node("p", "matmul", {"x", "a"})
                          .node("q", "matmul", {"x", "b"})
                          .node("r", "add", {"p", "c"})
                          .node("s", "add", {"q", "d"})
                          .node("t", "relu", {"r"})
                          .node("u", "relu", {"s"})
                          .node("y", "sub", {"t", "u"})
                          .output("y")
                          .verified();
  Source s(64);
  const auto x = s.input("x", f32({3, 2})), y = s.output("y", f32({3, 2}));
  const auto w = s.constant("w", f32({2, 4}), 0), bias = s.constant("bias", f32({4}), 64);
  const auto both = s.slot("both", f32({3, 4}), 0);
  Equation epilogue("both_kernel");
  const auto product = epilogue.parameter(), row = epilogue.parameter();
  epilogue.call("relu", {epilogue.infix("+", product, row)});
  s.call("matmul", {}, {out(both), in(x), in(w), epilogue.in(s), in(bias)});
  const TensorType part = strided({3, 2}, {4, 1});
  const auto t = s.view("t", part, both, first), u = s.view("u", part, both, second);
  Equation minus("y_kernel");
  const auto left = minus.parameter(), right = minus.parameter();
  minus.infix("-", left, right);
  s.call("map", {}, {out(y), minus.in(s), in(t), in(u)});
  s.free(both);
  return compare(s.done(), graph, bytes_of(weights));
}

TEST(FaithfulProducts, ColumnsOfAJointProduct) {
  // w at 0, bias at 64 bytes.
  std::vector<float> weights = {1, 2, 5, 6, 3, 4, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 20, 30, 40, 50};
  EXPECT_THAT(joined(0, 2, weights).findings, IsEmpty());
  EXPECT_FALSE(joined(2, 0, weights).findings.empty());
  EXPECT_FALSE(joined(0, 1, weights).findings.empty());
  std::swap(weights[17], weights[18]);
  EXPECT_FALSE(joined(0, 2, weights).findings.empty());
  std::swap(weights[17], weights[18]);
  weights[6] = 9;  // of b
  EXPECT_FALSE(joined(0, 2, weights).findings.empty());
}

// ---- Calls --------------------------------------------------------------------------------------

TEST(FaithfulCalls, CompareTemplateArguments) {
  const Graph graph = one_input().node("y", "cumsum", {"x"}, {{"axis", 1}}).output("y").verified();
  for (const std::int64_t axis : {1, 0}) {
    Source s(0);
    const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix);
    s.call("scan", {integer(axis)}, {out(y), reducer("Sum"), in(x)});
    const Faithfulness result = compare(s.done(), graph, {});
    if (axis == 1) {
      EXPECT_THAT(result.findings, IsEmpty());
    } else {
      EXPECT_EQ(only(result).message, "`y`: wick::scan has axis 0; the graph says 1");
    }
  }
}

TEST(FaithfulCalls, CompareLiteralsAndOrder) {
  const Graph graph =
      one_input()
          .node("p", "pad", {"x"},
                {{"pad_width", compiler::ops::Pairs{{1, 0}, {0, 0}}}, {"constant_values", 0.5}})
          .node("y", "concat", {"p", "x"}, {{"axis", 0}})
          .output("y")
          .verified();
  const auto run = [&](float filler, bool swapped, std::int64_t before) {
    Source s(64);
    const auto x = s.input("x", kMatrix), y = s.output("y", f32({5, 3}));
    const auto p = s.slot("p", f32({3, 3}), 0);
    s.call("pad",
           {list(TemplateArgument::Kind::kBefore, {before, 0}),
            list(TemplateArgument::Kind::kAfter, {1 - before, 0})},
           {out(p), in(x), number(f32_literal(filler))});
    s.call("concat", {integer(0)}, {out(y), in(swapped ? x : p), in(swapped ? p : x)});
    return compare(s.done(), graph, {});
  };
  EXPECT_THAT(run(0.5f, false, 1).findings, IsEmpty());
  EXPECT_THAT(only(run(0.25f, false, 1)).message,
              HasSubstr("the constant is 0.25; the graph says 0.5"));
  EXPECT_THAT(only(run(0.5f, true, 1)).message,
              HasSubstr("the operands of wick::concat are swapped"));
  EXPECT_THAT(only(run(0.5f, false, 0)).message,
              HasSubstr("pad_width [0, 0]; the graph says [1, 0]"));
}

TEST(FaithfulCalls, TellTheResultsApart) {
  const Graph graph = Described()
                          .input("x", DType::kI64, {4})
                          .nodes({"values", "indices"}, "topk", {"x"}, {{"k", 2}})
                          .output("values")
                          .output("indices")
                          .verified();
  for (const bool swapped : {false, true}) {
    Source s(64);
    const auto x = s.input("x", i64({4}));
    const auto values = s.output("values", i64({2})), indices = s.output("indices", i64({2}));
    const auto scratch = s.scratch("w", 64, 0);
    s.call("topk", {integer(0), flag(true)},
           {out(swapped ? indices : values), out(swapped ? values : indices), in(x),
            workspace(scratch)});
    const Faithfulness result = compare(s.done(), graph, {});
    EXPECT_THAT(result.findings, SizeIs(swapped ? 2 : 0));
    if (swapped) {
      EXPECT_THAT(result.findings[0].message, HasSubstr("is result 1 of wick::topk"));
    }
  }
}

// ---- Constants ----------------------------------------------------------------------------------

Described weighted() {
  return one_input().constant<float>("w", {3}, {1, 2, 3}).node("y", "mul", {"x", "w"}).output("y");
}

Faithfulness with_weights(const Graph& graph, const std::vector<float>& values) {
  Source s(0);
  const auto x = s.input("x", kMatrix), w = s.constant("w", f32({3}), 4);
  const auto y = s.output("y", kMatrix);
  s.call("map", {}, {out(y), binary(s, "*"), in(x), in(w)});
  return compare(s.done(), graph, bytes_of(values));
}

TEST(FaithfulConstants, AreComparedByteByByte) {
  const Graph graph = weighted().verified();
  EXPECT_THAT(with_weights(graph, {9, 1, 2, 3}).findings, IsEmpty());
  const Finding finding = only(with_weights(graph, {9, 1, 2, 3.5f}));
  EXPECT_EQ(finding.message, "`y`: `weights.w` is 3.5 at [0, 2]; the graph says 3");
  EXPECT_EQ(finding.pointer, "/constants/0");
  EXPECT_THAT(only(with_weights(graph, {9, 1, 2})).message, HasSubstr("beyond the end"));
}

TEST(FaithfulConstants, AreComputedAsTheGraphSays) {
  // Computed when the graph was compiled: (w + 1) * 2, one element at a time.
  const Graph graph = one_input()
                          .constant<float>("w", {3}, {1, 2, 3})
                          .node("v", "add", {"w", 1})
                          .node("u", "mul", {"v", 2})
                          .node("y", "mul", {"x", "u"})
                          .output("y")
                          .verified();
  EXPECT_THAT(with_weights(graph, {0, 4, 6, 8}).findings, IsEmpty());
  EXPECT_THAT(only(with_weights(graph, {0, 4, 6, 9})).message, HasSubstr("is 9 at [0, 2]"));
}

TEST(FaithfulConstants, MayBeComputedAtTheFirstCall) {
  const Graph graph = one_input()
                          .constant<float>("w", {3}, {1, 2, 3})
                          .node("c", "cos", {"w"})
                          .node("y", "mul", {"x", "c"})
                          .output("y")
                          .verified();
  for (const std::string name : {"cos", "sin"}) {
    Source s(0);
    s.state(64);
    const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix);
    s.begin_prepare();
    const auto weights = s.constant("w", f32({3}), 0);
    const auto kept = s.state_slot("c", f32({3}), 0);
    s.call("map", {}, {out(kept), unary(s, name), in(weights)});
    s.end_part();
    s.prepare(0);
    const auto c = s.state_slot("c", f32({3}), 0);
    s.call("map", {}, {out(y), binary(s, "*"), in(x), in(c)});
    const Faithfulness result = compare(s.done(), graph, bytes_of({1, 2, 3}));
    EXPECT_EQ(result.findings.empty(), name == "cos");
    if (name == "sin") {
      EXPECT_THAT(only(result).message, HasSubstr("computes `sin`"));
    }
  }
}

TEST(FaithfulConstants, AreNotKeptInTheArenaFromTheFirstCall) {
  const Graph graph = one_input()
                          .constant<float>("w", {3}, {1, 2, 3})
                          .node("c", "cos", {"w"})
                          .node("y", "mul", {"x", "c"})
                          .output("y")
                          .verified();
  Source s(64);
  s.state(64);
  const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix);
  s.begin_prepare();
  const auto weights = s.constant("w", f32({3}), 0);
  const auto kept = s.slot("c", f32({3}), 0);
  s.call("map", {}, {out(kept), unary(s, "cos"), in(weights)});
  s.end_part();
  s.prepare(0);
  const auto c = s.slot("c", f32({3}), 0);
  s.call("map", {}, {out(y), binary(s, "*"), in(x), in(c)});
  EXPECT_THAT(compare(s.done(), graph, bytes_of({1, 2, 3})).findings[0].message,
              HasSubstr("reads elements that no one statement has written"));
}

TEST(FaithfulConstants, OfOneValueAreAsGoodAsALiteral) {
  const Graph graph = one_input()
                          .constant<float>("half", {2, 3}, {.5f, .5f, .5f, .5f, .5f, .5f})
                          .node("y", "mul", {"x", "half"})
                          .output("y")
                          .verified();
  Source s(0);
  const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix);
  Equation equation("y_kernel");
  const auto p = equation.parameter();
  equation.infix("*", p, equation.literal(f32_literal(0.5f)));
  s.call("map", {}, {out(y), equation.in(s), in(x)});
  EXPECT_THAT(compare(s.done(), graph, {}).findings, IsEmpty());
}

// ---- Other values -------------------------------------------------------------------------------

TEST(FaithfulValues, RefuseAnotherValueOfTheGraph) {
  const Graph graph = one_input()
                          .node("q", "sin", {"x"})
                          .node("k", "cos", {"x"})
                          .node("y", "exp", {"q"})
                          .output("y")
                          .output("k")
                          .verified();
  Source s(64);
  const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix), k = s.output("k", kMatrix);
  s.call("map", {}, {out(k), unary(s, "cos"), in(x)});
  s.call("map", {}, {out(y), unary(s, "exp"), in(k)});
  EXPECT_EQ(only(compare(s.done(), graph, {})).message, "`y`: reads `k`; the graph says `q`");
}

TEST(FaithfulValues, AcceptPartsThatAreCalled) {
  const Graph graph =
      one_input().node("d", "sin", {"x"}).node("y", "exp", {"d"}).output("y").verified();
  Source s(64);
  s.input("x", kMatrix);
  s.output("y", kMatrix);
  s.begin_part("run_part_1");
  const auto x = s.parameter("x");
  const auto d = s.slot("d", kMatrix, 0);
  s.call("map", {}, {out(d), unary(s, "sin"), in(x)});
  s.end_part();
  s.begin_part("run_part_2");
  const auto y = s.parameter("y");
  const auto again = s.slot("d", kMatrix, 0);
  s.call("map", {}, {out(y), unary(s, "exp"), in(again)});
  s.end_part();
  s.call_part(0);
  s.call_part(1);
  EXPECT_THAT(compare(s.done(), graph, {}).findings, IsEmpty());
}

}  // namespace
}  // namespace wick::frontend::check
