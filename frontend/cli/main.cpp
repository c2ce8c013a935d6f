// The wick program: command line in, exit code out.
#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <iostream>
#include <new>
#include <utility>
#include <vector>

#include "compiler/support/check.h"
#include "frontend/cli/compile_command.h"
#include "frontend/cli/exit_code.h"

namespace {

using wick::frontend::ExitCode;

constexpr const char* kFooter =
    "Exit codes: 0 ok, 1 bad input, 2 usage, 3 over budget, 4 check failed, 5 input or output "
    "failed, 70 a bug in wick.";

ExitCode dispatch(CLI::App& app,
                  const std::vector<std::pair<std::string, std::function<ExitCode()>>>& commands) {
  for (const auto& [name, carry_out] : commands) {
    if (app.got_subcommand(name)) return carry_out();
  }
  return ExitCode::kUsage;
}

ExitCode run(int argc, char** argv) {
  CLI::App app("wick: an ahead-of-time compiler from tensor graphs to straight-line C++");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", "wick " WICK_VERSION " (built without the checker)");
  std::vector<std::pair<std::string, std::function<ExitCode()>>> commands;
  commands.emplace_back("compile", wick::frontend::add_compile_command(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::kOk : ExitCode::kUsage;
  }
  return dispatch(app, commands);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(run(argc, argv));
  } catch (const wick::compiler::InternalError& error) {
    std::cerr << "wick: internal error: " << error.what()
              << "\nThis is a bug in wick, not in your graph. Please report it.\n";
  } catch (const std::bad_alloc&) {
    std::cerr << "wick: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "wick: internal error: " << error.what() << "\n";
  }
  return static_cast<int>(ExitCode::kBug);
}
