#include "frontend/cli/compile_command.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/plan/report.h"
#include "compiler/support/text.h"
#include "frontend/cli/carry_out.h"
#include "frontend/cli/checker.h"
#include "frontend/cli/compile_arguments.h"
#include "frontend/cli/console.h"
#include "frontend/cli/depfile.h"
#include "frontend/cli/emission_check.h"
#include "frontend/cli/emit_stage.h"
#include "frontend/cli/graph_source.h"
#include "frontend/cli/in_order.h"
#include "frontend/cli/outputs.h"
#include "frontend/cli/page_release.h"
#include "frontend/cli/safe_name.h"

namespace wick::frontend {
namespace {

constexpr const char* kExamples =
    "Without -o nothing is written; then ask for something to print: --emit, --report or\n"
    "--explain-fusion.\n\n"
    "Examples:\n"
    "  wick compile digits.json -o generated\n"
    "  wick compile digits.json -o generated --storage=static --max-arena=64KiB\n"
    "  wick compile digits.json --emit=plan\n"
    "  wick compile digits.json --report=json\n"
    "  wick compile models/*.json -o generated -j 4\n"
    "  wick compile - -o generated --depfile=digits.d < digits.json\n\n"
    "Exit codes: 0 ok, 1 the graph is wrong, 2 usage, 3 over --max-arena, 4 the check of the\n"
    "emitted code failed, 5 a file cannot be read or written, 70 a bug in wick.\n";

// Constants in files of so many bytes are not kept in memory while they are checked.
constexpr std::size_t kLargeFiles = std::size_t{64} << 20;

// What became of one graph.
struct Product {
  ExitCode code = ExitCode::kOk;
  std::string messages;  // those that were kept
  std::string printed;
  ReadFiles files;
  compiler::Emission emission;
};

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// Heap storage has no arena; there the bytes alive at once stand for it.
compiler::Bytes needed(const compiler::Plan& plan) {
  return std::max(plan.arena, plan.report.lower_bound);
}

bool is_over_budget(const CompileArguments& arguments, const compiler::Plan& plan,
                    const Console& console) {
  if (!arguments.max_arena || needed(plan) <= *arguments.max_arena) return false;
  console.error("the plan of " + compiler::quoted(plan.fused->graph->name) + " needs " +
                    compiler::grouped(needed(plan).count) + " bytes, the budget is " +
                    compiler::grouped(arguments.max_arena->count) + "; nothing is written",
                "", SarifRule::kOverBudget);
  if (console.format == RenderFormat::kSarif) return true;
  const bool json = arguments.report == "json" || console.format == RenderFormat::kJson;
  console.tell(json ? compiler::report_json(plan) : compiler::report_text(plan));
  return true;
}

std::string printed_products(const CompileArguments& arguments,
                             const compiler::Compilation& compilation, const ReadFiles& files) {
  std::string text;
  if (arguments.emit) text += stage_text(*arguments.emit, compilation, files);
  if (arguments.explain_fusion) text += refusals_text(*compilation.fused);
  if (arguments.report == "json") text += compiler::report_json(*compilation.plan);
  if (arguments.report == "text") text += compiler::report_text(*compilation.plan);
  return text;
}

compiler::CompileOptions options_of(const CompileArguments& arguments, const LoadedGraph& graph) {
  compiler::CompileOptions options = arguments.pipeline.settled();
  options.emit.file_name =
      arguments.name.empty() ? safe_stem(graph.description.name) : arguments.name;
  options.emit.name_space = arguments.name_space;
  options.emit.every_file = arguments.every_file;
  options.emit.c_api = arguments.c_api;
  options.emit.source_name = base_name(graph.source.name());
  options.emit.release = [&graph](std::span<const std::byte> bytes) { graph.files.release(bytes); };
  return options;
}

ExitCode compile_graph(const CompileArguments& arguments, const std::string& path,
                       const Console& console, Product& product) {
  auto loaded = load_graph(path, arguments.pipeline.allow_outside, console);
  if (const auto* code = std::get_if<ExitCode>(&loaded)) return *code;
  LoadedGraph& graph = std::get<LoadedGraph>(loaded);
  const compiler::CompileOptions options = options_of(arguments, graph);
  std::optional<Progress> progress(std::in_place, "compiling " + path, console);
  auto compilation = compiler::compile(std::move(graph.description), options, graph.diagnostics);
  progress.reset();
  console.print(graph.diagnostics, graph.source);
  if (!compilation) return ExitCode::kBadInput;
  if (is_over_budget(arguments, *compilation->plan, console)) return ExitCode::kOverBudget;
  if (hands_out_code(arguments) && !arguments.no_check) {
    // The checker reads all constants, whatever they are mapped from.
    std::optional<PageRelease> release;
    if (graph.files.mapped_bytes() > kLargeFiles) {
      release.emplace([&graph] { graph.files.release_all(); });
    }
    if (auto code = check_emission(*compilation, options.emit.file_name, console)) return *code;
  }
  product.printed = printed_products(arguments, *compilation, graph.files);
  product.emission = std::move(compilation->emission);
  product.files = std::move(graph.files);
  if (!arguments.style_file) return ExitCode::kOk;
  auto styled = restyled(product.emission, arguments.folder, *arguments.style_file, console);
  if (!styled) return ExitCode::kInputOutput;
  product.emission.files = std::move(*styled);
  return ExitCode::kOk;
}

// One graph may speak for itself; of several, each waits for its turn.
Product make_product(const CompileArguments& arguments, const std::string& path) {
  Product product;
  Console console = arguments.console;
  if (arguments.graphs.size() > 1) console.kept = &product.messages;
  product.code = guarded(console, [&] { return compile_graph(arguments, path, console, product); });
  return product;
}

// Takes the products one after the other; at the end all files appear, or none.
class Writer {
 public:
  explicit Writer(const CompileArguments& arguments)
      : arguments_(arguments), outputs_(arguments.force) {
    for (const std::string& graph : arguments.graphs) {
      if (graph != "-") inputs_.push_back(graph);
    }
    outputs_.protect(inputs_);
    outputs_.protect(arguments.response_files);
  }

