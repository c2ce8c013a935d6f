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
}

// What `work` makes of each input; `seconds` are those of one.
template <class Input, class Work>
auto timed_each(double& seconds, std::vector<Input>& inputs, Work&& work) {
  std::vector<decltype(work(inputs.front()))> results;
  results.reserve(inputs.size());
  const double start = now();
  for (Input& input : inputs) results.push_back(work(input));
  seconds = (now() - start) / static_cast<double>(inputs.size());
  return results;
}

std::vector<Graph> read_and_verify(std::vector<frontend::SourceFile>& sources, StageTimes& times) {
  Diagnostics diagnostics;
  auto descriptions =
      timed_each(times.of(Stage::kRead), sources, [&](const frontend::SourceFile& source) {
        return frontend::read_graph(source, {}, diagnostics);
      });
  if (diagnostics.error_count() > 0) fail(diagnostics.all().front().message);
  return timed_each(times.of(Stage::kVerify), descriptions, [&](auto& description) {
    std::optional<Graph> graph = verify(std::move(*description), diagnostics);
    if (!graph) fail(diagnostics.all().front().message);
    return std::move(*graph);
  });
}

}  // namespace

StageTimes time_stages(const std::string& text, std::size_t copies) {
  StageTimes times;
  std::vector<frontend::SourceFile> sources;
  for (std::size_t i = 0; i < copies; ++i) {
    sources.push_back(frontend::SourceFile::of_text("bench.json", text));
  }
  std::vector<Graph> graphs = read_and_verify(sources, times);
  auto expanded = timed_each(times.of(Stage::kExpand), graphs,
                             [](const Graph& graph) { return expand(graph); });
  times.nodes = expanded.front().nodes.size();
  timed_each(times.of(Stage::kSimplify), expanded,
             [](const Graph& graph) { return simplify(graph, {}); });
  timed_each(times.of(Stage::kFuse), expanded, [](const Graph& graph) { return fuse(graph, {}); });
  auto split = timed_each(times.of(Stage::kSplit), expanded,
                          [](const Graph& graph) { return fuse(graph, kSplit); });
  auto plans =
      timed_each(times.of(Stage::kPlan), split, [](const FusedGraph& it) { return plan(it, {}); });
  timed_each(times.of(Stage::kJudge), plans, [](const Plan& planned) {
    if (!validate(*planned.fused, planned).empty()) fail("the judge finds a fault");
    return true;
  });
  return times;
}

StageTimes least_times(const std::string& text, std::size_t copies, std::size_t repetitions) {
  time_stages(text, copies);
  StageTimes least = time_stages(text, copies);
  for (std::size_t i = 1; i < repetitions; ++i) {
    const StageTimes times = time_stages(text, copies);
    for (std::size_t stage = 0; stage < kStageCount; ++stage) {
      least.seconds[stage] = std::min(least.seconds[stage], times.seconds[stage]);
    }
  }
  return least;
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
