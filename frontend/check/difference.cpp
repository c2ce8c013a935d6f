// Each visit looks at two readings that are not equal. If their terms are of one kind, the operands
// that differ are looked at next; what differs in the terms themselves is a finding. The walk ends
// at terms of different kinds, which are tried at many points before they are refused.
#include "frontend/check/difference.h"

#include <algorithm>
#include <optional>

#include "frontend/check/constants.h"
#include "frontend/check/sampling.h"
#include "frontend/check/wording.h"

namespace wick::frontend::check {
namespace {

constexpr std::size_t kMostFindings = 8;
constexpr std::size_t kMostSearched = 64;  // terms looked through for one that is missing

}  // namespace

void Differences::compare(const TermView& program, const TermView& graph, const std::string& name,
                          const Place& place, const std::string& pointer) {
  open_.push_back({program, graph, name, place, pointer});
  while (!open_.empty()) {
    const Pair pair = std::move(open_.back());
    open_.pop_back();
    if (result_.findings.size() < kMostFindings) visit(pair);
  }
}

void Differences::report(const Pair& pair, std::string message, std::string hint) {
  if (!pair.name.empty()) message = "`" + pair.name + "`: " + message;
  for (const Finding& known : result_.findings) {
    if (known.message == message && known.place.line == pair.place.line) return;
  }
  result_.findings.push_back({pair.place, std::move(message), std::move(hint), pair.pointer});
}

Differences::Pair Differences::located(const Pair& pair) const {
  Pair here = pair;
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  if (!program.origin.value.valid() && program.origin.place.line > 0) {
    here.place = program.origin.place;
    here.name = program.origin.name;
  }
  const std::string pointer = pointer_of(graph);
  if (!pointer.empty() && graph.kind != TermKind::kConstant) here.pointer = pointer;
  return here;
}

void Differences::descend(const Pair& from, const TermView& program, const TermView& graph) {
  if (program == graph) return;
  open_.push_back({program, graph, from.name, from.place, from.pointer});
}

bool Differences::is_new(const Pair& pair) {
  auto& layouts = seen_[{pair.program.base.index(), pair.graph.base.index()}];
  const std::pair<Layout, Layout> both(pair.program.layout, pair.graph.layout);
  if (std::ranges::find(layouts, both) != layouts.end()) return false;
  layouts.push_back(both);
  return true;
}

void Differences::visit(const Pair& pair) {
  if (pair.program == pair.graph) return;
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  if (program.kind == TermKind::kUnknown) {
    if (result_.findings.empty()) report(pair, "it is computed in a way that cannot be followed");
    return;
  }
  if (program.dtype != graph.dtype) {
    return report(located(pair), "it is " + std::string(name_of_dtype(program.dtype)) +
                                     "; the graph says " + std::string(name_of_dtype(graph.dtype)));
  }
  if (pair.program.base == pair.graph.base) return layouts(pair);
  if (!is_new(pair)) return;
  if (program.kind == TermKind::kConstant && graph.kind == TermKind::kConstant)
    return constants(pair);
  if (program.kind != graph.kind || program.operands.size() != graph.operands.size())
    return unlike(pair);
  switch (program.kind) {
    case TermKind::kElementwise:
    case TermKind::kAffine:
      if (program.op != graph.op || !elements(pair)) unlike(pair);
      return;
    case TermKind::kReduce:
      return reductions(pair);
    case TermKind::kCall:
      return calls(pair);
    case TermKind::kProduct:
    case TermKind::kMove:
      return operands_of(pair);
    default:
      return unlike(pair);
  }
}

// ---- One term, two layouts ----------------------------------------------------------------------

void Differences::layouts(const Pair& pair) {
  const Layout& program = pair.program.layout;
  const Layout& graph = pair.graph.layout;
  const std::string name = "`" + name_of(pair.program) + "`";
  if (program.shape() != graph.shape()) {
    return report(pair, "reads " + name + " as " + program.shape().to_string() +
                            "; the graph says " + graph.shape().to_string());
  }
  if (std::ranges::equal(program.strides(), graph.strides())) {
    return report(pair, "reads " + name + " from element " + std::to_string(program.offset()) +
                            " on; the graph says " + std::to_string(graph.offset()));
  }
  report(pair, "reads " + name + " with strides " + list_text(program.strides()) +
                   "; the graph says " + list_text(graph.strides()));
}

// Terms of one kind in which nothing differs but what they read must be read alike themselves.
void Differences::must_read_alike(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  if (program.shape == graph.shape && pair.program.layout == pair.graph.layout) return;
  if (program.shape == graph.shape) return layouts(pair);
  report(located(pair), "computes elements of shape " + program.shape.to_string() +
                            "; the graph says " + graph.shape.to_string());
}

// ---- Constants ----------------------------------------------------------------------------------

void Differences::constants(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  Pair here = located(pair);
  here.name = pair.name;
  const auto left = algebra_.scalar(pair.program), right = algebra_.scalar(pair.graph);
  if (!right && graph_.values[graph.origin.value].kind == compiler::ValueKind::kConstant)
    here.pointer = pointer_of(graph);
  if (left && right) {
    return report(here, "the constant is " + element_text(program.data, 0) + "; the graph says " +
                            element_text(graph.data, 0));
  }
  const auto found =
      first_difference(program.data, pair.program.layout, graph.data, pair.graph.layout);
  if (!found) return;  // the same elements, too many to be brought into one form
  if (program.origin.value.valid() && graph.origin.value.valid()) {
    const std::string& one = graph_.values[program.origin.value].name;
    const std::string& other = graph_.values[graph.origin.value].name;
    if (!one.empty() && !other.empty() && one != other)
      return report(here, "reads `" + one + "`; the graph says `" + other + "`");
  }
  const std::string name =
      program.origin.value.valid() ? "the constant" : "`" + program.origin.name + "`";
  report(here, name + " is " + element_text(program.data, found->program) + " at " +
                   list_text(found->index) + "; the graph says " +
                   element_text(graph.data, found->graph));
}

// ---- Elementwise --------------------------------------------------------------------------------

// The operands as they are seen through the layout of an elementwise result.
std::vector<TermView> Differences::operands_seen(const TermView& reading) const {
  const Term& term = algebra_.term(reading);
  std::vector<TermView> seen;
  for (const TermView& operand : term.operands) {
    const auto layout = composed(reading.layout, operand.layout);
    if (!layout) return {};
    seen.push_back({operand.base, *layout});
  }
  return seen;
}

// Whether two readings look as if they were meant to be the same.
bool Differences::alike(const TermView& a, const TermView& b) const {
  const Term& x = algebra_.term(a);
  const Term& y = algebra_.term(b);
  return x.kind == y.kind && x.op == y.op && x.text == y.text;
}

// False if the two cannot be compared operand by operand.
bool Differences::elements(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const std::vector<TermView> a = operands_seen(pair.program), b = operands_seen(pair.graph);
  if (a.size() != program.operands.size() || a.size() != b.size()) return false;
  if (program.kind == TermKind::kAffine) {
    chains(pair, a[0], b[0]);
    return true;
  }
  const Pair here = located(pair);
  const bool swaps = program.op->traits.commutative && a.size() == 2;
  if (swaps) {
    const bool crossed = a[0] == b[1] || a[1] == b[0] ||
                         (a[0] != b[0] && a[1] != b[1] && alike(a[0], b[1]) && !alike(a[0], b[0]));
    descend(here, a[0], b[crossed ? 1 : 0]);
    descend(here, a[1], b[crossed ? 0 : 1]);
    return true;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      if (a[i] != b[j] || a[j] != b[i] || a[i] == b[i]) continue;
      report(here, "operands " + std::to_string(i + 1) + " and " + std::to_string(j + 1) + " of " +
                       text_of(program) + " are swapped");
      return true;
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) descend(here, a[i], b[i]);
  return true;
}

void Differences::chains(const Pair& pair, const TermView& x, const TermView& y) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  const Pair here = located(pair);
  const Term& below = algebra_.term(x);
  if (below.kind == TermKind::kAffine && below.index != 0) {  // a chain of the file's own
    return report(here, "computes " + text_of(program) + " of " + text_of(below) +
                            "; the graph says " + text_of(graph));
  }
  const bool same = same_coefficients(program.chains[0], graph.chains[0], graph.dtype);
  if (!same) {
    const std::string lost = x == y ? std::string() : missing(pair.program, pair.graph);
    report(here, lost.empty()
                     ? "computes " + text_of(program) + "; the graph says " + text_of(graph)
                     : lost);
  } else if (x == y) {
    report(here, "rounds " + text_of(program) + " more often than the graph");
  }
  descend(here, x, y);
}

