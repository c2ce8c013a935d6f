// What is wrong with an input, and where. Stages that may reject an input collect diagnostics here
// and return nothing; the front end turns a site into file, line, column and a caret.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wick::compiler {

enum class Severity : std::uint8_t { kError, kWarning, kNote };

// A place in the graph file, by JSON pointer (RFC 6901): "/nodes/3/inputs/1". Positions are found
// from it only when a message is printed, so that a graph of a million nodes carries none.
struct Site {
  std::string pointer;
  std::string node;  // the name of the node, input or constant that the place belongs to, if any
  // The bytes of the file meant, where whoever reports knows them already (the reader does); then
  // the pointer is only shown.
  std::size_t offset = kUnknown;
  std::size_t length = 0;

  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Site site;
  std::string message;  // what is wrong: what was expected and what was found
  std::string hint;     // what to do about it, may be empty
};

class Diagnostics {
 public:
  // After this many errors further ones are counted, not kept.
  static constexpr std::size_t kMost = 20;

  void error(Site site, std::string message, std::string hint = {});
  void warning(Site site, std::string message, std::string hint = {});

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace wick::compiler
