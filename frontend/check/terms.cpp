#include "frontend/check/terms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

namespace wick::frontend::check {
namespace {

using compiler::DType;

class Hash {
 public:
  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0xbf58476d1ce4e5b9;
    hash_ = (hash_ ^ (hash_ >> 27)) * 0x94d049bb133111eb;
    hash_ ^= hash_ >> 31;
  }
  void add(const Shape& shape) {
    add(shape.rank());
    for (const std::int64_t extent : shape.extents()) add(static_cast<std::uint64_t>(extent));
  }
  void add(std::span<const std::byte> bytes) {
    add(bytes.size());
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, 8);
      add(word);
    }
    for (; at < bytes.size(); ++at) add(std::to_integer<std::uint64_t>(bytes[at]));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x9e3779b97f4a7c15;
};

std::uint64_t hash_of(const Term& term) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(term.kind));
  hash.add(static_cast<std::uint64_t>(term.dtype));
  hash.add(term.shape);
  hash.add(std::bit_cast<std::uintptr_t>(term.op));
  for (const TermView& operand : term.operands) {
    hash.add(operand.base.index());
    hash.add(operand.shape());
    hash.add(static_cast<std::uint64_t>(operand.layout.offset()));
    for (const std::int64_t stride : operand.layout.strides())
      hash.add(static_cast<std::uint64_t>(stride));
  }
  for (const std::int64_t number : term.numbers) hash.add(static_cast<std::uint64_t>(number));
  hash.add(std::hash<std::string>()(term.text));
  hash.add(term.index);
  if (term.kind == TermKind::kConstant) hash.add(term.data.bytes());
  if (term.kind == TermKind::kAffine) {
    const Chain& chain = term.chains[0];
    hash.add(std::bit_cast<std::uint64_t>(coefficient(chain.scale, term.dtype)));
    hash.add(std::bit_cast<std::uint64_t>(coefficient(chain.shift, term.dtype)));
    hash.add(chain.shifted ? 1u : 0u);
  }
  return hash.value();
}

bool same(const Term& a, const Term& b) {
  if (a.kind != b.kind || a.dtype != b.dtype || a.op != b.op || a.index != b.index) return false;
  if (a.shape != b.shape || a.operands != b.operands || a.numbers != b.numbers) return false;
  if (a.text != b.text) return false;
  if (a.kind == TermKind::kConstant) return std::ranges::equal(a.data.bytes(), b.data.bytes());
  return a.kind != TermKind::kAffine || same_coefficients(a.chains[0], b.chains[0], a.dtype);
}

}  // namespace

bool same_coefficients(const Chain& a, const Chain& b, DType dtype) {
  const auto same = [&](double x, double y) {
    return std::bit_cast<std::uint64_t>(coefficient(x, dtype)) ==
           std::bit_cast<std::uint64_t>(coefficient(y, dtype));
  };
  return a.shifted == b.shifted && same(a.scale, b.scale) && same(a.shift, b.shift);
}

double coefficient(double number, DType dtype) {
  if (dtype != DType::kF32) return number;
  const auto narrow = static_cast<float>(number);
  return std::isnormal(narrow) ? static_cast<double>(narrow) : number;
}

TermId TermTable::intern(Term term) {
  const std::uint64_t hash = hash_of(term);
  const auto known =
      index_.find_or_enter(hash, static_cast<std::uint32_t>(terms_.size()),
                           [&](std::uint32_t id) { return same(terms_[TermId(id)], term); });
  if (known) return TermId(*known);
  return terms_.push_back(std::move(term));
}

std::optional<TermId> TermTable::find(const Term& term) const {
  const auto known =
      index_.find(hash_of(term), [&](std::uint32_t id) { return same(terms_[TermId(id)], term); });
  if (!known) return std::nullopt;
  return TermId(*known);
}

}  // namespace wick::frontend::check
