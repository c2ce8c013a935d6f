// What the program says to people and to programs: errors, warnings, progress. Results go to
// standard output, everything here to standard error.
#pragma once

#include <CLI/CLI.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "compiler/support/diagnostics.h"
#include "frontend/json/mapped_file.h"
#include "frontend/json/render.h"
#include "frontend/json/sarif.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

struct Console {
  RenderFormat format = RenderFormat::kText;
  bool quiet = false;  // errors only
  // Where messages are kept to be told later: those of several graphs at once. Null: told at once.
  std::string* kept = nullptr;
  // The results of a SARIF log, which is told at the end.
  std::shared_ptr<std::string> results = std::make_shared<std::string>();

  // An error that has no place in a graph. As JSON it has the keys severity, message and hint.
  void error(const std::string& message, const std::string& hint = {},
             SarifRule rule = SarifRule::kInputOutput) const;
  void error(const FileError& error) const { this->error(error.message, error.hint); }
  // Something worth knowing; people only.
  void note(const std::string& message) const;
  // What was found in a graph; without warnings if quiet.
  void print(const compiler::Diagnostics& diagnostics, const SourceFile& source,
             SarifRule rule = SarifRule::kBadInput) const;
  // Messages that were kept.
  void tell(const std::string& messages) const;
};

// Adds --diagnostics and --quiet.
void add_console_options(CLI::App& command, Console& console);

// True if the stream is a terminal that shows colours and nobody asked for none (no-color.org).
bool shows_colours(int descriptor);

// Says on a terminal what takes so long, once it has taken a second, until it goes out of scope.
class Progress {
 public:
  Progress(std::string what, const Console& console);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

 private:
  void show();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // none if nobody watches
};

}  // namespace wick::frontend
