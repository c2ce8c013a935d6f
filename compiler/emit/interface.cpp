#include "compiler/emit/interface.h"

#include <algorithm>
#include <sstream>

#include "compiler/emit/metadata.h"
#include "compiler/emit/program.h"
#include "compiler/support/text.h"

namespace wick::compiler::cpp {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kLongestNote = 400;

// A description from the graph as comment lines; long ones are cut.
void add_description(std::vector<Line>& lines, const std::string& text, const std::string& indent) {
  for (std::size_t at = 0; at < std::min(text.size(), kLongestNote);) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    const bool cut = end > kLongestNote;
    end = std::min(end, kLongestNote);
    std::string line = comment_text(text.substr(at, end - at));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    lines.push_back(comment(line.empty() ? "" : indent + line + (cut ? " ..." : "")));
    at = end + 1;
  }
}

// "  pixels         f32[1, 64]"
void add_parameter_note(std::vector<Line>& lines, const std::string& name, std::size_t width,
                        const std::string& type, const std::string& original,
                        const std::string& description) {
  std::string text = "  " + name + std::string(width - name.size() + 2, ' ') + type;
  if (original != name)
    text += ", \"" + comment_text(original.substr(0, kLongestNote)) + "\" in the graph";
  lines.push_back(comment(text));
  add_description(lines, description, "    ");
}

// "  arena  N bytes at a multiple of A; its contents …", continued in the column of the text.
void add_arena_note(std::vector<Line>& lines, std::size_t width, const std::string& memory) {
  constexpr std::size_t kMost = kColumns - 3;
  const std::string indent(width + 4, ' ');
  std::string line = "  arena" + std::string(width - 3, ' ') + memory + ";";
  std::istringstream words("its contents mean nothing before and after a call");
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kMost) {
      lines.push_back(comment(line));
      line = indent + word;
    } else {
      line += " " + word;
    }
  }
  lines.push_back(comment(line));
}

// How large the weights are, and what the caller needs who hands them in.
std::vector<Line> weights_interface(const Plan& plan, const Symbols& symbols,
                                    const WeightsLayout& weights, const Surroundings& around,
                                    std::vector<Line> packed) {
  const std::string file = symbols.file_name + ".weights";
  Line size = raw(
      "inline constexpr std::size_t kWeightsBytes = " + std::to_string(weights.total.count) + ";");
  if (plan.fused->constants.empty() || weights.inline_values) return {};
  if (!around.weights) {
    size.comment = "linked in from " + file;
    return {size, blank()};
  }
  std::vector<Line> lines = {
      comment("The constants, as views of the packed file " + file + " at a multiple of 64 bytes."),
      comment("wick::WeightsFile (wick/weights_file.h) maps and checks that file."), size,
      packed_file_line(file, weights.hash), blank()};
  std::ranges::move(packed, std::back_inserter(lines));
  lines.push_back(blank());
  return lines;
}

std::string input_type(const Plan& plan, const Input& input, TypeTable& types,
                       const std::string& name) {
  const Value& value = plan.fused->graph->values[input.value];
  const std::string type = types.packed(value.type.dtype, value.type.shape(), name);
  return (input.donate ? "wick::InOut<" : "wick::In<") + type + ">";
}

std::vector<Line> state_lines(const Plan& plan, const Symbols& symbols, const Surroundings& around,
                              TypeTable& types) {
  const Graph& graph = *plan.fused->graph;
  std::vector<Line> members, bound;
  std::vector<Parameter> parameters = {{Parameter::Role::kState, 0, "State&", "state"}};
  if (around.prepare) {
    members.push_back(raw("wick::Once once;"));
    members.push_back(raw("alignas(64) std::byte bytes[" +
                          std::to_string(std::max<std::int64_t>(plan.state.count, 1)) + "];"));
  }
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (!graph.inputs[i].parameter) continue;
    const std::string& name = symbols.inputs[i];
    members.push_back(
        raw(input_type(plan, graph.inputs[i], types, name) + " " + name + "{nullptr};"));
    parameters.push_back({Parameter::Role::kInput, static_cast<std::uint32_t>(i),
                          input_type(plan, graph.inputs[i], types, name), name});
    bound.push_back(raw("state." + name + " = " + name + ";"));
  }
  std::vector<Line> lines = {comment("What lives across calls. Bind parameters before the first "
                                     "call; the tensors stay the caller's."),
                             block("struct State {", std::move(members), "};"),
                             raw("inline constexpr std::size_t kStateBytes = sizeof(State);"),
                             raw("inline constexpr std::size_t kStateAlignment = alignof(State);"),
                             blank()};
  if (!bound.empty()) {
    for (Line& line : signature_lines("inline void bind", parameters, " noexcept {"))
      lines.push_back(std::move(line));
    Line& head = lines.back();
    head = block(head.text, std::move(bound), "}");
    lines.push_back(blank());
  }
  if (around.prepare) {
    lines.push_back(
        comment("Forgets the cached values; the next call computes them anew. No call may run."));
    lines.push_back(
        block("inline void reset(State& state) noexcept {", {raw("state.once.reset();")}, "}"));
    lines.push_back(blank());
  }
  return lines;
}

}  // namespace

