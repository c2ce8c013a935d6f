// What is computed together, and what is not. Expected kernels follow from the rules in
// compiler/fuse/clusters.cpp, applied by hand.
#include "compiler/fuse/fuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/graph/expand.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Described;
using ::testing::ElementsAre;

// A fused graph with the graph it points to.
struct Fused {
  Graph graph;
  FusedGraph fused;

  explicit Fused(const Described& described, FuseOptions options = {})
      : graph(expand(described.verified())), fused(fuse(graph, options)) {}

  std::vector<KernelKind> kinds() const {
    std::vector<KernelKind> result;
    for (const Kernel& kernel : fused.kernels) result.push_back(kernel.kind);
    return result;
  }
  const Kernel& kernel(std::size_t index) const { return fused.kernels[KernelId(index)]; }
  const Body& body(BodyId id) const { return fused.bodies[id]; }
  std::vector<std::string> operations(BodyId id) const {
    std::vector<std::string> result;
    for (const BodyStatement& statement : body(id).statements)
      result.emplace_back(statement.op->name);
    return result;
  }
  std::string reason_for(const std::string& producer) const {
    for (const FusionRefusal& refusal : fused.refusals) {
      if (graph.values[graph.nodes[refusal.producer].results[0]].name == producer)
        return refusal.reason;
    }
    return "";
  }
};

const std::vector<std::int64_t> kRows = {4, 8};

TEST(Fuse, TwentyAdditionsOfNumbersAreOnePassWithOneOperation) {
  Described described;
  described.input("x", DType::kF32, {16});
  std::string last = "x";
  for (int i = 0; i < 20; ++i) {
    const std::string name = "n" + std::to_string(i);
    described.node(name, "add", {last, 1});
    last = name;
  }
  described.output(last);
  const Fused fused(described);
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kMap));
  const Body& body = fused.body(fused.kernel(0).body);
  ASSERT_THAT(fused.operations(fused.kernel(0).body), ElementsAre("add"));
  EXPECT_EQ(body.statements[0].operands[1].literal, Scalar::of(20.0f));

  const Fused strict(described, {.fp = FpMode::kStrict});
  ASSERT_THAT(strict.kinds(), ElementsAre(KernelKind::kMap));
  EXPECT_EQ(strict.operations(strict.kernel(0).body).size(), 20u);
}

TEST(Fuse, WithoutFusionEveryNodeIsAKernel) {
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .node("a", "add", {"x", 1})
                        .node("b", "exp", {"a"})
                        .node("c", "sum", {"b"})
                        .output("c"),
                    {.fuse = false});
  EXPECT_THAT(fused.kinds(), ElementsAre(KernelKind::kMap, KernelKind::kMap, KernelKind::kReduce));
}

TEST(Fuse, AProductTakesItsEpilogue) {
  const Fused fused(Described()
                        .input("a", DType::kF32, {3, 5})
                        .input("b", DType::kF32, {5, 2})
                        .input("bias", DType::kF32, {2})
                        .node("p", "matmul", {"a", "b"})
                        .node("s", "sub", {"bias", "p"})
                        .node("y", "relu", {"s"})
                        .output("y"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kProduct));
  const Kernel& kernel = fused.kernel(0);
  EXPECT_EQ(kernel.operands.size(), 3u);
  const Body& body = fused.body(kernel.results_body);
  EXPECT_THAT(fused.operations(kernel.results_body), ElementsAre("sub", "relu"));
  // The product comes first among the parameters, though the bias is read first.
  EXPECT_EQ(body.parameters[0].name, "p");
  EXPECT_EQ(body.statements[0].operands[0].index, 1u);
  EXPECT_EQ(body.statements[0].operands[1].index, 0u);
}

TEST(Fuse, AConvolutionTakesItsEpilogueAndKeepsItsAttributes) {
  const Fused fused(Described()
                        .input("x", DType::kF32, {1, 2, 5})
                        .input("w", DType::kF32, {3, 2, 2})
                        .input("bias", DType::kF32, {3, 1})
                        .node("c", "conv", {"x", "w"}, {{"strides", ops::Integers{3}}})
                        .node("s", "add", {"c", "bias"})
                        .node("y", "relu", {"s"})
                        .output("y"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kProduct));
  const Kernel& kernel = fused.kernel(0);
  EXPECT_EQ(kernel.operands.size(), 3u);
  EXPECT_THAT(fused.operations(kernel.results_body), ElementsAre("add", "relu"));
  EXPECT_THAT(kernel.attributes.integers("strides"), ElementsAre(3));
}

