// The orders of kernels.
#include "compiler/plan/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/expand.h"
#include "compiler/plan/least_peak.h"
#include "compiler/plan/lifetimes.h"
#include "tests/property/random_graph.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

constexpr DType kF32 = DType::kF32;

std::string order_text(const Planned& it, const std::vector<KernelId>& order) {
  std::string text;
  for (const KernelId kernel : order) {
    text += it.fused->tensors[it.fused->kernels[kernel].results[0]].name + " ";
  }
  return text;
}

// y = (b + a) + c, written in the order c, a, b.
Described three_terms() {
  return Described()
      .input("x", kF32, {4})
      .node("c", "exp", {"x"})
      .node("a", "neg", {"x"})
      .node("b", "abs", {"x"})
      .node("s", "add", {"b", "a"})
      .node("y", "add", {"s", "c"})
      .output("y");
}

TEST(Schedules, DepthFirstIsThePostOrderFromTheOutputs) {
  const Planned it = planned(three_terms());
  EXPECT_EQ(order_text(it, depth_first_order(*it.fused, run_scope(*it.fused))), "b a s c y ");
}

TEST(Schedules, GivenIsTheOrderOfTheFileAsFarAsOperandsAllow) {
  const Planned it = planned(three_terms());
  EXPECT_EQ(order_text(it, given_order(*it.fused, run_scope(*it.fused))), "c a b s y ");
  const Planned backwards = planned(Described()
                                        .input("x", kF32, {4})
                                        .node("y", "add", {"b", "a"})
                                        .node("b", "neg", {"a"})
                                        .node("z", "neg", {"x"})
                                        .node("a", "exp", {"x"})
                                        .output("y")
                                        .output("z"));
  EXPECT_EQ(order_text(backwards, given_order(*backwards.fused, run_scope(*backwards.fused))),
            "z a b y ");
}

TEST(Schedules, BreadthFirstGoesLevelByLevel) {
  const Planned it = planned(Described()
                                 .input("x", kF32, {4})
                                 .node("a", "neg", {"x"})
                                 .node("b", "neg", {"a"})
                                 .node("c", "exp", {"x"})
                                 .node("y", "add", {"b", "c"})
                                 .output("y"));
  EXPECT_EQ(order_text(it, breadth_first_order(*it.fused, run_scope(*it.fused))), "a c b y ");
}

TEST(Schedules, LeastGrowthShrinksFirst) {
  // After the wide value w there is a choice: another wide one, or the sum that lets w go.
  const Planned it = planned(Described()
                                 .input("x", kF32, {1024})
                                 .node("w", "neg", {"x"})
                                 .node("v", "exp", {"x"})
                                 .node("sw", "sum", {"w"})
                                 .node("sv", "sum", {"v"})
                                 .node("y", "add", {"sw", "sv"})
                                 .output("y"));
  EXPECT_EQ(order_text(it, least_growth_order(*it.fused, run_scope(*it.fused))), "w sw v sv y ");
}

TEST(Schedules, DeadKernelsAreInNoOrder) {
  const Planned it = planned(Described()
                                 .input("x", kF32, {4})
                                 .node("dead", "exp", {"x"})
                                 .node("y", "neg", {"x"})
                                 .output("y"));
  const Scope scope = run_scope(*it.fused);
  for (const auto& order :
       {depth_first_order(*it.fused, scope), given_order(*it.fused, scope),
        breadth_first_order(*it.fused, scope), least_growth_order(*it.fused, scope)}) {
    EXPECT_EQ(order_text(it, order), "y ");
  }
}

// ---- The schedule `memory` ----------------------------------------------------------------------

// Depth-first computes all wide values before it reduces the first.
Described wide_then_narrow() {
  Described graph;
  graph.input("x", kF32, {1024});
  graph.node("a", "neg", {"x"}).node("b", "exp", {"x"}).node("c", "abs", {"x"});
  graph.node("ab", "concat", {"a", "b", "c"}, {{"axis", std::int64_t{0}}});
  graph.node("sa", "sum", {"a"}).node("sb", "sum", {"b"}).node("sc", "sum", {"c"});
  graph.node("t", "add", {"sa", "sb"}).node("y", "add", {"t", "sc"}).output("y");
  return graph;
}

TEST(MemorySchedule, IsAdoptedOnlyIfStrictlyLower) {
  const Planned plain = planned(three_terms());
  const Scope scope = run_scope(*plain.fused);
  EXPECT_EQ(least_peak_order(*plain.fused, scope), depth_first_order(*plain.fused, scope));
}

