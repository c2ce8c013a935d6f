// Elementwise operations: identities, repetitions, chains of scalars.
#include <algorithm>
#include <array>
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

// Steps of a chain that one operation of a file may join: what a kernel has room for.
constexpr int kMostJoined = 64;

double as_double(Literal literal) {
  return compiler::Scalar{literal.dtype, literal.bits}.as_double();
}

bool is_power_of_two(double number) {
  int exponent = 0;
  return std::fabs(std::frexp(number, &exponent)) == 0.5;
}

// The chain with one more step.
Chain extended(Chain chain, const ChainStep& step) {
  const double number = step.number;
  ++chain.steps;
  chain.last = step;
  chain.shifted = chain.shifted || step.role == ScalarRole::kShift ||
                  step.role == ScalarRole::kUnshift || step.role == ScalarRole::kMultiplyAdd;
  switch (step.role) {
    case ScalarRole::kShift:
      chain.shift += number;
      return chain;
    case ScalarRole::kUnshift:
      chain.scale = step.number_first ? -chain.scale : chain.scale;
      chain.shift = step.number_first ? number - chain.shift : chain.shift - number;
      return chain;
    case ScalarRole::kUnscale:
      chain.scale /= number;
      if (chain.shifted) chain.shift /= number;
      return chain;
    default:
      chain.scale *= number;
      if (chain.shifted) chain.shift = chain.shift * number + step.addend;
      return chain;
  }
}

}  // namespace

TermView Algebra::placed(Term term, const std::vector<TermView>& operands, const Shape& shape) {
  std::vector<Layout> layouts;
  for (const TermView& operand : operands) layouts.push_back(operand.layout);
  const Space space = space_of(shape, layouts, {});
  term.shape = space.shape;
  for (std::size_t i = 0; i < operands.size(); ++i)
    term.operands.push_back({operands[i].base, space.operands[i]});
  return settled(intern(std::move(term)), Layout(shape, space.strides, 0));
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
  Link link{operands[first ? 1 : 0], {}};
  ChainStep& step = link.step;
  step.role = role;
  step.number = as_double(first ? *first : *second);
  step.number_first = first.has_value();
  if (step.number == 0 || !std::isfinite(step.number)) return std::nullopt;
  if (role == ScalarRole::kUnscale && (first || !is_power_of_two(step.number))) return std::nullopt;
  if (role == ScalarRole::kMultiplyAdd) {
    const auto addend = scalar(operands[2]);
    if (!addend) return std::nullopt;
    step.addend = as_double(*addend);
    if (step.addend == 0 || !std::isfinite(step.addend)) return std::nullopt;
  }
  return link;
}

TermView Algebra::affine(const Link& link, DType dtype, const Shape& shape) {
  TermView x = link.x;
  ChainStep step = link.step;
  std::vector<Chain> below = {{}};  // what the step may go on with
  const Term& before = terms_[x.base];
  if (before.kind != TermKind::kAffine) {
    below[0].steps = x.chain;
  } else {
    // Nothing goes on with a chain of the file's own: x + 2^24 - 2^24 loses what x alone keeps.
    const bool is_known = side == Side::kGraph || before.index == 0;
    const TermView inner = before.operands[0];
    const auto through = composed(x.layout, inner.layout);
    if (is_known && through) {
      below = before.chains;
      if (side == Side::kGraph) below = {before.chains[x.chain]};
      step.from = x.base;
      step.from_chain = side == Side::kGraph ? x.chain : 0;
      x = over(inner.base, *through);
    }
  }
  const std::array<Layout, 1> layouts{x.layout};
  const Space space = space_of(shape, layouts, {});
  Term term;
  term.kind = TermKind::kAffine;
  term.dtype = dtype;
  term.origin = origin;
  term.shape = space.shape;
  term.operands = {{x.base, space.operands[0]}};
  term.chains = {extended(below[0], step)};
  const Chain& chain = term.chains[0];
  const bool is_nothing = !chain.shifted && coefficient(chain.scale, dtype) == 1;
  if (is_nothing && (side == Side::kGraph || is_known_way_back(x.base, step))) {
    const bool counts = side == Side::kGraph && terms_[x.base].kind != TermKind::kAffine;
    if (counts && step.from.valid()) ways_back_[x.base].push_back(step);
    x.chain = counts ? chain.steps : 0;
    return x;
  }
  const TermView made =
      side == Side::kGraph ? graph_chain(std::move(term)) : program_chain(std::move(term), below);
  TermView result = settled(made.base, Layout(shape, space.strides, 0));
  result.chain = made.chain;
  return result;
}

