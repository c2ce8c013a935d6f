#include "frontend/cli/compile_command.h"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "compiler/emit/names.h"
#include "compiler/plan/report.h"
#include "compiler/support/text.h"
#include "frontend/cli/byte_size.h"
#include "frontend/cli/checker.h"
#include "frontend/cli/choice.h"
#include "frontend/cli/console.h"
#include "frontend/cli/depfile.h"
#include "frontend/cli/emission_check.h"
#include "frontend/cli/emit_stage.h"
#include "frontend/cli/graph_source.h"
#include "frontend/cli/outputs.h"
#include "frontend/cli/pipeline_options.h"
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
    "  wick compile - -o generated --depfile=digits.d < digits.json\n\n"
    "Exit codes: 0 ok, 1 the graph is wrong, 2 usage, 3 over --max-arena, 4 the check of the\n"
    "emitted code failed, 5 a file cannot be read or written, 70 a bug in wick.\n";

struct CompileArguments {
  std::string graph;
  std::string folder;
  std::string name;
  std::string name_space;
  std::string report;  // empty, "text" or "json"
  std::string depfile;
  std::string stamp;
  std::optional<compiler::Bytes> max_arena;
  std::optional<EmitStage> emit;
  bool explain_fusion = false;
  bool every_file = false;
  bool c_api = false;
  bool force = false;
  bool no_check = false;
  std::optional<std::string> style_file;  // empty: the one found
  PipelineOptions pipeline;
  Console console;
};

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// One name that C++ allows, and that is neither ours nor the standard library's.
bool is_namespace_part(const std::string& part) {
  return part != "wick" && part != "std" && compiler::cpp::identifier(part) == part;
}

// "a" or "a::b": it is written into the source as it is.
void check_namespace(const std::string& name_space) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = name_space.find("::", begin);
    if (!is_namespace_part(name_space.substr(begin, end - begin))) {
      throw CLI::ValidationError(
          "--namespace", compiler::quoted(name_space) + " cannot be a namespace of emitted code");
    }
    if (end == std::string::npos) return;
    begin = end + 2;
  }
}

void check_stem(const std::string& name) {
  if (name.empty() || safe_stem(name) != name) {
    throw CLI::ValidationError("--name", compiler::quoted(name) +
                                             " cannot be the stem of files: letters, digits, _ "
                                             "and - are allowed, and 100 of them");
  }
}

compiler::Bytes checked_size(const std::string& text) {
  const auto size = parse_byte_size(text);
  if (size) return *size;
  throw CLI::ValidationError("--max-arena",
                             compiler::quoted(text) + " is not a size; write 65536, 64KiB or 64kB");
}

// "file" or "file:PATH", as clang-format takes it; gives the path.
std::string checked_style(const std::string& text) {
  constexpr std::string_view kFile = "file";
  if (text == kFile) return {};
  if (text.starts_with("file:") && text.size() > kFile.size() + 1)
    return text.substr(kFile.size() + 1);
  throw CLI::ValidationError("--style", compiler::quoted(text) +
                                            " is not a style; write file, or file:PATH with the "
                                            "path of a .clang-format");
}

// Whether emitted code leaves the program, in files or as text.
bool hands_out_code(const CompileArguments& arguments) {
  return !arguments.folder.empty() || arguments.emit == EmitStage::kCpp;
}

// What this wick cannot do.
void check_for_checker(const CompileArguments& arguments) {
  if (has_checker()) return;
  if (arguments.style_file) throw CLI::ValidationError("--style", kNoChecker);
  if (hands_out_code(arguments) && !arguments.no_check) {
    throw CLI::ValidationError("compile",
                               std::string(kNoChecker) + "; write --no-check to have it unchecked");
  }
}

// What the options say about each other.
void check_together(const CompileArguments& arguments) {
  const bool prints = arguments.emit || !arguments.report.empty() || arguments.explain_fusion;
  if (arguments.folder.empty() && !prints) {
    throw CLI::ValidationError("compile", "say where the code goes: -o DIR");
  }
  if (arguments.folder.empty() && !arguments.depfile.empty()) {
    throw CLI::ValidationError("--depfile",
                               "needs -o DIR, for it tells what those files depend on");
  }
  if (arguments.folder.empty() && !arguments.stamp.empty()) {
    throw CLI::ValidationError("--stamp", "needs -o DIR, for it tells when those files were made");
  }
  if (arguments.depfile.find('\n') != std::string::npos ||
      arguments.folder.find('\n') != std::string::npos ||
      arguments.stamp.find('\n') != std::string::npos) {
    throw CLI::ValidationError("--depfile", "a line break in a path cannot be written there");
  }
  if (arguments.style_file && arguments.folder.empty()) {
    throw CLI::ValidationError("--style", "needs -o DIR, for it is the style of those files");
  }
  check_for_checker(arguments);
}