TEST(Fuse, APoolStandsAlone) {
  const Fused fused(Described()
                        .input("x", DType::kF32, {1, 2, 5})
                        .node("p", "max_pool", {"x"}, {{"kernel", ops::Integers{2}}})
                        .node("y", "relu", {"p"})
                        .output("y"));
  EXPECT_THAT(fused.kinds(), ElementsAre(KernelKind::kCall, KernelKind::kMap));
}

TEST(Fuse, AProductIsNotComputedInsideAnother) {
  const Fused fused(Described()
                        .input("a", DType::kF32, {4, 4})
                        .node("p", "matmul", {"a", "a"})
                        .node("e", "exp", {"p"})
                        .node("q", "matmul", {"e", "a"})
                        .output("q"));
  EXPECT_THAT(fused.kinds(), ElementsAre(KernelKind::kProduct, KernelKind::kProduct));
  EXPECT_EQ(fused.reason_for("e"), "a product reads whole rows and columns of it");
}

TEST(Fuse, AReductionTakesWhatComesBeforeAndAfter) {
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .input("y", DType::kF32, {4})
                        .node("square", "mul", {"x", "x"})
                        .node("total", "sum", {"square"}, {{"axes", ops::Integers{1}}})
                        .node("root", "sqrt", {"total"})
                        .node("shifted", "add", {"root", "y"})
                        .output("shifted"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kReduce));
  const Kernel& kernel = fused.kernel(0);
  EXPECT_EQ(kernel.terms, 1u);
  EXPECT_EQ(kernel.operands.size(), 2u);
  EXPECT_THAT(fused.operations(kernel.body), ElementsAre("mul"));
  EXPECT_THAT(fused.operations(kernel.results_body), ElementsAre("sqrt", "add"));
}

std::vector<RowPass::Kind> pass_kinds(const Kernel& kernel) {
  std::vector<RowPass::Kind> kinds;
  for (const RowPass& pass : kernel.passes) kinds.push_back(pass.kind);
  return kinds;
}

TEST(Fuse, SoftmaxIsOneRowProgramThatComputesTheExponentialOnce) {
  using Kind = RowPass::Kind;
  const auto primitive =
      Described()
          .input("x", DType::kF32, kRows)
          .node("peak", "max", {"x"}, {{"axes", ops::Integers{1}}, {"keepdims", true}})
          .node("shifted", "sub", {"x", "peak"})
          .node("e", "exp", {"shifted"})
          .node("total", "sum", {"e"}, {{"axes", ops::Integers{1}}, {"keepdims", true}})
          .node("y", "div", {"e", "total"})
          .output("y");
  const auto composite = Described()
                             .input("x", DType::kF32, kRows)
                             .node("y", "softmax", {"x"}, {{"axis", std::int64_t{1}}})
                             .output("y");
  for (const Described& described : {primitive, composite}) {
    const Fused fused(described);
    ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kRows));
    const Kernel& kernel = fused.kernel(0);
    EXPECT_THAT(pass_kinds(kernel),
                ElementsAre(Kind::kReduce, Kind::kKeep, Kind::kReduce, Kind::kWrite));
    EXPECT_EQ(kernel.operands.size(), 1u);
    EXPECT_EQ(kernel.workspace, Bytes{64});  // a row of 8 floats, rounded up
    std::size_t exponentials = 0;
    for (const Body& body : fused.fused.bodies) {
      exponentials += static_cast<std::size_t>(std::ranges::count_if(
          body.statements, [](const BodyStatement& s) { return s.op->name == "exp"; }));
    }
    EXPECT_EQ(exponentials, 1u);
  }
}

