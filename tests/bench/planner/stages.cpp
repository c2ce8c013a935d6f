#include "tests/bench/planner/stages.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/expand.h"
#include "compiler/graph/verify.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/validate.h"
#include "compiler/simplify/simplify.h"
#include "frontend/json/reader.h"

namespace wick::bench {
namespace {

using namespace wick::compiler;

constexpr FuseOptions kSplit{false, FpMode::kStrict};

// Processor time: on a busy machine the clock on the wall tells about the others.
double now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
auto timed(double& seconds, Work&& work) {
  const double start = now();
  auto result = work();
  seconds = now() - start;
  return result;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "plan_bench: %s\n", what.c_str());
  std::exit(1);
}

Graph read_and_verify(const std::string& text, StageTimes& times) {
  Diagnostics diagnostics;
  const auto source = frontend::SourceFile::of_text("bench.json", text);
  auto description =
      timed(times.of(Stage::kRead), [&] { return frontend::read_graph(source, {}, diagnostics); });
  if (!description) fail("the graph is not read: " + diagnostics.all().front().message);
  auto graph =
      timed(times.of(Stage::kVerify), [&] { return verify(std::move(*description), diagnostics); });
  if (!graph) fail("the graph is wrong: " + diagnostics.all().front().message);
  return std::move(*graph);
}

void plan_and_judge(const FusedGraph& fused, StageTimes& times) {
  const Plan planned = timed(times.of(Stage::kPlan), [&] { return plan(fused, {}); });
  const auto faults = timed(times.of(Stage::kJudge), [&] { return validate(fused, planned); });
  if (!faults.empty()) fail("the judge says: " + faults.front());
  times.arena = planned.arena.count;
  times.lower_bound = planned.report.lower_bound.count;
}

}  // namespace

StageTimes time_stages(const std::string& text) {
  StageTimes times;
  const Graph graph = read_and_verify(text, times);
  const Graph expanded = timed(times.of(Stage::kExpand), [&] { return expand(graph); });
  times.nodes = expanded.nodes.size();
  timed(times.of(Stage::kSimplify), [&] { return simplify(expanded, {}); });
  timed(times.of(Stage::kFuse), [&] { return fuse(expanded, {}); });
  const FusedGraph split = timed(times.of(Stage::kSplit), [&] { return fuse(expanded, kSplit); });
  plan_and_judge(split, times);
  return times;
}

StageTimes median_times(const std::string& text, std::size_t repetitions) {
  StageTimes median = time_stages(text);
  std::array<std::vector<double>, kStageCount> all;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const StageTimes times = time_stages(text);
    for (std::size_t stage = 0; stage < kStageCount; ++stage) {
      all[stage].push_back(times.seconds[stage]);
    }
  }
  for (std::size_t stage = 0; stage < kStageCount; ++stage) {
    const auto middle = all[stage].begin() + static_cast<std::ptrdiff_t>(repetitions / 2);
    std::ranges::nth_element(all[stage], middle);
    median.seconds[stage] = *middle;
  }
  return median;
}

StageTimes time_pipeline(const std::string& text, bool split) {
  StageTimes times;
  const Graph given = read_and_verify(text, times);
  Graph graph = timed(times.of(Stage::kExpand), [&] { return expand(given); });
  if (!split) {
    graph = timed(times.of(Stage::kSimplify), [&] { return simplify(graph, {}); });
  }
  times.nodes = graph.nodes.size();
  const FusedGraph fused = timed(times.of(split ? Stage::kSplit : Stage::kFuse),
                                 [&] { return fuse(graph, split ? kSplit : FuseOptions{}); });
  plan_and_judge(fused, times);
  return times;
}

}  // namespace wick::bench