// ---- Reductions, products, calls ----------------------------------------------------------------

void Differences::reductions(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  const Pair here = located(pair);
  if (program.text != graph.text) {
    return report(here,
                  "reduces with wick::" + program.text + "; the graph says wick::" + graph.text);
  }
  const bool same_shape = program.shown.shape() == graph.shown.shape();
  if (same_shape && program.shown_axes != graph.shown_axes) {
    return report(here, "reduces along axes " + list_text(program.shown_axes) +
                            "; the graph says " + list_text(graph.shown_axes));
  }
  const bool same_space =
      program.numbers == graph.numbers && program.operands[0].shape() == graph.operands[0].shape();
  if ((same_shape || same_space) && program.shape == graph.shape) {
    descend(here, same_shape ? program.shown : program.operands[0],
            same_shape ? graph.shown : graph.operands[0]);
    return must_read_alike(pair);
  }
  report(here, "reduces " + program.shown.shape().to_string() + " along axes " +
                   list_text(program.shown_axes) + "; the graph says " +
                   graph.shown.shape().to_string() + " along " + list_text(graph.shown_axes));
}

void Differences::calls(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  const Pair here = located(pair);
  if (program.text != graph.text) return unlike(pair);
  if (program.index != graph.index) {
    return report(here, "is result " + std::to_string(program.index) + " of " + text_of(program) +
                            "; the graph says result " + std::to_string(graph.index));
  }
  if (program.numbers != graph.numbers) {
    return report(here, text_of(program) + " has " +
                            specialisation_text(program.text, program.numbers, graph.numbers));
  }
  operands_of(pair);
}

