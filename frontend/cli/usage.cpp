#include "frontend/cli/usage.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "compiler/support/text.h"

namespace wick::frontend {
namespace {

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

UsageError no_such_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
  }
  return {"there is no command " + compiler::quoted(name), compiler::did_you_mean(name, names)};
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// The first argument that looks like an option and is none.
std::optional<UsageError> unknown_option(const CLI::App& command,
                                         const std::vector<std::string>& arguments) {
  const std::vector<std::string> names = options_of(command);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (const std::string& argument : arguments) {
    if (argument == "--") return std::nullopt;
    if (!argument.starts_with("--")) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string owner = command.get_name().empty() ? "wick" : "wick " + command.get_name();
    return UsageError{owner + " has no option " + compiler::quoted(name),
                      compiler::did_you_mean(name, candidates)};
  }
  return std::nullopt;
}

}  // namespace

UsageError explain(const CLI::App& app, const std::vector<std::string>& arguments,
                   const CLI::ParseError& error) {
  const auto first = std::ranges::find_if(
      arguments, [](const std::string& argument) { return !argument.starts_with("-"); });
  const CLI::App* command = first == arguments.end() ? nullptr : command_named(app, *first);
  if (command == nullptr && first != arguments.end() && first == arguments.begin()) {
    return no_such_command(app, *first);
  }
  const std::vector<std::string> rest(command == nullptr ? arguments.begin() : first + 1,
                                      arguments.end());
  if (auto unknown = unknown_option(command == nullptr ? app : *command, rest)) return *unknown;
  const std::string help =
      command == nullptr ? "wick --help" : "wick " + command->get_name() + " --help";
  return {error.what(), "see " + help};
}

}  // namespace wick::frontend
