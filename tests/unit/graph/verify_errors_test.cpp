// Each mistake that a description can hold has a message of its own, at its own place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/graph/verify.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Described;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A graph that is right, to be spoilt by one more line.
Described right() {
  return Described().input("x", DType::kF32, {2, 3}).node("y", "neg", {"x"}).output("y");
}

// `text` begins with `start`, and is one message alone.
void expect_only(const std::string& text, const std::string& start) {
  EXPECT_THAT(text, StartsWith(start));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST(VerifyErrors, TheSpoiltGraphWasRight) { EXPECT_EQ(right().errors(), ""); }

// ---- Names -------------------------------------------------------------------------------------

TEST(VerifyErrors, ADuplicateNameTellsBothPlaces) {
  expect_only(right().input("y", DType::kF32, {}).errors(),
              "/nodes/0/name: the name \"y\" is already taken at /inputs/1/name");
  expect_only(right().constant<float>("x", {}, {1}).errors(),
              "/constants/0/name: the name \"x\" is already taken at /inputs/0/name");
  expect_only(right()
                  .nodes({"a", "y"}, "split", {"x"}, {{"axis", 0}, {"sizes", ops::Integers{1, 1}}})
                  .errors(),
              "/nodes/1/outputs/1: the name \"y\" is already taken at /nodes/0/name");
}

TEST(VerifyErrors, AnEmptyName) {
  expect_only(right().input("", DType::kF32, {}).errors(),
              "/inputs/1/name: expected a name, found an empty one");
  expect_only(right().node("", "neg", {"x"}).errors(),
              "/nodes/1/name: expected a name, found an empty one");
  Described nameless = right();
  nameless.description.name.clear();
  expect_only(nameless.errors(), "/name: expected a name for the graph, found an empty one");
}

TEST(VerifyErrors, AMissingOperandSuggestsTheNearestName) {
  EXPECT_EQ(Described()
                .input("pixels", DType::kF32, {2})
                .node("y", "add", {"pixels", "pixel"})
                .output("y")
                .errors(),
            "/nodes/0/inputs/1: expected the name of an input, a constant or a result, found "
            "\"pixel\" (did you mean \"pixels\"?)\n");
}

TEST(VerifyErrors, ANodeOfSeveralResultsIsNotAValue) {
  Described described = right();
  described.nodes({"a", "b"}, "split", {"x"}, {{"axis", 0}, {"sizes", ops::Integers{1, 1}}});
  described.description.nodes.back().name = "parts";
  expect_only(described.node("z", "neg", {"parts"}).errors(),
              "/nodes/2/inputs/0: expected the name of an input, a constant or a result, found "
              "\"parts\" (the results of that node are named \"a\", \"b\")");
}

TEST(VerifyErrors, AMissingOutput) {
  expect_only(right().output("yy").errors(),
              "/outputs/1: expected the name of an input, a constant or a result, found \"yy\" "
              "(did you mean \"y\"?)");
  expect_only(Described().input("x", DType::kF32, {}).errors(),
              "/outputs: expected at least one output, found none");
}

TEST(VerifyErrors, ACycleTellsTheNamesOnIt) {
  expect_only(Described()
                  .input("x", DType::kF32, {2})
                  .node("a", "add", {"x", "c"})
                  .node("b", "neg", {"a"})
                  .node("c", "neg", {"b"})
                  .node("d", "neg", {"c"})
                  .output("d")
                  .errors(),
              "/nodes/0: the nodes read each other in a cycle: \"a\" -> \"b\" -> \"c\" -> \"a\"");
  expect_only(Described().node("a", "neg", {"a"}).output("a").errors(),
              "/nodes/0: the node reads its own result: \"a\" -> \"a\"");
}

TEST(VerifyErrors, ALongCycleIsCutShort) {
  Described described;
  for (int i = 0; i < 40; ++i) {
    described.node("n" + std::to_string(i), "neg", {"n" + std::to_string((i + 39) % 40)});
  }
  expect_only(
      described.output("n0").errors(),
      "/nodes/0: the nodes read each other in a cycle: \"n0\" -> \"n1\" -> \"n2\" -> \"n3\" "
      "-> \"n4\" -> \"n5\" -> \"n6\" -> \"n7\" -> \"n8\" -> \"n9\" -> \"n10\" -> \"n11\" -> "
      "(28 more) -> \"n0\"");
}

// ---- Inputs ------------------------------------------------------------------------------------

TEST(VerifyErrors, ShapesOfInputs) {
  expect_only(right().input("z", DType::kF32, {1, 1, 1, 1, 1, 1, 1, 1, 1}).errors(),
              "/inputs/1/shape: expected at most 8 axes, found 9");
  expect_only(right().input("z", DType::kF32, {2, -1}).errors(),
              "/inputs/1/shape/1: expected an extent of 0 or more, found -1");
  // Fault 14 of the field: products of extents that wrap.
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{(std::int64_t{1} << 59) + 1},
        {65536, 65536, 65536},
        {std::int64_t{1} << 32, std::int64_t{1} << 32},
        {0, std::int64_t{1} << 62}}) {
    expect_only(right().input("z", DType::kF32, shape).errors(),
                "/inputs/1/shape: the input needs more than 140,737,488,355,328 bytes");
  }
}

