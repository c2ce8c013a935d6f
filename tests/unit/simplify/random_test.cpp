// Random graphs: they are legal and cover the table, and simplification and expansion change no
// value of theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/graph/expand.h"
#include "compiler/graph/print.h"
#include "compiler/reference/interpreter.h"
#include "compiler/simplify/simplify.h"
#include "tests/support/graphs.h"
#include "tests/support/random_graph.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::random_graph;
using testing::random_inputs;
using testing::RandomValues;

constexpr std::uint64_t kGraphs = 1500;

std::vector<std::string> output_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Output& output : graph.outputs) names.push_back(graph.values[output.value].name);
  return names;
}

TEST(RandomGraphs, TheyAreLegalAndTheSameEveryTime) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = random_graph(seed);
    ASSERT_EQ(broken_promise(graph), "") << seed;
    ASSERT_EQ(to_text(graph), to_text(random_graph(seed))) << seed;
  }
  EXPECT_NE(to_text(random_graph(1)), to_text(random_graph(2)));
}

TEST(RandomGraphs, EveryOperationOccurs) {
  constexpr std::uint64_t kSeeds = 3 * kGraphs;  // one operation of a hundred is rare
  std::map<std::string_view, int> counts;
  std::size_t nodes = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const Node& node : random_graph(seed).nodes) {
      ++counts[node.op->name];
      ++nodes;
    }
  }
  for (const ops::OpRecord* op : ops::all()) EXPECT_GE(counts[op->name], 5) << op->name;
  EXPECT_GT(nodes, kSeeds * 6);
}

TEST(RandomGraphs, TheyContainWhatIsRare) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Graph graph = random_graph(seed);
    for (const Input& input : graph.inputs) {
      if (input.parameter) seen.insert("parameter");
      if (input.donate) seen.insert("donated");
    }
    for (const Node& node : graph.nodes) {
      if (node.cache) seen.insert("cached");
      if (node.results.size() > 1) seen.insert("several results");
    }
    for (const Value& value : graph.values) {
      if (!value.type.shape().has_elements()) seen.insert("no elements");
      if (!value.type.layout.is_contiguous()) seen.insert("strided");
    }
    for (const Output& output : graph.outputs) {
      if (graph.values[output.value].kind == ValueKind::kInput) seen.insert("input as output");
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"cached", "donated", "input as output", "no elements",
                                         "parameter", "several results", "strided"}));
}

TEST(RandomGraphs, SimplificationChangesNoBit) {
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    const Graph graph = random_graph(seed);
    const Graph simpler = simplify(graph);
    ASSERT_EQ(broken_promise(simpler), "") << seed << "\n" << to_text(simpler);
    ASSERT_EQ(output_names(simpler), output_names(graph)) << seed;
    const auto inputs = random_inputs(graph, seed, RandomValues::kSpecial);
    const auto expected = evaluate_outputs(graph, inputs);
    const auto found = evaluate_outputs(simpler, inputs);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(same_values(found[i], expected[i])) << "seed " << seed << ", output " << i << "\n"
                                                      << to_text(graph) << "\n"
                                                      << to_text(simpler);
    }
  }
}

TEST(RandomGraphs, SimplifyingTwiceIsSimplifyingOnce) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph once = simplify(random_graph(seed));
    ASSERT_EQ(to_text(simplify(once)), to_text(once)) << seed;
  }
}

TEST(RandomGraphs, ExpansionKeepsOutputsAndLeavesNoComposite) {
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    const Graph graph = random_graph(seed);
    const Graph parts = expand(graph);
    ASSERT_EQ(broken_promise(parts), "") << seed << "\n" << to_text(parts);
    ASSERT_EQ(output_names(parts), output_names(graph)) << seed;
    ASSERT_EQ(to_text(expand(parts)), to_text(parts)) << seed;
    // Nothing of what was cached is lost, and the values can be computed.
    evaluate_outputs(parts, random_inputs(parts, seed, RandomValues::kSmall));
  }
}

}  // namespace
}  // namespace wick::compiler
