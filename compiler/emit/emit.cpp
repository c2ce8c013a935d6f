#include "compiler/emit/emit.h"

#include <algorithm>
#include <span>

#include "compiler/emit/code.h"
#include "compiler/emit/interface.h"
#include "compiler/emit/kernels.h"
#include "compiler/emit/program.h"
#include "compiler/emit/symbols.h"
#include "compiler/emit/weights.h"

namespace wick::compiler {
namespace {

using cpp::Line;

EmittedFile text_file(std::string name, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {std::move(name), {bytes.begin(), bytes.end()}};
}

void append(std::vector<Line>& lines, std::vector<Line> more) {
  std::ranges::move(more, std::back_inserter(lines));
}

// A section of the file; nothing if it would be empty.
void append_section(std::vector<Line>& lines, const std::string& title, std::vector<Line> content) {
  if (content.empty()) return;
  lines.push_back(cpp::blank());
  lines.push_back(cpp::section(title));
  if (content.front().kind != Line::Kind::kBlank) lines.push_back(cpp::blank());
  append(lines, std::move(content));
}

class Source {
 public:
  Source(const Plan& plan, const EmitOptions& options, cpp::Symbols& symbols,
         const cpp::WeightsLayout& weights, cpp::TypeTable& types)
      : plan_(plan),
        options_(options),
        symbols_(symbols),
        weights_(weights),
        types_(types),
        around_(cpp::surroundings_of(plan, options)) {}

  std::vector<Line> lines() {
    const std::size_t known = types_.aliases().size();
    std::vector<Line> constants, program;
    const bool has_weights = !plan_.fused->constants.empty() && !around_.weights;
    if (has_weights) constants = cpp::weights_lines(plan_, symbols_, weights_, options_, types_);
    std::vector<Line> kernels = cpp::kernel_lines(plan_, symbols_);
    if (around_.prepare) append(program, prepare_function());
    append(program, run_function());

    std::vector<Line> hidden;
    append_section(hidden, "Shapes", cpp::alias_lines(types_, known));
    append_section(hidden, "Weights", std::move(constants));
    append_section(hidden, "Kernels", std::move(kernels));
    append_section(hidden, "Slots", offsets());
    std::vector<Line> body;
    if (!hidden.empty()) {
      hidden.push_back(cpp::blank());
      body = {cpp::block("namespace {", std::move(hidden), "}  // namespace")};
    }
    append_section(body, "Program", std::move(program));
    body.push_back(cpp::blank());

    std::vector<Line> file = cpp::banner_lines(plan_, symbols_, options_);
    append(file, {cpp::blank(), cpp::raw("#include \"" + symbols_.file_name + ".h\""), cpp::blank(),
                  cpp::raw("#include \"wick/runtime.h\""), cpp::blank(),
                  cpp::block("namespace " + symbols_.name_space + " {", std::move(body),
                             "}  // namespace " + symbols_.name_space)});
    return file;
  }

 private:
  bool is_static() const {
    return plan_.options.storage == StorageMode::kStatic && plan_.arena.count > 0;
  }

  std::string arena_size() const {
    return around_.arena ? "kArenaBytes" : std::to_string(plan_.arena.count);
  }

  std::vector<Line> offsets() const {
    std::vector<Line> lines = cpp::offset_lines(plan_, symbols_);
    if (is_static()) {
      lines.insert(lines.begin(), cpp::raw("alignas(64) std::byte static_arena[" +
                                               std::to_string(plan_.arena.count) + "];",
                                           "one for all calls: run is not reentrant"));
    }
    return lines;
  }

  bool reads(TensorKind kind, const IdVector<TensorId, char>& read) const {
    const auto& tensors = plan_.fused->tensors;
    for (const TensorId id : ids(tensors)) {
      if (tensors[id].kind == kind && read[id] != 0) return true;
    }
    return false;
  }

  // Parameters that no statement of run uses say so, for the compiler would warn. The first stand
  // for what is around: weights, then state.
  void mark_unused(std::vector<std::string>& parameters,
                   const IdVector<TensorId, char>& read) const {
    const Graph& graph = *plan_.fused->graph;
    std::vector<char> input_read(graph.inputs.size(), around_.arena || is_static() ? 1 : 0);
    bool bound_read = around_.prepare;
    for (const TensorId id : ids(plan_.fused->tensors)) {
      const FusedTensor& tensor = plan_.fused->tensors[id];
      if (tensor.kind != TensorKind::kInput || read[id] == 0) continue;
      input_read[tensor.index] = 1;
      bound_read = bound_read || graph.inputs[tensor.index].parameter;
    }
    std::size_t at = 0;
    const auto mark = [&](bool used) {
      if (!used) parameters[at].insert(0, "[[maybe_unused]] ");
      ++at;
    };
    if (around_.weights) mark(around_.prepare || reads(TensorKind::kConstant, read));
    if (around_.state) mark(bound_read);
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      if (!graph.inputs[i].parameter) mark(input_read[i] != 0);
    }
  }