TEST(Fuse, LayerNormIsOneRowProgramWithoutKeptRows) {
  using Kind = RowPass::Kind;
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .input("scale", DType::kF32, {8})
                        .input("bias", DType::kF32, {8})
                        .node("y", "layer_norm", {"x", "scale", "bias"})
                        .output("y"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kRows));
  EXPECT_THAT(pass_kinds(fused.kernel(0)),
              ElementsAre(Kind::kReduce, Kind::kReduce, Kind::kScalar, Kind::kWrite));
  EXPECT_EQ(fused.kernel(0).workspace, Bytes{0});
}

TEST(Fuse, ARowProgramLeavesAProductItsEpilogue) {
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .input("w", DType::kF32, {8, 8})
                        .input("bias", DType::kF32, {8})
                        .node("p", "matmul", {"x", "w"})
                        .node("b", "add", {"p", "bias"})
                        .node("r", "add", {"x", "b"})
                        .node("y", "softmax", {"r"})
                        .output("y"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kProduct, KernelKind::kRows));
  EXPECT_THAT(fused.operations(fused.kernel(0).results_body), ElementsAre("add", "add"));
  EXPECT_EQ(fused.reason_for("r"), "it finishes a product: left to the product's epilogue");
}

TEST(Fuse, ARowProgramNeedsItsAxesKeptAndInnermost) {
  const auto normalised = [](std::int64_t axis, bool keepdims, std::vector<std::int64_t> shape) {
    return Described()
        .input("x", DType::kF32, std::move(shape))
        .node("m", "mean", {"x"}, {{"axes", ops::Integers{axis}}, {"keepdims", keepdims}})
        .node("y", "sub", {"x", "m"})
        .output("y");
  };
  EXPECT_THAT(Fused(normalised(1, true, {4, 8})).kinds(), ElementsAre(KernelKind::kRows));
  const Fused outer(normalised(0, true, {4, 8}));
  EXPECT_THAT(outer.kinds(), ElementsAre(KernelKind::kReduce, KernelKind::kMap));
  EXPECT_EQ(outer.reason_for("m"), "the reduced axes are not innermost");
  // Without the axis, [4] stretches over the other axis of [4, 4]: the mean of row i is taken from
  // column i.
  EXPECT_THAT(Fused(normalised(1, false, {4, 4})).kinds(),
              ElementsAre(KernelKind::kReduce, KernelKind::kMap));
}

TEST(Fuse, WhatTwoKernelsReadIsComputedOnce) {
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .node("e", "exp", {"x"})
                        .node("a", "neg", {"e"})
                        .node("b", "sum", {"e"})
                        .output("a")
                        .output("b"));
  EXPECT_THAT(fused.kinds(), ElementsAre(KernelKind::kMap, KernelKind::kMap, KernelKind::kReduce));
  EXPECT_EQ(fused.reason_for("e"), "its value is read by several kernels");
}

TEST(Fuse, ADiamondIsOneKernelAndItsTopIsComputedOnce) {
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .node("e", "exp", {"x"})
                        .node("a", "neg", {"e"})
                        .node("b", "abs", {"e"})
                        .node("y", "mul", {"a", "b"})
                        .output("y"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kMap));
  EXPECT_THAT(fused.operations(fused.kernel(0).body), ElementsAre("exp", "neg", "abs", "mul"));
}

TEST(Fuse, WhatIsStretchedIsNotComputedOverAndOver) {
  const Fused fused(Described()
                        .input("x", DType::kF32, kRows)
                        .input("row", DType::kF32, {8})
                        .node("e", "exp", {"row"})
                        .node("y", "mul", {"x", "e"})
                        .output("y"));
  EXPECT_THAT(fused.kinds(), ElementsAre(KernelKind::kMap, KernelKind::kMap));
  EXPECT_EQ(fused.reason_for("e"),
            "its elements are not those of the reader's loop, it would be computed more than once");
}

TEST(Fuse, KernelsStayWithinTheirLimits) {
  Described described;
  described.input("x", DType::kF32, {16});
  std::string last = "x";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "n" + std::to_string(i);
    described.node(name, i % 2 == 0 ? "sin" : "abs", {last});
    last = name;
  }
  const Fused fused(described.output(last));
  std::size_t statements = 0;
  for (const Kernel& kernel : fused.fused.kernels) {
    EXPECT_LE(fused.body(kernel.body).statements.size(), 64u);
    statements += kernel.nodes.size();
  }
  EXPECT_EQ(statements, 300u);
  EXPECT_EQ(fused.fused.kernels.size(), 5u);  // 300 / 64, rounded up
}

