#include "frontend/clang/style.h"

#include <clang/Format/Format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/clang/emitted_style.h"

namespace wick::frontend::check {
namespace {

namespace fs = std::filesystem;

// Errors of a configuration, collected instead of printed.
void collect(const llvm::SMDiagnostic& diagnostic, void* context) {
  auto& text = *static_cast<std::string*>(context);
  if (!text.empty()) return;  // the first is the one that matters
  text = diagnostic.getMessage().str();
  if (diagnostic.getLineNo() > 0)
    text = "line " + std::to_string(diagnostic.getLineNo()) + ": " + text;
}

// The style that a configuration describes, or the text of an error.
std::string parse_style(std::string_view configuration, clang::format::FormatStyle& style) {
  style = clang::format::getLLVMStyle(clang::format::FormatStyle::LK_Cpp);
  std::string error;
  const std::error_code code =
      clang::format::parseConfiguration(llvm::MemoryBufferRef(configuration, "style"), &style,
                                        /*AllowUnknownOptions=*/false, collect, &error);
  if (!code) return {};
  return error.empty() ? code.message() : error;
}

clang::tooling::Replacements replacements(std::string_view text,
                                          const clang::format::FormatStyle& style) {
  const clang::tooling::Range all(0, static_cast<unsigned>(text.size()));
  return clang::format::reformat(style, llvm::StringRef(text), all, "emitted.cpp");
}

// The first byte at which the replacement changes the text.
std::size_t first_change(std::string_view text, const clang::tooling::Replacement& change) {
  const std::string_view old = text.substr(change.getOffset(), change.getLength());
  const std::string_view wanted = change.getReplacementText();
  const auto differ = std::mismatch(old.begin(), old.end(), wanted.begin(), wanted.end());
  return change.getOffset() + static_cast<std::size_t>(differ.first - old.begin());
}

// The style found for a file, or the text of an error.
std::string find_style(std::string_view text, const std::string& path,
                       const std::string& style_file, clang::format::FormatStyle& style) {
  if (style_file.empty() && nearest_style_file(path).empty())
    return "no .clang-format in the folder of the output or above it";
  const std::string wanted = style_file.empty() ? "file" : "file:" + style_file;
  llvm::Expected<clang::format::FormatStyle> result =
      clang::format::getStyle(wanted, path, "none", llvm::StringRef(text));
  if (!result) return llvm::toString(result.takeError());
  style = *result;
  return {};
}

Restyled in_style(std::string_view text, const clang::format::FormatStyle& style) {
  llvm::Expected<std::string> result =
      clang::tooling::applyAllReplacements(llvm::StringRef(text), replacements(text, style));
  if (!result) return {{}, llvm::toString(result.takeError())};
  return {std::move(*result), {}};
}

}  // namespace

std::vector<Finding> check_style(std::string_view text, Place::File file) {
  static const clang::format::FormatStyle style = [] {
    clang::format::FormatStyle parsed;
    parse_style(emitted_style(), parsed);
    return parsed;
  }();
  const clang::tooling::Replacements changes = replacements(text, style);
  if (changes.empty()) return {};
  const std::size_t at = first_change(text, *changes.begin());
  const std::string_view before = text.substr(0, at);
  Place place;
  place.file = file;
  place.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  place.column = static_cast<std::uint32_t>(at - (before.rfind('\n') + 1) + 1);
  return {{place,
           "this is not in the form of emitted code",
           "clang-format --style=file:docs/emitted.clang-format would change it",
           {}}};
}

std::string nearest_style_file(const std::string& path) {
  std::error_code ignored;
  for (fs::path folder = fs::absolute(path, ignored).parent_path();;
       folder = folder.parent_path()) {
    for (const char* name : {".clang-format", "_clang-format"}) {
      if (fs::exists(folder / name, ignored)) return (folder / name).string();
    }
    if (folder == folder.parent_path()) return {};
  }
}

Restyled restyle(std::string_view text, std::string_view configuration) {
  clang::format::FormatStyle style;
  std::string error = parse_style(configuration, style);
  if (!error.empty()) return {{}, std::move(error)};
  return in_style(text, style);
}

Restyled restyle_file(std::string_view text, const std::string& path,
                      const std::string& style_file) {
  clang::format::FormatStyle style;
  std::string error = find_style(text, path, style_file, style);
  if (!error.empty()) return {{}, std::move(error)};
  return in_style(text, style);
}

}  // namespace wick::frontend::check