// Heap storage has no arena; there the bytes alive at once stand for it.
compiler::Bytes needed(const compiler::Plan& plan) {
  return std::max(plan.arena, plan.report.lower_bound);
}

bool is_over_budget(const CompileArguments& arguments, const compiler::Plan& plan) {
  if (!arguments.max_arena || needed(plan) <= *arguments.max_arena) return false;
  arguments.console.error("the plan needs " + compiler::grouped(needed(plan).count) +
                          " bytes, the budget is " + compiler::grouped(arguments.max_arena->count) +
                          "; nothing is written");
  const bool json = arguments.report == "json" || arguments.console.format == RenderFormat::kJson;
  std::cerr << (json ? compiler::report_json(plan) : compiler::report_text(plan));
  return true;
}

void print_products(const CompileArguments& arguments, const compiler::Compilation& compilation,
                    const ReadFiles& files) {
  if (arguments.emit) std::cout << stage_text(*arguments.emit, compilation, files);
  if (arguments.explain_fusion) std::cout << refusals_text(*compilation.fused);
  if (arguments.report == "json") std::cout << compiler::report_json(*compilation.plan);
  if (arguments.report == "text") std::cout << compiler::report_text(*compilation.plan);
}

// Everything that was read, the tool itself at the end.
std::vector<std::string> inputs_of(const CompileArguments& arguments, const ReadFiles& files) {
  std::vector<std::string> inputs;
  if (arguments.graph != "-") inputs.push_back(arguments.graph);
  inputs.insert(inputs.end(), files.paths.begin(), files.paths.end());
  if (arguments.style_file) {
    inputs.push_back(!arguments.style_file->empty() ? *arguments.style_file
                                                    : nearest_style_file(arguments.folder + "/."));
  }
  if (std::string program = program_path(); !program.empty()) inputs.push_back(program);
  return inputs;
}

std::optional<FileError> write_products(const CompileArguments& arguments,
                                        const std::vector<compiler::EmittedFile>& emitted,
                                        const ReadFiles& files, OutputFiles& outputs) {
  const std::vector<std::string> inputs = inputs_of(arguments, files);
  outputs.protect(inputs);
  if (auto fault = outputs.make_folder(arguments.folder)) return fault;
  std::vector<std::string> targets;
  for (const compiler::EmittedFile& file : emitted) {
    const auto path = std::filesystem::path(arguments.folder) / file.name;
    targets.push_back(path.string());
    if (auto fault = outputs.stage(path, file.bytes(), is_generated)) return fault;
  }
  if (!arguments.depfile.empty()) {
    if (!arguments.stamp.empty()) targets = {arguments.stamp};
    const std::string text = depfile_text(targets, inputs);
    const auto bytes = std::as_bytes(std::span(text));
    if (auto fault = outputs.stage(arguments.depfile, bytes, is_depfile)) return fault;
  }
  if (auto fault = outputs.commit()) return fault;
  return arguments.stamp.empty() ? std::nullopt : outputs.touch(arguments.stamp);
}

compiler::CompileOptions options_of(const CompileArguments& arguments, const LoadedGraph& graph) {
  compiler::CompileOptions options = arguments.pipeline.settled();
  options.emit.file_name =
      arguments.name.empty() ? safe_stem(graph.description.name) : arguments.name;
  options.emit.name_space = arguments.name_space;
  options.emit.every_file = arguments.every_file;
  options.emit.c_api = arguments.c_api;
  options.emit.source_name = base_name(graph.source.name());
  return options;
}

// The files as they are written: in the user's style if one was asked for.
std::optional<ExitCode> write_files(const CompileArguments& arguments,
                                    const compiler::Emission& emission, const ReadFiles& files) {
  std::optional<std::vector<compiler::EmittedFile>> styled;
  if (arguments.style_file) {
    styled = restyled(emission, arguments.folder, *arguments.style_file, arguments.console);
    if (!styled) return ExitCode::kInputOutput;
  }
  OutputFiles outputs(arguments.force);
  const auto fault = write_products(arguments, styled ? *styled : emission.files, files, outputs);
  if (!fault) return std::nullopt;
  arguments.console.error(*fault);
  return ExitCode::kInputOutput;
}

