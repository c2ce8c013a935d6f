#include "frontend/cli/emission_check.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include "compiler/support/check.h"
#include "frontend/cli/checker.h"
#include "frontend/cli/findings.h"
#include "frontend/json/mapped_file.h"

namespace wick::frontend {
namespace {

using compiler::EmittedFile;

std::string text_of(const EmittedFile& file) {
  const std::vector<std::byte> bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const EmittedFile* find(const compiler::Emission& emission, const std::string& name) {
  const auto at = std::ranges::find(emission.files, name, &EmittedFile::name);
  return at == emission.files.end() ? nullptr : &*at;
}

check::SourceText text_named(const compiler::Emission& emission, const std::string& name) {
  const EmittedFile* file = find(emission, name);
  compiler::check(file != nullptr, "check: " + name + " was not emitted");
  return {name, text_of(*file)};
}

// The node of the last statement that begins in the line or before it.
LineNode node_of_line(const compiler::Compilation& compilation, std::uint32_t line) {
  const auto& origins = compilation.emission.origins;
  const auto after = std::ranges::upper_bound(origins, line, {}, &compiler::LineOrigin::line);
  if (after == origins.begin() || !std::prev(after)->node.valid()) return {};
  const compiler::Graph& graph = *compilation.simplified;
  const compiler::Node& node = graph.nodes[std::prev(after)->node];
  LineNode result{{}, "/nodes/" + std::to_string(node.position)};
  if (!node.results.empty()) result.name = graph.values[node.results[0]].name;
  return result;
}

}  // namespace

std::optional<ExitCode> check_emission(const compiler::Compilation& compilation,
                                       const std::string& file_name, const Console& console) {
  const Progress progress("checking " + file_name + ".cpp", console);
  const compiler::Emission& emission = compilation.emission;
  check::SourceText source = text_named(emission, file_name + ".cpp");
  check::SourceText header = text_named(emission, file_name + ".h");
  const EmittedFile* weights = find(emission, file_name + ".weights");
  const check::Packed packed =
      weights == nullptr ? check::Packed() : check::Packed::of_pieces(weights->parts());
  const check::Verdict verdict =
      check_emitted(source, header, compilation.given.get(), packed, check::Form::kEmitted);
  if (verdict.is_sound()) return std::nullopt;
  const CheckedFiles files{SourceFile::of_text(source.name, std::move(source.text)),
                           SourceFile::of_text(header.name, std::move(header.text))};
  print_findings(verdict.findings, files, console,
                 [&](std::uint32_t line) { return node_of_line(compilation, line); });
  console.error("the check of the emitted code failed; nothing is written",
                "this is a bug in wick, not in your graph; please report it",
                SarifRule::kCheckFailed);
  return ExitCode::kCheckFailed;
}

std::optional<std::vector<EmittedFile>> restyled(const compiler::Emission& emission,
                                                 const std::string& folder,
                                                 const std::string& style_file,
                                                 const Console& console) {
  if (!style_file.empty()) {
    // Only a regular file can be read without waiting for somebody.
    const auto opened = MappedFile::open(style_file);
    if (const auto* fault = std::get_if<FileError>(&opened)) {
      console.error("--style: " + fault->message, fault->hint);
      return std::nullopt;
    }
  }
  std::vector<EmittedFile> files = emission.files;
  for (EmittedFile& file : files) {
    const std::string path = (std::filesystem::path(folder) / file.name).string();
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension != ".cpp" && extension != ".h") continue;
    const check::Restyled result = restyle_emitted(text_of(file), path, style_file);
    if (!result.error.empty()) {
      console.error("--style: " + result.error);
      return std::nullopt;
    }
    const auto bytes = std::as_bytes(std::span(result.text));
    file.content.assign(bytes.begin(), bytes.end());
  }
  return files;
}

}  // namespace wick::frontend