Surroundings surroundings_of(const Plan& plan, const EmitOptions& options) {
  Surroundings around;
  const Graph& graph = *plan.fused->graph;
  around.weights = !plan.fused->constants.empty() && options.weights != WeightsMode::kEmbed;
  around.prepare = !plan.prepare.steps.empty();
  around.state = around.prepare || std::ranges::any_of(graph.inputs, [](const Input& input) {
                   return input.parameter;
                 });
  const bool from_caller =
      plan.options.storage == StorageMode::kArena || plan.options.storage == StorageMode::kNone;
  around.arena = from_caller && plan.arena.count > 0;
  return around;
}

std::vector<Parameter> run_parameters(const Plan& plan, const Symbols& symbols,
                                      const Surroundings& around, TypeTable& types) {
  const FusedGraph& fused = *plan.fused;
  const Graph& graph = *fused.graph;
  std::vector<Parameter> parameters;
  if (around.weights)
    parameters.push_back({Parameter::Role::kWeights, 0, "const Weights&", "weights"});
  if (around.state) parameters.push_back({Parameter::Role::kState, 0, "State&", "state"});
  for (std::uint32_t i = 0; i < graph.inputs.size(); ++i) {
    if (graph.inputs[i].parameter) continue;
    const std::string& name = symbols.inputs[i];
    parameters.push_back(
        {Parameter::Role::kInput, i, input_type(plan, graph.inputs[i], types, name), name});
  }
  for (std::uint32_t i = 0; i < fused.outputs.size(); ++i) {
    const FusedTensor& tensor = fused.tensors[fused.outputs[i]];
    const std::string& name = symbols.outputs[i];
    parameters.push_back({Parameter::Role::kOutput, i,
                          "wick::Out<" + types.packed(tensor.dtype, tensor.shape, name) + ">",
                          name});
  }
  if (around.arena) parameters.push_back({Parameter::Role::kArena, 0, "std::byte*", "arena"});
  return parameters;
}

std::vector<Line> run_notes(const Plan& plan, const Symbols& symbols, const Surroundings& around,
                            const std::string& arena) {
  const FusedGraph& fused = *plan.fused;
  const Graph& graph = *fused.graph;
  std::vector<Line> lines;
  add_description(lines, graph.description, "");
  std::size_t width = around.arena ? 5 : around.state ? 5 : 1;
  for (const std::string& name : symbols.inputs) width = std::max(width, name.size());
  for (const std::string& name : symbols.outputs) width = std::max(width, name.size());
  width = std::min<std::size_t>(width, 32);
  const auto padded = [&](const std::string& name) { return std::max(width, name.size()); };
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Input& input = graph.inputs[i];
    const Value& value = graph.values[input.value];
    std::string type = type_text(value.type.dtype, value.type.shape());
    type += input.parameter ? ", bound once by bind()" : input.donate ? ", overwritten" : ", read";
    add_parameter_note(lines, symbols.inputs[i], padded(symbols.inputs[i]), type, value.name,
                       input.description);
  }
  for (std::size_t i = 0; i < fused.outputs.size(); ++i) {
    const FusedTensor& tensor = fused.tensors[fused.outputs[i]];
    const Value& value = graph.values[graph.outputs[i].value];
    add_parameter_note(lines, symbols.outputs[i], padded(symbols.outputs[i]),
                       type_text(tensor.dtype, tensor.shape) + ", written", value.name, "");
  }
  if (around.arena) {
    const bool macros = arena.back() == '_';
    add_arena_note(lines, padded("arena"),
                   arena + (macros ? "BYTES" : "Bytes") + " bytes at a multiple of " + arena +
                       (macros ? "ALIGNMENT" : "Alignment"));
  }
  lines.push_back(comment(
      std::string(around.arena ? "Inputs, outputs and the arena" : "Inputs and outputs") +
      " do not overlap. Reentrant" +
      std::string(plan.options.storage == StorageMode::kStatic ? ": no, the arena is static."
                                                               : ".")));
  return lines;
}

