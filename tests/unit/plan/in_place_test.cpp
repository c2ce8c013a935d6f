// The rules of overwriting in place, R1 to R5, and what follows from them.
#include "compiler/plan/in_place.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/plan/validate.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

using ops::Integers;

constexpr DType kF32 = DType::kF32;

TEST(InPlaceRules, R1_ByTheFormOfTheKernel) {
  StagedStep step;
  step.kernel_kind = KernelKind::kMap;
  EXPECT_TRUE(may_overwrite(step, 0));
  step.kernel_kind = KernelKind::kReduce;
  step.terms = 2;
  EXPECT_FALSE(may_overwrite(step, 1));
  EXPECT_TRUE(may_overwrite(step, 2));
  step.kernel_kind = KernelKind::kProduct;
  EXPECT_FALSE(may_overwrite(step, 0));
  EXPECT_FALSE(may_overwrite(step, 1));
  EXPECT_TRUE(may_overwrite(step, 2));
  step.kernel_kind = KernelKind::kRows;  // of whose operands none is read all over
  step.terms = 0;
  EXPECT_TRUE(may_overwrite(step, 0));
  for (const KernelKind kind : {KernelKind::kCall, KernelKind::kPack}) {
    step.kernel_kind = kind;
    EXPECT_FALSE(may_overwrite(step, 0));
  }
}

