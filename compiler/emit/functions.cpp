#include "compiler/emit/functions.h"

#include <algorithm>
#include <iterator>

#include "compiler/emit/interface.h"
#include "compiler/emit/program.h"

namespace wick::compiler::cpp {
namespace {

void append(std::vector<Line>& lines, std::vector<Line> more) {
  std::ranges::move(more, std::back_inserter(lines));
}

void merge(Usage& all, const Usage& part) {
  for (std::size_t i = 0; i < all.inputs.size(); ++i)
    all.inputs[i] = all.inputs[i] | part.inputs[i];
  for (std::size_t i = 0; i < all.outputs.size(); ++i)
    all.outputs[i] = all.outputs[i] | part.outputs[i];
  all.weights = all.weights || part.weights;
  all.state = all.state || part.state;
  all.arena = all.arena || part.arena;
}

class Functions {
 public:
  Functions(const Plan& plan, const EmitOptions& options, const Symbols& symbols,
            const WeightsLayout& weights, TypeTable& types)
      : plan_(plan),
        symbols_(symbols),
        weights_(weights),
        types_(types),
        around_(surroundings_of(plan, options)),
        parameters_(run_parameters(plan, symbols, around_, types)) {
    used_.inputs.resize(symbols.inputs.size());
    used_.outputs.resize(symbols.outputs.size());
  }

  std::vector<Line> all() {
    if (around_.prepare) write_prepare();
    const std::vector<StepIndex>& parts = plan_.run.parts;
    const bool in_parts = !parts.empty() && plan_.options.storage != StorageMode::kHeap;
    std::vector<Line> body;
    const auto steps = static_cast<StepIndex>(plan_.run.steps.size());
    if (!in_parts) {
      ProgramText text = program_text(plan_, plan_.run, 0, steps, symbols_, types_);
      merge(used_, text.used);
      body = std::move(text.lines);
      locals_ = text.used;
    } else {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        body.push_back(write_part(i, parts[i], i + 1 < parts.size() ? parts[i + 1] : steps));
      }
    }
    write_run(std::move(body), !in_parts);
    return std::move(lines_);
  }

 private:
  bool is_static() const {
    return plan_.options.storage == StorageMode::kStatic && plan_.arena.count > 0;
  }
  bool embeds() const { return !around_.weights && !weights_.inline_values; }
  std::string arena_size() const {
    if (around_.arena) return "kArenaBytes";
    return is_static() ? "sizeof(static_arena)" : std::to_string(plan_.arena.count);
  }

  // What a function makes itself: its view of embedded weights, the static arena.
  std::vector<Line> opening(const Usage& used, bool arena) const {
    std::vector<Line> lines;
    if (used.weights && embeds()) {
      lines.push_back(
          statement("const Weights weights = ", {"weights_at", {symbols_.weights_symbol}}));
    }
    if (arena && is_static()) lines.push_back(raw("std::byte* const arena = static_arena;"));
    return lines;
  }

  static bool uses(const Usage& used, const Parameter& parameter) {
    switch (parameter.role) {
      case Parameter::Role::kWeights:
        return used.weights;
      case Parameter::Role::kState:
        return used.state;
      case Parameter::Role::kInput:
        return used.inputs[parameter.index] != 0;
      case Parameter::Role::kOutput:
        return used.outputs[parameter.index] != 0;
      case Parameter::Role::kArena:
        return used.arena;
    }
    return true;
  }

  std::vector<Parameter> needed(const Usage& used) const {
    std::vector<Parameter> result;
    std::ranges::copy_if(parameters_, std::back_inserter(result),
                         [&](const Parameter& parameter) { return uses(used, parameter); });
    return result;
  }

  void write_function(const std::string& head, const std::vector<Parameter>& parameters,
                      std::vector<Line> body) {
    std::vector<Line> signature = signature_lines(head, parameters, " noexcept {");
    const std::string last = signature.back().text;
    signature.pop_back();
    append(lines_, std::move(signature));
    lines_.push_back(block(last, std::move(body), "}"));
  }

  // A static function of its own, and the call of it.
  Line write_static(const std::string& name, ProgramText text) {
    merge(used_, text.used);
    std::vector<Line> body = opening(text.used, text.used.arena);
    append(body, std::move(text.lines));
    const std::vector<Parameter> parameters = needed(text.used);
    write_function("static void " + name, parameters, std::move(body));
    lines_.push_back(blank());
    Call call{name, {}};
    for (const Parameter& parameter : parameters) call.arguments.push_back(parameter.name);
    return statement("", std::move(call));
  }

  void write_prepare() {
    const auto steps = static_cast<StepIndex>(plan_.prepare.steps.size());
    lines_.push_back(comment("Computes the cached values."));
    prepare_call_ =
        write_static("prepare", program_text(plan_, plan_.prepare, 0, steps, symbols_, types_));
    used_.state = true;  // run looks whether it was done
  }

  Line write_part(std::size_t index, StepIndex begin, StepIndex end) {
    lines_.push_back(
        comment("Steps [" + std::to_string(begin) + ", " + std::to_string(end) + ")."));
    return write_static("run_part_" + std::to_string(index + 1),
                        program_text(plan_, plan_.run, begin, end, symbols_, types_));
  }

  void write_run(std::vector<Line> statements, bool in_one_part) {
    const bool enters = around_.arena || is_static();
    std::vector<Line> body = opening(in_one_part ? locals_ : Usage{}, enters);
    if (enters) {
      Call enter{"wick::enter", {"arena", arena_size()}};
      for (const Parameter& parameter : parameters_) {
        const bool tensor =
            parameter.role == Parameter::Role::kInput || parameter.role == Parameter::Role::kOutput;
        if (tensor) enter.arguments.push_back(parameter.name);
      }
      body.push_back(statement("", std::move(enter)));
    }
    if (around_.prepare) {
      body.push_back(
          block("if (state.once.begin()) {", {prepare_call_, raw("state.once.finish();")}, "}"));
    }
    if (!body.empty()) body.push_back(blank());
    append(body, std::move(statements));
    if (enters) {
      body.push_back(blank());
      body.push_back(statement("", {"wick::leave", {"arena", arena_size()}}));
    }
    std::vector<Parameter> parameters = parameters_;
    for (Parameter& parameter : parameters) {
      const bool entered = enters && (parameter.role == Parameter::Role::kInput ||
                                      parameter.role == Parameter::Role::kOutput ||
                                      parameter.role == Parameter::Role::kArena);
      if (!entered && !uses(used_, parameter)) parameter.type.insert(0, "[[maybe_unused]] ");
    }
    write_function("void run", parameters, std::move(body));
  }

  const Plan& plan_;
  const Symbols& symbols_;
  const WeightsLayout& weights_;
  TypeTable& types_;
  Surroundings around_;
  std::vector<Parameter> parameters_;
  std::vector<Line> lines_;
  Line prepare_call_;
  Usage used_;    // by run and all that it calls
  Usage locals_;  // by the statements of run itself
};

}  // namespace

std::vector<Line> function_lines(const Plan& plan, const EmitOptions& options,
                                 const Symbols& symbols, const WeightsLayout& weights,
                                 TypeTable& types) {
  return Functions(plan, options, symbols, weights, types).all();
}

}  // namespace wick::compiler::cpp
