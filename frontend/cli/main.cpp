// The wick program: command line in, exit code out.
#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frontend/cli/carry_out.h"
#include "frontend/cli/check_command.h"
#include "frontend/cli/checker.h"
#include "frontend/cli/compile_command.h"
#include "frontend/cli/console.h"
#include "frontend/cli/exit_code.h"
#include "frontend/cli/help.h"
#include "frontend/cli/ops_command.h"
#include "frontend/cli/pack_command.h"
#include "frontend/cli/response_file.h"
#include "frontend/cli/run_command.h"
#include "frontend/cli/runtime_command.h"
#include "frontend/cli/usage.h"

namespace {

using wick::frontend::ExitCode;

constexpr const char* kFooter =
    "wick COMMAND --help tells the options of a command and shows examples.\n\n"
    "Exit codes:\n"
    "  0   ok\n"
    "  1   bad input: the graph, or a tensor that was handed in, is wrong\n"
    "  2   usage: the command line is wrong\n"
    "  3   over budget: the plan needs more than --max-arena\n"
    "  4   check failed: the checker refused the emitted code\n"
    "  5   input or output: a file cannot be read or written, a program cannot be run\n"
    "  70  a bug in wick\n";

using Command = std::pair<std::string, std::function<ExitCode()>>;

ExitCode dispatch(const CLI::App& app, const std::vector<Command>& commands) {
  for (const auto& [name, carry_out] : commands) {
    if (app.got_subcommand(name)) return carry_out();
  }
  return ExitCode::kUsage;
}

// CLI11 takes words as main has them.
void parse(CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<const char*> words = {"wick"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  app.parse(static_cast<int>(words.size()), words.data());
}

ExitCode run(const std::vector<std::string>& given) {
  auto expanded = wick::frontend::expand_response_files(given);
  if (const auto* error = std::get_if<wick::frontend::ResponseError>(&expanded)) {
    wick::frontend::Console().error(error->message, error->hint);
    return error->code;
  }
  const auto& line = std::get<wick::frontend::CommandLine>(expanded);
  CLI::App app("wick: an ahead-of-time compiler from tensor graphs to straight-line C++", "wick");
  app.formatter(std::make_shared<wick::frontend::HelpFormatter>());
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("wick " WICK_VERSION " (built with") +
                                        (wick::frontend::has_checker() ? "" : "out") +
                                        " the checker)");
  std::vector<Command> commands;
  commands.emplace_back("compile", wick::frontend::add_compile_command(app, line.response_files));
  commands.emplace_back("check", wick::frontend::add_check_command(app));
  commands.emplace_back("run", wick::frontend::add_run_command(app));
  commands.emplace_back("pack", wick::frontend::add_pack_command(app));
  commands.emplace_back("ops", wick::frontend::add_ops_command(app));
  commands.emplace_back("runtime", wick::frontend::add_runtime_command(app));
  try {
    parse(app, line.arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return ExitCode::kOk;
    }
    const auto [message, hint] = wick::frontend::explain(app, line.arguments, error);
    wick::frontend::Console().error(message, hint);
    return ExitCode::kUsage;
  }
  return dispatch(app, commands);
}

// Results that never arrived (a full disk, a closed pipe) are a failure.
ExitCode flushed(ExitCode code) {
  std::cout.flush();
  if (std::cout || code != ExitCode::kOk) return code;
  wick::frontend::Console().error("cannot write to standard output");
  return ExitCode::kInputOutput;
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows past the limit of the shell is an error to report, not an end without a word.
  std::signal(SIGXFSZ, SIG_IGN);
  const ExitCode code =
      wick::frontend::guarded({}, [&] { return flushed(run({argv + 1, argv + argc})); });
  return static_cast<int>(code);
}
