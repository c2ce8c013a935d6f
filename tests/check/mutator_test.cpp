// The mutator on a small file: what it breaks, and how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/check/mutant.h"
#include "tests/check/small_file.h"

namespace wick::mutation {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kStatements =
    "  const auto a = wick::slot<Row4>(arena, kA);\n"
    "  wick::map(a, twice_kernel, x);     // step 0: fresh\n"
    "  const auto b = wick::slot<Row4>(arena, kB);\n"
    "  wick::map(b, sum_kernel, a, x);    // step 1: fresh\n"
    "  wick::free(a);\n"
    "  const auto r = wick::view<wick::Strided<Row4, -1>, 3>(b);\n"
    "  wick::reduce<wick::Axes<0>>(y, wick::Sum{}, wick::terms(r));\n"
    "  wick::free(b);\n";

// Statements and types that the first text lacks.
const std::string kWindows =
    "  const auto a = wick::slot<Row4>(arena, kA);\n"
    "  wick::convolve<wick::Steps<1>, wick::Dilations<2>, wick::Before<0>, 1>(a, x, x);\n"
    "  const auto b = wick::slot<Row4>(arena, kB);\n"
    "  wick::max_pool<wick::Sizes<3>, wick::Steps<1>, wick::Dilations<1>, wick::Before<1>>(b, a);\n"
    "  wick::free(a);\n"
    "  const auto c = wick::in_place<Row4>(b);\n"
    "  wick::rows_in_place<wick::Axes<0>>(norm_rows, wick::kNoWorkspace, c, b, x);\n"
    "  wick::free(b);\n";

// The source of the mutant of this kind and description.
std::string mutated(const std::string& kind, const std::string& what,
                    const std::string& statements = kStatements) {
  const Emitted emitted = small_file(statements);
  const std::vector<Mutant> mutants = mutants_of(emitted);
  for (const Mutant& mutant : mutants) {
    if (mutant.kind == kind && mutant.what == what) return apply(emitted, mutant).source;
  }
  std::string all = "no such mutant; there are\n";
  for (const Mutant& mutant : mutants) all += std::string(mutant.kind) + ": " + mutant.what + "\n";
  return all;
}

TEST(Mutator, ChangesTheTextAndSaysWhere) {
  for (const std::string& statements : {kStatements, kWindows}) {
    const Emitted emitted = small_file(statements);
    for (const Mutant& mutant : mutants_of(emitted)) {
      const MutatedFiles files = apply(emitted, mutant);
      EXPECT_TRUE(files.source != emitted.source || files.header != emitted.header) << mutant.what;
      EXPECT_GT(mutant.line, 0u);
      EXPECT_NE(std::ranges::find(kinds(), mutant.kind), kinds().end()) << mutant.kind;
    }
  }
}

TEST(Mutator, MakesTheSameMutantsEachTime) {
  const Emitted emitted = small_file(kStatements);
  const std::vector<Mutant> first = mutants_of(emitted), second = mutants_of(emitted);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(apply(emitted, first[i]).source, apply(emitted, second[i]).source);
}

TEST(Mutator, MovesFrees) {
  EXPECT_THAT(mutated("free moved", "wick::free(a); earlier"),
              HasSubstr("  const auto b = wick::slot<Row4>(arena, kB);\n"
                        "  wick::free(a);\n"
                        "  wick::map(b, sum_kernel, a, x);    // step 1: fresh\n"
                        "  const auto r"));
  EXPECT_THAT(mutated("free moved", "wick::free(a); later"), HasSubstr("wick::terms(r));\n"
                                                                       "  wick::free(a);\n"
                                                                       "  wick::free(b);\n"));
}

TEST(Mutator, DropsAndDoublesFrees) {
  EXPECT_THAT(mutated("free dropped", "wick::free(b);"), Not(HasSubstr("wick::free(b)")));
  EXPECT_THAT(mutated("free doubled", "wick::free(b);"),
              HasSubstr("  wick::free(b);\n  wick::free(b);\n"));
  EXPECT_THAT(mutated("free of another slot", "b -> a"),
              HasSubstr("wick::terms(r));\n  wick::free(a);\n"));
}

TEST(Mutator, ReordersNeighboursWithWhatTheyDeclare) {
  EXPECT_THAT(mutated("statements reordered", "the calls of lines 28 and 30"),
              HasSubstr("  const auto a = wick::slot<Row4>(arena, kA);\n"
                        "  const auto b = wick::slot<Row4>(arena, kB);\n"
                        "  wick::map(b, sum_kernel, a, x);    // step 1: fresh\n"
                        "  wick::free(a);\n"
                        "  wick::map(a, twice_kernel, x);     // step 0: fresh\n"));
}

TEST(Mutator, MovesSlots) {
  EXPECT_THAT(mutated("slot offset", "64 -> 128"), HasSubstr("kB = 128;"));
  EXPECT_THAT(mutated("another slot's offset", "64 -> 0"), HasSubstr("kB = 0;"));
  EXPECT_THAT(mutated("slot constant", "kB -> kA"),
              HasSubstr("const auto b = wick::slot<Row4>(arena, kA);"));
}

TEST(Mutator, WritesOverALiveSlot) {
  EXPECT_THAT(mutated("in place over a live slot", "b over a"),
              AllOf(HasSubstr("  const auto b = wick::in_place<Row4>(a);\n"
                              "  wick::map_in_place(b, sum_kernel, a, x);"),
                    Not(HasSubstr("wick::free(b)"))));
}

TEST(Mutator, ChangesViews) {
  EXPECT_THAT(mutated("view stride", "-1 -> 1"), HasSubstr("wick::Strided<Row4, 1>, 3>(b)"));
  EXPECT_THAT(mutated("view offset", "3 -> 2"), HasSubstr("wick::Strided<Row4, -1>, 2>(b)"));
  EXPECT_THAT(mutated("view base", "b -> a"), HasSubstr("-1>, 3>(a)"));
}

TEST(Mutator, ChangesKernels) {
  EXPECT_THAT(mutated("literal", "2.0f -> 4.0f"), HasSubstr("return a * 4.0f;"));
  EXPECT_THAT(mutated("operator", "* -> /"), HasSubstr("return a / 2.0f;"));
  EXPECT_THAT(mutated("operands swapped in a kernel", "a <-> b"), HasSubstr("return b + a;"));
  EXPECT_THAT(mutated("another value in a kernel", "b -> a"), HasSubstr("return a + a;"));
}

TEST(Mutator, ChangesStatements) {
  EXPECT_THAT(mutated("arguments swapped", "a <-> x"), HasSubstr("sum_kernel, x, a)"));
  EXPECT_THAT(mutated("another operand", "r -> a"), HasSubstr("wick::terms(a)"));
  EXPECT_THAT(mutated("another result", "b -> a"), HasSubstr("wick::map(a, sum_kernel, a, x)"));
  EXPECT_THAT(mutated("reducer", "wick::Sum -> wick::Maximum"), HasSubstr("(y, wick::Maximum{}"));
}

TEST(Mutator, ChangesWindowsAndGroups) {
  EXPECT_THAT(mutated("window", "3 -> 4", kWindows), HasSubstr("wick::max_pool<wick::Sizes<4>, "));
  EXPECT_THAT(mutated("window", "0 -> 1", kWindows), HasSubstr("wick::Before<1>, 1>(a, x, x)"));
  EXPECT_THAT(mutated("window", "2 -> 1", kWindows),
              HasSubstr("<wick::Steps<1>, wick::Dilations<1>"));
  EXPECT_THAT(mutated("groups", "1 -> 2", kWindows), HasSubstr("wick::Before<0>, 2>(a, x, x)"));
}

TEST(Mutator, WritesRowsThatStoodInPlaceAnew) {
  EXPECT_THAT(
      mutated("in place as a fresh write", "rows_in_place -> rows", kWindows),
      HasSubstr("wick::rows<wick::Axes<0>>(norm_rows, wick::kNoWorkspace, wick::outs(c), b, x)"));
}

// A header with a packed constant in panels, and its source.
TEST(Mutator, ReadsPanelsAsRows) {
  const std::string header =
      "namespace t {\nusing Row3 = wick::Tensor<float, 3>;\n"
      "using Row20 = wick::Tensor<float, 20>;\n}\n";
  const std::string source =
      "namespace t {\nnamespace {\nusing Panels3x20 = wick::Panels<float, 3, 20>;\n"
      "struct Weights {\n  wick::In<Panels3x20> w;\n};\n"
      "extern \"C\" const std::byte t_weights[240];\n"
      "Weights weights_at(const std::byte* packed) noexcept {\n"
      "  return Weights{wick::constant<Panels3x20>(packed, 0)};\n}\n}\n"
      "void run(wick::In<Row3> x, wick::Out<Row20> y) noexcept {\n"
      "  wick::matmul(y, x, weights.w);\n}\n}\n";
  const Emitted emitted = parse_emitted(source, header);
  ASSERT_NE(emitted.type("Panels3x20"), nullptr);
  EXPECT_EQ(emitted.type("Panels3x20")->bytes(), 240);
  for (const Mutant& mutant : mutants_of(emitted)) {
    if (mutant.kind != "panels") continue;
    EXPECT_THAT(apply(emitted, mutant).source,
                HasSubstr("using Panels3x20 = wick::Tensor<float, 3, 20>;"));
    return;
  }
  FAIL() << "no such mutant";
}

// The interface changes in both files, so that they still fit together.
TEST(Mutator, OpensAnInputForWriting) {
  const Emitted emitted = small_file(kStatements);
  for (const Mutant& mutant : mutants_of(emitted)) {
    if (mutant.what != "x: In -> InOut") continue;
    const MutatedFiles files = apply(emitted, mutant);
    EXPECT_THAT(files.source, HasSubstr("void run(wick::InOut<Row4> x, wick::Out<Row4> y"));
    EXPECT_THAT(files.header, HasSubstr("void run(wick::InOut<Row4> x, wick::Out<Row4> y"));
    return;
  }
  FAIL() << "no such mutant";
}

}  // namespace
}  // namespace wick::mutation
