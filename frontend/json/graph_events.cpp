// Events, what may come next, and ends; graph_values.cpp takes in the values.
#include "frontend/json/graph_events.h"

#include <algorithm>
#include <utility>

#include "compiler/support/text.h"
#include "frontend/json/words.h"

namespace wick::frontend {
namespace {

// What a list within an attribute's list may be.
constexpr const char* kRangeForms =
    "a range is [start, stop] or [start, stop, step], a pair [before, after]";

using compiler::quoted;

std::string_view noun_of(Kind kind) {
  switch (kind) {
    case kObjectKind:
      return "an object";
    case kArrayKind:
      return "a list";
    case kTextKind:
      return "a string";
    case kNumberKind:
      return "a number";
    default:
      return "a value";
  }
}

}  // namespace

// ---- Events ------------------------------------------------------------------------------------

bool GraphEvents::begin(Kind kind, TextSpan where) {
  if (skipping_ > 0) {
    ++skipping_;
    return going_on();
  }
  const Expect expect = next_value();
  const bool right =
      !wrong_kind(expect, kind, std::string(noun_of(kind)), where) && !too_many(expect, where);
  if (right && expect != Expect::kAnything) {
    open(expect, where);
  } else {
    skipping_ = 1;
  }
  return going_on();
}

bool GraphEvents::end(TextSpan where) {
  if (skipping_ > 0) {
    --skipping_;
    return going_on();
  }
  --depth_;
  close(frames_[depth_], where);
  return going_on();
}

bool GraphEvents::scalar(const Scalar& scalar) {
  if (skipping_ > 0) return going_on();
  const Expect expect = next_value();
  if (wrong_kind(expect, scalar.kind, found_text(scalar), scalar.where)) return going_on();
  if (expect != Expect::kAnything && !too_many(expect, scalar.where)) store(expect, scalar);
  return going_on();
}

bool GraphEvents::key(const std::string& name, TextSpan where) {
  if (skipping_ > 0) return going_on();
  Frame& frame = frames_[depth_ - 1];
  frame.key = name;
  frame.value = Expect::kAnything;
  ++frame.count;
  const auto keys = keys_of(frame.expect).keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name != name) continue;
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((frame.seen & bit) != 0) {
      error(where, "the key " + quoted(name) + " stands here twice");
    } else {
      frame.value = keys[i].expect;
    }
    frame.seen |= bit;
    return going_on();
  }
  if (frame.expect == Expect::kNode) {
    attribute_key(frame, name, where);
  } else {
    unknown_key(frame, name, where);
  }
  return going_on();
}

// In a node, what is no key of ours is an attribute of the operation.
void GraphEvents::attribute_key(Frame& frame, const std::string& name, TextSpan where) {
  if (frame.count > kMostNodeKeys) {
    if (frame.count > kMostNodeKeys + 1) return;
    return error(where, "a node has at most " + std::to_string(kMostNodeKeys) + " keys");
  }
  if (node().attributes.has(name)) {
    return error(where, "the key " + quoted(excerpt(name)) + " stands here twice");
  }
  node().attributes.set(name, false);
  frame.value = Expect::kAttribute;
}

void GraphEvents::unknown_key(Frame& frame, const std::string& name, TextSpan where) {
  frame.misspelt = true;
  const KeySet& set = keys_of(frame.expect);
  std::vector<std::string_view> names;
  std::vector<std::string> list;
  for (const Key& key : set.keys) {
    names.push_back(key.name);
    list.push_back(quoted(key.name));
  }
  std::string hint = findings_.plenty() ? "" : compiler::did_you_mean(name, names);
  if (hint.empty()) hint = "its keys are " + compiler::joined(list, ", ");
  error(where, std::string(set.noun) + " has no key " + quoted(excerpt(name)), std::move(hint));
}

// ---- What comes next ---------------------------------------------------------------------------

// What the rules expect of the value that begins now.
Expect GraphEvents::next_value() {
  if (depth_ == 0) return Expect::kGraph;
  Frame& frame = frames_[depth_ - 1];
  if (frame.object) return frame.value;
  ++frame.count;
  return rule_of(frame.expect).element;
}

bool GraphEvents::wrong_kind(Expect expect, Kind kind, const std::string& found, TextSpan where) {
  const Rule& rule = rule_of(expect);
  if ((rule.kinds & kind) != 0) return false;
  error(where, subject() + " must be " + std::string(rule.what) + ", found " + found);
  return true;
}

// Lists of limited length.
bool GraphEvents::too_many(Expect expect, TextSpan where) {
  if (expect == Expect::kExtent || expect == Expect::kWantedExtent) {
    const std::size_t count = frames_[depth_ - 1].count;
    if (count == compiler::kMaxRank + 1) {
      error(where, "a tensor has at most " + std::to_string(compiler::kMaxRank) + " axes");
    }
    return count > compiler::kMaxRank;
  }
  if (expect == Expect::kRangePart) {
    const std::size_t count = frames_[depth_ - 1].count;
    if (count == 4) error(where, kRangeForms);
    return count > 3;
  }
  return false;
}

void GraphEvents::open(Expect expect, TextSpan where) {
  compiler::check(depth_ < frames_.size(), "the graph language has become deeper");
  prepare(expect, where);
  Frame& frame = frames_[depth_++];
  frame.expect = expect;
  frame.object = (rule_of(expect).kinds & kObjectKind) != 0;
  frame.offset = where.offset;
  frame.count = 0;
  frame.seen = 0;
  frame.misspelt = false;
}