TermView Algebra::graph_chain(Term term) {
  const TermId next(terms_.size());
  const TermId x = term.operands[0].base;
  const Chain chain = term.chains[0];
  const TermId id = terms_.intern(std::move(term));
  if (id == next) affine_over_[x].push_back(id);
  std::vector<Chain>& chains = terms_[id].chains;
  const auto same = [&](const Chain& known) {
    return known.scale == chain.scale && known.shift == chain.shift && known.steps == chain.steps &&
           known.last.from == chain.last.from && known.last.from_chain == chain.last.from_chain;
  };
  auto at = std::ranges::find_if(chains, same);
  if (at == chains.end()) at = chains.insert(at, chain);
  return {id, {}, static_cast<std::uint32_t>(at - chains.begin())};
}

TermView Algebra::program_chain(Term term, const std::vector<Chain>& below) {
  if (const auto known = known_chain(term, below)) return {*known, {}};
  term.index = 1 + term.chains[0].steps;  // none of the graph's
  return {terms_.intern(std::move(term)), {}};
}

// Calls `use` with the steps of a chain of the graph, from its last one back, while it gives true.
template <class Use>
void Algebra::walk_back(const ChainStep& last, const Use& use) const {
  const ChainStep* step = &last;
  for (int i = 0; i < kMostJoined && step->from.valid() && use(*step); ++i)
    step = &terms_[step->from].chains[step->from_chain].last;
}

// The graph's chain that an operation of the file completes: by the coefficients of the whole, or,
// if a part of the chain was computed before, by those of the rest of it. A file never rounds more
// often than the graph does.
std::optional<TermId> Algebra::known_chain(Term& term, const std::vector<Chain>& below) const {
  const ChainStep last = term.chains[0].last;
  for (std::size_t i = below.size(); i-- > 0;) {
    const Chain whole = extended(below[i], last);
    term.chains = {whole};
    const auto known = terms_.find(term);
    if (!known || !goes_through(*known, last.from)) continue;
    const bool rounds_enough = std::ranges::any_of(
        terms_[*known].chains, [&](const Chain& chain) { return chain.steps >= whole.steps; });
    if (rounds_enough) return known;
  }
  const auto found = affine_over_.find(term.operands[0].base);
  if (found == affine_over_.end() || !last.from.valid()) return std::nullopt;
  for (const TermId id : found->second) {
    const Term& other = terms_[id];
    if (other.dtype != term.dtype || other.operands != term.operands) continue;
    const bool is_folded = std::ranges::any_of(
        other.chains, [&](const Chain& way) { return folds(way.last, last, term.dtype); });
    if (is_folded) return id;
  }
  return std::nullopt;
}

// Whether a step from `from`, or from what the chain begins with, is on a way to `chain`.
bool Algebra::goes_through(TermId chain, TermId from) const {
  if (!from.valid()) return true;
  return std::ranges::any_of(terms_[chain].chains, [&](const Chain& way) {
    bool is_met = false;
    walk_back(way.last, [&](const ChainStep& step) {
      is_met = step.from == from;
      return !is_met;
    });
    return is_met;
  });
}

// Whether `step` has the coefficients of the steps between the chain that it goes on with and
// `last`.
bool Algebra::folds(const ChainStep& last, const ChainStep& step, DType dtype) const {
  std::vector<ChainStep> above;
  bool is_same = false;
  walk_back(last, [&](const ChainStep& each) {
    above.push_back(each);
    if (each.from == step.from) {
      Chain rest;
      for (std::size_t i = above.size(); i-- > 0;) rest = extended(rest, above[i]);
      is_same = same_coefficients(rest, extended({}, step), dtype);
    }
    return !is_same;
  });
  return is_same;
}

// Whether the graph has this step, or steps that fold into it, back to the `x` of a chain that does
// nothing as a whole, like x * 2 * 0.5.
bool Algebra::is_known_way_back(TermId x, const ChainStep& step) const {
  if (!step.from.valid()) return true;
  const auto found = ways_back_.find(x);
  return found != ways_back_.end() &&
         std::ranges::any_of(found->second, [&](const ChainStep& last) {
           return folds(last, step, terms_[x].dtype);
         });
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
