// Constants in panels: the judge lets a product read one as its right factor, and nobody else.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/plan/validate.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

// What the judge says of a graph's plan with the constant "c" in panels.
std::vector<std::string> judged_in_panels(const Described& graph) {
  const Planned it = planned(graph);
  FusedGraph fused = *it.fused;
  fused.tensors[it.tensor("c")].panels = true;
  Plan plan = *it.plan;
  plan.fused = &fused;
  return validate(fused, plan);
}

Described with_constant() {
  Described graph;
  graph.input("x", DType::kF32, {2, 2}).constant("c", {2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  return graph;
}

TEST(JudgeOfPanels, TheRightFactorOfAProductMayLieInPanels) {
  EXPECT_TRUE(
      judged_in_panels(with_constant().node("y", "matmul", {"x", "c"}).output("y")).empty());
}

TEST(JudgeOfPanels, NobodyElseReadsThem) {
  for (const char* op : {"add", "matmul"}) {
    const auto faults = judged_in_panels(with_constant().node("y", op, {"c", "x"}).output("y"));
    ASSERT_FALSE(faults.empty()) << op;
    EXPECT_EQ(faults.front(), "run step 0: c lies in panels and is no right factor") << op;
  }
  EXPECT_FALSE(judged_in_panels(with_constant()
                                    .node("y", "matmul", {"x", "c"})
                                    .node("z", "transpose", {"c"})
                                    .node("w", "sub", {"y", "z"})
                                    .output("w"))
                   .empty());
}

}  // namespace
}  // namespace wick::compiler::testing