TEST(Fuse, ManyOperandsMakeSeveralKernels) {
  Described described;
  described.input("x0", DType::kF32, {16});
  std::string last = "x0";
  for (int i = 1; i < 60; ++i) {
    described.input("x" + std::to_string(i), DType::kF32, {16});
    described.node("n" + std::to_string(i), "add", {last, "x" + std::to_string(i)});
    last = "n" + std::to_string(i);
  }
  const Fused fused(described.output(last));
  for (const Kernel& kernel : fused.fused.kernels) EXPECT_LE(kernel.operands.size(), 16u);
}

TEST(Fuse, EqualEquationsShareALambda) {
  const Fused fused(Described()
                        .input("x", DType::kF32, {16})
                        .input("y", DType::kF32, {32})
                        .node("a", "sigmoid", {"x"})
                        .node("b", "sigmoid", {"y"})
                        .node("c", "leaky_relu", {"x"}, {{"alpha", 0.1}})
                        .node("d", "leaky_relu", {"x"}, {{"alpha", 0.2}})
                        .output("a")
                        .output("b")
                        .output("c")
                        .output("d"));
  ASSERT_EQ(fused.fused.kernels.size(), 4u);
  EXPECT_EQ(fused.kernel(0).body, fused.kernel(1).body);
  EXPECT_NE(fused.kernel(2).body, fused.kernel(3).body);
}

TEST(Fuse, AReshapeOfATransposeIsPackedOnce) {
  const Fused fused(Described()
                        .input("x", DType::kF32, {4, 8})
                        .node("t", "transpose", {"x"})
                        .node("a", "reshape", {"t"})
                        .shape({32})
                        .node("b", "reshape", {"t"})
                        .shape({2, 16})
                        .output("a")
                        .output("b"));
  EXPECT_THAT(fused.kinds(), ElementsAre(KernelKind::kLayout, KernelKind::kPack,
                                         KernelKind::kLayout, KernelKind::kLayout));
}

// ---- Transposed results -------------------------------------------------------------------------

// Two heads of three rows, their rows beside each other: what `more` makes of it.
Described heads(std::vector<std::int64_t> axes, std::vector<std::int64_t> shape) {
  return Described()
      .input("a", DType::kF32, {2, 3, 5})
      .input("b", DType::kF32, {2, 5, 4})
      .input("c", DType::kF32, {4})
      .node("p", "matmul", {"a", "b"})
      .node("s", "add", {"p", "c"})
      .node("t", "transpose_axes", {"s"}, {{"axes", ops::Integers(std::move(axes))}})
      .node("r", "reshape", {"t"})
      .shape(std::move(shape))
      .output("r");
}

TEST(Transposed, AProductWritesWhatWouldBePacked) {
  const Fused fused(heads({1, 0, 2}, {3, 8}));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kProduct, KernelKind::kLayout));
  EXPECT_THAT(fused.kernel(0).order, ElementsAre(1, 0, 2));
  const FusedTensor& result = fused.fused.tensors[fused.kernel(0).results[0]];
  EXPECT_EQ(result.name, "t");
  EXPECT_EQ(result.shape, Shape::of({3, 2, 4}));
}

TEST(Transposed, AProductWritesAnOutput) {
  const Fused fused(heads({1, 0, 2}, {3, 2, 4}).output("t"));
  EXPECT_EQ(fused.kernel(0).kind, KernelKind::kProduct);
  EXPECT_THAT(fused.kernel(0).order, ElementsAre(1, 0, 2));
}

TEST(Transposed, NotIfViewsCanSayIt) {
  // Two axes of three and eight elements each stay apart.
  const Fused fused(heads({1, 0, 2}, {3, 2, 2, 2}));
  EXPECT_THAT(fused.kinds(),
              ElementsAre(KernelKind::kProduct, KernelKind::kLayout, KernelKind::kLayout));
  EXPECT_TRUE(fused.kernel(0).order.empty());
}

