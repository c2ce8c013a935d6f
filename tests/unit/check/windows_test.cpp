// Convolution and pooling: which shapes are safe, and what a file says against what the graph says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/check/safety.h"
#include "tests/unit/check/comparison.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::ops::Attributes;
using compiler::ops::Integers;
using compiler::ops::Pairs;
using compiler::testing::Described;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Kind = TemplateArgument::Kind;
using Extents = std::vector<std::int64_t>;

// The template arguments of a convolution, and of a pool.
struct Sliding {
  Extents steps = {1, 1};
  Extents dilations = {1, 1};
  Extents before = {0, 0};
  std::int64_t groups = 1;
  Extents sizes = {2, 2};

  std::vector<TemplateArgument> of_convolution() const {
    return {list(Kind::kSteps, steps), list(Kind::kDilations, dilations),
            list(Kind::kBefore, before), integer(groups)};
  }
  std::vector<TemplateArgument> of_maximum() const {
    return {list(Kind::kSizes, sizes), list(Kind::kSteps, steps), list(Kind::kDilations, dilations),
            list(Kind::kBefore, before)};
  }
};

// ---- Safety -------------------------------------------------------------------------------------

std::vector<std::string> faults_of(const std::string& function,
                                   const std::vector<TemplateArgument>& templates,
                                   const std::vector<Extents>& operands, const Extents& result) {
  Source s(0);
  std::vector<Argument> arguments = {out(0)};
  for (std::size_t i = 0; i < operands.size(); ++i)
    arguments.push_back(in(s.input("x" + std::to_string(i), f32(operands[i]))));
  arguments[0] = out(s.output("y", f32(result)));
  if (operands.size() > 2) arguments.insert(arguments.begin() + 3, kernel());
  s.call(function, templates, arguments);
  return texts(prove_safe(s.done()));
}

std::vector<std::string> convolution(const Sliding& sliding, const std::vector<Extents>& operands,
                                     const Extents& result) {
  return faults_of("convolve", sliding.of_convolution(), operands, result);
}

std::vector<std::string> pool(const Sliding& sliding, const Extents& operand,
                              const Extents& result) {
  return faults_of("max_pool", sliding.of_maximum(), {operand}, result);
}

TEST(WindowShapes, OfAConvolution) {
  EXPECT_THAT(convolution({}, {{2, 4, 5, 5}, {6, 4, 3, 3}}, {2, 6, 3, 3}), IsEmpty());
  EXPECT_THAT(convolution({.groups = 2}, {{2, 4, 5, 5}, {6, 2, 3, 3}, {6, 1, 1}}, {2, 6, 3, 3}),
              IsEmpty());
  EXPECT_THAT(convolution({{2}, {1}, {3}}, {{1, 1, 5}, {1, 1, 2}}, {1, 1, 4}), IsEmpty());
}

TEST(WindowShapes, OfKernelsThatDoNotFit) {
  EXPECT_THAT(convolution({}, {{2, 4, 5, 5}, {6, 2, 3, 3}}, {2, 6, 3, 3}),
              ElementsAre("1: `x1`, f32[6, 2, 3, 3], are no kernels for `x0`, f32[2, 4, 5, 5], in "
                          "1 groups"));
  EXPECT_THAT(convolution({.groups = 3}, {{2, 4, 5, 5}, {6, 1, 3, 3}}, {2, 6, 3, 3}),
              ElementsAre(HasSubstr("in 3 groups")));
  EXPECT_THAT(convolution({.groups = 2}, {{2, 4, 5, 5}, {5, 2, 3, 3}}, {2, 5, 3, 3}),
              ElementsAre(HasSubstr("in 2 groups")));
  EXPECT_THAT(convolution({.groups = 0}, {{2, 4, 5, 5}, {6, 4, 3, 3}}, {2, 6, 3, 3}),
              ElementsAre(HasSubstr("in 0 groups")));
  EXPECT_THAT(convolution({}, {{2, 4, 5, 5}, {6, 4, 3, 0}}, {2, 6, 3, 6}),
              ElementsAre(HasSubstr("extents of the kernels are missing or out of range")));
}

TEST(WindowShapes, OfAResultThatDoesNotFit) {
  EXPECT_THAT(convolution({}, {{2, 4, 5, 5}, {6, 4, 3, 3}}, {2, 7, 3, 3}),
              ElementsAre("1: `y`, f32[2, 7, 3, 3], does not hold the windows of `x0`, "
                          "f32[2, 4, 5, 5], in 6 channels"));
  EXPECT_THAT(pool({}, {2, 4, 5, 5}, {1, 4, 4, 4}), ElementsAre(HasSubstr("does not hold")));
  EXPECT_THAT(pool({}, {2, 4, 5, 5}, {2, 4, 16}), ElementsAre(HasSubstr("does not hold")));
}

