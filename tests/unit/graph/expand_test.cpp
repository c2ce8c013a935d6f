#include "compiler/graph/expand.h"

#include <gtest/gtest.h>

#include <set>

#include "compiler/graph/print.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::broken_promise;
using testing::Described;
using testing::node_named;
using testing::value_named;

bool has_composites(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op->fusion == ops::FusionClass::kComposite) return true;
  }
  return false;
}

std::set<std::string> names_of(const Graph& graph) {
  std::set<std::string> names;
  for (const Value& value : graph.values) names.insert(value.name);
  return names;
}

TEST(Expand, AGraphWithoutCompositesStaysAsItIs) {
  const Graph graph =
      Described().input("x", DType::kF32, {2}).node("y", "neg", {"x"}).output("y").verified();
  EXPECT_EQ(to_text(expand(graph)), to_text(graph));
}

TEST(Expand, ACompositeBecomesItsPartsAndKeepsItsName) {
  const Graph graph = Described()
                          .input("x", DType::kF32, {2, 3})
                          .node("p", "softmax", {"x"}, {{"axis", -1}})
                          .node("y", "neg", {"p"})
                          .output("y")
                          .output("p")
                          .verified();
  ASSERT_TRUE(has_composites(graph));
  const Graph parts = expand(graph);
  EXPECT_EQ(broken_promise(parts), "");
  EXPECT_FALSE(has_composites(parts));
  EXPECT_GT(parts.nodes.size(), graph.nodes.size());
  const ValueId p = value_named(parts, "p");
  EXPECT_EQ(node_named(parts, "y").operands, std::vector<ValueId>{p});
  EXPECT_EQ(parts.outputs[1].value, p);
  EXPECT_EQ(parts.values[p].type.shape(), Shape::of({2, 3}));
  for (const Node& node : parts.nodes) {
    const std::string& name = parts.values[node.results[0]].name;
    if (name == "p" || name == "y") continue;
    EXPECT_EQ(name.substr(0, 2), "p.") << name;
    EXPECT_EQ(node.position, 0u);
  }
}

TEST(Expand, PartsDoNotTakeNamesThatAreTaken) {
  const Described plain = Described()
                              .input("x", DType::kF32, {2, 3})
                              .node("p", "softmax", {"x"}, {{"axis", -1}})
                              .output("p");
  Described clashing = plain;
  int inputs = 0;
  for (const std::string& name : names_of(expand(plain.verified()))) {
    if (name.empty() || name == "x" || name == "p") continue;
    clashing.input(name, DType::kF32, {1});
    ++inputs;
  }
  ASSERT_GT(inputs, 0);
  const Graph parts = expand(clashing.verified());
  EXPECT_EQ(broken_promise(parts), "");
  EXPECT_EQ(parts.inputs.size(), static_cast<std::size_t>(inputs) + 1);
}

TEST(Expand, ACachedCompositeStaysCached) {
  const Graph parts = expand(Described()
                                 .parameter("w", DType::kF32, {2, 3})
                                 .node("p", "softmax", {"w"}, {{"axis", -1}})
                                 .cached()
                                 .output("p")
                                 .verified());
  EXPECT_TRUE(node_named(parts, "p").cache);
  for (const Node& node : parts.nodes) {
    EXPECT_EQ(node.cache, parts.values[node.results[0]].name == "p");
  }
}

TEST(Expand, DescriptionsStayWithTheResult) {
  Described described = Described()
                            .input("x", DType::kF32, {2, 3})
                            .node("p", "softmax", {"x"}, {{"axis", -1}})
                            .output("p");
  described.description.nodes[0].description = "the probabilities";
  EXPECT_EQ(node_named(expand(described.verified()), "p").description, "the probabilities");
}

}  // namespace
}  // namespace wick::compiler