TEST(VerifyErrors, AParameterCannotBeDonated) {
  Described described = right().parameter("p", DType::kF32, {2});
  described.description.inputs.back().donate = true;
  expect_only(described.errors(), "/inputs/1/donate: a parameter is bound once");
}

// ---- Operations and operands -------------------------------------------------------------------

TEST(VerifyErrors, AnUnknownOperationSuggestsTheNearest) {
  expect_only(right().node("z", "expp", {"x"}).errors(),
              "/nodes/1/op: there is no operation \"expp\" (did you mean \"exp\"?)");
  expect_only(right().node("z", "fourier_transform", {"x"}).errors(),
              "/nodes/1/op: there is no operation \"fourier_transform\" (\"wick ops\" lists");
}

TEST(VerifyErrors, TheNumberOfOperands) {
  expect_only(right().node("z", "add", {"x"}).errors(),
              "/nodes/1/inputs: \"add\" takes 2 operands, found 1 (its operands are: a, b)");
  expect_only(right().node("z", "neg", {"x", "x"}).errors(),
              "/nodes/1/inputs: \"neg\" takes 1 operand, found 2");
  expect_only(right().node("z", "concat", {}, {{"axis", 0}}).errors(),
              "/nodes/1: \"concat\" takes at least 1 operand, found 0");
}

TEST(VerifyErrors, DTypesAreNeverConverted) {
  expect_only(right().input("k", DType::kF64, {3}).node("z", "add", {"x", "k"}).errors(),
              "/nodes/1/inputs/1: \"add\" expects one dtype for these operands, found f32 (\"x\") "
              "and f64 (\"k\")");
  expect_only(right().input("k", DType::kI32, {3}).node("z", "exp", {"k"}).errors(),
              "/nodes/1/inputs/0: \"exp\" expects f32 or f64 for its operand 0 (x), found \"k\" of "
              "dtype i32");
}

TEST(VerifyErrors, NumbersThatTheirDTypeCannotHold) {
  expect_only(right().node("z", "mul", {"x", Literal{"1e400"}}).errors(),
              "/nodes/1/inputs/1: 1e400 is too large for f32");
  expect_only(right().input("k", DType::kI32, {3}).node("z", "mul", {"k", 0.5}).errors(),
              "/nodes/1/inputs/1: 0.5 is not an integer, and the dtype here is i32");
  expect_only(right().input("k", DType::kU8, {3}).node("z", "add", {256, "k"}).errors(),
              "/nodes/1/inputs/0: 256 is out of range for u8, which holds 0 to 255");
}

TEST(VerifyErrors, NumbersAloneHaveNoDType) {
  expect_only(right().node("z", "add", {1, 2}).errors(),
              "/nodes/1/inputs/0: no operand says which dtype the number 1 has");
  // The dtype of the result of a comparison says nothing of its operands.
  expect_only(right().node("z", "lt", {1, 2}).dtype(DType::kBool).errors(),
              "/nodes/1/inputs/0: no operand says which dtype the number 1 has");
}

