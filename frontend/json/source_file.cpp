#include "frontend/json/source_file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace wick::frontend {
namespace {

std::variant<std::string, FileError> read_standard_input() {
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const auto count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read", "standard input", errno);
    if (count == 0) return text;
    if (text.size() + static_cast<std::size_t>(count) > SourceFile::kMostInput) {
      return FileError{"standard input does not end within 4 GiB"};
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string folder, std::string_view text,
                       std::shared_ptr<const void> owner)
    : name_(std::move(name)), folder_(std::move(folder)), text_(text), owner_(std::move(owner)) {}

std::variant<SourceFile, FileError> SourceFile::open(const std::string& path) {
  if (path == "-") {
    auto text = read_standard_input();
    if (auto* fault = std::get_if<FileError>(&text)) return *fault;
    return of_text("<stdin>", std::move(std::get<std::string>(text)));
  }
  auto file = MappedFile::open(path);
  if (auto* fault = std::get_if<FileError>(&file)) return *fault;
  auto mapped = std::get<std::shared_ptr<const MappedFile>>(std::move(file));
  std::string folder = std::filesystem::path(path).parent_path().string();
  const std::string_view text = mapped->text();
  return SourceFile(path, folder.empty() ? "." : std::move(folder), text, std::move(mapped));
}

SourceFile SourceFile::of_text(std::string name, std::string text, std::string folder) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return SourceFile(std::move(name), std::move(folder), *owner, owner);
}

}  // namespace wick::frontend
