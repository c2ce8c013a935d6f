// Elementwise operations: identities, repetitions, chains of scalars.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "compiler/support/check.h"
#include "compiler/tensor/scalar.h"
#include "frontend/check/algebra.h"

namespace wick::frontend::check {

using compiler::ops::OpRecord;
using compiler::ops::ScalarRole;

namespace {

bool is_before(const TermView& a, const TermView& b) {
  const auto key = [](const TermView& reading) {
    return std::make_pair(reading.base.index(), reading.layout.offset());
  };
  if (key(a) != key(b)) return key(a) < key(b);
  return std::ranges::lexicographical_compare(a.layout.strides(), b.layout.strides());
}

double as_double(Literal literal) {
  return compiler::Scalar{literal.dtype, literal.bits}.as_double();
}

bool is_power_of_two(double number) {
  int exponent = 0;
  return std::fabs(std::frexp(number, &exponent)) == 0.5;
}

// Half the distance of 1 to the next number.
double unit_roundoff(DType dtype) { return std::ldexp(1.0, dtype == DType::kF32 ? -24 : -53); }

}  // namespace

TermView Algebra::placed(Term term, const std::vector<TermView>& operands, const Shape& shape) {
  std::vector<Layout> layouts;
  for (const TermView& operand : operands) layouts.push_back(operand.layout);
  const Space space = space_of(shape, layouts, {});
  term.shape = space.shape;
  for (std::size_t i = 0; i < operands.size(); ++i)
    term.operands.push_back({operands[i].base, space.operands[i]});
  const Layout layout(shape, space.strides, 0);
  const TermId id =
      term.kind == TermKind::kAffine ? interned_affine(std::move(term)) : intern(std::move(term));
  return settled(id, layout);
}

// f(x, e) = x and f(e, x) = x, where the record promises it.
std::optional<TermView> Algebra::by_identity(const OpRecord& op,
                                             const std::vector<TermView>& operands) const {
  if (operands.size() != 2) return std::nullopt;
  const auto is_filled_with = [&](const TermView& reading, std::optional<double> number) {
    const auto found = number ? scalar(reading) : std::nullopt;
    if (!found) return false;
    return compiler::rounded_scalar(*number, found->dtype).bits == found->bits;
  };
  if (is_filled_with(operands[1], op.traits.right_identity)) return operands[0];
  if (is_filled_with(operands[0], op.traits.left_identity)) return operands[1];
  return std::nullopt;
}

// f(f(x)) = f(x) and f(f(x)) = x.
std::optional<TermView> Algebra::by_repetition(const OpRecord& op, DType dtype,
                                               const std::vector<TermView>& operands) {
  if (!op.traits.idempotent && !op.traits.involution) return std::nullopt;
  const Term& below = terms_[operands[0].base];
  const bool same_call = below.kind == TermKind::kElementwise && below.op == &op &&
                         below.dtype == dtype && below.operands.size() == operands.size();
  if (!same_call) return std::nullopt;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    if (!scalar(operands[i]) || operands[i].base != below.operands[i].base) return std::nullopt;
  }
  if (op.traits.idempotent) return operands[0];
  const TermView inner = below.operands[0];
  const auto layout = composed(operands[0].layout, inner.layout);
  if (!layout) return std::nullopt;
  return over(inner.base, *layout);
}

// ---- Chains -------------------------------------------------------------------------------------

std::optional<Algebra::Link> Algebra::as_link(const OpRecord& op,
                                              const std::vector<TermView>& operands) const {
  const ScalarRole role = op.traits.scalar_role;
  if (role == ScalarRole::kNone || role == ScalarRole::kNegate || operands.size() < 2)
    return std::nullopt;
  if (!is_float(dtype(operands[0]))) return std::nullopt;
  const auto first = scalar(operands[0]), second = scalar(operands[1]);
  if (first.has_value() == second.has_value()) return std::nullopt;
  Link link{operands[first ? 1 : 0], role, as_double(first ? *first : *second), 0,
            first.has_value()};
  if (link.number == 0 || !std::isfinite(link.number)) return std::nullopt;
  if (role == ScalarRole::kUnscale && (first || !is_power_of_two(link.number))) return std::nullopt;
  if (role == ScalarRole::kMultiplyAdd) {
    const auto addend = scalar(operands[2]);
    if (!addend) return std::nullopt;
    link.addend = as_double(*addend);
    if (link.addend == 0 || !std::isfinite(link.addend)) return std::nullopt;
  }
  return link;
}

