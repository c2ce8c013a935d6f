#include "compiler/graph/attributes.h"

#include <cmath>
#include <limits>

#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

using ops::AttributeKind;
using ops::AttributeSpec;
using ops::AttributeValue;
using Faults = std::vector<ops::Inference::Fault>;

std::string_view kind_text(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kFlag:
      return "true or false";
    case AttributeKind::kInteger:
      return "an integer";
    case AttributeKind::kNumber:
      return "a number";
    case AttributeKind::kText:
      return "a text";
    case AttributeKind::kIntegers:
    case AttributeKind::kParts:
      return "a list of integers";
    case AttributeKind::kRanges:
    case AttributeKind::kStrides:
      return "a list of ranges";
    case AttributeKind::kPairs:
      return "a list of pairs of integers";
    case AttributeKind::kDType:
      return "a dtype";
  }
  return "a value";
}

std::vector<std::string_view> dtype_names() {
  std::vector<std::string_view> names;
  for (const DTypeInfo& dtype : kDTypes) names.push_back(dtype.name);
  return names;
}

// A JSON pointer's token (RFC 6901).
std::string pointer_token(std::string_view name) {
  std::string token = "/";
  for (const char c : name) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::optional<AttributeValue> to_number(const AttributeValue& written) {
  if (const auto* integer = std::get_if<std::int64_t>(&written)) {
    return static_cast<double>(*integer);
  }
  if (const auto* text = std::get_if<std::string>(&written)) {
    if (*text == "inf") return std::numeric_limits<double>::infinity();
    if (*text == "-inf") return -std::numeric_limits<double>::infinity();
    if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

std::optional<AttributeValue> to_integer(const AttributeValue& written) {
  const auto* number = std::get_if<double>(&written);
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  const bool exact =
      number != nullptr && *number >= -kLimit && *number < kLimit && std::floor(*number) == *number;
  if (!exact) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<AttributeValue> to_ranges(const AttributeValue& written) {
  const auto* pairs = std::get_if<ops::Pairs>(&written);
  if (pairs == nullptr) return std::nullopt;
  ops::Ranges ranges;
  for (const auto& [start, stop] : *pairs) ranges.push_back({start, stop, 1});
  return ranges;
}

std::optional<AttributeValue> to_pairs(const AttributeValue& written) {
  const auto* ranges = std::get_if<ops::Ranges>(&written);
  if (ranges == nullptr) return std::nullopt;
  ops::Pairs pairs;
  for (const ops::Range& range : *ranges) {
    if (!range.start || !range.stop || range.step != 1) return std::nullopt;
    pairs.push_back({*range.start, *range.stop});
  }
  return pairs;
}

bool is_empty_list(const AttributeValue& value) {
  const auto* integers = std::get_if<ops::Integers>(&value);
  const auto* ranges = std::get_if<ops::Ranges>(&value);
  const auto* pairs = std::get_if<ops::Pairs>(&value);
  return (integers && integers->empty()) || (ranges && ranges->empty()) ||
         (pairs && pairs->empty());
}

// `written` as a value of `kind`, where that loses nothing. An empty list is a list of anything.
std::optional<AttributeValue> converted(const AttributeValue& written, AttributeKind kind) {
  if (ops::kind_of(written) == kind) return written;
  switch (kind) {
    case AttributeKind::kInteger:
      return to_integer(written);
    case AttributeKind::kNumber:
      return to_number(written);
    case AttributeKind::kIntegers:
      if (is_empty_list(written)) return ops::Integers();
      return std::nullopt;
    case AttributeKind::kRanges:
      if (is_empty_list(written)) return ops::Ranges();
      return to_ranges(written);
    case AttributeKind::kPairs:
      if (is_empty_list(written)) return ops::Pairs();
      return to_pairs(written);
    case AttributeKind::kDType: {
      const auto* text = std::get_if<std::string>(&written);
      const auto dtype = text != nullptr ? dtype_named(*text) : std::nullopt;
      if (!dtype) return std::nullopt;
      return *dtype;
    }
    default:
      return std::nullopt;
  }
}

std::string found_text(const AttributeValue& written) {
  if (const auto* text = std::get_if<std::string>(&written)) return quoted(*text);
  if (const auto* number = std::get_if<double>(&written)) return shortest(*number);
  if (const auto* integer = std::get_if<std::int64_t>(&written)) return std::to_string(*integer);
  if (const auto* flag = std::get_if<bool>(&written)) return *flag ? "true" : "false";
  if (is_empty_list(written)) return "an empty list";
  return std::string(kind_text(ops::kind_of(written)));
}

std::string wrong_kind_hint(const AttributeSpec& spec, const AttributeValue& written) {
  if (spec.kind == AttributeKind::kIntegers) {
    if (const auto* integer = std::get_if<std::int64_t>(&written)) {
      return "write [" + std::to_string(*integer) + "]";
    }
  }
  if (spec.kind == AttributeKind::kPairs) {
    if (const auto* integer = std::get_if<std::int64_t>(&written)) {
      const std::string number = std::to_string(*integer);
      return "write [[" + number + ", " + number + "]]";
    }
    const auto* numbers = std::get_if<ops::Integers>(&written);
    if (numbers != nullptr && numbers->size() == 2) {
      return "write [[" + std::to_string((*numbers)[0]) + ", " + std::to_string((*numbers)[1]) +
             "]]";
    }
  }
  if (spec.kind == AttributeKind::kDType) {
    const auto names = dtype_names();
    if (const auto* text = std::get_if<std::string>(&written)) {
      const std::string suggestion = did_you_mean(*text, names);
      if (!suggestion.empty()) return suggestion;
    }
    return "the dtypes are f32, f64, i8, u8, i32, i64 and bool";
  }
  return {};
}

std::string list_text(const std::vector<std::string_view>& names) {
  std::vector<std::string> parts;
  for (const std::string_view name : names) parts.push_back(quoted(name));
  return joined(parts, ", ");
}

void check_choice(const AttributeSpec& spec, const AttributeValue& value, Faults& faults) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || spec.choices.empty()) return;
  for (const std::string_view choice : spec.choices) {
    if (*text == choice) return;
  }
  faults.push_back({pointer_token(spec.name),
                    quoted(spec.name) + " must be one of " + list_text(spec.choices) + ", found " +
                        quoted(*text),
                    did_you_mean(*text, spec.choices)});
}

void report_unknown(const ops::OpRecord& op, const std::string& name, Faults& faults) {
  std::vector<std::string_view> names;
  for (const AttributeSpec& spec : op.attributes) names.push_back(spec.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) {
    hint = names.empty() ? "it has none" : "its attributes are " + list_text(names);
  }
  faults.push_back({pointer_token(name), quoted(op.name) + " has no attribute " + quoted(name),
                    std::move(hint)});
}

// What a node states about its result is an attribute where one operation calls another.
const AttributeSpec kWantedDType{.name = "dtype", .kind = AttributeKind::kDType};
const AttributeSpec kWantedShape{.name = "shape", .kind = AttributeKind::kIntegers};

const AttributeSpec* find_spec(const ops::OpRecord& op, std::string_view name) {
  for (const AttributeSpec& spec : op.attributes) {
    if (spec.name == name) return &spec;
  }
  if (op.uses_dtype && name == kWantedDType.name) return &kWantedDType;
  if (op.uses_shape && name == kWantedShape.name) return &kWantedShape;
  return nullptr;
}

}  // namespace

ops::Attributes complete_attributes(const ops::OpRecord& op, const ops::Attributes& written,
                                    Faults& faults) {
  ops::Attributes complete;
  for (const auto& [name, value] : written.entries()) {
    const AttributeSpec* spec = find_spec(op, name);
    if (spec == nullptr) {
      report_unknown(op, name, faults);
      continue;
    }
    auto right = converted(value, spec->kind);
    if (!right) {
      faults.push_back({pointer_token(name),
                        quoted(name) + " must be " + std::string(kind_text(spec->kind)) +
                            ", found " + found_text(value),
                        wrong_kind_hint(*spec, value)});
      continue;
    }
    check_choice(*spec, *right, faults);
    complete.set(name, std::move(*right));
  }
  for (const AttributeSpec& spec : op.attributes) {
    if (written.has(spec.name)) continue;
    if (spec.default_value) {
      complete.set(spec.name, *spec.default_value);
    } else if (spec.required) {
      faults.push_back({"",
                        quoted(op.name) + " needs the attribute " + quoted(spec.name) + ", " +
                            std::string(kind_text(spec.kind)),
                        {}});
    }
  }
  return complete;
}

}  // namespace wick::compiler