std::vector<Line> signature_lines(const std::string& name, const std::vector<Parameter>& typed,
                                  const std::string& tail) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : typed)
    parameters.push_back(parameter.type + (parameter.name.empty() ? "" : " ") + parameter.name);
  const std::string whole = Call{name, parameters}.on_one_line() + tail;
  if (whole.size() <= kColumns) return {raw(whole)};
  std::vector<Line> lines = {raw(name + "(")};
  std::string current;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string parameter = parameters[i] + (i + 1 < parameters.size() ? "," : ")" + tail);
    if (!current.empty() && 4 + current.size() + 1 + parameter.size() > kColumns) {
      lines.push_back(raw("    " + current));
      current.clear();
    }
    current += (current.empty() ? "" : " ") + parameter;
  }
  lines.push_back(raw("    " + current));
  return lines;
}

std::string banner_text(const Symbols& symbols, const EmitOptions& options) {
  return symbols.name_space + ": generated by wick from " + comment_text(options.source_name) +
         ". Edit the graph, not this file.";
}

std::vector<Line> banner_lines(const Plan& plan, const Symbols& symbols,
                               const EmitOptions& options) {
  const MemoryReport& report = plan.report;
  const std::size_t nodes = plan.fused->graph->nodes.size();
  std::size_t kernels = 0;
  for (const Step& step : plan.run.steps) kernels += step.kind == StepKind::kReference ? 0 : 1;
  const bool heap = plan.options.storage == StorageMode::kHeap;
  const std::string memory = heap ? "heap (at most " + bytes_text(report.lower_bound) + " alive"
                                  : "arena " + bytes_text(plan.arena) + " (lower bound " +
                                        grouped(report.lower_bound.count);
  std::string summary = "  " + std::to_string(nodes) + (nodes == 1 ? " operation" : " operations") +
                        " -> " + std::to_string(kernels) + (kernels == 1 ? " kernel" : " kernels") +
                        "; " + memory + "; " + grouped(report.no_reuse.count) + " without reuse)";
  return {comment(banner_text(symbols, options)), comment(""), comment(std::move(summary))};
}

std::vector<Line> alias_lines(const TypeTable& types, std::size_t from) {
  std::vector<Line> lines;
  for (std::size_t i = from; i < types.aliases().size(); ++i) {
    const TypeTable::Alias& alias = types.aliases()[i];
    lines.push_back(
        raw("using " + alias.name + " = " + alias.text + ";", joined(alias.users, ", ")));
  }
  return lines;
}

std::vector<Line> header_lines(const Plan& plan, const Symbols& symbols,
                               const WeightsLayout& weights, const EmitOptions& options,
                               TypeTable& types) {
  const Surroundings around = surroundings_of(plan, options);
  const std::vector<Parameter> parameters = run_parameters(plan, symbols, around, types);
  std::vector<Line> state, packed;
  if (around.weights) packed = weights_lines(plan, symbols, weights, options, types);
  if (around.state) state = state_lines(plan, symbols, around, types);

  std::vector<Line> body = {blank(), raw("WICK_REQUIRE_RUNTIME(1, 1);"), blank()};
  const auto append = [&](std::vector<Line> lines) {
    std::ranges::move(lines, std::back_inserter(body));
  };
  append(alias_lines(types, 0));
  body.push_back(blank());
  if (around.arena) {
    body.push_back(raw(
        "inline constexpr std::size_t kArenaBytes = " + std::to_string(plan.arena.count) + ";"));
    body.push_back(raw("inline constexpr std::size_t kArenaAlignment = 64;"));
    body.push_back(blank());
  }
  append(weights_interface(plan, symbols, weights, around, std::move(packed)));
  append(std::move(state));
  append(run_notes(plan, symbols, around, "kArena"));
  append(signature_lines("void run", parameters, " noexcept;"));
  body.push_back(blank());
  append(metadata_lines(plan, types));
  body.push_back(blank());

  return {comment(banner_text(symbols, options)),
          raw("#pragma once"),
          blank(),
          raw("#include \"wick/runtime.h\""),
          blank(),
          block("namespace " + symbols.name_space + " {", std::move(body),
                "}  // namespace " + symbols.name_space)};
}

}  // namespace wick::compiler::cpp