void Algebra::apply(const Link& link, Term& affine) {
  const double number = link.number, size = std::fabs(number);
  ++affine.steps;
  affine.shifted = affine.shifted || link.role == ScalarRole::kShift ||
                   link.role == ScalarRole::kUnshift || link.role == ScalarRole::kMultiplyAdd;
  switch (link.role) {
    case ScalarRole::kShift:
      affine.shift += number;
      affine.magnitude += size;
      return;
    case ScalarRole::kUnshift:
      affine.scale = link.number_first ? -affine.scale : affine.scale;
      affine.shift = link.number_first ? number - affine.shift : affine.shift - number;
      affine.magnitude += size;
      return;
    case ScalarRole::kUnscale:
      affine.scale /= number;
      affine.shift /= number;
      affine.magnitude /= size;
      return;
    default:
      affine.scale *= number;
      affine.shift = affine.shift * number + link.addend;
      affine.magnitude = affine.magnitude * size + std::fabs(link.addend);
      return;
  }
}

TermView Algebra::affine(const Link& link, DType dtype, const Shape& shape) {
  Term term;
  term.kind = TermKind::kAffine;
  term.dtype = dtype;
  TermView x = link.x;
  const Term& below = terms_[x.base];
  if (below.kind == TermKind::kAffine) {
    const TermView inner = below.operands[0];
    const auto through = composed(x.layout, inner.layout);
    if (through) {
      term.scale = below.scale;
      term.shift = below.shift;
      term.shifted = below.shifted;
      term.steps = below.steps;
      term.magnitude = below.magnitude;
      x = over(inner.base, *through);
    }
  }
  apply(link, term);
  if (!term.shifted && coefficient(term.scale, dtype) == 1) return x;
  return placed(std::move(term), {x}, shape);
}

TermId Algebra::interned_affine(Term term) {
  term.origin = origin;
  const TermId next(terms_.size());
  if (side == Side::kGraph) {
    const std::uint32_t steps = term.steps;
    const TermId x = term.operands[0].base;
    const TermId id = terms_.intern(std::move(term));
    terms_[id].steps = std::max(terms_[id].steps, steps);
    if (id == next) affine_over_[x].push_back(id);
    return id;
  }
  if (const auto nearest = nearest_affine(term)) return *nearest;
  term.index = term.steps;
  return terms_.intern(std::move(term));
}

// The graph's chain that a chain of the file computes. One operation has exactly the coefficients
// that the graph's chain is rounded to; of several that join more of the graph's, each was rounded
// on its way. A file never rounds more often than the graph does.
std::optional<TermId> Algebra::nearest_affine(const Term& term) const {
  if (const auto same = terms_.find(term)) {
    return terms_[*same].steps < term.steps ? std::nullopt : same;
  }
  const auto found = affine_over_.find(term.operands[0].base);
  if (found == affine_over_.end() || term.steps < 2) return std::nullopt;
  for (const TermId id : found->second) {
    const Term& other = terms_[id];
    if (other.dtype != term.dtype || other.operands != term.operands) continue;
    if (other.shifted != term.shifted || other.steps <= term.steps) continue;
    const double u = unit_roundoff(term.dtype) * (term.steps + other.steps);
    const auto near = [&](double a, double b, double size) {
      return std::fabs(coefficient(a, term.dtype) - coefficient(b, term.dtype)) <= u * size;
    };
    if (near(term.scale, other.scale, std::fabs(other.scale)) &&
        near(term.shift, other.shift, other.magnitude)) {
      return id;
    }
  }
  return std::nullopt;
}

// ---- All together -------------------------------------------------------------------------------

TermView Algebra::elementwise(const OpRecord& op, DType dtype, std::vector<TermView> operands,
                              const Shape& shape) {
  if (!shape.has_elements()) return empty(dtype, shape);
  for (TermView& operand : operands) {
    operand.layout = canonical(compiler::broadcast_layout(operand.layout, shape));
  }
  if (const auto same = by_identity(op, operands)) return *same;
  if (const auto same = by_repetition(op, dtype, operands)) return *same;
  const TensorType type{dtype, Layout(shape)};
  if (!is_foldable(op, operands, {&type, 1})) {
    if (const auto link = as_link(op, operands)) return affine(*link, dtype, shape);
  }
  if (op.traits.commutative && operands.size() == 2 && is_before(operands[1], operands[0])) {
    std::swap(operands[0], operands[1]);
  }
  Term term;
  term.kind = TermKind::kElementwise;
  term.dtype = dtype;
  term.op = &op;
  return placed(std::move(term), operands, shape);
}

}  // namespace wick::frontend::check