  // Returns the worst of the codes.
  ExitCode take(const Product& product) {
    arguments_.console.tell(product.messages);
    worst_ = std::max(worst_, product.code);
    printed_ += product.printed;
    if (worst_ == ExitCode::kOk && !arguments_.folder.empty()) settle(stage(product));
    return worst_;
  }

  ExitCode finish() {
    if (worst_ != ExitCode::kOk) return worst_;
    if (!arguments_.folder.empty()) settle(commit());
    if (worst_ == ExitCode::kOk) std::cout << printed_;
    return worst_;
  }

 private:
  void settle(const std::optional<FileError>& fault) {
    if (!fault) return;
    arguments_.console.error(*fault);
    worst_ = ExitCode::kInputOutput;
  }

  std::optional<FileError> stage(const Product& product) {
    outputs_.protect(product.files.paths);
    for (const std::string& path : product.files.paths) {
      if (std::ranges::find(inputs_, path) == inputs_.end()) inputs_.push_back(path);
    }
    if (auto fault = outputs_.make_folder(arguments_.folder)) return fault;
    for (const compiler::EmittedFile& file : product.emission.files) {
      const auto path = std::filesystem::path(arguments_.folder) / file.name;
      targets_.push_back(path.string());
      const Content content{file.parts(), [&product](std::span<const std::byte> bytes) {
                              product.files.release(bytes);
                            }};
      if (auto fault = outputs_.stage(path, content, is_generated)) return fault;
    }
    return std::nullopt;
  }

  std::optional<FileError> commit() {
    if (arguments_.style_file) {
      inputs_.push_back(!arguments_.style_file->empty()
                            ? *arguments_.style_file
                            : nearest_style_file(arguments_.folder + "/."));
    }
    const auto& response_files = arguments_.response_files;
    inputs_.insert(inputs_.end(), response_files.begin(), response_files.end());
    if (std::string program = program_path(); !program.empty()) inputs_.push_back(program);
    if (!arguments_.depfile.empty()) {
      if (!arguments_.stamp.empty()) targets_ = {arguments_.stamp};
      const std::string text = depfile_text(targets_, inputs_);
      const Content content{{std::as_bytes(std::span(text))}};
      if (auto fault = outputs_.stage(arguments_.depfile, content, is_depfile)) return fault;
    }
    outputs_.protect(inputs_);
    if (!arguments_.stamp.empty()) {
      if (auto fault = outputs_.stage_stamp(arguments_.stamp)) return fault;
    }
    return outputs_.commit();
  }

  const CompileArguments& arguments_;
  OutputFiles outputs_;
  std::vector<std::string> inputs_;   // everything that was read, the tool itself at the end
  std::vector<std::string> targets_;  // what a depfile is about
  std::string printed_;
  ExitCode worst_ = ExitCode::kOk;
};

ExitCode run(const CompileArguments& arguments) {
  Writer writer(arguments);
  in_order(
      arguments.graphs, arguments.jobs,
      [&](const std::string& path) { return make_product(arguments, path); },
      [&](const Product& product) { writer.take(product); });
  return writer.finish();
}

}  // namespace

std::function<ExitCode()> add_compile_command(CLI::App& app,
                                              std::vector<std::string> response_files) {
  auto arguments = std::make_shared<CompileArguments>();
  arguments->response_files = std::move(response_files);
  CLI::App* command = app.add_subcommand("compile", "Write graphs down as C++");
  command->footer(kExamples);
  add_compile_arguments(*command, *arguments);
  return [arguments] { return carry_out(arguments->console, [&] { return run(*arguments); }); };
}

}  // namespace wick::frontend
