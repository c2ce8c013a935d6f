// Random graphs, compiled and run. For each graph:
//
//   traced   every value is an output, nothing simplified, fused or shared: each node agrees with
//   the reference interpreter on the run's own operands,
//            within the bound that the operation's record states
//   strict   simplified and fused, in each of the four storages: the bits of the traced run
//   default  with scalar chains folded: the same bits wherever nothing was folded
//
// Everything runs under AddressSanitizer with poisoning frees (see harness.cpp). The suite runs 300
// graphs; WICK_CORPUS_GRAPHS and WICK_CORPUS_FIRST choose others: the documented target is 2,000
// graphs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "compiler/graph/expand.h"
#include "compiler/graph/verify.h"
#include "compiler/reference/agreement.h"
#include "compiler/reference/interpreter.h"
#include "frontend/json/writer.h"
#include "tests/corpus/batch.h"
#include "tests/support/graphs.h"
#include "tests/support/random_graph.h"

namespace wick::corpus {
namespace {

using namespace wick::compiler;
using compiler::testing::random_description;
using compiler::testing::random_inputs;
using compiler::testing::RandomValues;

constexpr std::uint64_t kGraphsInABatch = 15;

// WICK_CORPUS_SANITIZE=0 leaves the sanitizers out and compiles at -O0: a third of the time, for
// runs over many graphs.
Toolchain toolchain() {
  const char* sanitize = std::getenv("WICK_CORPUS_SANITIZE");
  if (sanitize == nullptr || std::string_view(sanitize) != "0") return {};
  return {.flags = {"-O0"}, .sanitize = false};
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

Graph verified(GraphDescription description) {
  Diagnostics diagnostics;
  auto graph = verify(std::move(description), diagnostics);
  if (!graph) throw std::runtime_error("not a legal graph: " + diagnostics.all().front().message);
  return std::move(*graph);
}

// One of the ways in which each graph is compiled.
struct Variant {
  std::string name;
  bool simplify;
  bool fuse;
  FpMode fp;
  StorageMode storage;
  Schedule schedule;
};

const std::vector<Variant> kVariants = {
    {"traced", false, false, FpMode::kStrict, StorageMode::kNone, Schedule::kGiven},
    {"arena", true, true, FpMode::kStrict, StorageMode::kArena, Schedule::kDepthFirst},
    {"static", true, true, FpMode::kStrict, StorageMode::kStatic, Schedule::kGiven},
    {"heap", true, true, FpMode::kStrict, StorageMode::kHeap, Schedule::kDepthFirst},
    {"none", true, true, FpMode::kStrict, StorageMode::kNone, Schedule::kDepthFirst},
    {"default", true, true, FpMode::kDefault, StorageMode::kArena, Schedule::kMemory},
};

Compilation compiled(GraphDescription description, const Variant& variant,
                     const std::string& name) {
  CompileOptions options;
  options.simplify = variant.simplify;
  options.fuse = {.fuse = variant.fuse, .fp = variant.fp};
  options.plan.storage = variant.storage;
  options.plan.schedule = variant.schedule;
  options.emit.file_name = name;
  options.emit.name_space = name;
  options.emit.source_name = name + ".json";
  Diagnostics diagnostics;
  auto compilation = compile(std::move(description), options, diagnostics);
  if (!compilation) throw std::runtime_error(name + ": " + diagnostics.all().front().message);
  return std::move(*compilation);
}

bool has_folded(const FusedGraph& fused) {
  return std::ranges::any_of(fused.bodies, [](const Body& body) {
    return std::ranges::any_of(body.statements, [](const BodyStatement& s) {
      return s.op->traits.scalar_role == ops::ScalarRole::kMultiplyAdd;
    });
  });
}

// A graph of the corpus, without composites.
struct Case {
  std::uint64_t seed;
  Graph graph;
  GraphDescription description;
  std::vector<HostTensor> inputs;
  std::vector<std::size_t> functions;  // of each variant, its place in the batch
  bool folded = false;
};

Case make_case(std::uint64_t seed) {
  compiler::testing::RandomGraphOptions options;
  options.nodes = 5;
  options.most_elements = 300;
  Graph graph = expand(verified(random_description(seed, options)));
  GraphDescription description = frontend::describe(graph);
  const auto values = seed % 2 == 0 ? RandomValues::kSmall : RandomValues::kSpecial;
  std::vector<HostTensor> inputs = random_inputs(graph, seed, values);
  return {seed, std::move(graph), std::move(description), std::move(inputs), {}, false};
}

// Every value as an output, the original ones first.
GraphDescription traced(const Case& c) {
  GraphDescription description = c.description;
  for (const Node& node : c.graph.nodes) {
    for (const ValueId result : node.results)
      description.outputs.push_back(c.graph.values[result].name);
  }
  return description;
}

void add_to(Batch& batch, Case& c, std::size_t& count) {
  for (const Variant& variant : kVariants) {
    const std::string name = "g" + std::to_string(c.seed) + "_" + variant.name;
    const Compilation compilation =
        compiled(variant.name == "traced" ? traced(c) : c.description, variant, name);
    if (variant.name == "default") c.folded = has_folded(*compilation.fused);
    batch.add(name, compilation, c.inputs);
    c.functions.push_back(count++);
  }
}

// Each node of the traced run against the reference, on the run's own operands.
void check_nodes(const Case& c, const std::vector<HostTensor>& trace) {
  std::map<ValueId, HostTensor> found;
  for (std::size_t i = 0; i < c.graph.inputs.size(); ++i)
    found[c.graph.inputs[i].value] = c.inputs[i];
  for (const Constant& constant : c.graph.constants) found[constant.value] = constant.data;
  std::size_t at = c.graph.outputs.size();
  for (const Node& node : c.graph.nodes) {
    std::vector<HostTensor> operands, results;
    for (const ValueId operand : node.operands) operands.push_back(found.at(operand));
    for (const ValueId result : node.results) {
      results.push_back(trace[at++]);
      found[result] = results.back();
    }
    const auto stray = find_disagreement(*node.op, node.attributes, operands, results);
    EXPECT_FALSE(stray) << "seed " << c.seed << ", node " << c.graph.values[node.results[0]].name
                        << " (" << node.op->name
                        << "): " << (stray ? stray->to_string(results[stray->result].shape()) : "");
  }
}

void check_case(const Case& c, const std::vector<std::vector<HostTensor>>& results) {
  const std::vector<HostTensor>& trace = results[c.functions[0]];
  check_nodes(c, trace);
  for (std::size_t v = 1; v < kVariants.size(); ++v) {
    if (kVariants[v].fp == FpMode::kDefault && c.folded)
      continue;  // may differ in the last bits: tests/unit/fuse
    for (std::size_t i = 0; i < c.graph.outputs.size(); ++i) {
      EXPECT_TRUE(same_values(results[c.functions[v]][i], trace[i]))
          << "seed " << c.seed << ", " << kVariants[v].name << ", output " << i;
    }
  }
}

void run_batch(std::uint64_t first, std::uint64_t last) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("wick_corpus_" + std::to_string(getpid()) + "_" + std::to_string(first));
  {
    Batch batch(folder.string(), "batch");
    std::vector<Case> cases;
    std::size_t count = 0;
    for (std::uint64_t seed = first; seed < last; ++seed) {
      cases.push_back(make_case(seed));
      add_to(batch, cases.back(), count);
    }
    const auto results = batch.run(toolchain());
    for (const Case& c : cases) check_case(c, results);
  }
  if (!::testing::Test::HasFailure()) std::filesystem::remove_all(folder);
}

// Programs of more than 256 statements run in parts, which find what earlier parts computed by its
// place.
TEST(Corpus, LongProgramsRunInParts) {
  compiler::testing::RandomGraphOptions options;
  options.nodes = 420;
  options.most_elements = 40;
  const Graph graph = expand(verified(random_description(7, options)));
  const std::vector<HostTensor> inputs = random_inputs(graph, 7, RandomValues::kSmall);
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       ("wick_corpus_" + std::to_string(getpid()) + "_parts");
  Batch batch(folder.string(), "batch");
  for (const StorageMode storage :
       {StorageMode::kNone, StorageMode::kArena, StorageMode::kStatic, StorageMode::kHeap}) {
    const Variant variant{"parts", false, false, FpMode::kStrict, storage, Schedule::kGiven};
    const std::string name = "parts_" + std::to_string(static_cast<int>(storage));
    const Compilation compilation = compiled(frontend::describe(graph), variant, name);
    EXPECT_GE(compilation.plan->run.parts.size(), 2u);
    batch.add(name, compilation, inputs);
  }
  const auto results = batch.run({.flags = {"-O0"}});
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    for (std::size_t v = 1; v < results.size(); ++v)
      EXPECT_TRUE(same_values(results[v][i], results[0][i])) << v << ", output " << i;
  }
  if (!::testing::Test::HasFailure()) std::filesystem::remove_all(folder);
}

// The smallest graphs that once went wrong, in every storage, fused and not.
void run_everywhere(const std::string& name, const GraphDescription& description) {
  const Graph graph = verified(description);
  const std::vector<HostTensor> inputs = random_inputs(graph, 1, RandomValues::kSmall);
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       ("wick_corpus_" + std::to_string(getpid()) + "_" + name);
  Batch batch(folder.string(), "batch");
  std::size_t count = 0;
  for (const bool fuse : {false, true}) {
    for (const StorageMode storage :
         {StorageMode::kNone, StorageMode::kArena, StorageMode::kStatic, StorageMode::kHeap}) {
      const Variant variant{"", fuse, fuse, FpMode::kStrict, storage, Schedule::kDepthFirst};
      const std::string function = name + std::to_string(count++);
      batch.add(function, compiled(description, variant, function), inputs);
    }
  }
  for (const std::vector<HostTensor>& found : batch.run({})) {
    const std::vector<HostTensor> expected = evaluate_outputs(graph, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(same_values(found[i], expected[i])) << name << ", output " << i;
  }
  std::filesystem::remove_all(folder);
}

TEST(Corpus, AResultIsWrittenOverAView) {
  run_everywhere("slot_view", compiler::testing::Described()
                                  .input("x", DType::kF32, {4})
                                  .node("a", "cumsum", {"x"}, {{"axis", std::int64_t{0}}})
                                  .node("b", "unsqueeze", {"a"}, {{"axes", ops::Integers{0}}})
                                  .node("c", "neg", {"b"})
                                  .node("y", "cumsum", {"c"}, {{"axis", std::int64_t{1}}})
                                  .output("y")
                                  .description);
  run_everywhere("input_view", compiler::testing::Described()
                                   .donated("x", DType::kF32, {4})
                                   .node("b", "unsqueeze", {"x"}, {{"axes", ops::Integers{0}}})
                                   .node("c", "neg", {"b"})
                                   .node("y", "cumsum", {"c"}, {{"axis", std::int64_t{1}}})
                                   .output("y")
                                   .description);
}

TEST(Corpus, AnOutputThatIsAViewOfAViewIsReadAgain) {
  run_everywhere("view_of_view", compiler::testing::Described()
                                     .donated("x", DType::kF32, {2, 3})
                                     .node("a", "relu", {"x"})
                                     .node("b", "unsqueeze", {"a"}, {{"axes", ops::Integers{0}}})
                                     .node("y", "unsqueeze", {"b"}, {{"axes", ops::Integers{0}}})
                                     .output("y")
                                     .output("y")
                                     .description);
}

class Shares : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Shares, CompiledAgreesWithTheReferenceInEveryStorage) {
  const std::uint64_t total = number_from("WICK_CORPUS_GRAPHS", 300),
                      start = number_from("WICK_CORPUS_FIRST", 0);
  // Twenty tests share the graphs, so that they can run side by side.
  const std::uint64_t share = (total + 19) / 20;
  const std::uint64_t begin = start + GetParam() * share,
                      end = std::min(begin + share, start + total);
  for (std::uint64_t first = begin; first < end; first += kGraphsInABatch)
    run_batch(first, std::min(first + kGraphsInABatch, end));
}

INSTANTIATE_TEST_SUITE_P(Corpus, Shares, ::testing::Range<std::uint64_t>(0, 20));

}  // namespace
}  // namespace wick::corpus
