#include "frontend/cli/emit_stage.h"

#include "compiler/fuse/print.h"
#include "compiler/plan/print.h"
#include "compiler/support/text.h"
#include "frontend/json/writer.h"

namespace wick::frontend {
namespace {

std::string source_text(const compiler::Emission& emission, const std::string& ending) {
  for (const compiler::EmittedFile& file : emission.files) {
    if (!file.name.ends_with(ending) || file.name.ends_with(".weights.cpp")) continue;
    return {reinterpret_cast<const char*>(file.content.data()), file.content.size()};
  }
  return {};
}

std::string node_name(const compiler::Graph& graph, compiler::NodeId node) {
  return compiler::quoted(graph.values[graph.nodes[node].results[0]].name);
}

}  // namespace

const Words<EmitStage>& emit_stages() {
  static const Words<EmitStage> stages = {
      {"graph", EmitStage::kGraph}, {"simplified", EmitStage::kSimplified},
      {"fused", EmitStage::kFused}, {"plan", EmitStage::kPlan},
      {"cpp", EmitStage::kCpp},     {"lifetimes", EmitStage::kLifetimes},
      {"dot", EmitStage::kDot},
  };
  return stages;
}

std::string stage_text(EmitStage stage, const compiler::Compilation& compilation,
                       const ReadFiles& files) {
  switch (stage) {
    case EmitStage::kGraph:
      return to_json(*compilation.given, &files);
    case EmitStage::kSimplified:
      return to_json(*compilation.simplified, &files);
    case EmitStage::kFused:
      return compiler::to_text(*compilation.fused);
    case EmitStage::kPlan:
      return compiler::to_text(*compilation.plan);
    case EmitStage::kCpp:
      return source_text(compilation.emission, ".cpp");
    case EmitStage::kLifetimes:
      return compiler::lifetimes_csv(*compilation.plan);
    case EmitStage::kDot:
      return compiler::to_dot(*compilation.fused);
  }
  return {};
}

std::string refusals_text(const compiler::FusedGraph& fused) {
  if (fused.refusals.empty()) return "fusion: nothing was kept apart\n";
  std::string text = "fusion: kept apart\n";
  for (const compiler::FusionRefusal& refusal : fused.refusals) {
    text += "  " + node_name(*fused.graph, refusal.producer) + " and " +
            node_name(*fused.graph, refusal.consumer) + ": " + refusal.reason + "\n";
  }
  return text;
}

}  // namespace wick::frontend
