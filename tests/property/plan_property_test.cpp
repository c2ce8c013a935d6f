// Random graphs, planned in every storage, schedule and fusion, judged, and run on memory that was
// filled with zeros, ones and signalling NaNs: every output has the bits of the reference.
//
// WICK_RANDOM_GRAPHS in the environment sets how many; 10,000 is the documented full count.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/property/random_graph.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

std::uint32_t graph_count(std::uint32_t in_the_suite) {
  const char* wanted = std::getenv("WICK_RANDOM_GRAPHS");
  return wanted ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : in_the_suite;
}

void expect_agreement(std::uint32_t seed, const RandomGraphOptions& options) {
  const Graph graph = random_graph(seed, options);
  ASSERT_EQ(broken_promise(graph), "") << "seed " << seed;
  ASSERT_EQ(disagreement(graph, small_inputs(graph, seed)), "") << "seed " << seed;
}

TEST(PlanProperty, SmallGraphsAgree) {
  for (std::uint32_t seed = 0; seed < graph_count(350); ++seed) {
    expect_agreement(seed, {.nodes = 1 + static_cast<int>(seed % 10)});
    if (HasFatalFailure()) return;
  }
}

TEST(PlanProperty, LargerGraphsAgree) {
  for (std::uint32_t seed = 0; seed < graph_count(150); ++seed) {
    expect_agreement(seed + 1000000, {.nodes = 20 + static_cast<int>(seed % 40)});
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace wick::compiler::testing
