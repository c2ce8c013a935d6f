#include "frontend/json/reader.h"

#include <set>
#include <string_view>
#include <utility>

#include "frontend/json/constants.h"
#include "frontend/json/document.h"
#include "frontend/json/number.h"

namespace wick::frontend {
namespace {

using compiler::GraphDescription;
using compiler::NodeDescription;
using compiler::OperandDescription;

// Those of the three words for non-finite numbers that are names of values in this graph.
std::set<std::string_view> non_finite_names(const GraphDescription& graph) {
  std::set<std::string_view> names;
  const auto note = [&](std::string_view name) {
    if (is_non_finite(name)) names.insert(name);
  };
  for (const auto& input : graph.inputs) note(input.name);
  for (const auto& constant : graph.constants) note(constant.name);
  for (const NodeDescription& node : graph.nodes) {
    note(node.name);
    for (const std::string& output : node.outputs) note(output);
  }
  return names;
}

// "inf", "-inf" and "nan" are numbers where an operand is expected, unless a value has that name.
void read_non_finite_operands(GraphDescription& graph) {
  std::vector<OperandDescription*> found;
  for (NodeDescription& node : graph.nodes) {
    for (OperandDescription& operand : node.operands) {
      const auto* name = std::get_if<std::string>(&operand.what);
      if (name != nullptr && is_non_finite(*name)) found.push_back(&operand);
    }
  }
  if (found.empty()) return;
  const auto names = non_finite_names(graph);
  for (OperandDescription* operand : found) {
    std::string word = std::get<std::string>(operand->what);
    if (!names.contains(word)) operand->what = compiler::Literal{std::move(word)};
  }
}

}  // namespace

std::optional<GraphDescription> read_graph(const SourceFile& source, const ReadOptions& options,
                                           compiler::Diagnostics& diagnostics, ReadFiles* files) {
  Findings findings(diagnostics);
  Document document = read_document(source.text(), findings);
  if (findings.any()) return std::nullopt;

  ReadFiles unused;
  ConstantReader constants(source, options, findings, files != nullptr ? *files : unused);
  for (std::size_t i = 0; i < document.constants.size() && !findings.plenty(); ++i) {
    document.graph.constants.push_back(constants.read(std::move(document.constants[i]), i));
  }
  if (findings.any()) return std::nullopt;

  read_non_finite_operands(document.graph);
  return std::move(document.graph);
}

bool has_valid_structure(const SourceFile& source, compiler::Diagnostics& diagnostics) {
  Findings findings(diagnostics);
  read_document(source.text(), findings);
  return !findings.any();
}

}  // namespace wick::frontend