TEST(Transposed, NotIfTheLastAxisMoves) {
  const Fused fused(heads({0, 2, 1}, {8, 3, 1}));
  EXPECT_TRUE(fused.kernel(0).order.empty());
  const Fused packed(heads({0, 2, 1}, {2, 12}));
  EXPECT_TRUE(packed.kernel(0).order.empty());
}

TEST(Transposed, NotIfOthersReadTheProductOrItIsWanted) {
  EXPECT_TRUE(Fused(heads({1, 0, 2}, {3, 8}).output("s")).kernel(0).order.empty());
  EXPECT_TRUE(
      Fused(heads({1, 0, 2}, {3, 8}).node("u", "exp", {"s"}).output("u")).kernel(0).order.empty());
  EXPECT_TRUE(Fused(heads({1, 0, 2}, {3, 8}), {.fuse = false}).kernel(0).order.empty());
}

TEST(Fuse, DeadNodesAreLeftOut) {
  const Fused fused(Described()
                        .input("x", DType::kF32, {4})
                        .node("dead", "exp", {"x"})
                        .node("deader", "neg", {"dead"})
                        .node("y", "abs", {"x"})
                        .output("y"));
  EXPECT_EQ(fused.fused.kernels.size(), 1u);
}

TEST(Fuse, ACachedValueStandsOnItsOwn) {
  const Fused fused(Described()
                        .input("x", DType::kF32, {4})
                        .parameter("w", DType::kF32, {4})
                        .node("c", "exp", {"w"})
                        .cached()
                        .node("y", "mul", {"x", "c"})
                        .output("y"));
  ASSERT_THAT(fused.kinds(), ElementsAre(KernelKind::kMap, KernelKind::kMap));
  EXPECT_TRUE(fused.fused.tensors[fused.kernel(0).results[0]].cached);
  EXPECT_FALSE(fused.fused.tensors[fused.kernel(1).results[0]].cached);
}

// ---- Constants in panels ------------------------------------------------------------------------

// A constant of `rows` x 512, a MiB at 512 rows, as the right factor of a product.
Described large_product(std::int64_t rows) {
  return Described()
      .input("x", DType::kF32, {4, rows})
      .constant("w", HostTensor(DType::kF32, *Shape::make(std::vector{rows, std::int64_t{512}})))
      .node("p", "matmul", {"x", "w"})
      .output("p");
}

bool lies_in_panels(const Described& described, FuseOptions options = {}) {
  const Fused fused(described, options);
  for (const FusedTensor& tensor : fused.fused.tensors) {
    if (tensor.name == "w") return tensor.panels;
  }
  ADD_FAILURE() << "no constant w";
  return false;
}

TEST(Panels, HoldLargeRightFactorsOfProducts) {
  EXPECT_TRUE(lies_in_panels(large_product(512)));
  EXPECT_FALSE(lies_in_panels(large_product(511)));
  EXPECT_FALSE(lies_in_panels(large_product(512), {.fuse = false}));
}

TEST(Panels, HoldNothingThatOthersReadToo) {
  EXPECT_FALSE(lies_in_panels(large_product(512).output("w")));
  EXPECT_FALSE(lies_in_panels(large_product(512).node("q", "matmul", {"w", "w"}).output("q")));
  EXPECT_FALSE(lies_in_panels(large_product(512).node("q", "exp", {"w"}).output("q")));
  EXPECT_FALSE(lies_in_panels(large_product(512).node("q", "transpose", {"w"}).output("q")));
  EXPECT_TRUE(lies_in_panels(large_product(512).node("q", "matmul", {"p", "w"}).output("q")));
}

TEST(Fuse, AHundredThousandNodesInAChainAreCutAtTheLimit) {
  Described described;
  described.input("x", DType::kF32, {4});
  std::string last = "x";
  for (int i = 0; i < 100'000; ++i) {
    std::string name = "n" + std::to_string(i);
    described.node(name, i % 2 == 0 ? "relu" : "neg", {last});
    last = std::move(name);
  }
  const Fused fused(described.output(last));
  EXPECT_EQ(fused.fused.kernels.size(), (100'000u + 63u) / 64u);
}

}  // namespace
}  // namespace wick::compiler
