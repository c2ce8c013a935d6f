// (t + 1) * 2 is 2t + 2: one pass, one rounding less. The seed folds such chains as the graph is
// built; here they are folded in a kernel's body, where it is known that nobody else reads what
// lies between.
//
// A chain is a path of + - * / with one number each, every value on it read once. It is walked with
// the coefficients of a*x + b:
//
//   x + c: b + c        x - c: b - c        c - x: -a, c - b        x * c: a * c, b * c        x /
//   c: a / c, b / c
//
// Coefficients are computed in double and rounded once to the dtype. A number that is zero or not
// finite ends a chain; so does a division whose reciprocal is not exact. A chain is left alone if a
// coefficient comes out infinite, subnormal or zero.
//
// A division alone becomes a product if the reciprocal is exact, which is a power of two: both
// round the same number.
#include <cmath>
#include <optional>
#include <vector>

#include "compiler/fuse/bodies.h"

namespace wick::compiler {
namespace {

using ops::ScalarRole;

struct Affine {
  double a = 1;
  double b = 0;
  bool scaled = false;
  bool shifted = false;
};

// The statement as a step of a chain: which operand is the number.
struct Link {
  BodyOperand value;
  double number = 0;
  bool number_first = false;
};

bool is_power_of_two(double number) {
  int exponent = 0;
  return std::abs(std::frexp(number, &exponent)) == 0.5;
}

std::optional<Link> as_link(const BodyStatement& statement, const ConstantNodes& constant) {
  if (constant[statement.node] != 0) return std::nullopt;
  const ScalarRole role = statement.op->traits.scalar_role;
  const bool in_chain = role == ScalarRole::kShift || role == ScalarRole::kUnshift ||
                        role == ScalarRole::kScale || role == ScalarRole::kUnscale;
  if (!in_chain || !is_float(statement.dtype)) return std::nullopt;
  const bool first = statement.operands[0].kind == BodyOperand::Kind::kLiteral;
  const bool second = statement.operands[1].kind == BodyOperand::Kind::kLiteral;
  if (first == second || (first && role == ScalarRole::kUnscale)) return std::nullopt;
  const double number = statement.operands[first ? 0 : 1].literal.as_double();
  if (number == 0 || !std::isfinite(number)) return std::nullopt;
  if (role == ScalarRole::kUnscale && !is_power_of_two(number)) return std::nullopt;
  return Link{statement.operands[first ? 1 : 0], number, first};
}

void apply(Affine& affine, ScalarRole role, const Link& link) {
  switch (role) {
    case ScalarRole::kShift:
      affine.b += link.number;
      affine.shifted = true;
      return;
    case ScalarRole::kUnshift:
      affine.shifted = true;
      if (!link.number_first) {
        affine.b -= link.number;
        return;
      }
      affine.a = -affine.a;
      affine.b = link.number - affine.b;
      affine.scaled = true;
      return;
    case ScalarRole::kScale:
      affine.a *= link.number;
      affine.b *= link.number;
      affine.scaled = true;
      return;
    default:
      affine.a /= link.number;
      affine.b /= link.number;
      affine.scaled = true;
      return;
  }
}

// The number in the dtype, if rounding keeps it an ordinary one.
std::optional<Scalar> as_coefficient(double number, DType dtype) {
  if (dtype == DType::kF32) {
    const auto narrow = static_cast<float>(number);
    if (!std::isnormal(narrow)) return std::nullopt;
    return Scalar::of(narrow);
  }
  if (!std::isnormal(number)) return std::nullopt;
  return Scalar::of(number);
}

BodyOperand literal(Scalar scalar) { return {BodyOperand::Kind::kLiteral, 0, scalar}; }

// Writes a*x + b over the last statement of a chain; false if a coefficient is not an ordinary
// number.
bool write(BodyStatement& last, const BodyOperand& x, const Affine& affine) {
  const auto a = as_coefficient(affine.a, last.dtype);
  const auto b = affine.shifted ? as_coefficient(affine.b, last.dtype) : Scalar{};
  if (!a || !b) return false;
  if (!affine.shifted) {
    last.op = &ops::with_role(ScalarRole::kScale);
    last.operands = {x, literal(*a)};
  } else if (!affine.scaled) {
    last.op = &ops::with_role(ScalarRole::kShift);
    last.operands = {x, literal(*b)};
  } else {
    last.op = &ops::with_role(ScalarRole::kMultiplyAdd);
    last.operands = {x, literal(*a), literal(*b)};
  }
  return true;
}

std::vector<std::uint32_t> count_uses(const Body& body) {
  std::vector<std::uint32_t> uses(body.statements.size(), 0);
  const auto count = [&](const BodyOperand& operand) {
    if (operand.kind == BodyOperand::Kind::kStatement) ++uses[operand.index];
  };
  for (const BodyStatement& statement : body.statements) {
    for (const BodyOperand& operand : statement.operands) count(operand);
  }
  count(body.result);
  return uses;
}

// Drops the statements marked dead and renumbers the others.
void sweep(Body& body, const std::vector<char>& dead) {
  std::vector<std::uint32_t> index(body.statements.size());
  std::vector<BodyStatement> kept;
  const auto renumber = [&](BodyOperand& operand) {
    if (operand.kind == BodyOperand::Kind::kStatement) operand.index = index[operand.index];
  };
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    if (dead[i] != 0) continue;
    for (BodyOperand& operand : body.statements[i].operands) renumber(operand);
    index[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(std::move(body.statements[i]));
  }
  renumber(body.result);
  body.statements = std::move(kept);
}

}  // namespace

void multiply_by_exact_reciprocals(Body& body, const ConstantNodes& constant) {
  for (BodyStatement& statement : body.statements) {
    const std::optional<Link> link = as_link(statement, constant);
    if (!link || statement.op->traits.scalar_role != ScalarRole::kUnscale) continue;
    const auto reciprocal = as_coefficient(1 / link->number, statement.dtype);
    if (!reciprocal) continue;
    statement.op = &ops::with_role(ScalarRole::kScale);
    statement.operands = {link->value, literal(*reciprocal)};
  }
}

void fold_scalar_chains(Body& body, const ConstantNodes& constant) {
  const std::vector<std::uint32_t> uses = count_uses(body);
  std::vector<char> dead(body.statements.size(), 0);
  std::vector<char> taken(body.statements.size(), 0);
  for (std::size_t last = body.statements.size(); last-- > 0;) {
    if (taken[last] != 0) continue;
    std::vector<std::size_t> chain;  // from the last statement back to the first
    std::optional<Link> link = as_link(body.statements[last], constant);
    for (std::size_t at = last; link;) {
      chain.push_back(at);
      const bool goes_on =
          link->value.kind == BodyOperand::Kind::kStatement && uses[link->value.index] == 1;
      if (!goes_on || !as_link(body.statements[link->value.index], constant)) break;
      at = link->value.index;
      link = as_link(body.statements[at], constant);
    }
    if (chain.size() < 2) continue;
    Affine affine;
    for (std::size_t i = chain.size(); i-- > 0;) {
      const BodyStatement& statement = body.statements[chain[i]];
      apply(affine, statement.op->traits.scalar_role, *as_link(statement, constant));
      taken[chain[i]] = 1;
    }
    if (!write(body.statements[last], link->value, affine)) continue;
    for (std::size_t i = 1; i < chain.size(); ++i) dead[chain[i]] = 1;
  }
  sweep(body, dead);
}

}  // namespace wick::compiler