TEST(MemorySchedule, ReportsWhatTheOrderSaved) {
  // In the order of the operands three wide values are alive before one is reduced.
  Described graph;
  graph.input("x", kF32, {1024});
  graph.node("a", "neg", {"x"}).node("b", "cumsum", {"a"}, {{"axis", std::int64_t{0}}});
  graph.node("sa", "sum", {"a"}).node("c", "cumsum", {"x"}, {{"axis", std::int64_t{0}}});
  graph.node("sc", "sum", {"c"}).node("sb", "sum", {"b"});
  graph.node("t", "add", {"sc", "sb"}).node("y", "add", {"t", "sa"}).output("y");
  PlanOptions options;
  options.schedule = Schedule::kMemory;
  const Planned it = planned(graph, options);
  ASSERT_TRUE(it.plan->report.depth_first.has_value());
  EXPECT_LE(it.plan->report.run_bound, *it.plan->report.depth_first);
  EXPECT_EQ(disagreement(graph), "");
}

// Every order of the kernels, by brute force, as long as there are not too many.
class BruteForce {
 public:
  explicit BruteForce(const Planned& it) : it_(it), scope_(run_scope(*it.fused)) {
    for (const KernelId kernel : depth_first_order(*it.fused, scope_)) kernels_.push_back(kernel);
    done_.resize(it.fused->kernels.size());
  }

  // The lowest peak; nothing if there are more orders than the planner promises to try.
  std::optional<Bytes> lowest() {
    extend();
    if (orders_ > kMostOrdersTried) return std::nullopt;
    return lowest_;
  }

 private:
  void extend() {
    if (orders_ > kMostOrdersTried) return;
    if (order_.size() == kernels_.size()) {
      ++orders_;
      lowest_ = std::min(lowest_, peak_of_order(*it_.fused, scope_, order_));
      return;
    }
    for (const KernelId kernel : kernels_) {
      if (done_[kernel.index()]) continue;
      bool ready = true;
      for (const TensorId operand : it_.fused->kernels[kernel].operands) {
        ready &= is_given(*it_.fused, scope_, operand) ||
                 done_[it_.fused->tensors[operand].producer.index()];
      }
      if (!ready) continue;
      done_[kernel.index()] = true;
      order_.push_back(kernel);
      extend();
      order_.pop_back();
      done_[kernel.index()] = false;
    }
  }

  const Planned& it_;
  Scope scope_;
  std::vector<KernelId> kernels_, order_;
  std::vector<bool> done_;
  std::size_t orders_ = 0;
  Bytes lowest_ = kMaxTensorBytes;
};

TEST(MemorySchedule, IsExactForGraphsOfUpToTenKernels) {
  std::array<std::size_t, kMostKernelsTried + 1> tried{};  // by the number of kernels
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const int nodes = 7 + static_cast<int>(seed % 6);
    const Planned it = planned(expand(random_graph(seed, {.nodes = nodes, .cached = false})));
    const Scope scope = run_scope(*it.fused);
    const std::size_t kernels = depth_first_order(*it.fused, scope).size();
    if (kernels > kMostKernelsTried) continue;
    const std::optional<Bytes> lowest = BruteForce(it).lowest();
    if (!lowest) continue;
    ++tried[kernels];
    EXPECT_EQ(peak_of_order(*it.fused, scope, least_peak_order(*it.fused, scope)), *lowest)
        << "seed " << seed;
  }
  for (std::size_t kernels = 4; kernels <= kMostKernelsTried; ++kernels) {
    EXPECT_GT(tried[kernels], 10U) << kernels << " kernels";
  }
}

TEST(MemorySchedule, AgreesWhereItReorders) { EXPECT_EQ(disagreement(wide_then_narrow()), ""); }

TEST(MemorySchedule, TheScoreIsWhatThePlanNeeds) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    PlanOptions options;
    options.schedule = Schedule::kMemory;
    const Planned it = planned(expand(random_graph(seed, {.nodes = 20, .cached = false})), options);
    const Scope scope = run_scope(*it.fused);
    EXPECT_EQ(peak_of_order(*it.fused, scope, least_peak_order(*it.fused, scope)),
              it.plan->report.run_bound);
  }
}

}  // namespace
}  // namespace wick::compiler::testing
