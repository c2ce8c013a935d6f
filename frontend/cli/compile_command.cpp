#include "frontend/cli/compile_command.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "frontend/cli/outputs.h"
#include "frontend/cli/pipeline_options.h"
#include "frontend/json/reader.h"
#include "frontend/json/render.h"

namespace wick::frontend {
namespace {

struct CompileArguments {
  std::string graph;
  std::string folder;
  std::string name;
  std::string name_space;
  bool force = false;
  bool quiet = false;
  bool no_check = false;
  PipelineOptions pipeline;
};

// A file stem that no tool needs to quote.
std::string safe_stem(const std::string& name) {
  std::string stem;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-';
    stem += plain ? c : '_';
  }
  return stem.empty() ? "model" : stem;
}

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

void print(const compiler::Diagnostics& diagnostics, const SourceFile& source) {
  const bool colour = isatty(STDERR_FILENO) != 0;
  std::cerr << render(diagnostics, source, {.colour = colour});
}

ExitCode run(const CompileArguments& arguments) {
  auto opened = SourceFile::open(arguments.graph);
  if (const auto* error = std::get_if<FileError>(&opened)) {
    std::cerr << "wick: " << error->message << "\n";
    return ExitCode::kInputOutput;
  }
  const SourceFile& source = std::get<SourceFile>(opened);
  compiler::Diagnostics diagnostics;
  ReadFiles files;
  auto description =
      read_graph(source, {.allow_outside = arguments.pipeline.allow_outside}, diagnostics, &files);
  if (!description) {
    print(diagnostics, source);
    return ExitCode::kBadInput;
  }
  compiler::CompileOptions options = arguments.pipeline.settled();
  options.emit.file_name = safe_stem(!arguments.name.empty() ? arguments.name : description->name);
  options.emit.name_space = arguments.name_space;
  options.emit.source_name = base_name(source.name());
  const auto compilation = compiler::compile(std::move(*description), options, diagnostics);
  print(diagnostics, source);
  if (!compilation) return ExitCode::kBadInput;
  OutputResult result;
  if (const auto fault =
          write_outputs(arguments.folder, compilation->emission.files, arguments.force, result)) {
    std::cerr << "wick: " << *fault << "\n";
    return ExitCode::kInputOutput;
  }
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> add_compile_command(CLI::App& app) {
  auto arguments = std::make_shared<CompileArguments>();
  CLI::App* command = app.add_subcommand("compile", "Writes a graph down as C++");
  command->add_option("graph", arguments->graph, "the graph, JSON; - is standard input")
      ->required();
  command->add_option("-o,--output", arguments->folder, "the folder to write into")->required();
  command->add_option("--name", arguments->name,
                      "the stem of the files; the graph's name if absent");
  command->add_option("--namespace", arguments->name_space,
                      "of the emitted code; the graph's name if absent");
  command->add_flag("--force", arguments->force, "overwrite files that wick did not write");
  command->add_flag("--quiet", arguments->quiet, "print errors only");
  command->add_flag("--no-check", arguments->no_check, "do not check the emitted code");
  add_pipeline_options(*command, arguments->pipeline);
  return [arguments] { return run(*arguments); };
}

}  // namespace wick::frontend