TEST(InPlaceRules, R1_AnEpilogueOfAReductionOverwritesItsOperand) {
  // The reduction of m takes in the subtraction; r, which is dead then, is overwritten.
  Described graph;
  graph.input("x", kF32, {3, 4})
      .input("z", kF32, {4, 3})
      .node("r", "max", {"z"}, {{"axes", Integers{0}}});
  graph.node("s", "sum", {"x"}, {{"axes", Integers{1}}}).node("y", "sub", {"r", "s"}).output("y");
  const Planned it = planned(graph, {}, {true, FpMode::kStrict});
  EXPECT_EQ(it.plan->run.steps.size(), 2U);
  EXPECT_EQ(it.placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R1_NotIfTheTermsReadTheSameBytes) {
  // A row of u is one element of t: the terms and the epilogue of y = sum(u) - t read one slot.
  Described graph;
  graph.input("x", kF32, {3}).node("t", "cumsum", {"x"}, {{"axis", std::int64_t{0}}});
  graph.node("u", "unsqueeze", {"t"}, {{"axes", Integers{1}}});
  graph.node("s", "sum", {"u"}, {{"axes", Integers{1}}}).node("y", "sub", {"s", "t"}).output("y");
  const Planned it = planned(graph, {}, {true, FpMode::kStrict});
  EXPECT_NE(it.placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R1_ATransposedProductOverwritesNothing) {
  // z dies in the epilogue, which reads it in the order of the product.
  Described graph;
  graph.input("a", kF32, {2, 2, 3}).input("b", kF32, {2, 3, 4}).input("x", kF32, {2, 2, 4});
  graph.node("z", "cumsum", {"x"}, {{"axis", std::int64_t{0}}})
      .node("p", "matmul", {"a", "b"})
      .node("s", "add", {"p", "z"});
  graph.node("t", "transpose_axes", {"s"}, {{"axes", Integers{1, 0, 2}}}).output("t");
  graph.node("r", "reshape", {"t"}).shape({2, 8}).node("y", "neg", {"r"}).output("y");
  const Planned it = planned(graph, {}, {true, FpMode::kStrict});
  EXPECT_NE(it.placement("t"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R1_TheJudgeRefusesATransposedProductInPlace) {
  Described graph;
  graph.input("a", kF32, {3, 4}).input("b", kF32, {4, 3}).input("x", kF32, {3, 3});
  graph.node("z", "cumsum", {"x"}, {{"axis", std::int64_t{0}}})
      .node("p", "matmul", {"a", "b"})
      .node("s", "add", {"p", "z"});
  graph.node("y", "matmul", {"s", "x"}).output("y");
  const Planned it = planned(graph, {}, {true, FpMode::kStrict});
  ASSERT_EQ(it.placement("s"), Placement::kInPlace);
  FusedGraph fused = *it.fused;
  for (Kernel& kernel : fused.kernels) {
    if (kernel.kind == KernelKind::kProduct) kernel.order = {0, 1};
  }
  Plan plan = *it.plan;
  plan.fused = &fused;
  ASSERT_FALSE(validate(fused, plan).empty());
  EXPECT_EQ(validate(fused, plan).front(),
            "run step 1: z is overwritten while it is read all over");
}

// A row is read to its end before it is written: a product, then its softmax, in one slot.
TEST(InPlaceRules, R1_ARowProgramOverwritesItsOperand) {
  for (const bool fuse : {true, false}) {
    Described graph;
    graph.input("a", kF32, {3, 4}).input("b", kF32, {4, 5}).node("scores", "matmul", {"a", "b"});
    graph.node("y", "softmax", {"scores"}, {{"axis", std::int64_t{1}}});
    graph.node("z", "transpose", {"y"}).output("z");
    const Planned it = planned(graph, {}, {fuse, FpMode::kDefault});
    EXPECT_EQ(it.placement("y"), Placement::kInPlace);
    // The product, 60 bytes, and a row of exponentials, 20; or the maxima, then the sums, 12.
    EXPECT_EQ(it.plan->arena, Bytes{128});
    EXPECT_EQ(disagreement(graph), "");
  }
}

TEST(InPlaceRules, R1_ARowProgramReadsAllOperandsOfTheResultsShapeAtTheWrittenIndex) {
  // The residual and the sum that is normalised are one slot by two names.
  Described graph;
  graph.input("x", kF32, {4, 6}).node("s", "cumsum", {"x"}, {{"axis", std::int64_t{0}}});
  graph.node("v", "view", {"s"}).shape({4, 6});
  graph.node("m", "mean", {"s"}, {{"axes", Integers{1}}, {"keepdims", true}});
  graph.node("d", "sub", {"s", "m"}).node("y", "add", {"d", "v"}).output("y");
  const Planned it = planned(graph, {}, {true, FpMode::kStrict});
  EXPECT_EQ(it.plan->arena, Bytes{0});  // all of it lies in the output
  EXPECT_EQ(it.placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R1_NotOverRowsThatLieAcross) {
  // y = s - sum(s) + transpose(s), along the rows of s.
  Described graph;
  graph.input("x", kF32, {4, 4}).node("s", "cumsum", {"x"}, {{"axis", std::int64_t{0}}});
  graph.node("across", "transpose", {"s"});
  graph.node("m", "sum", {"s"}, {{"axes", Integers{1}}, {"keepdims", true}});
  graph.node("d", "sub", {"s", "m"}).node("y", "add", {"d", "across"}).output("y");
  EXPECT_NE(planned(graph, {}, {true, FpMode::kStrict}).placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R1_ASharedRowIsReadByEveryRow) {
  // The result has as many elements as the row s, which every row reads.
  Described graph;
  graph.input("x", kF32, {4, 4}).input("z", kF32, {4});
  graph.node("s", "cumsum", {"z"}, {{"axis", std::int64_t{0}}}).node("p", "mul", {"x", "s"});
  graph.node("m", "max", {"p"}, {{"axes", Integers{1}}, {"keepdims", true}});
  graph.node("d", "sub", {"p", "m"});
  graph.node("y", "sum", {"d"}, {{"axes", Integers{1}}, {"keepdims", true}}).output("y");
  EXPECT_NE(planned(graph, {}, {true, FpMode::kStrict}).placement("y"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R1_AnOpaqueOperationOverwritesNothing) {
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "add", {"x", 1})
                              .node("s", "cumsum", {"a"}, {{"axis", std::int64_t{0}}})
                              .node("y", "neg", {"s"})
                              .output("y");
  EXPECT_NE(planned(graph).placement("s"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, R3_OnlyADonatedInputIsOverwritten) {
  for (const bool donate : {false, true}) {
    Described graph;
    donate ? graph.donated("x", kF32, {4}) : graph.input("x", kF32, {4});
    graph.node("a", "exp", {"x"}).node("s", "sum", {"a"}).output("s");
    const Planned it = planned(graph);
    EXPECT_EQ(it.placement("a") == Placement::kInPlace, donate);
    EXPECT_EQ(it.plan->arena, donate ? Bytes{0} : Bytes{64});
    EXPECT_EQ(disagreement(graph), "");
  }
}

TEST(InPlaceRules, R3_AnOutputIsNotLeftInADonatedInput) {
  const Described graph = Described().donated("x", kF32, {4}).node("y", "exp", {"x"}).output("y");
  EXPECT_EQ(planned(graph).placement("y"), Placement::kOutput);
  EXPECT_EQ(disagreement(graph), "");

  // Nor through a value that lives there.
  const Described chain = Described()
                              .donated("x", kF32, {4})
                              .node("a", "neg", {"x"})
                              .node("y", "exp", {"a"})
                              .output("y");
  EXPECT_EQ(planned(chain).placement("a"), Placement::kInPlace);
  EXPECT_EQ(planned(chain).placement("y"), Placement::kOutput);
  EXPECT_EQ(disagreement(chain), "");
}

TEST(InPlaceRules, R3_AConstantIsNotOverwritten) {
  const Described graph = Described()
                              .constant<float>("k", {2}, {1, 2})
                              .input("x", kF32, {2})
                              .node("a", "neg", {"k"})
                              .node("y", "add", {"a", "x"})
                              .output("y");
  EXPECT_NE(planned(graph).placement("a"), Placement::kInPlace);
  EXPECT_EQ(disagreement(graph), "");
}

TEST(InPlaceRules, NothingIsInPlaceWithoutReuse) {
  PlanOptions options;
  options.storage = StorageMode::kNone;
  const Described graph = Described()
                              .input("x", kF32, {4})
                              .node("a", "neg", {"x"})
                              .node("b", "neg", {"a"})
                              .node("v", "view", {"b"})
                              .shape({2, 2})
                              .node("c", "neg", {"v"})
                              .node("y", "neg", {"c"})
                              .output("y");
  const Planned it = planned(graph, options);
  EXPECT_EQ(it.plan->arena, Bytes{3 * 64});
  EXPECT_EQ(it.placement("v"), Placement::kReferenceSlot);
  for (const Step& step : it.plan->run.steps) {
    EXPECT_EQ(std::ranges::count(step.placements, Placement::kInPlace), 0);
    EXPECT_EQ(std::ranges::count(step.placements, Placement::kReuse), 0);
  }
}

}  // namespace
}  // namespace wick::compiler::testing