// Makes room for what the object or list that begins now will say.
void GraphEvents::prepare(Expect expect, TextSpan where) {
  switch (expect) {
    case Expect::kInput:
      document_.graph.inputs.emplace_back();
      holding_ = true;
      return;
    case Expect::kConstant:
      document_.constants.emplace_back();
      holding_ = true;
      return;
    case Expect::kNode:
      document_.graph.nodes.emplace_back();
      holding_ = true;
      return;
    case Expect::kExtents:
      if (frames_[depth_ - 1].expect == Expect::kConstant) constant().shape_where = where;
      return;
    case Expect::kWantedExtents:
      node().shape.emplace();
      return;
    case Expect::kAttribute:
      integers_.clear();
      ranges_.clear();
      has_integers_ = has_ranges_ = false;
      return;
    case Expect::kAttributeItem:
      if (has_integers_) error(where, subject() + " must be an integer like those before it");
      has_ranges_ = !has_integers_;
      ranges_.emplace_back();
      return;
    default:
      return;
  }
}

// ---- Ends --------------------------------------------------------------------------------------

void GraphEvents::close(const Frame& frame, TextSpan where) {
  if (frame.object) require_keys(frame);
  const TextSpan whole{frame.offset, where.offset + where.length - frame.offset};
  switch (frame.expect) {
    case Expect::kInput:
      return release_errors(input().name);
    case Expect::kConstant:
      return close_constant(frame);
    case Expect::kNode:
      return close_node(frame);
    case Expect::kNames:
      if (frame.count == 0) error({frame.offset, 2}, subject() + " needs at least one name");
      return;
    case Expect::kValues:
      constant().values = whole;
      constant().value_count = frame.count;
      return;
    case Expect::kAttribute:
      if (has_ranges_) return node().attributes.set(frames_[depth_ - 1].key, ranges_);
      return node().attributes.set(frames_[depth_ - 1].key, integers_);
    case Expect::kAttributeItem:
      if (frame.count < 2) error(whole, kRangeForms);
      return;
    default:
      return;
  }
}

void GraphEvents::close_constant(const Frame& frame) {
  const TextSpan where{frame.offset, 1};
  const bool values = has_key(frame, "values"), file = has_key(frame, "file");
  if (values && file) {
    error(where, "a constant has either \"values\" or a \"file\", not both");
  } else if (!values && !file && !frame.misspelt) {
    error(where, "this constant has neither \"values\" nor a \"file\"");
  } else if (!file && has_key(frame, "tensor")) {
    error(where, "this constant has a \"tensor\" but no \"file\" to find it in");
  }
  release_errors(constant().name);
}

void GraphEvents::close_node(const Frame& frame) {
  if (!has_key(frame, "name") && !has_key(frame, "outputs")) {
    error({frame.offset, 1}, "this node has neither a \"name\" nor \"outputs\"");
  }
  const auto& outputs = node().outputs;
  release_errors(node().name.empty() && !outputs.empty() ? outputs.front() : node().name);
}

// A key that is missing beside one that is unknown is most likely the same mistake.
void GraphEvents::require_keys(const Frame& frame) {
  if (frame.misspelt) return;
  const KeySet& set = keys_of(frame.expect);
  for (std::size_t i = 0; i < set.keys.size(); ++i) {
    if (!set.keys[i].required || ((frame.seen >> i) & 1) != 0) continue;
    std::string hint;
    if (frame.expect == Expect::kGraph && i == 0)
      hint = "write \"wick\": 1, the language's version";
    error({frame.offset, 1}, std::string(set.noun) + " needs the key " + quoted(set.keys[i].name),
          std::move(hint));
  }
}

bool GraphEvents::has_key(const Frame& frame, std::string_view name) const {
  const auto keys = keys_of(frame.expect).keys;
  const auto at = std::ranges::find(keys, name, &Key::name);
  return ((frame.seen >> (at - keys.begin())) & 1) != 0;
}

// ---- Errors ------------------------------------------------------------------------------------

std::string GraphEvents::pointer() const {
  std::string pointer;
  for (std::size_t i = 0; i < depth_; ++i) {
    const Frame& frame = frames_[i];
    if (frame.count == 0) break;
    pointer += frame.object ? pointer_token(frame.key) : "/" + std::to_string(frame.count - 1);
  }
  return pointer;
}

// The value being read, in words: "\"shape\"", "element 2 of \"shape\"".
std::string GraphEvents::subject() const {
  if (depth_ == 0) return "the graph";
  const Frame& frame = frames_[depth_ - 1];
  if (frame.object) return quoted(excerpt(frame.key));
  std::size_t owner = depth_ - 1;
  while (!frames_[owner].object) --owner;
  const std::string list = quoted(excerpt(frames_[owner].key));
  if (frame.count == 0) return list;
  const bool nested = owner + 2 < depth_;
  const std::string outer =
      nested ? "element " + std::to_string(frames_[depth_ - 2].count - 1) + " of " : "";
  return "element " + std::to_string(frame.count - 1) + " of " + outer + list;
}

void GraphEvents::error(TextSpan where, std::string message, std::string hint) {
  ++errors_;
  if (held_.size() >= compiler::Diagnostics::kMost) return;
  held_.push_back({pointer(), where, std::move(message), std::move(hint)});
  if (!holding_) release_errors({});
}

void GraphEvents::release_errors(const std::string& name) {
  for (HeldError& error : held_) {
    findings_.add(Stage::kStructure, {std::move(error.pointer), name}, error.where,
                  std::move(error.message), std::move(error.hint));
  }
  held_.clear();
  holding_ = false;
}

void GraphEvents::stop(const SyntaxError& error) {
  release_errors({});
  // The value at fault has not been announced, so the place is in the object or list around it.
  if (skipping_ == 0 && depth_ > 0) --depth_;
  findings_.add(Stage::kStructure, {pointer(), {}}, error.where, error.message, error.hint);
}

}  // namespace wick::frontend
