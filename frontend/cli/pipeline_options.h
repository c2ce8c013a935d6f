// The options of the pipeline, as every command that compiles takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "compiler/compile.h"

namespace wick::frontend {

struct PipelineOptions {
  compiler::CompileOptions compile;
  bool no_simplify = false;
  bool no_fuse = false;
  bool allow_outside = false;

  // Settled once the command line has been read.
  compiler::CompileOptions settled() const;
};

// A number of seconds, at most a day; NaN, which every comparison lets through, is refused.
CLI::Validator seconds();

// Adds --storage, --fp, --pack, --pack-seconds, --schedule, --weights, --no-simplify, --no-fuse,
// --allow-outside.
void add_pipeline_options(CLI::App& command, PipelineOptions& options);

}  // namespace wick::frontend