ExitCode run(const CompileArguments& arguments) {
  const Console& console = arguments.console;
  auto loaded = load_graph(arguments.graph, arguments.pipeline.allow_outside, console);
  if (const auto* code = std::get_if<ExitCode>(&loaded)) return *code;
  LoadedGraph& graph = std::get<LoadedGraph>(loaded);

  const compiler::CompileOptions options = options_of(arguments, graph);
  std::optional<Progress> progress(std::in_place, "compiling " + arguments.graph, console);
  const auto compilation =
      compiler::compile(std::move(graph.description), options, graph.diagnostics);
  progress.reset();
  console.print(graph.diagnostics, graph.source);
  if (!compilation) return ExitCode::kBadInput;
  if (is_over_budget(arguments, *compilation->plan)) return ExitCode::kOverBudget;

  if (hands_out_code(arguments) && !arguments.no_check) {
    if (auto code = check_emission(*compilation, options.emit.file_name, console)) return *code;
  }
  if (!arguments.folder.empty()) {
    if (auto code = write_files(arguments, compilation->emission, graph.files)) return *code;
  }
  print_products(arguments, *compilation, graph.files);
  return ExitCode::kOk;
}

void add_printing_options(CLI::App& command, CompileArguments& arguments) {
  command.option_defaults()->group("What is printed");
  add_choice<EmitStage>(command, "--emit", arguments.emit, emit_stages(),
                        "print a product of the pipeline: the graph (as read, or simplified) in "
                        "the graph language, the kernels, the plan, the source, the slots as CSV "
                        "for `wick pack`, or the kernels for Graphviz");
  command.add_flag("--explain-fusion", arguments.explain_fusion,
                   "print which nodes were not put into one kernel, and why");
  command
      .add_flag("--report{text}", arguments.report,
                "print the memory report, as text or with =json for programs")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("[=text|json]");
}

void add_output_options(CLI::App& command, CompileArguments& arguments) {
  command.option_defaults()->group("Where to");
  command.add_option("-o,--output", arguments.folder, "the folder to write into; made if missing")
      ->type_name("DIR");
  command
      .add_option_function<std::string>(
          "--name",
          [&arguments](const std::string& name) {
            check_stem(name);
            arguments.name = name;
          },
          "the stem of the files (default: the graph's name)")
      ->type_name("STEM");
  command
      .add_option_function<std::string>(
          "--namespace",
          [&arguments](const std::string& name) {
            check_namespace(name);
            arguments.name_space = name;
          },
          "of the emitted code, a::b too (default: the graph's name)")
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--max-arena",
          [&arguments](const std::string& text) { arguments.max_arena = checked_size(text); },
          "fail with exit code 3 and the memory report if the plan needs more; 65536, 64KiB, 1MB")
      ->type_name("BYTES");
  command
      .add_option("--depfile", arguments.depfile,
                  "also write what the outputs depend on, for make and ninja")
      ->type_name("FILE");
  command
      .add_option("--stamp", arguments.stamp,
                  "touch this file when the outputs are right, changed or not; the rule of "
                  "--depfile is then for it")
      ->type_name("FILE");
  command.add_flag("--c-api", arguments.c_api,
                   "also write a header and a unit for C and whatever calls C");
  command.add_flag("--every-file", arguments.every_file,
                   "write the files of the weights even if they hold nothing");
  command.add_flag("--force", arguments.force, "overwrite files that wick did not write");
  command
      .add_option_function<std::string>(
          "--style",
          [&arguments](const std::string& text) { arguments.style_file = checked_style(text); },
          "write the code in your own style: that of the nearest .clang-format, or of the one at "
          "PATH")
      ->type_name("file[:PATH]");
  command.add_flag("--no-check", arguments.no_check,
                   has_checker() ? "do not prove the emitted code before it is written"
                                 : "do not check the emitted code (needed: this wick was built "
                                   "without the checker)");
}

}  // namespace

std::function<ExitCode()> add_compile_command(CLI::App& app) {
  auto arguments = std::make_shared<CompileArguments>();
  CLI::App* command = app.add_subcommand("compile", "Write a graph down as C++");
  command->footer(kExamples);
  command->add_option("graph", arguments->graph, "the graph, JSON; - is standard input")
      ->type_name("GRAPH")
      ->required();
  add_output_options(*command, *arguments);
  add_pipeline_options(*command, arguments->pipeline);
  add_printing_options(*command, *arguments);
  add_console_options(*command, arguments->console);
  command->final_callback([arguments] { check_together(*arguments); });
  return [arguments] { return run(*arguments); };
}

}  // namespace wick::frontend
