// What planning costs, in one run: `plan_bench [MOST_NODES] [SECONDS]`.
//
// Three parts, printed as Markdown: the way from a graph file of MOST_NODES nodes (a million) to a
// judged plan, in a process of its own whose memory is measured; the time of each stage by size of
// the graph, with the growth per decade; and the packers' tables, with SECONDS (8.5) as the limit
// of each exact search. Seconds are of processor time.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

#include "tests/bench/planner/pack_tables.h"
#include "tests/bench/planner/shapes.h"
#include "tests/bench/planner/stages.h"

namespace wick::bench {
namespace {

constexpr double kMostGrowth = 12;  // per decade, as the design promises

// ---- From file to judged plan -------------------------------------------------------------------

void print_pipeline(const GraphShape& shape, std::size_t nodes, bool split) {
  const StageTimes times = time_pipeline(shape.write(nodes), split);
  const double total = std::accumulate(times.seconds.begin(), times.seconds.end(), 0.0);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("| %s, %s | %zu |", shape.name, split ? "a kernel per node" : "fused", nodes);
  for (const double seconds : times.seconds) std::printf(" %.2f |", seconds);
  std::printf(" %.2f | %.2f |\n", total, static_cast<double>(usage.ru_maxrss) / (1024 * 1024));
  std::fflush(stdout);
}

// Runs the case in a process of its own: its peak of memory is nobody else's.
void print_pipeline_apart(const GraphShape& shape, std::size_t nodes, bool split) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    print_pipeline(shape, nodes, split);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) std::exit(1);
}

void print_pipelines(std::size_t nodes) {
  std::printf("# From file to judged plan (wanted: 10 s and 4 GiB, the judge 1 s)\n\n");
  std::printf("| graph | nodes |");
  for (const char* stage : kStageNames) std::printf(" %s |", stage);
  std::printf(" total s | peak GiB |\n|---|--:|");
  for (std::size_t i = 0; i < kStageCount + 2; ++i) std::printf("--:|");
  std::printf("\n");
  for (const GraphShape& shape : kGraphShapes) {
    for (const bool split : {false, true}) print_pipeline_apart(shape, nodes, split);
  }
}

// ---- Time by stage ------------------------------------------------------------------------------

// A stage of a large graph finds what the stage before has left in main memory; one of a small
// graph that is planned over and over finds it in the processor's cache, and is up to twice as fast
// for that reason alone. To compare work with work, small graphs go through the stages in batches
// that are as large as a large graph: all of them through one stage, then all through the next.
constexpr std::size_t kNodesOfBatch = 200'000;

std::size_t copies_at(std::size_t nodes) { return std::max<std::size_t>(1, kNodesOfBatch / nodes); }

constexpr std::size_t kRepetitions = 5;

// A single small graph over and over, for comparison.
constexpr std::size_t kMostNodesInCache = 1000;
constexpr std::size_t kRepetitionsInCache = 41;

void print_row(const std::string& title, const StageTimes& times) {
  std::printf("| %s | %zu |", title.c_str(), times.nodes);
  for (const double seconds : times.seconds) std::printf(" %.2f |", 1000 * seconds);
  std::printf("\n");
}

// Growth for ten times the nodes, from one size to another; a stage's worst is kept in `worst`.
void print_growth(const char* title, const StageTimes& before, const StageTimes& after,
                  StageTimes& worst) {
  const double decades =
      std::log10(static_cast<double>(after.nodes) / static_cast<double>(before.nodes));
  std::printf("| %s | |", title);
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const double growth = std::pow(after.seconds[i] / before.seconds[i], 1 / decades);
    worst.seconds[i] = std::max(worst.seconds[i], growth);
    std::printf(growth > kMostGrowth ? " **%.1f** |" : " %.1f |", growth);
  }
  std::printf("\n");
}

void print_stages(std::size_t most) {
  std::printf("\n# Milliseconds by stage, and growth for ten times the nodes (wanted: %.0f)\n\n",
              kMostGrowth);
  std::printf("Graphs of less than %zu nodes in batches of that many.\n\n", kNodesOfBatch);
  std::printf("| graph | nodes |");
  for (const char* stage : kStageNames) std::printf(" %s |", stage);
  std::printf("\n|---|--:|");
  for (std::size_t i = 0; i < kStageCount; ++i) std::printf("--:|");
  std::printf("\n");
  StageTimes worst, worst_mean;
  for (const GraphShape& shape : kGraphShapes) {
    print_row(std::string(shape.name) + ", in cache",
              least_times(shape.write(kMostNodesInCache), 1, kRepetitionsInCache));
    StageTimes smallest, before;
    for (std::size_t nodes = 1000; nodes <= most; nodes *= 10) {
      const StageTimes times = least_times(shape.write(nodes), copies_at(nodes), kRepetitions);
      if (nodes > 1000) print_growth("growth", before, times, worst);
      if (nodes == 1000) smallest = times;
      print_row(shape.name, times);
      std::fflush(stdout);
      before = times;
    }
    if (most > 1000) print_growth("mean growth", smallest, before, worst_mean);
  }
  std::printf("| worst growth | |");
  for (const double growth : worst.seconds) std::printf(" %.1f |", growth);
  std::printf("\n| worst mean growth | |");
  for (const double growth : worst_mean.seconds) std::printf(" %.1f |", growth);
  std::printf("\n\n");
}

// Freed memory stays with the program, so that sizes are compared by work and not by how often the
// kernel hands out the same pages.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, -1);
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) {
  const std::size_t most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 8.5;
  wick::bench::print_pipelines(most);
  wick::bench::keep_freed_memory();
  wick::bench::print_stages(most);
  wick::bench::print_packing_tables(seconds);
  return 0;
}
