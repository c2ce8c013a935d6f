#include "frontend/cli/check_command.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compiler/graph/verify.h"
#include "frontend/cli/carry_out.h"
#include "frontend/cli/checker.h"
#include "frontend/cli/console.h"
#include "frontend/cli/findings.h"
#include "frontend/cli/graph_source.h"

namespace wick::frontend {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExamples =
    "The header is found next to the source, and so are the packed weights (MODEL.weights).\n\n"
    "Examples:\n"
    "  wick check generated/digits.cpp\n"
    "  wick check generated/digits.cpp --against digits.json\n\n"
    "Exit codes: 0 proven, 1 the graph is wrong, 2 usage, 4 the check failed, 5 a file cannot be\n"
    "read, 70 a bug in wick.\n";

struct CheckArguments {
  std::string source;
  std::string graph;
  std::string weights;
  bool allow_outside = false;
  bool any_style = false;
  Console console;
};

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

std::string beside(const std::string& path, const std::string& extension) {
  return fs::path(path).replace_extension(extension).string();
}

std::optional<SourceFile> open(const std::string& path, const Console& console) {
  auto opened = SourceFile::open(path);
  if (auto* file = std::get_if<SourceFile>(&opened)) return std::move(*file);
  console.error(std::get<FileError>(opened));
  return std::nullopt;
}

// The packed weights: those named, or those next to the source if there are any.
std::variant<std::shared_ptr<const MappedFile>, ExitCode> open_weights(
    const CheckArguments& arguments) {
  std::string path = arguments.weights;
  if (path.empty()) {
    path = beside(arguments.source, ".weights");
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return std::shared_ptr<const MappedFile>();
  }
  auto opened = MappedFile::open(path);
  if (auto* file = std::get_if<std::shared_ptr<const MappedFile>>(&opened)) return std::move(*file);
  arguments.console.error(std::get<FileError>(opened));
  return ExitCode::kInputOutput;
}

std::variant<std::optional<compiler::Graph>, ExitCode> load_against(
    const CheckArguments& arguments) {
  if (arguments.graph.empty()) return std::optional<compiler::Graph>();
  auto loaded = load_graph(arguments.graph, arguments.allow_outside, arguments.console);
  if (const auto* code = std::get_if<ExitCode>(&loaded)) return *code;
  LoadedGraph& read = std::get<LoadedGraph>(loaded);
  auto graph = compiler::verify(std::move(read.description), read.diagnostics);
  arguments.console.print(read.diagnostics, read.source);
  if (!graph) return ExitCode::kBadInput;
  return std::optional<compiler::Graph>(std::move(*graph));
}

void print_verdict(const CheckArguments& arguments, const check::Verdict& verdict) {
  if (arguments.console.quiet || arguments.console.format != RenderFormat::kText) return;
  std::cout << arguments.source << ": proven safe";
  if (!arguments.graph.empty()) std::cout << ", and to compute what " << arguments.graph << " says";
  std::cout << "\n";
  for (const std::string& tested : verdict.tested)
    std::cout << "  tested, not proven: " << tested << "\n";
}

ExitCode run(const CheckArguments& arguments) {
  const Console& console = arguments.console;
  if (!has_checker()) {
    console.error(kNoChecker, kNoCheckerHint, SarifRule::kUsage);
    return ExitCode::kUsage;
  }
  auto source = open(arguments.source, console);
  if (!source) return ExitCode::kInputOutput;
  auto header = open(beside(arguments.source, ".h"), console);
  if (!header) return ExitCode::kInputOutput;
  const auto weights = open_weights(arguments);
  if (const auto* code = std::get_if<ExitCode>(&weights)) return *code;
  const auto graph = load_against(arguments);
  if (const auto* code = std::get_if<ExitCode>(&graph)) return *code;

  const auto& packed = std::get<std::shared_ptr<const MappedFile>>(weights);
  const auto& against = std::get<std::optional<compiler::Graph>>(graph);
  const check::Verdict verdict = check_emitted(
      {file_name(arguments.source), std::string(source->text())},
      {file_name(header->name()), std::string(header->text())}, against ? &*against : nullptr,
      packed ? check::Packed(packed->bytes()) : check::Packed(),
      arguments.any_style ? check::Form::kAny : check::Form::kEmitted);
  if (verdict.is_sound()) {
    print_verdict(arguments, verdict);
    return ExitCode::kOk;
  }
  print_findings(verdict.findings, {std::move(*source), std::move(*header)}, console);
  return ExitCode::kCheckFailed;
}

}  // namespace

std::function<ExitCode()> add_check_command(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command =
      app.add_subcommand("check", "Prove emitted C++ safe, and faithful to a graph");
  command->footer(kExamples);
  command->add_option("source", arguments->source, "the emitted source")
      ->type_name("MODEL.cpp")
      ->required();
  command
      ->add_option("--against", arguments->graph,
                   "also prove that it computes what this graph says")
      ->type_name("GRAPH");
  command
      ->add_option("--weights", arguments->weights,
                   "the packed weights (default: MODEL.weights next to the source, if there)")
      ->type_name("FILE");
  command->add_flag("--any-style", arguments->any_style,
                    "do not ask for the form of emitted code: it was formatted since");
  command->add_flag("--allow-outside", arguments->allow_outside,
                    "let the graph name files outside of its folder");
  add_console_options(*command, arguments->console);
  return [arguments] { return carry_out(arguments->console, [&] { return run(*arguments); }); };
}

}  // namespace wick::frontend
