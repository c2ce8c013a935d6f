// Every record against NumPy: inference, the reference, and what composites expand into.
#include <gtest/gtest.h>

#include "compiler/graph/expand.h"
#include "compiler/graph/verify.h"
#include "compiler/ops/record.h"
#include "compiler/reference/interpreter.h"
#include "tests/ops/cases.h"
#include "tests/support/graphs.h"

namespace wick::compiler {
namespace {

using testing::Case;

// A graph of the one call, its operands as inputs, all its results as outputs.
Graph graph_of(const Case& item) {
  testing::Described described;
  std::vector<testing::Operand> names;
  for (std::size_t i = 0; i < item.operands.size(); ++i) {
    const HostTensor& operand = item.operands[i];
    const auto extents = operand.shape().extents();
    const std::string name = "x" + std::to_string(i);
    described.input(name, operand.dtype(), {extents.begin(), extents.end()});
    names.emplace_back(name);
  }
  std::vector<std::string> results;
  for (std::size_t i = 0; i < item.results.size(); ++i) {
    results.push_back("y" + std::to_string(i));
  }
  described.nodes(results, item.op, names, item.attributes);
  if (item.dtype) described.dtype(*item.dtype);
  if (item.shape) described.shape(*item.shape);
  for (const std::string& result : results) described.output(result);
  return described.verified();
}

void expect_results(const Case& item, const std::vector<HostTensor>& found, double ulps,
                    bool any_zero) {
  ASSERT_EQ(found.size(), item.results.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto text = testing::difference(item.results[i], found[i], ulps, any_zero);
    EXPECT_FALSE(text.has_value()) << "result " << i << ", " << text.value_or("");
  }
}

bool leaves_zeros_open(const ops::OpRecord& op) {
  return op.error.model == ops::ErrorModel::kUlps && op.error.ulps == 0;
}

class Conformance : public ::testing::TestWithParam<const ops::OpRecord*> {};

TEST_P(Conformance, ReferenceGivesWhatNumPyGives) {
  const ops::OpRecord& op = *GetParam();
  const std::vector<Case> cases = testing::cases_of(std::string(op.name));
  EXPECT_FALSE(cases.empty());
  for (const Case& item : cases) {
    SCOPED_TRACE(item.op + " " + item.note);
    const Graph graph = graph_of(item);
    expect_results(item, evaluate_outputs(graph, item.operands), item.ulps, leaves_zeros_open(op));
  }
}

// What a composite expands into, evaluated with every step rounded to the dtype. Ops that are
// primitive stay as they are and agree all the more.
TEST_P(Conformance, ExpansionGivesWhatNumPyGives) {
  const ops::OpRecord& op = *GetParam();
  for (const Case& item : testing::cases_of(std::string(op.name))) {
    SCOPED_TRACE(item.op + " " + item.note);
    const Graph graph = expand(graph_of(item));
    for (const Node& node : graph.nodes) EXPECT_NE(node.op->fusion, ops::FusionClass::kComposite);
    const bool any_zero = leaves_zeros_open(op) || op.expand != nullptr;
    expect_results(item, evaluate_outputs(graph, item.operands), item.expanded_ulps, any_zero);
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Conformance, ::testing::ValuesIn(ops::all()),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace
}  // namespace wick::compiler
