#include "frontend/cli/console.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "compiler/support/text.h"
#include "frontend/cli/choice.h"

namespace wick::frontend {
namespace {

// Text that may hold parts of somebody's file names, without control sequences for the terminal.
std::string harmless(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
      result += "\\x";
      result += kDigits[byte >> 4u];
      result += kDigits[byte & 15u];
    } else {
      result += c;
    }
  }
  return result;
}

bool has_warnings(const compiler::Diagnostics& diagnostics) {
  for (const compiler::Diagnostic& one : diagnostics.all()) {
    if (one.severity != compiler::Severity::kError) return true;
  }
  return false;
}

compiler::Diagnostics errors_of(const compiler::Diagnostics& diagnostics) {
  compiler::Diagnostics errors;
  for (const compiler::Diagnostic& one : diagnostics.all()) {
    if (one.severity == compiler::Severity::kError) errors.error(one.site, one.message, one.hint);
  }
  return errors;
}

}  // namespace

void Console::error(const std::string& message, const std::string& hint, SarifRule rule) const {
  if (format == RenderFormat::kSarif) return tell(sarif_result(rule, message, hint));
  if (format == RenderFormat::kJson) {
    return tell("{\"errors\": 1, \"diagnostics\": [{\"severity\": \"error\", \"message\": " +
                compiler::quoted(message) + ", \"hint\": " + compiler::quoted(hint) + "}]}\n");
  }
  const bool colour = shows_colours(STDERR_FILENO);
  std::string text = "wick: ";
  text += colour ? "\x1b[1;31merror: \x1b[0m" : "error: ";
  text += harmless(message) + "\n";
  if (!hint.empty()) text += "  hint: " + harmless(hint) + "\n";
  tell(text);
}

void Console::note(const std::string& message) const {
  if (quiet || format != RenderFormat::kText) return;
  tell("wick: " + harmless(message) + "\n");
}

void Console::print(const compiler::Diagnostics& diagnostics, const SourceFile& source,
                    SarifRule rule) const {
  const RenderOptions options{shows_colours(STDERR_FILENO), format, rule};
  // The count of errors that are not shown must not get lost, so an unquiet copy is made only
  // where something has to be left out.
  const bool filtered = quiet && has_warnings(diagnostics);
  const compiler::Diagnostics& shown = filtered ? errors_of(diagnostics) : diagnostics;
  if (shown.all().empty()) return;
  tell(render(shown, source, options));
}

void Console::tell(const std::string& messages) const {
  if (kept != nullptr) {
    *kept += messages;
  } else if (format == RenderFormat::kSarif) {
    *results += messages;
  } else {
    std::cerr << messages;
  }
}

void add_console_options(CLI::App& command, Console& console) {
  command.option_defaults()->group("Messages");
  add_choice<RenderFormat>(command, "--diagnostics", console.format,
                           {{"text", RenderFormat::kText},
                            {"json", RenderFormat::kJson},
                            {"sarif", RenderFormat::kSarif}},
                           "how errors are told: text for people and editors (default), json, one "
                           "object a line, or sarif, one log at the end");
  command.add_flag("--quiet", console.quiet, "tell errors only");
}

bool shows_colours(int descriptor) {
  const char* none = std::getenv("NO_COLOR");
  if (none != nullptr && *none != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return ::isatty(descriptor) != 0;
}

Progress::Progress(std::string what, const Console& console) : what_(std::move(what)) {
  if (console.quiet || console.format != RenderFormat::kText || console.kept != nullptr) return;
  if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::show() {
  std::unique_lock lock(mutex_);
  std::size_t width = 0;
  for (int seconds = 1; !changed_.wait_for(lock, std::chrono::seconds(1), [&] { return done_; });
       ++seconds) {
    const std::string line = "wick: " + harmless(what_) + " (" + std::to_string(seconds) + " s)";
    std::cerr << "\r" << line << std::flush;
    width = line.size();
  }
  if (width > 0) std::cerr << "\r" << std::string(width, ' ') << "\r" << std::flush;
}

}  // namespace wick::frontend
