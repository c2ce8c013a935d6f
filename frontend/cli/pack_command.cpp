#include "frontend/cli/pack_command.h"

#include <chrono>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "compiler/plan/pack/lifetimes.h"
#include "compiler/plan/pack/pack.h"
#include "compiler/support/check.h"
#include "compiler/support/text.h"
#include "frontend/cli/carry_out.h"
#include "frontend/cli/choice.h"
#include "frontend/cli/console.h"
#include "frontend/cli/pipeline_options.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {
namespace {

namespace pack = compiler::pack;
using Clock = std::chrono::steady_clock;

constexpr const char* kExamples =
    "The file has the columns id, lower, upper, size and, if need be, alignment, in any order; a\n"
    "buffer is alive in [lower, upper). `wick compile GRAPH --emit=lifetimes` writes a graph's "
    "own.\n"
    "Figures go to standard output; with --offsets they go to standard error, and the buffers "
    "with\n"
    "a column for their offset to standard output.\n\n"
    "Examples:\n"
    "  wick pack lifetimes.csv\n"
    "  wick pack lifetimes.csv --exact --time 10\n"
    "  wick compile digits.json --emit=lifetimes | wick pack - --offsets > packed.csv\n\n"
    "Exit codes: 0 ok, 1 the file is wrong, 2 usage, 5 it cannot be read.\n";

struct PackArguments {
  std::string file;
  bool exact = false;
  bool offsets = false;
  double seconds = 10;
  std::string format = "text";
  Console console;
};

double gap_percent(const pack::Packing& packing) {
  if (packing.lower_bound == 0) return 0;
  return 100.0 * static_cast<double>(packing.height - packing.lower_bound) /
         static_cast<double>(packing.lower_bound);
}

std::string figures_text(const pack::Lifetimes& lifetimes, const pack::Packing& packing,
                         double seconds) {
  const auto bytes = [](std::int64_t count) { return compiler::grouped(count) + " bytes\n"; };
  std::ostringstream text;
  text << std::fixed;
  text << "buffers      " << compiler::grouped(static_cast<std::int64_t>(lifetimes.ids.size()))
       << "\n"
       << "peak         " << bytes(packing.height) << "lower bound  " << bytes(packing.lower_bound)
       << "gap          " << std::setprecision(3) << gap_percent(packing) << " %\n"
       << "method       " << pack::name(packing.method);
  if (packing.nodes > 0) text << ", " << compiler::grouped(packing.nodes) << " nodes searched";
  text << "\nproof        "
       << (packing.proof == pack::Proof::kOptimal
               ? "optimal: no packing is lower"
               : "gap: a packing between the bound and the peak may exist")
       << "\ntime         " << std::setprecision(2) << seconds << " s\n";
  return text.str();
}

std::string figures_json(const pack::Lifetimes& lifetimes, const pack::Packing& packing,
                         double seconds) {
  std::ostringstream text;
  text << "{\"buffers\": " << lifetimes.ids.size() << ", \"peak\": " << packing.height
       << ", \"lower_bound\": " << packing.lower_bound
       << ", \"gap_percent\": " << gap_percent(packing) << ", \"method\": \""
       << pack::name(packing.method) << "\", \"nodes\": " << packing.nodes
       << ", \"optimal\": " << (packing.proof == pack::Proof::kOptimal ? "true" : "false")
       << ", \"seconds\": " << seconds << "}\n";
  return text.str();
}

ExitCode run(const PackArguments& arguments) {
  const auto opened = SourceFile::open(arguments.file);
  if (const auto* error = std::get_if<FileError>(&opened)) {
    arguments.console.error(*error);
    return ExitCode::kInputOutput;
  }
  const SourceFile& source = std::get<SourceFile>(opened);
  const pack::LifetimesResult read = pack::read_lifetimes(source.text());
  for (const pack::LifetimesError& error : read.errors) {
    arguments.console.error(source.name() + ":" + std::to_string(error.line) + ": " + error.message,
                            "", SarifRule::kBadInput);
  }
  if (!read.errors.empty()) return ExitCode::kBadInput;

  const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.seconds * 1000));
  std::optional<Progress> progress(std::in_place, "packing " + source.name(), arguments.console);
  const auto start = Clock::now();
  const pack::Problem& problem = read.lifetimes.problem;
  const pack::Packing packing =
      arguments.exact ? pack::pack_exact(problem, limit) : pack::pack(problem);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  progress.reset();
  const auto overlap = pack::find_overlap(problem, packing.offsets);
  compiler::check(!overlap, "the packing is wrong: " + overlap.value_or(""));

  const std::string figures = arguments.format == "json"
                                  ? figures_json(read.lifetimes, packing, seconds)
                                  : figures_text(read.lifetimes, packing, seconds);
  (arguments.offsets ? std::cerr : std::cout) << figures;
  if (arguments.offsets) std::cout << pack::write_lifetimes(read.lifetimes, packing.offsets);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> add_pack_command(CLI::App& app) {
  auto arguments = std::make_shared<PackArguments>();
  CLI::App* command = app.add_subcommand("pack", "Pack buffers of given lifetimes into one arena");
  command->footer(kExamples);
  command->add_option("file", arguments->file, "lifetimes as CSV; - is standard input")
      ->type_name("FILE.csv")
      ->required();
  command->add_flag("--exact", arguments->exact,
                    "search on until the packing is proven optimal or time is up");
  command->add_option("--time", arguments->seconds, "how long --exact may search (default 10)")
      ->type_name("SECONDS")
      ->check(seconds());
  command->add_flag("--offsets", arguments->offsets, "print the buffers with their offsets as CSV");
  command
      ->add_flag("--report{text}", arguments->format,
                 "how the figures are written: text (default) or =json")
      ->check(report_format())
      ->option_text("[=text|json]");
  add_console_options(*command, arguments->console);
  return [arguments] { return carry_out(arguments->console, [&] { return run(*arguments); }); };
}

}  // namespace wick::frontend
