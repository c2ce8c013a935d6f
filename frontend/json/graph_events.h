// The receiver of the first stage: takes in a graph and checks its structure.
//
// An automaton over the events of the text. A stack of frames says where we are: each frame is an
// object, with the key being read, or a list, with the number of elements read; what may come next
// follows from the tables in rules.h. The stack is never deeper than the language: a value that is
// wrong is reported and passed over whole.
//
// Errors within an input, a constant or a node are held back until it ends, for then its name is
// known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json/document.h"
#include "frontend/json/rules.h"
#include "frontend/json/syntax.h"

namespace wick::frontend {

// A string, a number, true, false or null.
struct Scalar {
  Kind kind;
  std::string_view text;  // decoded, of a string; as written, of anything else
  TextSpan where;
};

// The scalar as a message shows it.
std::string found_text(const Scalar& scalar);

struct Frame {
  Expect expect = Expect::kAnything;  // of this object or list itself
  bool object = false;
  std::size_t offset = 0;            // of the opening bracket
  std::size_t count = 0;             // keys or elements begun so far
  std::uint32_t seen = 0;            // keys met, by their place in the table
  bool misspelt = false;             // there was a key that is none
  std::string key = {};              // being read
  Expect value = Expect::kAnything;  // of that key
};

class GraphEvents : public JsonEvents {
 public:
  explicit GraphEvents(Findings& findings) : findings_(findings) {}

  Document take() {
    release_errors({});
    return std::move(document_);
  }
  // The text is no JSON from here on.
  void stop(const SyntaxError& error);

  bool begin_object(TextSpan where) override { return begin(kObjectKind, where); }
  bool begin_array(TextSpan where) override { return begin(kArrayKind, where); }
  bool end_object(TextSpan where) override { return end(where); }
  bool end_array(TextSpan where) override { return end(where); }
  bool key(const std::string& name, TextSpan where) override;
  bool text(const std::string& value, TextSpan where) override {
    return scalar({kTextKind, value, where});
  }
  bool number(std::string_view written, TextSpan where) override {
    return scalar({kNumberKind, written, where});
  }
  bool flag(bool value, TextSpan where) override {
    return scalar({kFlagKind, value ? "true" : "false", where});
  }
  bool null(TextSpan where) override { return scalar({kNullKind, "null", where}); }

 private:
  static constexpr std::size_t kMostErrors = 1000;

  bool begin(Kind kind, TextSpan where);
  bool end(TextSpan where);
  bool scalar(const Scalar& scalar);

  Expect next_value();
  bool wrong_kind(Expect expect, Kind kind, const std::string& found, TextSpan where);
  bool too_many(Expect expect, TextSpan where);

  void open(Expect expect, TextSpan where);
  void prepare(Expect expect, TextSpan where);
  void close(const Frame& frame, TextSpan where);
  void close_constant(const Frame& frame);
  void close_node(const Frame& frame);
  void require_keys(const Frame& frame);
  bool has_key(const Frame& frame, std::string_view name) const;
  void attribute_key(Frame& frame, const std::string& name, TextSpan where);
  void unknown_key(Frame& frame, const std::string& name, TextSpan where);

  void store(Expect expect, const Scalar& scalar);
  void store_text(Expect expect, const Scalar& scalar);
  void store_dtype(const Scalar& scalar);
  void store_extent(std::int64_t least, const Scalar& scalar);
  void store_attribute(const Scalar& scalar);
  void store_item(const Scalar& scalar);
  std::optional<std::int64_t> integer(const Scalar& scalar);

  std::string pointer() const;
  std::string subject() const;
  void error(TextSpan where, std::string message, std::string hint = {});
  // False after so many errors that the file must be something else.
  bool going_on() const { return errors_ < kMostErrors; }
  void release_errors(const std::string& name);

  compiler::InputDescription& input() { return document_.graph.inputs.back(); }
  WrittenConstant& constant() { return document_.constants.back(); }
  compiler::NodeDescription& node() { return document_.graph.nodes.back(); }
  std::vector<std::int64_t>& shape();

  Findings& findings_;
  Document document_;
  // Frames are reused, with the memory of their keys: the stack is the first `depth_` of them.
  std::array<Frame, 6> frames_;
  std::size_t depth_ = 0;
  std::size_t skipping_ = 0;  // levels of a value that is passed over

  // The list attribute being read.
  compiler::ops::Integers integers_;
  compiler::ops::Ranges ranges_;
  bool has_integers_ = false;
  bool has_ranges_ = false;

  struct HeldError {
    std::string pointer;
    TextSpan where;
    std::string message;
    std::string hint;
  };
  std::vector<HeldError> held_;
  bool holding_ = false;
  std::size_t errors_ = 0;
};

}  // namespace wick::frontend
