#include "frontend/json/sarif.h"

#include <array>

#include "compiler/support/diagnostics.h"
#include "frontend/json/unicode.h"

namespace wick::frontend {
namespace {

struct Rule {
  std::string_view id;
  std::string_view text;
};

// In the order of SarifRule.
constexpr std::array kRules = std::to_array<Rule>({
    {"bad-input", "A graph, or a file that it names, is wrong."},
    {"usage", "The command line is wrong."},
    {"over-budget", "The plan needs more memory than --max-arena allows."},
    {"check-failed", "The checker refused the emitted code."},
    {"input-output", "A file cannot be read or written, or a program cannot be run."},
    {"bug", "wick itself is wrong."},
});

// A path as a reference of RFC 3986: what has a meaning there, and what is not ASCII, in percent.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kKept = "-._~/!$&'()*+,;=@";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool alphanumeric =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || kKept.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4u];
      uri += kDigits[byte & 15u];
    }
  }
  return uri;
}

// {"ruleId": …, "ruleIndex": …, "level": …, "message": {"text": …}
std::string opening(SarifRule rule, std::string_view level, std::string_view message,
                    std::string_view hint) {
  const auto index = static_cast<std::size_t>(rule);
  std::string text(message);
  if (!hint.empty()) text += "\n" + std::string(hint);
  return "{\"ruleId\": " + json_string(kRules[index].id) +
         ", \"ruleIndex\": " + std::to_string(index) + ", \"level\": " + json_string(level) +
         ", \"message\": {\"text\": " + json_string(text) + "}";
}

std::string region(const Placed& placed) {
  return "{\"startLine\": " + std::to_string(placed.at.line) +
         ", \"startColumn\": " + std::to_string(placed.at.column) +
         ", \"endLine\": " + std::to_string(placed.end.line) +
         ", \"endColumn\": " + std::to_string(placed.end.column) + "}";
}

}  // namespace

std::string sarif_results(const std::vector<Placed>& placed, const SourceFile& source,
                          SarifRule rule) {
  std::string lines;
  for (const Placed& one : placed) {
    const compiler::Diagnostic& diagnostic = *one.diagnostic;
    lines += opening(rule, severity_text(diagnostic.severity), diagnostic.message, diagnostic.hint);
    lines += ", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": " +
             json_string(uri_of(source.name())) + "}, \"region\": " + region(one) + "}";
    const compiler::Site& site = diagnostic.site;
    if (!site.pointer.empty()) {
      lines += ", \"logicalLocations\": [{\"fullyQualifiedName\": " + json_string(site.pointer);
      if (!site.node.empty()) lines += ", \"name\": " + json_string(site.node);
      lines += "}]";
    }
    lines += "}]}\n";
  }
  return lines;
}

std::string sarif_result(SarifRule rule, std::string_view message, std::string_view hint) {
  return opening(rule, "error", message, hint) + "}\n";
}

std::string sarif_log(std::string_view results, std::string_view version, int exit_code) {
  std::string log =
      "{\"$schema\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
      "sarif-schema-2.1.0.json\",\n"
      "\"version\": \"2.1.0\",\n\"runs\": [{\"tool\": {\"driver\": {\"name\": \"wick\", "
      "\"version\": " +
      json_string(version) + ", \"rules\": [\n";
  for (const Rule& rule : kRules) {
    log += (rule.id == kRules.front().id ? "  {\"id\": " : ",\n  {\"id\": ") +
           json_string(rule.id) + ", \"shortDescription\": {\"text\": " + json_string(rule.text) +
           "}}";
  }
  log += "]}},\n\"columnKind\": \"unicodeCodePoints\",\n\"invocations\": [{\"exitCode\": " +
         std::to_string(exit_code) +
         ", \"executionSuccessful\": " + (exit_code == 0 ? "true" : "false") +
         "}],\n\"results\": [";
  for (std::size_t begin = 0; begin < results.size();) {
    const std::size_t end = results.find('\n', begin);
    log += (begin == 0 ? "\n  " : ",\n  ") + std::string(results.substr(begin, end - begin));
    begin = end + 1;
  }
  return log + "]}]}\n";
}

}  // namespace wick::frontend
