// How long each stage between a graph file and a judged plan takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/fuse/fuse.h"

namespace wick::bench {

// `simplify` is measured on its own: the stages after it work on the expanded graph as it is.
// `fuse` runs as in a compilation; planned and judged is the graph of one kernel per node
// (`split`), which gives the planner the most to do.
enum class Stage : std::uint8_t {
  kRead,
  kVerify,
  kExpand,
  kSimplify,
  kFuse,
  kSplit,
  kPlan,
  kJudge,
};
inline constexpr std::size_t kStageCount = 8;
inline constexpr std::array<const char*, kStageCount> kStageNames = {
    "read", "verify", "expand", "simplify", "fuse", "split", "plan", "judge"};

// Seconds of processor time by stage.
struct StageTimes {
  std::array<double, kStageCount> seconds{};
  std::size_t nodes = 0;  // of the expanded graph

  double& of(Stage stage) { return seconds[static_cast<std::size_t>(stage)]; }
  double of(Stage stage) const { return seconds[static_cast<std::size_t>(stage)]; }
};

// Runs all stages on `copies` graphs of one text, stage by stage: each stage on all graphs before
// the next begins. Seconds are those of one graph, in the mean. Ends the program if the graph has
// an error or the judge finds a fault.
StageTimes time_stages(const std::string& text, std::size_t copies);

// The least of `repetitions` runs after one that is not counted: what the work costs where others
// on the machine disturb it least. The one before leaves the heap as large as it will get, so that
// what is compared between sizes is work, not the kernel's handing out of pages.
StageTimes least_times(const std::string& text, std::size_t copies, std::size_t repetitions);

// Runs the way from file to judged plan once, as `wick compile` does (simplified and fused) or, if
// `split`, with one kernel per node; stages that are left out take no time.
StageTimes time_pipeline(const std::string& text, bool split);

}  // namespace wick::bench
