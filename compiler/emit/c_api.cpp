#include "compiler/emit/c_api.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "compiler/emit/code.h"
#include "compiler/emit/interface.h"
#include "compiler/emit/literals.h"
#include "compiler/emit/metadata.h"

namespace wick::compiler::cpp {
namespace {

constexpr std::size_t kMostAlignment = 64;
constexpr std::int64_t kPointerBytes = 8;

// "float", "int64_t"
std::string c_type(DType dtype) {
  const std::string name(info(dtype).cpp_name);
  return name.starts_with("std::") ? name.substr(5) : name;
}

// Parameters may have any C++ name; those of types would hide the type from the parameters behind.
// No other name ends in this way.
std::string c_name(const std::string& name) {
  constexpr std::array kTypes = {"int8_t", "uint8_t", "int32_t", "int64_t"};
  return std::ranges::find(kTypes, name) == kTypes.end() ? name : name + "_";
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

class Face {
 public:
  Face(const Plan& plan, const Symbols& symbols, const WeightsLayout& weights,
       const EmitOptions& options)
      : plan_(plan),
        graph_(*plan.fused->graph),
        symbols_(symbols),
        weights_(weights),
        options_(options),
        around_(surroundings_of(plan, options)),
        prefix_(c_prefix(symbols.name_space)),
        opens_weights_(around_.weights && options.weights == WeightsMode::kFile),
        binds_(!tables_of(plan).parameters.empty()) {}

  std::string header() const {
    std::vector<Line> lines = {
        comment(banner_text(symbols_, options_)),
        comment(""),
        comment("The C face of " + symbols_.file_name + ".h, for C11 and whatever calls C."),
        raw("#pragma once"),
        blank(),
        raw("#include \"wick/c_api.h\""),
        blank()};
    append(lines, macros());
    append(lines, run_notes(plan_, symbols_, around_, upper(prefix_) + "_ARENA_"));
    append(lines, declared(run_function()));
    if (binds_) {
      lines.push_back(comment("Before the first call; the tensors stay the caller's."));
      append(lines, declared(bind_function()));
    }
    if (around_.prepare) {
      lines.push_back(comment("Forgets the cached values. No call may run."));
      append(lines, declared(reset_function()));
    }
    if (opens_weights_) {
      lines.push_back(
          comment("Maps the packed file and compares its checksum. NULL if that fails, with the "
                  "reason in"));
      lines.push_back(comment("*error; `error` may be NULL."));
      append(lines, declared(open_function()));
      append(lines, declared(close_function()));
    }
    lines.push_back(comment("The same as data, for callers that take any model."));
    append(lines, declared(model_function()));
    lines.pop_back();
    return render(lines).text;
  }

  std::string source() const {
    std::vector<Line> lines = {comment(banner_text(symbols_, options_)), blank(),
                               raw("#include \"" + symbols_.file_name + "_c.h\""), blank(),
                               raw("#include \"" + symbols_.file_name + ".h\"")};
    if (opens_weights_) lines.push_back(raw("#include \"wick/weights_file.h\""));
    lines.push_back(blank());
    append(lines, defined(run_function(), {call("run", run_arguments())}));
    if (binds_) append(lines, defined(bind_function(), {call("bind", bind_arguments())}));
    if (around_.prepare) append(lines, defined(reset_function(), {call("reset", {state()})}));
    if (opens_weights_) {
      append(lines, defined(open_function(), open_body()));
      append(lines, defined(close_function(), {raw("wick::WeightsFile::unmap(static_cast<const "
                                                   "std::byte*>(weights), " +
                                                   scoped("kWeightsBytes") + ");")}));
    }
    append(lines, defined(model_function(), model_body()));
    lines.pop_back();
    return render(lines).text;
  }

 private:
  struct Function {
    std::string head;  // "void digits_run"
    std::vector<Parameter> parameters;
  };

  static void append(std::vector<Line>& lines, std::vector<Line> more) {
    std::ranges::move(more, std::back_inserter(lines));
  }

  std::vector<Line> declared(const Function& function) const {
    std::vector<Line> lines =
        signature_lines("WICK_C_API " + function.head, function.parameters, ";");
    lines.push_back(blank());
    return lines;
  }

  std::vector<Line> defined(const Function& function, std::vector<Line> body) const {
    std::vector<Line> lines =
        signature_lines("WICK_C_API " + function.head, function.parameters, " {");
    lines.back() = block(lines.back().text, std::move(body), "}");
    lines.push_back(blank());
    return lines;
  }

  std::string scoped(const std::string& name) const { return symbols_.name_space + "::" + name; }
  std::string state() const { return "*static_cast<" + scoped("State") + "*>(state)"; }

  Line call(const std::string& name, std::vector<std::string> arguments) const {
    return statement("", {scoped(name), std::move(arguments)});
  }

  // ---- Sizes ----------------------------------------------------------------------------------

  // What State takes where a pointer has eight bytes, which is the most it takes anywhere.
  std::int64_t state_bytes() const {
    const auto bound = static_cast<std::int64_t>(tables_of(plan_).parameters.size());
    if (!around_.prepare) return bound * kPointerBytes;
    const std::int64_t values = (std::max<std::int64_t>(plan_.state.count, 1) + 7) / 8 * 8;
    return round_up(
               Bytes{static_cast<std::int64_t>(kMostAlignment) + values + bound * kPointerBytes})
        .count;
  }
  std::size_t state_alignment() const {
    return around_.prepare ? kMostAlignment : static_cast<std::size_t>(kPointerBytes);
  }

  std::vector<Line> macros() const {
    std::vector<Line> lines;
    const auto define = [&](const std::string& name, const std::string& value) {
      lines.push_back(raw("#define " + upper(prefix_) + "_" + name + " " + value));
    };
    const auto size = [&](const std::string& name, std::int64_t bytes) {
      define(name, "((size_t)" + std::to_string(bytes) + ")");
    };
    if (around_.arena) {
      size("ARENA_BYTES", plan_.arena.count);
      size("ARENA_ALIGNMENT", kMostAlignment);
    }
    if (around_.state) {
      size("STATE_BYTES", state_bytes());
      size("STATE_ALIGNMENT", static_cast<std::int64_t>(state_alignment()));
    }
    if (around_.weights) {
      define("WEIGHTS_FILE", string_literal(symbols_.file_name + ".weights"));
      size("WEIGHTS_BYTES", weights_.total.count);
      size("WEIGHTS_ALIGNMENT", kMostAlignment);
      define("WEIGHTS_HASH", "UINT64_C(" + hash_literal(weights_.hash) + ")");
    }
    if (!lines.empty()) lines.push_back(blank());
    return lines;
  }

  // ---- Functions ------------------------------------------------------------------------------

  Parameter tensor(const Described& described, const std::string& name, bool written) const {
    const std::string constant = written ? "" : "const ";
    return {Parameter::Role::kInput, 0, constant + c_type(described.dtype) + "*", c_name(name)};
  }

  Function run_function() const {
    Function function{"void " + prefix_ + "_run", {}};
    const Tables tables = tables_of(plan_);
    auto& parameters = function.parameters;
    if (around_.weights) parameters.push_back(pointer("const void*", "weights"));
    if (around_.state) parameters.push_back(pointer("void*", "state"));
    std::size_t next = 0;
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (graph_.inputs[i].parameter) continue;
      const Described& input = tables.inputs[next++];
      parameters.push_back(tensor(input, symbols_.inputs[i], input.overwritten));
    }
    for (std::size_t i = 0; i < tables.outputs.size(); ++i)
      parameters.push_back(tensor(tables.outputs[i], symbols_.outputs[i], true));
    if (around_.arena) parameters.push_back(pointer("void*", "arena"));
    return function;
  }

  std::vector<std::string> run_arguments() const {
    std::vector<std::string> arguments;
    for (const Parameter& parameter : run_function().parameters) {
      if (parameter.role == Parameter::Role::kInput) {
        arguments.push_back(parameter.name);
      } else if (parameter.name == "weights") {
        arguments.push_back(scoped("weights_at") + "(static_cast<const std::byte*>(weights))");
      } else if (parameter.name == "state") {
        arguments.push_back(state());
      } else {
        arguments.emplace_back("static_cast<std::byte*>(arena)");
      }
    }
    return arguments;
  }

  Function bind_function() const {
    Function function{"void " + prefix_ + "_bind", {pointer("void*", "state")}};
    const Tables tables = tables_of(plan_);
    std::size_t next = 0;
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (!graph_.inputs[i].parameter) continue;
      function.parameters.push_back(tensor(tables.parameters[next++], symbols_.inputs[i], false));
    }
    return function;
  }

