#include "frontend/cli/ops_command.h"

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ops/markdown.h"
#include "compiler/ops/record.h"
#include "compiler/support/text.h"
#include "frontend/cli/carry_out.h"
#include "frontend/cli/console.h"

namespace wick::frontend {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  wick ops\n"
    "  wick ops softmax\n"
    "  wick ops --markdown > docs/ops.md\n";

struct OpsArguments {
  std::string name;
  bool markdown = false;
  Console console;
};

ExitCode run(const OpsArguments& arguments) {
  namespace ops = compiler::ops;
  if (arguments.name.empty()) {
    std::cout << (arguments.markdown ? ops::ops_markdown() : ops::ops_list());
    return ExitCode::kOk;
  }
  if (const auto text = ops::op_text(arguments.name)) {
    std::cout << *text;
    return ExitCode::kOk;
  }
  std::vector<std::string_view> names;
  for (const ops::OpRecord* record : ops::all()) names.push_back(record->name);
  const std::string hint = compiler::did_you_mean(arguments.name, names);
  arguments.console.error("there is no operation " + compiler::quoted(arguments.name),
                          hint.empty() ? "wick ops lists them all" : hint, SarifRule::kUsage);
  return ExitCode::kUsage;
}

}  // namespace

std::function<ExitCode()> add_ops_command(CLI::App& app) {
  auto arguments = std::make_shared<OpsArguments>();
  CLI::App* command = app.add_subcommand("ops", "List the operations, or explain one");
  command->footer(kExamples);
  command->add_option("name", arguments->name, "the operation to explain")->type_name("NAME");
  command->add_flag("--markdown", arguments->markdown, "print the whole reference as Markdown");
  add_console_options(*command, arguments->console);
  command->final_callback([arguments] {
    if (arguments->markdown && !arguments->name.empty()) {
      throw CLI::ValidationError("--markdown", "prints all operations; leave out the name");
    }
  });
  return [arguments] { return carry_out(arguments->console, [&] { return run(*arguments); }); };
}

}  // namespace wick::frontend
