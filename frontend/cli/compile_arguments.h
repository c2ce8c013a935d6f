// What the command line of `wick compile` says.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/support/ids.h"
#include "frontend/cli/console.h"
#include "frontend/cli/emit_stage.h"
#include "frontend/cli/pipeline_options.h"

namespace wick::frontend {

struct CompileArguments {
  std::vector<std::string> graphs;
  std::vector<std::string> response_files;
  std::string folder;
  std::string name;
  std::string name_space;
  std::string report;  // empty, "text" or "json"
  std::string depfile;
  std::string stamp;
  std::optional<compiler::Bytes> max_arena;
  std::optional<EmitStage> emit;
  std::size_t jobs = 1;
  bool explain_fusion = false;
  bool every_file = false;
  bool c_api = false;
  bool force = false;
  bool no_check = false;
  std::optional<std::string> style_file;  // empty: the one found
  PipelineOptions pipeline;
  Console console;
};

// Whether emitted code leaves the program, in files or as text.
bool hands_out_code(const CompileArguments& arguments);

// Adds the command's options. Throws CLI::ValidationError, when the line is read, on what is wrong.
void add_compile_arguments(CLI::App& command, CompileArguments& arguments);

}  // namespace wick::frontend