  std::vector<std::string> bind_arguments() const {
    std::vector<std::string> arguments;
    for (const Parameter& parameter : bind_function().parameters)
      arguments.push_back(parameter.role == Parameter::Role::kInput ? parameter.name : state());
    return arguments;
  }

  Function reset_function() const {
    return {"void " + prefix_ + "_reset", {pointer("void*", "state")}};
  }
  Function open_function() const {
    return {"const void* " + prefix_ + "_open_weights",
            {pointer("const char*", "path"), pointer("const char**", "error")}};
  }
  Function close_function() const {
    return {"void " + prefix_ + "_close_weights", {pointer("const void*", "weights")}};
  }
  Function model_function() const {
    return {"const wick_model* " + prefix_ + "_model", {pointer("void", "")}};
  }

  static Parameter pointer(const std::string& type, const std::string& name) {
    return {Parameter::Role::kArena, 0, type, name};
  }

  std::vector<Line> open_body() const {
    return {
        raw("wick::WeightsFile file;"),
        raw("const wick::WeightsStatus status = file.open(path, " + scoped("kWeightsFile") + ");"),
        raw("if (status == wick::WeightsStatus::kOk) return file.release();"),
        raw("if (error != nullptr) *error = wick::status_text(status);"), raw("return nullptr;")};
  }

