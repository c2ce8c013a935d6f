#include "frontend/cli/thunk.h"

#include <algorithm>
#include <vector>

#include "compiler/support/text.h"

namespace wick::frontend {
namespace {

using compiler::DType;
using compiler::Graph;

std::string pointer_to(DType dtype, bool constant) {
  return std::string(constant ? "const " : "") + std::string(compiler::info(dtype).cpp_name) + "*";
}

// "static_cast<const float*>(inputs[0])"
std::string input_argument(const Graph& graph, std::size_t index) {
  const compiler::Input& input = graph.inputs[index];
  const DType dtype = graph.values[input.value].type.dtype;
  const std::string pointer = "inputs[" + std::to_string(index) + "]";
  if (!input.donate) return "static_cast<" + pointer_to(dtype, true) + ">(" + pointer + ")";
  return "static_cast<" + pointer_to(dtype, false) + ">(const_cast<void*>(" + pointer + "))";
}

std::string output_argument(const Graph& graph, std::size_t index) {
  const DType dtype = graph.values[graph.outputs[index].value].type.dtype;
  return "static_cast<" + pointer_to(dtype, false) + ">(outputs[" + std::to_string(index) + "])";
}

}  // namespace

bool takes_arena(const compiler::Plan& plan) {
  const bool from_caller = plan.options.storage == compiler::StorageMode::kArena ||
                           plan.options.storage == compiler::StorageMode::kNone;
  return from_caller && plan.arena.count > 0;
}

bool takes_weights(const compiler::Plan& plan, const compiler::EmitOptions& options) {
  return !plan.fused->constants.empty() && options.weights != compiler::WeightsMode::kEmbed;
}

std::string thunk_source(const compiler::Compilation& compilation,
                         const compiler::EmitOptions& options) {
  const compiler::Plan& plan = *compilation.plan;
  const Graph& graph = *plan.fused->graph;
  const std::string& space = options.name_space;
  std::vector<std::string> bound = {"state"}, arguments;
  if (takes_weights(plan, options)) arguments.emplace_back("weights");
  const bool has_parameters = std::ranges::any_of(
      graph.inputs, [](const compiler::Input& input) { return input.parameter; });
  const bool has_state = has_parameters || !plan.prepare.steps.empty();
  if (has_state) arguments.emplace_back("state");
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    (graph.inputs[i].parameter ? bound : arguments).push_back(input_argument(graph, i));
  }
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    arguments.push_back(output_argument(graph, i));
  }
  if (takes_arena(plan)) arguments.emplace_back("arena");

  std::string text;
  for (const compiler::EmittedFile& file : compilation.emission.files) {
    if (file.name.ends_with(".cpp")) text += "#include \"" + file.name + "\"\n";
  }
  text += "extern \"C\" void " + std::string(kThunkName) +
          "([[maybe_unused]] const void* const* inputs,\n    [[maybe_unused]] void* const* "
          "outputs, [[maybe_unused]] std::byte* arena,\n    [[maybe_unused]] const std::byte* "
          "packed) {\n";
  if (has_state) text += "  static " + space + "::State state;\n";
  if (has_parameters) text += "  " + space + "::bind(" + compiler::joined(bound, ", ") + ");\n";
  if (takes_weights(plan, options)) {
    text += "  const auto weights = " + space + "::weights_at(packed);\n";
  }
  return text + "  " + space + "::run(" + compiler::joined(arguments, ", ") + ");\n}\n";
}

std::string key_source(std::uint64_t key) {
  const std::string declaration = "const std::uint64_t " + std::string(kKeyName);
  return "extern \"C\" {\nextern " + declaration + ";\n" + declaration + " = " +
         std::to_string(key) + "u;\n}\n";
}

}  // namespace wick::frontend
