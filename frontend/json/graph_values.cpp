// The values of the graph, taken in one by one.
#include <algorithm>

#include "compiler/graph/literal.h"
#include "compiler/support/text.h"
#include "frontend/json/graph_events.h"
#include "frontend/json/number.h"
#include "frontend/json/words.h"

namespace wick::frontend {
namespace {

using compiler::quoted;

constexpr std::int64_t kMostExtent = compiler::kMaxTensorBytes.count;

}  // namespace

std::string found_text(const Scalar& scalar) {
  return scalar.kind == kTextKind ? quoted(excerpt(scalar.text)) : excerpt(scalar.text);
}

void GraphEvents::store(Expect expect, const Scalar& scalar) {
  switch (expect) {
    case Expect::kVersion:
      if (read_integer(scalar.text) != 1) {
        error(scalar.where, "this is version 1 of the graph language, found " + found_text(scalar));
      }
      return;
    case Expect::kName:
    case Expect::kText:
      return store_text(expect, scalar);
    case Expect::kDType:
      return store_dtype(scalar);
    case Expect::kRole:
      if (scalar.text == "parameter") {
        input().parameter = true;
      } else {
        error(scalar.where, "\"role\" must be \"parameter\", found " + found_text(scalar),
              "leave it out for an input that is given at each call");
      }
      return;
    case Expect::kFlag: {
      const bool value = scalar.text == "true";
      (frames_[depth_ - 1].expect == Expect::kInput ? input().donate : node().cache) = value;
      return;
    }
    case Expect::kOperand:
      if (scalar.kind == kTextKind) {
        node().operands.push_back({std::string(scalar.text)});
      } else {
        node().operands.push_back({compiler::Literal{std::string(scalar.text)}});
      }
      return;
    case Expect::kExtent:
      return store_extent(0, scalar);
    case Expect::kWantedExtent:
      return store_extent(-1, scalar);
    case Expect::kElement:
      if (scalar.kind == kTextKind && !is_non_finite(scalar.text)) {
        error(scalar.where, subject() + " must be a number, found " + found_text(scalar),
              "of strings there are \"inf\", \"-inf\" and \"nan\"");
      }
      return;
    case Expect::kAttribute:
      return store_attribute(scalar);
    default:
      return store_item(scalar);
  }
}

// A string of any object: told apart by the object and its key.
void GraphEvents::store_text(Expect expect, const Scalar& scalar) {
  if (expect == Expect::kName && scalar.text.empty()) {
    return error(scalar.where, subject() + " must not be empty");
  }
  const Frame& frame = frames_[depth_ - 1];
  const std::string value(scalar.text);
  if (!frame.object) {
    auto& names = depth_ == 2 ? document_.graph.outputs : node().outputs;
    names.push_back(value);
  } else if (frame.key == "description") {
    (frame.expect == Expect::kGraph      ? document_.graph.description
     : frame.expect == Expect::kInput    ? input().description
     : frame.expect == Expect::kConstant ? constant().description
                                         : node().description) = value;
  } else if (frame.key == "name") {
    (frame.expect == Expect::kGraph      ? document_.graph.name
     : frame.expect == Expect::kInput    ? input().name
     : frame.expect == Expect::kConstant ? constant().name
                                         : node().name) = value;
  } else if (frame.key == "op") {
    node().op = value;
  } else if (frame.key == "file") {
    constant().file = value;
    constant().file_where = scalar.where;
  } else {
    constant().tensor = value;
    constant().tensor_where = scalar.where;
  }
}

void GraphEvents::store_dtype(const Scalar& scalar) {
  const auto dtype = compiler::dtype_named(scalar.text);
  if (!dtype) {
    std::vector<std::string_view> names;
    for (const auto& known : compiler::kDTypes) names.push_back(known.name);
    std::string hint = findings_.plenty() ? "" : compiler::did_you_mean(scalar.text, names);
    if (hint.empty()) hint = "the dtypes are f32, f64, i8, u8, i32, i64 and bool";
    return error(scalar.where, "there is no dtype " + found_text(scalar), std::move(hint));
  }
  const Expect owner = frames_[depth_ - 1].expect;
  if (owner == Expect::kInput) input().dtype = *dtype;
  if (owner == Expect::kConstant) constant().dtype = *dtype;
  if (owner == Expect::kNode) node().dtype = *dtype;
}

std::vector<std::int64_t>& GraphEvents::shape() {
  const Expect owner = frames_[depth_ - 2].expect;
  if (owner == Expect::kInput) return input().shape;
  return owner == Expect::kConstant ? constant().shape : *node().shape;
}

void GraphEvents::store_extent(std::int64_t least, const Scalar& scalar) {
  const auto value = integer(scalar);
  if (!value) return;
  if (*value < least) {
    error(scalar.where, subject() + " must be at least " + std::to_string(least) + ", found " +
                            found_text(scalar));
  } else if (*value > kMostExtent) {
    error(scalar.where, subject() + " is larger than any tensor: " + found_text(scalar));
  } else {
    shape().push_back(*value);
  }
}

std::optional<std::int64_t> GraphEvents::integer(const Scalar& scalar) {
  const auto value = read_integer(scalar.text);
  if (!value) {
    const bool large = scalar.text.find_first_of(".eE") == std::string_view::npos;
    error(scalar.where, subject() + " must be an integer" + (large ? " of 64 bits" : "") +
                            ", found " + found_text(scalar));
  }
  return value;
}

// An integer is kept as one, except -0.0, which an integer cannot be.
void GraphEvents::store_attribute(const Scalar& scalar) {
  auto& attributes = node().attributes;
  const std::string& name = frames_[depth_ - 1].key;
  if (scalar.kind == kTextKind) return attributes.set(name, std::string(scalar.text));
  if (scalar.kind == kFlagKind) return attributes.set(name, scalar.text == "true");
  const auto integer = read_integer(scalar.text);
  if (integer && (*integer != 0 || scalar.text[0] != '-')) return attributes.set(name, *integer);
  const auto number = compiler::read_literal(scalar.text, compiler::DType::kF64);
  attributes.set(name, number.value ? number.value->at<double>(0) : 0.0);
}

// An element of a list attribute, or a part of one of its ranges.
void GraphEvents::store_item(const Scalar& scalar) {
  const Frame& frame = frames_[depth_ - 1];
  const bool part = frame.expect == Expect::kAttributeItem;
  if (scalar.kind == kNullKind) {
    if (part) return;
    if (has_integers_) error(scalar.where, subject() + " must be an integer, found null");
    has_ranges_ = !has_integers_;
    ranges_.emplace_back();
    return;
  }
  const auto value = integer(scalar);
  if (!value) return;
  if (part) {
    compiler::ops::Range& range = ranges_.back();
    if (frame.count == 1) range.start = *value;
    if (frame.count == 2) range.stop = *value;
    if (frame.count == 3) range.step = *value;
  } else {
    if (has_ranges_) error(scalar.where, subject() + " must be a list like those before it");
    has_integers_ = !has_ranges_;
    integers_.push_back(*value);
  }
}

}  // namespace wick::frontend