  // What stands in front of the first statement of a function.
  std::vector<Line> opening(bool prepare, const IdVector<TensorId, char>& read) const {
    std::vector<Line> lines;
    const bool embedded =
        !around_.weights && !weights_.inline_values && reads(TensorKind::kConstant, read);
    if (embedded) {
      lines.push_back(
          cpp::statement("const Weights weights = ", {"weights_at", {symbols_.weights_symbol}}));
    }
    if (is_static() && (!prepare || plan_.prepare.arena.count > 0)) {
      lines.push_back(cpp::raw("std::byte* const arena = static_arena;"));
    }
    if (!prepare && (around_.arena || is_static())) {
      cpp::Call enter{"wick::enter", {"arena", arena_size()}};
      for (std::size_t i = 0; i < symbols_.inputs.size(); ++i) {
        if (!plan_.fused->graph->inputs[i].parameter) enter.arguments.push_back(symbols_.inputs[i]);
      }
      enter.arguments.insert(enter.arguments.end(), symbols_.outputs.begin(),
                             symbols_.outputs.end());
      lines.push_back(cpp::statement("", std::move(enter)));
    }
    return lines;
  }

  std::vector<Line> function(const std::string& head, const std::vector<std::string>& parameters,
                             std::vector<Line> body) const {
    std::vector<Line> lines = cpp::signature_lines(head, parameters, " noexcept {");
    const std::string last = lines.back().text;
    lines.pop_back();
    lines.push_back(cpp::block(last, std::move(body), "}"));
    return lines;
  }

  std::vector<Line> prepare_function() {
    cpp::ProgramText program = cpp::program_text(plan_, plan_.prepare, symbols_, types_);
    std::vector<Line> body = opening(true, program.read);
    append(body, std::move(program.lines));
    std::vector<Line> lines = {cpp::comment("Computes the cached values.")};
    append(lines,
           function("static void prepare", cpp::prepare_parameters(around_), std::move(body)));
    lines.push_back(cpp::blank());
    return lines;
  }

  std::vector<Line> run_function() {
    cpp::ProgramText program = cpp::program_text(plan_, plan_.run, symbols_, types_);
    std::vector<Line> body = opening(false, program.read);
    if (around_.prepare) {
      cpp::Call call{"prepare", {}};
      if (around_.weights) call.arguments.emplace_back("weights");
      call.arguments.emplace_back("state");
      if (around_.prepare_arena) call.arguments.emplace_back("arena");
      body.push_back(
          cpp::block("if (state.once.begin()) {",
                     {cpp::statement("", std::move(call)), cpp::raw("state.once.finish();")}, "}"));
    }
    if (!body.empty()) body.push_back(cpp::blank());
    append(body, std::move(program.lines));
    if (around_.arena || is_static()) {
      body.push_back(cpp::blank());
      body.push_back(cpp::statement("", {"wick::leave", {"arena", arena_size()}}));
    }
    std::vector<std::string> parameters = cpp::run_parameters(plan_, symbols_, around_, types_);
    mark_unused(parameters, program.read);
    return function("void run", parameters, std::move(body));
  }

  const Plan& plan_;
  const EmitOptions& options_;
  cpp::Symbols& symbols_;
  const cpp::WeightsLayout& weights_;
  cpp::TypeTable& types_;
  cpp::Surroundings around_;
};

}  // namespace

Emission emit(const Plan& plan, const EmitOptions& options) {
  cpp::Symbols symbols = cpp::choose_symbols(plan, options);
  const cpp::WeightsLayout weights = cpp::lay_out_weights(plan, options);
  cpp::TypeTable types;
  Emission emission;
  const std::string& name = options.file_name;
  emission.files.push_back(text_file(
      name + ".h", cpp::render(cpp::header_lines(plan, symbols, weights, options, types)).text));

  cpp::Rendered source = cpp::render(Source(plan, options, symbols, weights, types).lines());
  emission.files.push_back(text_file(name + ".cpp", source.text));
  for (const cpp::Origin& origin : source.origins)
    emission.origins.push_back({origin.line, origin.node});

  if (plan.fused->constants.empty() || weights.inline_values) return emission;
  if (options.weights == WeightsMode::kEmbed) {
    emission.files.push_back(text_file(
        name + ".weights.cpp", cpp::weights_unit(symbols, cpp::banner_text(symbols, options))));
  }
  emission.files.push_back({name + ".weights", cpp::packed_weights(plan, weights)});
  return emission;
}

}  // namespace wick::compiler
