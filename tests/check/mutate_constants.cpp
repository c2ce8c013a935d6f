// Constants: the values of inline ones, the places of packed ones, and the bytes of their file.
#include <algorithm>
#include <set>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

constexpr std::string_view kInline = "inline constant";
constexpr std::string_view kPacked = "packed constant";

void mutate_value(Collector& to, const Expression& element) {
  const std::string& text = element.name;
  if (text == "true" || text == "false")
    return to.replace(kInline, Oracle::kResults, element.span, text == "true" ? "false" : "true");
  if (!element.is_name() || text.empty()) return;
  // The first digit becomes another one, or the sign changes.
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string::npos || text.find("0x") != std::string::npos) return;
  std::string other = text;
  other[digit] = text[digit] == '1' ? '2' : '1';
  to.replace(kInline, Oracle::kResults, element.span, other);
  to.replace(kInline, Oracle::kResults, element.span,
             text.starts_with('-') ? text.substr(1) : "-" + text);
}

void mutate_values(Collector& to, const Values& values) {
  const std::size_t count = values.elements.size();
  if (count == 0) return;
  // The first, the last and the one in the middle.
  for (const std::size_t i : std::set<std::size_t>{0, count / 2, count - 1})
    mutate_value(to, values.elements[i]);
  for (std::size_t i = 0; i + 1 < count && i < 2; ++i)
    to.swap(kInline, Oracle::kResults, values.elements[i].span, values.elements[i + 1].span);
}

// A constant in panels as if it lay row by row, and the other way round.
void mutate_panels(Collector& to) {
  for (const Type& type : to.emitted().types) {
    const Expression& definition = type.definition;
    const bool is_matrix = definition.name == "wick::Tensor" && type.extents.size() == 2;
    const auto reads = [&](const WeightMember& weight) { return weight.type == type.name; };
    if (!(type.is_in_panels || is_matrix) || std::ranges::none_of(to.emitted().weights, reads))
      continue;
    const std::string other = type.is_in_panels ? "wick::Tensor" : "wick::Panels";
    to.add("panels", Oracle::kResults, type.name + ": " + definition.name + " -> " + other,
           {{definition.name_span, other, type.in_header}});
  }
}

void mutate_members(Collector& to) {
  const Emitted& emitted = to.emitted();
  for (const WeightMember& weight : emitted.weights) {
    const Type& type = *emitted.type(weight.type);
    for (const WeightMember& other : emitted.weights) {
      if (!is_same_type(type, *emitted.type(other.type)) || weight.name == other.name) continue;
      if (weight.offset < 0 && other.offset < 0)
        to.replace(kInline, Oracle::kResults, weight.values.span, other.values.name);
      if (weight.name_span.begin < other.name_span.begin)
        to.swap(weight.offset < 0 ? kInline : kPacked, Oracle::kResults, weight.name_span,
                other.name_span);
      if (weight.offset >= 0 && other.offset >= 0)
        to.replace(kPacked, Oracle::kResults, weight.packed.arguments.at(1).span,
                   std::to_string(other.offset));
    }
    if (weight.offset < 0) continue;
    const std::int64_t size = type.element_bytes();
    for (const std::int64_t offset :
         {weight.offset + size, weight.offset - size, weight.offset + 1, emitted.packed_bytes}) {
      if (offset >= 0)
        to.replace(kPacked, Oracle::kResults, weight.packed.arguments.at(1).span,
                   std::to_string(offset));
    }
    for (const std::int64_t byte : std::set<std::int64_t>{0, type.bytes() / 2, type.bytes() - 1}) {
      if (byte >= 0 && type.bytes() > 0)
        to.flip(static_cast<std::size_t>(weight.offset + byte),
                "byte " + std::to_string(byte) + " of " + weight.name);
    }
  }
}

}  // namespace

void mutate_constants(Collector& to) {
  for (const Values& values : to.emitted().values) mutate_values(to, values);
  mutate_panels(to);
  mutate_members(to);
}

}  // namespace wick::mutation
