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

// "wick" or "wick compile"
std::string called(const CLI::App& command) {
  return command.get_parent() == nullptr ? "wick" : "wick " + command.get_name();
}

// "-x" and "-x4", but not "-1", which may be a value.
bool is_short_option(const std::string& argument) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return argument.size() > 1 && argument[0] == '-' && is_letter(argument[1]);
}

// The first argument that looks like an option and is none.
std::optional<UsageError> unknown_option(const CLI::App& command,
                                         const std::vector<std::string>& arguments) {
  const std::vector<std::string> names = options_of(command);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (const std::string& argument : arguments) {
    if (argument == "--") return std::nullopt;
    const bool is_long = argument.starts_with("--");
    if (!is_long && !is_short_option(argument)) continue;
    const std::string name =
        is_long ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    if (std::ranges::find(names, name) != names.end()) continue;
    return UsageError{
        called(command) + " has no option " + compiler::quoted(name),
        is_long ? compiler::did_you_mean(name, candidates) : "see " + called(command) + " --help"};
  }
  return std::nullopt;
}

// What stands for the option's value; behind a colon CLI11 adds the names of checks.
std::string value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

// What is missing: a command, or an argument of it.
std::string missing(const CLI::App& command) {
  if (command.get_parent() == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* one : command.get_subcommands(nullptr)) names.push_back(one->get_name());
    return "say what to do, wick COMMAND; the commands are " + compiler::joined(names, ", ");
  }
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const std::string name = option->get_positional() ? "" : option->get_name() + " ";
    return called(command) + " needs " + name + value_of(*option);
  }
  return called(command) + " needs more arguments";
}

// An option or a command of which there is one argument too many, or a word that is none.
std::string unexpected(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> extras = command.remaining();
  for (const std::string& argument : arguments) {
    if (std::ranges::find(extras, argument) == extras.end()) continue;
    const bool option = argument.size() > 1 && argument.front() == '-';
    return called(command) + (option ? " has no option " : " takes no further argument ") +
           compiler::quoted(argument);
  }
  return called(command) + " takes fewer arguments";
}

// The option that CLI11's message is about: "--name: 1 required STEM missing", or "Could not
// convert: --quiet = 7".
const CLI::Option* option_of(const CLI::App& command, const std::string& message) {
  const std::size_t begin = std::min(message.find("--"), message.size());
  return command.get_option_no_throw(
      message.substr(begin, message.find_first_of(": ", begin) - begin));
}

// What CLI11 says about our own checks is our text; everything else is put in our words.
std::string in_our_words(const CLI::App& command, const std::vector<std::string>& arguments,
                         const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(command);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return unexpected(command, arguments);
  }
  const CLI::Option* option = option_of(command, message);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && option != nullptr) {
    const std::string name = option->get_name();
    if (option->count() > 1) return name + " is given twice; it is taken once";
    return name + " needs a value: " + name + " " + value_of(*option);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && option != nullptr) {
    return option->get_name() + " takes no value";
  }
  return message;
}

}  // namespace

UsageError explain(const CLI::App& app, const std::vector<std::string>& arguments,
                   const CLI::ParseError& error) {
  const auto first = std::ranges::find_if(
      arguments, [](const std::string& argument) { return !argument.starts_with("-"); });
  const CLI::App* named = first == arguments.end() ? nullptr : command_named(app, *first);
  if (named == nullptr && first != arguments.end() && first == arguments.begin()) {
    return no_such_command(app, *first);
  }
  const CLI::App& command = named == nullptr ? app : *named;
  const std::vector<std::string> rest(named == nullptr ? arguments.begin() : first + 1,
                                      arguments.end());
  if (auto unknown = unknown_option(command, rest)) return *unknown;
  return {in_our_words(command, rest, error), "see " + called(command) + " --help"};
}

}  // namespace wick::frontend