void Differences::operands_of(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  const Pair here = located(pair);
  const auto& a = program.operands;
  const auto& b = graph.operands;
  if (a.size() == 2 && a != b) {
    const bool crossed = a[0].base == b[1].base && a[1].base == b[0].base && a[0].base != a[1].base;
    if (crossed) return report(here, "the operands of " + text_of(program) + " are swapped");
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].shape() == b[i].shape()) {
      descend(here, a[i], b[i]);
    } else {
      report(here, "operand " + std::to_string(i + 1) + " of " + text_of(program) + " is " +
                       a[i].shape().to_string() + "; the graph says " + b[i].shape().to_string());
    }
  }
  must_read_alike(pair);
}

// ---- Terms of different kinds -------------------------------------------------------------------

bool Differences::has_operand(const TermView& reading, const TermView& operand) const {
  const Term& term = algebra_.term(reading);
  const bool pointwise = term.kind == TermKind::kElementwise || term.kind == TermKind::kAffine;
  const std::vector<TermView> operands = pointwise ? operands_seen(reading) : term.operands;
  return std::ranges::any_of(operands, [&](const TermView& each) {
    return each == operand || (!pointwise && each.base == operand.base);
  });
}

// "`bias` is missing", if the graph computes what it says from what the file gives in its place.
std::string Differences::missing(const TermView& program, const TermView& graph) const {
  std::vector<TermView> above = {graph};
  std::string names;
  while (!above.empty() && above.size() < kMostSearched) {
    const TermView at = above.back();
    names += (names.empty() ? "`" : ", `") + name_of(at) + "`";
    if (has_operand(at, program)) return names + (above.size() > 1 ? " are" : " is") + " missing";
    const Term& term = algebra_.term(at);
    const auto next = std::ranges::find_if(term.operands, [&](const TermView& operand) {
      const TermKind kind = algebra_.term(operand).kind;
      return kind == TermKind::kElementwise || kind == TermKind::kAffine ||
             kind == TermKind::kReduce || kind == TermKind::kProduct || kind == TermKind::kCall;
    });
    // Another value of the graph was meant to be read, rather, if it lies further up.
    const bool is_known = algebra_.term(program).origin.value.valid();
    if (next == term.operands.end() || above.size() > 3 || is_known) break;
    above.push_back(*next);
  }
  return {};
}

