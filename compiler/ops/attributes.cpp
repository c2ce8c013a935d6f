#include "compiler/ops/attributes.h"

#include <algorithm>
#include <bit>

#include "compiler/support/check.h"

namespace wick::compiler::ops {
namespace {

template <class T>
const T& get(const Attributes& attributes, std::string_view name) {
  const AttributeValue* value = attributes.find(name);
  check(value != nullptr && std::holds_alternative<T>(*value),
        "attribute \"" + std::string(name) + "\" is missing or of another kind");
  return std::get<T>(*value);
}

bool same_bits(const AttributeValue& a, const AttributeValue& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x != nullptr && y != nullptr)
    return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
  return a == b;
}

}  // namespace

Attributes::Attributes(std::initializer_list<std::pair<std::string, AttributeValue>> entries) {
  for (const auto& [name, value] : entries) set(name, value);
}

void Attributes::set(std::string_view name, AttributeValue value) {
  const auto at = std::ranges::lower_bound(
      entries_, name, {}, [](const auto& entry) { return std::string_view(entry.first); });
  if (at != entries_.end() && at->first == name) {
    at->second = std::move(value);
  } else {
    entries_.insert(at, {std::string(name), std::move(value)});
  }
}

const AttributeValue* Attributes::find(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (key == name) return &value;
  }
  return nullptr;
}

bool Attributes::flag(std::string_view name) const { return get<bool>(*this, name); }
std::int64_t Attributes::integer(std::string_view name) const {
  return get<std::int64_t>(*this, name);
}
double Attributes::number(std::string_view name) const { return get<double>(*this, name); }
const std::string& Attributes::text(std::string_view name) const {
  return get<std::string>(*this, name);
}
const Integers& Attributes::integers(std::string_view name) const {
  return get<Integers>(*this, name);
}
const Ranges& Attributes::ranges(std::string_view name) const { return get<Ranges>(*this, name); }
const Pairs& Attributes::pairs(std::string_view name) const { return get<Pairs>(*this, name); }
const Strides& Attributes::strides(std::string_view name) const {
  return get<Strides>(*this, name);
}
const Parts& Attributes::parts(std::string_view name) const { return get<Parts>(*this, name); }
DType Attributes::dtype(std::string_view name) const { return get<DType>(*this, name); }

bool operator==(const Attributes& a, const Attributes& b) {
  return std::ranges::equal(a.entries_, b.entries_, [](const auto& x, const auto& y) {
    return x.first == y.first && same_bits(x.second, y.second);
  });
}

}  // namespace wick::compiler::ops
