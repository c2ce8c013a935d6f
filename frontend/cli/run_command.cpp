#include "frontend/cli/run_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/verify.h"
#include "compiler/reference/interpreter.h"
#include "compiler/support/text.h"
#include "frontend/cli/call_native.h"
#include "frontend/cli/carry_out.h"
#include "frontend/cli/choice.h"
#include "frontend/cli/console.h"
#include "frontend/cli/graph_source.h"
#include "frontend/cli/native_code.h"
#include "frontend/cli/outputs.h"
#include "frontend/cli/pipeline_options.h"
#include "frontend/cli/run_inputs.h"
#include "frontend/cli/safe_name.h"
#include "frontend/cli/tensor_text.h"

namespace wick::frontend {
namespace {

namespace fs = std::filesystem;
using compiler::HostTensor;

constexpr const char* kExamples =
    "The compiled engine emits the code, compiles it with CXX (default c++) for this machine, and\n"
    "calls it. What was compiled is kept in ${XDG_CACHE_HOME:-$HOME/.cache}/wick, which may be\n"
    "deleted at any time.\n\n"
    "Examples:\n"
    "  wick run digits.json --input pixels=image.npy --output results\n"
    "  wick run digits.json --input pixels=image.npy --print --engine=reference\n\n"
    "Exit codes: 0 ok, 1 the graph or a tensor is wrong, 2 usage (inputs are missing, too),\n"
    "5 a file cannot be read or written or the C++ compiler fails, 70 a bug in wick.\n";

enum class Engine : std::uint8_t { kCompiled, kReference };

struct RunArguments {
  std::string graph;
  std::vector<std::string> inputs;
  std::string folder;
  std::string cache;
  Engine engine = Engine::kCompiled;
  bool print = false;
  bool force = false;
  PipelineOptions pipeline;
  Console console;
};

struct Results {
  std::vector<std::string> names;
  std::vector<HostTensor> tensors;
  std::vector<std::string> input_paths;
};

std::vector<std::string> output_names(const compiler::Graph& graph) {
  std::vector<std::string> names;
  for (const compiler::Output& output : graph.outputs) {
    names.push_back(graph.values[output.value].name);
  }
  return names;
}

std::variant<Results, ExitCode> run_reference(const RunArguments& arguments, LoadedGraph& graph) {
  const auto verified = compiler::verify(std::move(graph.description), graph.diagnostics);
  arguments.console.print(graph.diagnostics, graph.source);
  if (!verified) return ExitCode::kBadInput;
  auto inputs = read_inputs(*verified, arguments.inputs, arguments.console);
  if (const auto* code = std::get_if<ExitCode>(&inputs)) return *code;
  const Progress progress("running the reference", arguments.console);
  auto& files = std::get<InputFiles>(inputs);
  return Results{output_names(*verified), compiler::evaluate_outputs(*verified, files.tensors),
                 std::move(files.paths)};
}

std::variant<Results, ExitCode> run_compiled(const RunArguments& arguments, LoadedGraph& graph) {
  const Console& console = arguments.console;
  const auto cache = arguments.cache.empty() ? default_cache_folder() : arguments.cache;
  if (!cache) {
    console.error("there is no place for the cache: neither XDG_CACHE_HOME nor HOME is set",
                  "say where with --cache DIR");
    return ExitCode::kInputOutput;
  }
  compiler::CompileOptions options = arguments.pipeline.settled();
  options.emit.name_space = "wick_run_graph";
  options.emit.source_name = "graph";
  const auto compilation =
      compiler::compile(std::move(graph.description), options, graph.diagnostics);
  console.print(graph.diagnostics, graph.source);
  if (!compilation) return ExitCode::kBadInput;
  auto inputs = read_inputs(*compilation->given, arguments.inputs, console);
  if (const auto* code = std::get_if<ExitCode>(&inputs)) return *code;
  auto& files = std::get<InputFiles>(inputs);
  auto native = NativeCode::build(*compilation, options.emit, *cache, console);
  if (const auto* error = std::get_if<FileError>(&native)) {
    console.error(*error);
    return ExitCode::kInputOutput;
  }
  const Progress progress("running", console);
  return Results{
      output_names(*compilation->given),
      call_native(std::get<NativeCode>(native).thunk(), *compilation, options.emit, files.tensors),
      std::move(files.paths)};
}

bool is_npy(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(6, '\0');
  file.read(start.data(), 6);
  return file && start == "\x93NUMPY";
}

std::optional<FileError> write_results(const RunArguments& arguments, const Results& results,
                                       std::vector<std::string> read) {
  OutputFiles outputs(arguments.force);
  outputs.protect(read);
  FileNames names;
  if (auto fault = outputs.make_folder(arguments.folder)) return fault;
  for (std::size_t i = 0; i < results.tensors.size(); ++i) {
    const std::string file = names.unique(results.names[i], ".npy");
    if (file != results.names[i] + ".npy") {
      arguments.console.note("output " + compiler::quoted(results.names[i]) + " is in " + file);
    }
    const fs::path path = fs::path(arguments.folder) / file;
    if (auto fault = outputs.stage_npy(path, results.tensors[i], is_npy)) return fault;
  }
  return outputs.commit();
}

void print_results(const Results& results) {
  for (std::size_t i = 0; i < results.tensors.size(); ++i) {
    const HostTensor& tensor = results.tensors[i];
    std::cout << compiler::quoted(results.names[i]) << " "
              << compiler::type_text(tensor.dtype(), tensor.shape()) << "\n"
              << tensor_text(tensor) << "\n";
  }
}

ExitCode run(const RunArguments& arguments) {
  auto loaded = load_graph(arguments.graph, arguments.pipeline.allow_outside, arguments.console);
  if (const auto* code = std::get_if<ExitCode>(&loaded)) return *code;
  LoadedGraph& graph = std::get<LoadedGraph>(loaded);
  auto outcome = arguments.engine == Engine::kReference ? run_reference(arguments, graph)
                                                        : run_compiled(arguments, graph);
  if (const auto* code = std::get_if<ExitCode>(&outcome)) return *code;
  const Results& results = std::get<Results>(outcome);
  if (!arguments.folder.empty()) {
    std::vector<std::string> read = results.input_paths;
    read.push_back(arguments.graph);
    read.insert(read.end(), graph.files.paths.begin(), graph.files.paths.end());
    if (const auto fault = write_results(arguments, results, std::move(read))) {
      arguments.console.error(*fault);
      return ExitCode::kInputOutput;
    }
  }
  if (arguments.print) print_results(results);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> add_run_command(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Compute a graph's outputs for given inputs");
  command->footer(kExamples);
  command->add_option("graph", arguments->graph, "the graph, JSON; - is standard input")
      ->type_name("GRAPH")
      ->required();
  command->add_option("--input", arguments->inputs, "an input of the graph; once for each")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  command
      ->add_option("-o,--output", arguments->folder,
                   "the folder for the outputs, NAME.npy each; made if missing")
      ->type_name("DIR");
  command->add_flag("--print", arguments->print, "print the outputs, if they are small");
  add_choice<Engine>(*command, "--engine", arguments->engine,
                     {{"compiled", Engine::kCompiled}, {"reference", Engine::kReference}},
                     "compiled (default), or reference: the slow interpreter that compiled code is "
                     "judged by");
  command
      ->add_option("--cache", arguments->cache,
                   "where compiled code is kept (default ${XDG_CACHE_HOME:-$HOME/.cache}/wick)")
      ->type_name("DIR");
  command->add_flag("--force", arguments->force, "overwrite files that are not .npy");
  add_pipeline_options(*command, arguments->pipeline);
  add_console_options(*command, arguments->console);
  command->final_callback([arguments] {
    if (arguments->folder.empty() && !arguments->print) {
      throw CLI::ValidationError("run", "say where the outputs go: --output DIR, or --print");
    }
  });
  return [arguments] { return carry_out(arguments->console, [&] { return run(*arguments); }); };
}

}  // namespace wick::frontend
