// JSON text as a sequence of events, each with its place in the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/json/source_file.h"

namespace wick::frontend {

// Deeper nesting than this is refused; the graph language needs five levels.
inline constexpr std::size_t kDeepestNesting = 64;

// Longer numbers than this are refused. No f64, written out in full, needs more.
inline constexpr std::size_t kLongestNumber = 1077;

// Receives the events. An event that returns false ends the reading.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual bool begin_object(TextSpan where) = 0;
  virtual bool end_object(TextSpan where) = 0;
  virtual bool begin_array(TextSpan where) = 0;
  virtual bool end_array(TextSpan where) = 0;
  // Strings are decoded; `where` includes the quotes.
  virtual bool key(const std::string& name, TextSpan where) = 0;
  virtual bool text(const std::string& value, TextSpan where) = 0;
  // A number comes as it is written.
  virtual bool number(std::string_view written, TextSpan where) = 0;
  virtual bool flag(bool value, TextSpan where) = 0;
  virtual bool null(TextSpan where) = 0;
};

struct SyntaxError {
  TextSpan where;
  std::string message;
  std::string hint;
};

// Reads one JSON value (RFC 8259, UTF-8, a byte order mark is passed over) that fills the text.
// Refuses, besides what is not JSON: strings that are no Unicode text, numbers beyond the range of
// f64, and what the limits above forbid. Duplicate keys are left to the receiver.
//
// Cost: linear in the text, memory for one string and one bit per level of nesting.
std::optional<SyntaxError> read_json(std::string_view text, JsonEvents& events);

}  // namespace wick::frontend