TEST(VerifyErrors, OperandsOfANodeInErrorAreNotReportedAgain) {
  const std::string errors = right()
                                 .node("a", "exp", {"missing"})
                                 .node("b", "exp", {"a"})
                                 .node("c", "nonsense", {"b"})
                                 .output("b")
                                 .errors();
  EXPECT_THAT(errors, HasSubstr("/nodes/1/inputs/0: "));
  EXPECT_THAT(errors, HasSubstr("/nodes/3/op: "));
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 2) << errors;
}

// ---- Attributes --------------------------------------------------------------------------------

TEST(VerifyErrors, AnUnknownAttribute) {
  expect_only(right().node("z", "sum", {"x"}, {{"axs", ops::Integers{0}}}).errors(),
              "/nodes/1/axs: \"sum\" has no attribute \"axs\" (did you mean \"axes\"?)");
  expect_only(right().node("z", "neg", {"x"}, {{"axis", 0}}).errors(),
              "/nodes/1/axis: \"neg\" has no attribute \"axis\" (it has none)");
  expect_only(right().node("z", "neg", {"x"}, {{"a/b~c", 0}}).errors(),
              "/nodes/1/a~1b~0c: \"neg\" has no attribute \"a/b~c\"");
}

TEST(VerifyErrors, AnAttributeOfAnotherKind) {
  expect_only(right().node("z", "sum", {"x"}, {{"axes", 1}}).errors(),
              "/nodes/1/axes: \"axes\" must be a list of integers, found 1 (write [1])");
  expect_only(right().node("z", "concat", {"x", "y"}, {{"axis", 0.5}}).errors(),
              "/nodes/1/axis: \"axis\" must be an integer, found 0.5");
  expect_only(right().node("z", "sum", {"x"}, {{"keepdims", "yes"}}).errors(),
              "/nodes/1/keepdims: \"keepdims\" must be true or false, found \"yes\"");
}

TEST(VerifyErrors, AMissingAttribute) {
  expect_only(right().nodes({"v", "i"}, "topk", {"x"}).errors(),
              "/nodes/1: \"topk\" needs the attribute \"k\", an integer");
}

TEST(VerifyErrors, AChoiceThatIsNone) {
  expect_only(right().node("z", "gelu", {"x"}, {{"approximate", "tahn"}}).errors(),
              "/nodes/1/approximate: \"approximate\" must be one of \"none\", \"tanh\", found "
              "\"tahn\" (did you mean \"tanh\"?)");
}

// ---- Results -----------------------------------------------------------------------------------

TEST(VerifyErrors, StatementsThatAreWrong) {
  expect_only(right().node("z", "neg", {"x"}).shape({3, 2}).errors(),
              "/nodes/1/shape: the node states the shape [3, 2], its result is f32[2, 3]");
  expect_only(right().node("z", "neg", {"x"}).shape({2, -1}).errors(),
              "/nodes/1/shape: the node states the shape [2, -1], its result is f32[2, 3]");
  expect_only(right().node("z", "neg", {"x"}).dtype(DType::kF64).errors(),
              "/nodes/1/dtype: the node states the dtype f64, its result is f32[2, 3]");
}

TEST(VerifyErrors, ResultsWithoutNames) {
  expect_only(right().nodes({"a", "b", "c"}, "neg", {"x"}).errors(),
              "/nodes/1/outputs: \"neg\" gives 1 result, 3 are named");
}

TEST(VerifyErrors, ShapesThatDoNotFit) {
  const std::string errors =
      right().input("z", DType::kF32, {4}).node("w", "add", {"x", "z"}).errors();
  EXPECT_THAT(errors, HasSubstr("/nodes/1/inputs/1: "));
  EXPECT_THAT(errors, HasSubstr("f32[2, 3]"));
  EXPECT_THAT(errors, HasSubstr("f32[4]"));
}