void Differences::unlike(const Pair& pair) {
  const Term& program = algebra_.term(pair.program);
  const Term& graph = algebra_.term(pair.graph);
  Pair here = located(pair);
  const std::string lost = missing(pair.program, pair.graph);
  if (!lost.empty()) return report(here, lost);
  if (has_operand(pair.program, pair.graph) && !program.origin.value.valid())
    return report(here, text_of(program) + " is not in the graph");
  const auto trial = try_points(algebra_, pair.program, pair.graph);
  if (trial && trial->agrees) {
    result_.tested.push_back("`" + here.name + "`: " + text_of(program) + " for " + text_of(graph) +
                             ", at " + std::to_string(trial->points) + " points");
    return;
  }
  // Terms that the graph has itself are known by their names.
  const bool named = program.origin.value.valid() && program.kind != TermKind::kConstant;
  const std::string what =
      named ? "reads `" + name_of(pair.program) + "`" : "computes " + text_of(program);
  const bool leaf = graph.kind == TermKind::kInput || (named && graph.origin.value.valid());
  const std::string wanted =
      leaf && graph.kind != TermKind::kConstant ? "`" + name_of(pair.graph) + "`" : text_of(graph);
  if (!named && misplaced(here)) return;
  report(here, what + "; the graph says " + wanted,
         trial && !named ? trial->counterexample : std::string());
}

// The same operation, but a step before or after: then what it reads may differ as well.
bool Differences::misplaced(const Pair& pair) {
  const auto operands = [&](const TermView& view) {
    const TermKind kind = algebra_.term(view).kind;
    const bool pointwise = kind == TermKind::kElementwise || kind == TermKind::kAffine;
    return pointwise ? operands_seen(view) : std::vector<TermView>();
  };
  const TermKind kind = algebra_.term(pair.program).kind;
  if (alike(pair.program, pair.graph) || kind == TermKind::kConstant) return false;
  for (const TermView& operand : operands(pair.program)) {
    if (has_operand(pair.graph, operand)) return false;  // another operation in the same place
  }
  for (const TermView& below : operands(pair.graph)) {
    if (!alike(pair.program, below)) continue;
    report(pair, "`" + name_of(pair.graph) + "` is missing");
    descend(pair, pair.program, below);
    return true;
  }
  for (const TermView& below : operands(pair.program)) {
    if (!alike(below, pair.graph)) continue;
    report(pair, text_of(algebra_.term(pair.program)) + " is not in the graph");
    descend(pair, below, pair.graph);
    return true;
  }
  return false;
}

// ---- Wording ------------------------------------------------------------------------------------

std::string Differences::text_of(const Term& term) const {
  const std::string name =
      term.origin.value.valid() ? graph_.values[term.origin.value].name : term.origin.name;
  return term_text(term, name);
}

std::string Differences::name_of(const TermView& reading) const {
  const Term& term = algebra_.term(reading);
  if (!term.origin.value.valid()) return term.origin.name;
  const std::string& name = graph_.values[term.origin.value].name;
  return name.empty() ? term_text(term, name) : name;
}

std::string Differences::pointer_of(const Term& term) const {
  if (!term.origin.value.valid()) return {};
  const compiler::Value& value = graph_.values[term.origin.value];
  switch (value.kind) {
    case compiler::ValueKind::kInput:
      return "/inputs/" + std::to_string(graph_.inputs[value.index].position);
    case compiler::ValueKind::kConstant:
      return "/constants/" + std::to_string(graph_.constants[value.index].position);
    case compiler::ValueKind::kLiteral:
      return "/nodes/" + std::to_string(graph_.constants[value.index].position);
    case compiler::ValueKind::kResult:
      return "/nodes/" + std::to_string(graph_.nodes[value.producer].position);
  }
  return {};
}

}  // namespace wick::frontend::check
