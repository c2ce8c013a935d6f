#include "frontend/cli/compile_arguments.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "compiler/emit/global_names.h"
#include "compiler/emit/names.h"
#include "compiler/support/text.h"
#include "frontend/cli/byte_size.h"
#include "frontend/cli/checker.h"
#include "frontend/cli/choice.h"
#include "frontend/cli/safe_name.h"

namespace wick::frontend {
namespace {

constexpr std::size_t kMostJobs = 1024;

// One name that C++ allows, and that is neither ours nor the standard library's.
bool is_namespace_part(const std::string& part) {
  return part != "wick" && part != "std" && compiler::cpp::identifier(part) == part;
}

// "a" or "a::b": it is written into the source as it is.
void check_namespace(const std::string& name_space) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = name_space.find("::", begin);
    const std::string part = name_space.substr(begin, end - begin);
    const bool is_taken = begin == 0 && compiler::cpp::is_global_name(part);
    if (is_taken || !is_namespace_part(part)) {
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

std::size_t checked_jobs(const std::string& text) {
  std::size_t jobs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (error == std::errc() && end == text.data() + text.size() && jobs >= 1 && jobs <= kMostJobs) {
    return jobs;
  }
  throw CLI::ValidationError("--jobs", compiler::quoted(text) + " is not a number from 1 to 1024");
}

// What several graphs in one call cannot share.
void check_graphs(const CompileArguments& arguments) {
  if (std::ranges::count(arguments.graphs, "-") > 1) {
    throw CLI::ValidationError("compile", "standard input, -, can be one graph only");
  }
  if (arguments.graphs.size() == 1) return;
  if (!arguments.name.empty()) {
    throw CLI::ValidationError("--name", "is for one graph; several have files of their own names");
  }
  if (!arguments.name_space.empty()) {
    throw CLI::ValidationError("--namespace",
                               "is for one graph; several have namespaces of their own names");
  }
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
  check_graphs(arguments);
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
      ->check(report_format())
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
      .add_option_function<std::string>(
          "-j,--jobs",
          [&arguments](const std::string& text) { arguments.jobs = checked_jobs(text); },
          "how many graphs to work on at once (default 1)")
      ->type_name("N");
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
          "write the code in the style of a .clang-format: file (the nearest one), or file:PATH")
      ->type_name("STYLE");
  command.add_flag("--no-check", arguments.no_check,
                   has_checker() ? "do not prove the emitted code before it is written"
                                 : "do not check the emitted code (needed: this wick was built "
                                   "without the checker)");
}

}  // namespace

bool hands_out_code(const CompileArguments& arguments) {
  return !arguments.folder.empty() || arguments.emit == EmitStage::kCpp;
}

void add_compile_arguments(CLI::App& command, CompileArguments& arguments) {
  command.add_option("graph", arguments.graphs, "the graphs, JSON; - is standard input")
      ->type_name("GRAPH")
      ->required();
  add_output_options(command, arguments);
  add_pipeline_options(command, arguments.pipeline);
  add_printing_options(command, arguments);
  add_console_options(command, arguments.console);
  command.final_callback([&arguments] { check_together(arguments); });
}

}  // namespace wick::frontend
