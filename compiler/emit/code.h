// C++ as a small tree, and the only place where it becomes text. The tree knows calls, statements,
// comments and blocks; rendering knows line breaks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"

namespace wick::compiler::cpp {

// callee(argument, …); an empty callee with one argument is that argument.
struct Call {
  std::string callee;
  std::vector<std::string> arguments;

  std::string on_one_line() const;
};

// One element of a file. What fields mean depends on the kind.
struct Line {
  enum class Kind : std::uint8_t {
    kBlank,
    kComment,    // text, wrapped at 100 columns
    kSection,    // text: the name of a section of the file
    kRaw,        // text as it stands
    kStatement,  // prefix call;  // comment
    kBlock,      // text (the head, ending in an opening brace), lines, tail
  };
  Kind kind = Kind::kBlank;
  std::string text;
  Call call;
  std::string comment;  // kRaw, kStatement
  std::vector<Line> lines;
  std::string tail;
  std::size_t indent = 0;  // kBlock: how much further in it stands
  NodeId node;             // the node that a statement computes, for messages about emitted code
};

Line blank();
Line comment(std::string text);
Line section(std::string title);
Line raw(std::string text, std::string comment = {});
Line statement(std::string prefix, Call call, std::string comment = {});
Line block(std::string head, std::vector<Line> lines, std::string tail);

struct Origin {
  std::uint32_t line;
  NodeId node;
};

struct Rendered {
  std::string text;
  std::vector<Origin> origins;
};

// The text of a file: two spaces a level, wrapped at 100 columns, comments of neighbouring
// statements aligned.
Rendered render(const std::vector<Line>& lines);

// The code point at the start of a text that is not empty, and its length in bytes; a byte that is
// not UTF-8 stands for itself.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text);

// Four digits, or six beyond the basic plane: "00E9", "01F600".
std::string hexadecimal(std::uint32_t point);

// Any text, made safe and legible inside a comment of one line: printable ASCII stays (but for
// backslashes and question marks in a row, which could join lines), everything else is written as
// its code point.
std::string comment_text(std::string_view text);

}  // namespace wick::compiler::cpp
