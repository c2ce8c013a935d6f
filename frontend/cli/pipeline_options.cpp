#include "frontend/cli/pipeline_options.h"

#include <map>

namespace wick::frontend {
namespace {

using compiler::FpMode;
using compiler::PackMode;
using compiler::Schedule;
using compiler::StorageMode;
using compiler::WeightsMode;

// An option that takes one of a few words.
template <class E>
void add_choice(CLI::App& command, const std::string& name, E& value,
                const std::map<std::string, E>& words, const std::string& help) {
  command.add_option(name, value, help)
      ->transform(CLI::CheckedTransformer(words))
      ->default_str(words.begin()->first)
      ->option_text(" ");
}

}  // namespace

compiler::CompileOptions PipelineOptions::settled() const {
  compiler::CompileOptions result = compile;
  result.simplify = !no_simplify;
  result.fuse.fuse = !no_fuse;
  return result;
}

void add_pipeline_options(CLI::App& command, PipelineOptions& options) {
  compiler::CompileOptions& compile = options.compile;
  add_choice<StorageMode>(
      command, "--storage", compile.plan.storage,
      {{"arena", StorageMode::kArena},
       {"static", StorageMode::kStatic},
       {"heap", StorageMode::kHeap},
       {"none", StorageMode::kNone}},
      "arena (the caller hands it in), static, heap, or none (every value its own bytes)");
  add_choice<FpMode>(
      command, "--fp", compile.fuse.fp,
      {{"default", FpMode::kDefault}, {"strict", FpMode::kStrict}},
      "default folds chains a*x+b of numbers; strict keeps the bits of the unfused program");
  add_choice<PackMode>(
      command, "--pack", compile.plan.pack,
      {{"default", PackMode::kDefault}, {"exact", PackMode::kExact}},
      "default, or exact: search on until the packing is proven optimal or time is up");
  add_choice<Schedule>(
      command, "--schedule", compile.plan.schedule,
      {{"depth-first", Schedule::kDepthFirst},
       {"given", Schedule::kGiven},
       {"memory", Schedule::kMemory}},
      "depth-first, given (the order of the file), or memory (the order that needs least)");
  add_choice<WeightsMode>(
      command, "--weights", compile.emit.weights,
      {{"embed", WeightsMode::kEmbed},
       {"file", WeightsMode::kFile},
       {"pointer", WeightsMode::kPointer}},
      "embed (linked in), file, or pointer (the caller hands the packed file in)");
  command.add_flag("--no-simplify", options.no_simplify, "leave the graph as it is written");
  command.add_flag("--no-fuse", options.no_fuse, "one kernel per node");
  command.add_flag("--allow-outside", options.allow_outside,
                   "constants may come from outside the graph's folder");
}

}  // namespace wick::frontend