TEST(VerifyErrors, AViewOfAValueThatIsNotContiguous) {
  const std::string errors =
      right().node("t", "transpose", {"x"}).node("v", "view", {"t"}).shape({6}).errors();
  EXPECT_THAT(errors, StartsWith("/nodes/2/inputs/0: "));
  EXPECT_THAT(errors, HasSubstr("contiguous"));
}

TEST(VerifyErrors, AResultThatIsTooLarge) {
  const std::int64_t extent = std::int64_t{1} << 22;
  const std::string errors = Described()
                                 .input("a", DType::kF64, {extent, 1, 1})
                                 .input("b", DType::kF64, {1, extent, 1})
                                 .node("c", "add", {"a", "b"})
                                 .node("d", "add", {"c", "c"})
                                 .output("d")
                                 .errors();
  // 2^44 elements fit a shape; their 2^47 bytes are just legal, so 16 times as many are not.
  EXPECT_EQ(errors, "");
  EXPECT_NE(Described()
                .input("a", DType::kF64, {extent, 1})
                .input("b", DType::kF64, {1, extent * 16})
                .node("c", "add", {"a", "b"})
                .output("c")
                .errors(),
            "");
}

// ---- Cached values -----------------------------------------------------------------------------

TEST(VerifyErrors, ACachedValueThatWouldGoStale) {
  expect_only(right().node("e", "exp", {"y"}).node("c", "exp", {"e"}).cached().errors(),
              "/nodes/2/cache: a cached value may depend on constants and parameters, but this one "
              "depends on the input \"x\", which differs from call to call");
}

// ---- Many errors -------------------------------------------------------------------------------

TEST(VerifyErrors, SeveralMistakesAreReportedInOneRun) {
  const std::string errors = right()
                                 .node("a", "expp", {"x"})
                                 .node("b", "exp", {"xx"})
                                 .node("c", "sum", {"x"}, {{"axis", 0}})
                                 .output("nothing")
                                 .errors();
  for (const char* pointer : {"/nodes/1/op", "/nodes/2/inputs/0", "/nodes/3/axis", "/outputs/1"}) {
    EXPECT_THAT(errors, HasSubstr(pointer));
  }
}

TEST(VerifyErrors, AnAttributeTooLargeForItsDType) {
  const auto leaky = [](DType dtype, double alpha) {
    return Described()
        .input("x", dtype, {2})
        .node("y", "leaky_relu", {"x"}, {{"alpha", alpha}})
        .output("y")
        .errors();
  };
  expect_only(leaky(DType::kF32, 1e300), "/nodes/0/alpha: 1e+300 is too large for f32");
  EXPECT_EQ(leaky(DType::kF64, 1e300), "");
  EXPECT_EQ(leaky(DType::kF32, 3e38), "");
}

TEST(VerifyErrors, ValuesThatTogetherAreBeyondEveryMachine) {
  // 2^47 bytes each: 512 of them are 2^56, one more is too many.
  const auto chain = [](int nodes) {
    Described described;
    described.input("x", DType::kI8, {std::int64_t{1} << 47});
    std::string last = "x";
    for (int i = 0; i < nodes; ++i) {
      const std::string name = "n" + std::to_string(i);
      described.node(name, "neg", {last});
      last = name;
    }
    return described.output(last).errors();
  };
  EXPECT_EQ(chain(512), "");
  EXPECT_THAT(chain(513), StartsWith("/nodes/512: the values of the graph up to here need together "
                                     "more than 2^56 bytes"));
}

TEST(VerifyErrors, AMillionMistakesAreCountedQuickly) {
  GraphDescription description;
  description.name = "wrong";
  for (int i = 0; i < 1'000'000; ++i) {
    NodeDescription node;
    node.name = "node" + std::to_string(i);
    node.op = "nonsense";
    node.operands.push_back({"nowhere" + std::to_string(i)});
    description.nodes.push_back(std::move(node));
  }
  description.outputs.push_back("node0");
  Diagnostics diagnostics;
  EXPECT_FALSE(verify(std::move(description), diagnostics).has_value());
  EXPECT_EQ(diagnostics.error_count(), 2'000'000u);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMost);
}

}  // namespace
}  // namespace wick::compiler
