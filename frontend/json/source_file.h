// The text of a graph and the name that messages call it by.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "frontend/json/mapped_file.h"

namespace wick::frontend {

// A place in a text, in bytes.
struct TextSpan {
  std::size_t offset = 0;
  std::size_t length = 0;
};

class SourceFile {
 public:
  // The most bytes taken from standard input.
  static constexpr std::size_t kMostInput = std::size_t{1} << 32;

  // Maps the file; "-" is standard input, read to its end. Files that the graph names are then
  // looked for in the current folder.
  static std::variant<SourceFile, FileError> open(const std::string& path);
  // A text from elsewhere. Files that it names are looked for in `folder`.
  static SourceFile of_text(std::string name, std::string text, std::string folder = ".");

  std::string_view text() const { return text_; }
  const std::string& name() const { return name_; }
  // Where the files that the graph names are.
  const std::string& folder() const { return folder_; }

 private:
  SourceFile(std::string name, std::string folder, std::string_view text,
             std::shared_ptr<const void> owner);

  std::string name_;
  std::string folder_;
  std::string_view text_;
  std::shared_ptr<const void> owner_;
};

}  // namespace wick::frontend