  // ---- The model as data ----------------------------------------------------------------------

  void append_table(std::vector<Line>& lines, const std::string& name,
                    const std::vector<Described>& table) const {
    if (table.empty()) return;
    std::vector<std::string> elements;
    for (const Described& one : table) {
      std::string shape;
      for (const std::int64_t extent : one.shape.extents())
        shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
      const Bytes bytes = byte_count(one.shape, one.dtype).value();
      elements.push_back("{" + string_literal(one.name) + ", WICK_" +
                         upper(std::string(info(one.dtype).name)) + ", " +
                         std::to_string(one.shape.rank()) + ", {" + shape + "}, " +
                         std::to_string(bytes.count) + (one.overwritten ? ", true}" : ", false}"));
    }
    append(lines, list_lines("static constexpr wick_tensor " + name + "[] = {", elements, "};"));
  }

  std::vector<Line> model_body() const {
    const Tables tables = tables_of(plan_);
    std::vector<Line> lines;
    if (around_.state) {
      lines.push_back(raw("static_assert(sizeof(" + scoped("State") +
                          ") <= " + std::to_string(state_bytes()) + " && alignof(" +
                          scoped("State") + ") <= " + std::to_string(state_alignment()) + ");"));
    }
    append_table(lines, "inputs", tables.inputs);
    append_table(lines, "outputs", tables.outputs);
    append_table(lines, "parameters", tables.parameters);
    lines.push_back(block("static constexpr wick_model model = [] {", fields(tables), "}();"));
    lines.push_back(raw("return &model;"));
    return lines;
  }