TEST(WindowShapes, OfAnEpilogueThatDoesNotFit) {
  EXPECT_THAT(convolution({}, {{2, 4, 5, 5}, {6, 4, 3, 3}, {6}}, {2, 6, 3, 3}),
              ElementsAre(HasSubstr("`x2`, f32[6], does not broadcast to the result")));
}

TEST(WindowShapes, OfNumbersOutOfRange) {
  EXPECT_THAT(convolution({.steps = {1, 0}}, {{1, 1, 5, 5}, {1, 1, 3, 3}}, {1, 1, 3, 3}),
              ElementsAre("1: steps are missing or out of range: `x0`, f32[1, 1, 5, 5], has 2 "
                          "spatial axes"));
  EXPECT_THAT(convolution({.dilations = {1}}, {{1, 1, 5, 5}, {1, 1, 3, 3}}, {1, 1, 3, 3}),
              ElementsAre(HasSubstr("dilations are missing or out of range")));
  EXPECT_THAT(convolution({.before = {0, -1}}, {{1, 1, 5, 5}, {1, 1, 3, 3}}, {1, 1, 3, 3}),
              ElementsAre(HasSubstr("margins are missing or out of range")));
  EXPECT_THAT(pool({.sizes = {2, 2147483648}}, {1, 1, 5, 5}, {1, 1, 4, 4}),
              ElementsAre(HasSubstr("sizes are missing or out of range")));
  EXPECT_THAT(pool({}, {5, 5}, {4, 4}),
              ElementsAre(HasSubstr("does not have one or two spatial axes")));
}

// Windows of two start at -before; the last one of five starts at 4 - before.
TEST(WindowShapes, OfPoolsOfPaddingAlone) {
  const auto row = [](std::int64_t before, std::int64_t dilation) {
    return Sliding{.steps = {1}, .dilations = {dilation}, .before = {before}, .sizes = {2}};
  };
  EXPECT_THAT(pool(row(0, 1), {1, 1, 5}, {1, 1, 5}), IsEmpty());
  EXPECT_THAT(pool(row(1, 1), {1, 1, 4}, {1, 1, 5}), IsEmpty());
  const auto refused = ElementsAre(HasSubstr("takes nothing but padding"));
  EXPECT_THAT(pool(row(2, 1), {1, 1, 5}, {1, 1, 5}), refused);
  EXPECT_THAT(pool(row(0, 1), {1, 1, 4}, {1, 1, 5}), refused);
  // Of those that start at -3, -2, … 1, the one at -2 goes on at 2, and the one at -1 at 3.
  EXPECT_THAT(pool(row(3, 4), {1, 1, 2}, {1, 1, 5}),
              ElementsAre("1: windows that begin in padding could step over the elements along "
                          "spatial axis 0 of `x0`, f32[1, 1, 2]: theirs are 4 apart"));
  EXPECT_THAT(faults_of("average_pool",
                        {list(Kind::kSizes, {2}), list(Kind::kSteps, {1}), list(Kind::kBefore, {2}),
                         flag(true)},
                        {{1, 1, 5}}, {1, 1, 5}),
              refused);
}

// y = k(b), where b = k(the convolution of a with x, skip) is written over a or over skip.
std::vector<std::string> in_place_of(bool operand) {
  Source s(128);
  const TensorType image = f32({1, 1, 1, 1});
  const auto x = s.input("x", image), y = s.output("y", image);
  const auto a = s.slot("a", image, 0), skip = s.slot("skip", image, 64);
  s.map(a, {x});
  s.map(skip, {x});
  const auto b = s.in_place("b", image, operand ? a : skip);
  const Sliding sliding = {};
  s.call("convolve_in_place", sliding.of_convolution(),
         {inout(b), in(a), in(x), kernel(), in(skip)});  // line 6
  s.free(operand ? skip : a);
  s.map(y, {b});
  s.free(operand ? a : skip);
  return texts(prove_safe(s.done()));
}

TEST(WindowShapes, OperandsOfTheEpilogueMayBeOverwritten) {
  EXPECT_THAT(in_place_of(false), IsEmpty());
}

TEST(WindowShapes, TheImageMayNotBeOverwritten) {
  EXPECT_THAT(in_place_of(true), ElementsAre("6: `a` shares the memory of `b`, but is read after "
                                             "parts of it have been overwritten"));
}

// ---- Faithfulness -------------------------------------------------------------------------------

const Attributes kStated = {{"strides", Integers{2, 1}},
                            {"dilations", Integers{1, 2}},
                            {"pads", Pairs{{1, 0}, {2, 2}}},
                            {"groups", 2}};
const Sliding kWritten = {
    .steps = {2, 1}, .dilations = {1, 2}, .before = {1, 2}, .groups = 2, .sizes = {}};

// y = relu(conv(x, w) + b)
Graph convolved() {
  return Described()
      .input("x", DType::kF32, {1, 4, 4, 4})
      .input("w", DType::kF32, {4, 2, 2, 2})
      .input("b", DType::kF32, {4, 1, 1})
      .node("p", "conv", {"x", "w"}, kStated)
      .node("s", "add", {"p", "b"})
      .node("y", "relu", {"s"})
      .output("y")
      .verified();
}

