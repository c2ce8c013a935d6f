#include "frontend/cli/pipeline_options.h"

#include "frontend/cli/choice.h"

namespace wick::frontend {
namespace {

using compiler::FpMode;
using compiler::PackMode;
using compiler::Schedule;
using compiler::StorageMode;
using compiler::WeightsMode;

}  // namespace

CLI::Validator seconds() {
  const auto check = [](std::string& text) {
    double number = 0;
    const bool legal = CLI::detail::lexical_cast(text, number) && number >= 0 && number <= 86400;
    return legal ? std::string() : "expected a number of seconds from 0 to 86400, found " + text;
  };
  return CLI::Validator(check, "SECONDS", "seconds");
}

compiler::CompileOptions PipelineOptions::settled() const {
  compiler::CompileOptions result = compile;
  result.simplify = !no_simplify;
  result.fuse.fuse = !no_fuse;
  return result;
}

void add_pipeline_options(CLI::App& command, PipelineOptions& options) {
  compiler::CompileOptions& compile = options.compile;
  command.option_defaults()->group("What is made");
  add_choice<StorageMode>(
      command, "--storage", compile.plan.storage,
      {{"arena", StorageMode::kArena},
       {"static", StorageMode::kStatic},
       {"heap", StorageMode::kHeap},
       {"none", StorageMode::kNone}},
      "where slots live: arena (default: the caller hands it in), static (one arena in the "
      "program), heap (each slot allocated), none (every value its own bytes, for comparison)");
  add_choice<FpMode>(
      command, "--fp", compile.fuse.fp,
      {{"default", FpMode::kDefault}, {"strict", FpMode::kStrict}},
      "default folds chains a*x+b of numbers; strict keeps the bits of the unfused program");
  add_choice<PackMode>(
      command, "--pack", compile.plan.pack,
      {{"default", PackMode::kDefault}, {"exact", PackMode::kExact}},
      "default, or exact: search on until the packing is proven optimal or time is up");
  command
      .add_option("--pack-seconds", compile.plan.pack_seconds,
                  "how long --pack=exact may search (default 10)")
      ->type_name("SECONDS")
      ->check(seconds());
  add_choice<Schedule>(
      command, "--schedule", compile.plan.schedule,
      {{"depth-first", Schedule::kDepthFirst},
       {"given", Schedule::kGiven},
       {"memory", Schedule::kMemory}},
      "the order of kernels: depth-first (default), given (the file's), memory (whichever needs "
      "least)");
  add_choice<WeightsMode>(
      command, "--weights", compile.emit.weights,
      {{"embed", WeightsMode::kEmbed},
       {"file", WeightsMode::kFile},
       {"pointer", WeightsMode::kPointer}},
      "where constants come from: embed (default: linked in through the assembler), file (the "
      "caller maps the packed file with wick/weights_file.h, which checks it), pointer (the caller "
      "hands its bytes in)");
  command.add_flag("--no-simplify", options.no_simplify, "leave the graph as it is written");
  command.add_flag("--no-fuse", options.no_fuse, "one kernel per node");
  command.add_flag("--allow-outside", options.allow_outside,
                   "constants may come from files outside the graph's folder");
}

}  // namespace wick::frontend