  std::vector<Line> fields(const Tables& tables) const {
    std::vector<Line> lines = {raw("wick_model m{};")};
    const auto set = [&](const std::string& field, const std::string& value) {
      lines.push_back(raw("m." + field + " = " + value + ";"));
    };
    set("name", string_literal(graph_.name));
    if (around_.arena) {
      set("arena_bytes", scoped("kArenaBytes"));
      set("arena_alignment", scoped("kArenaAlignment"));
    }
    if (around_.state) {
      set("state_bytes", std::to_string(state_bytes()));
      set("state_alignment", std::to_string(state_alignment()));
    }
    if (around_.weights) {
      set("weights_file", scoped("kWeightsFile.name"));
      set("weights_bytes", scoped("kWeightsFile.bytes"));
      set("weights_alignment", std::to_string(kMostAlignment));
      set("weights_hash", scoped("kWeightsFile.hash"));
    }
    const auto table = [&](const std::string& one, const std::vector<Described>& elements) {
      if (elements.empty()) return;
      set(one + "_count", std::to_string(elements.size()));
      set(one + "s", one + "s");
    };
    table("input", tables.inputs);
    table("output", tables.outputs);
    table("parameter", tables.parameters);
    lines.push_back(block("m.run = []" + any_signature(), {any_call()}, "};"));
    if (binds_) {
      lines.push_back(
          block("m.bind = [](void* state, const void* const* in) {", {any_bind()}, "};"));
    }
    if (around_.prepare) set("reset", prefix_ + "_reset");
    if (opens_weights_) {
      set("open_weights", prefix_ + "_open_weights");
      set("close_weights", prefix_ + "_close_weights");
    }
    lines.push_back(raw("return m;"));
    return lines;
  }

  // A parameter that is not used has no name.
  std::string any_signature() const {
    const Tables tables = tables_of(plan_);
    return std::string("(const void*") + (around_.weights ? " weights" : "") + ", void*" +
           (around_.state ? " state" : "") + ", const void* const*" +
           (tables.inputs.empty() ? "" : " in") + ", void* const*" +
           (tables.outputs.empty() ? "" : " out") + ", void*" + (around_.arena ? " arena" : "") +
           ") {";
  }

  static std::string any_input(const Described& input, std::size_t index) {
    const std::string element = "in[" + std::to_string(index) + "]";
    if (!input.overwritten)
      return "static_cast<const " + c_type(input.dtype) + "*>(" + element + ")";
    return "static_cast<" + c_type(input.dtype) + "*>(const_cast<void*>(" + element + "))";
  }

  Line any_call() const {
    const Tables tables = tables_of(plan_);
    std::vector<std::string> arguments;
    if (around_.weights) arguments.emplace_back("weights");
    if (around_.state) arguments.emplace_back("state");
    for (std::size_t i = 0; i < tables.inputs.size(); ++i)
      arguments.push_back(any_input(tables.inputs[i], i));
    for (std::size_t i = 0; i < tables.outputs.size(); ++i) {
      arguments.push_back("static_cast<" + c_type(tables.outputs[i].dtype) + "*>(out[" +
                          std::to_string(i) + "])");
    }
    if (around_.arena) arguments.emplace_back("arena");
    return statement("", {prefix_ + "_run", std::move(arguments)});
  }

  Line any_bind() const {
    std::vector<std::string> arguments = {"state"};
    const Tables tables = tables_of(plan_);
    for (std::size_t i = 0; i < tables.parameters.size(); ++i)
      arguments.push_back(any_input(tables.parameters[i], i));
    return statement("", {prefix_ + "_bind", std::move(arguments)});
  }

  const Plan& plan_;
  const Graph& graph_;
  const Symbols& symbols_;
  const WeightsLayout& weights_;
  const EmitOptions& options_;
  Surroundings around_;
  std::string prefix_;
  bool opens_weights_;
  bool binds_;
};

}  // namespace

std::string c_header(const Plan& plan, const Symbols& symbols, const WeightsLayout& weights,
                     const EmitOptions& options) {
  return Face(plan, symbols, weights, options).header();
}

std::string c_source(const Plan& plan, const Symbols& symbols, const WeightsLayout& weights,
                     const EmitOptions& options) {
  return Face(plan, symbols, weights, options).source();
}

}  // namespace wick::compiler::cpp