struct Written {
  Sliding sliding = kWritten;
  bool swapped = false;
  bool biased = true;
  std::string activation = "relu";
};

Faithfulness convolved_as(const Written& written) {
  Source s(0);
  const auto x = s.input("x", f32({1, 4, 4, 4})), w = s.input("w", f32({4, 2, 2, 2})),
             b = s.input("b", f32({4, 1, 1}));
  const auto y = s.output("y", f32({1, 4, 2, 6}));
  Equation epilogue("y_kernel");
  const auto p = epilogue.parameter(), q = epilogue.parameter();
  epilogue.call(written.activation, {written.biased ? epilogue.infix("+", p, q) : p});
  s.call("convolve", written.sliding.of_convolution(),
         {out(y), in(written.swapped ? w : x), in(written.swapped ? x : w), epilogue.in(s), in(b)});
  return compare(s.done(), convolved(), {});
}

std::string difference(const Written& written) { return only(convolved_as(written)).message; }

TEST(FaithfulConvolutions, AcceptWhatTheGraphSays) {
  EXPECT_THAT(convolved_as({}).findings, IsEmpty());
}

TEST(FaithfulConvolutions, RefuseOtherWindows) {
  Sliding steps = kWritten, dilations = kWritten, before = kWritten, groups = kWritten;
  steps.steps = {1, 1};
  dilations.dilations = {2, 1};
  before.before = {1, 1};
  groups.groups = 1;
  EXPECT_THAT(difference({.sliding = steps}), HasSubstr("strides [1, 1]; the graph says [2, 1]"));
  EXPECT_THAT(difference({.sliding = dilations}),
              HasSubstr("dilations [2, 1]; the graph says [1, 2]"));
  EXPECT_THAT(difference({.sliding = before}), HasSubstr("pads [1, 1]; the graph says [1, 2]"));
  EXPECT_THAT(difference({.sliding = groups}), HasSubstr("groups 1; the graph says 2"));
}

TEST(FaithfulConvolutions, RefuseOtherOperandsAndEpilogues) {
  EXPECT_THAT(difference({.swapped = true}),
              HasSubstr("the operands of wick::convolve are swapped"));
  EXPECT_THAT(difference({.biased = false}), HasSubstr("`s` is missing"));
  EXPECT_THAT(difference({.activation = "tanh"}),
              HasSubstr("computes `tanh`; the graph says `relu`"));
}

TEST(FaithfulPools, CompareTheirWindows) {
  const Graph graph =
      Described()
          .input("x", DType::kF32, {1, 1, 4, 4})
          .node("y", "max_pool", {"x"}, {{"kernel", Integers{2}}, {"pads", Pairs{{1, 0}, {0, 1}}}})
          .output("y")
          .verified();
  const auto run = [&](const Sliding& sliding) {
    Source s(0);
    const auto x = s.input("x", f32({1, 1, 4, 4})), y = s.output("y", f32({1, 1, 4, 4}));
    s.call("max_pool", sliding.of_maximum(), {out(y), in(x)});
    const auto findings = compare(s.done(), graph, {}).findings;
    return findings.empty() ? "" : findings[0].message;
  };
  EXPECT_EQ(run({.before = {1, 0}}), "");
  EXPECT_THAT(run({.before = {0, 1}}), HasSubstr("pads [0, 1]; the graph says [1, 0]"));
  EXPECT_THAT(run({.before = {1, 0}, .sizes = {2, 3}}),
              HasSubstr("kernel [2, 3]; the graph says [2, 2]"));
}

TEST(FaithfulPools, TellAFunctionFromAnother) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {1, 1, 4})
                          .node("y", "avg_pool", {"x"}, {{"kernel", Integers{2}}})
                          .output("y")
                          .verified();
  const auto run = [&](bool average, bool counts) {
    Source s(0);
    const auto x = s.input("x", f32({1, 1, 4})), y = s.output("y", f32({1, 1, 3}));
    const TemplateArgument sizes = list(Kind::kSizes, {2}), steps = list(Kind::kSteps, {1}),
                           before = list(Kind::kBefore, {0});
    if (average) {
      s.call("average_pool", {sizes, steps, before, flag(counts)}, {out(y), in(x)});
    } else {
      s.call("max_pool", {sizes, steps, list(Kind::kDilations, {1}), before}, {out(y), in(x)});
    }
    const auto findings = compare(s.done(), graph, {}).findings;
    return findings.empty() ? "" : findings[0].message;
  };
  EXPECT_EQ(run(true, false), "");
  EXPECT_THAT(run(true, true), HasSubstr("count_include_pad 1; the graph says 0"));
  EXPECT_THAT(run(false, false), HasSubstr("wick::max_pool"));
}

}  // namespace
}  // namespace wick::frontend::check
