#include "tests/check/mutator.h"

#include <algorithm>
#include <array>

namespace wick::mutation {
namespace {

constexpr std::array<std::string_view, 47> kKinds = {
    "slot offset",
    "another slot's offset",
    "slot constant",
    "slot type",
    "arena size",
    "workspace",
    "enter and leave",
    "free dropped",
    "free moved",
    "free doubled",
    "free of another slot",
    "retire and reuse",
    "view offset",
    "view stride",
    "view backwards",
    "view base",
    "view type",
    "in place over a live slot",
    "in place as a fresh write",
    "statement dropped",
    "statement doubled",
    "statements reordered",
    "prepare or part skipped",
    "arguments swapped",
    "another operand",
    "another result",
    "another kernel",
    "reducer",
    "axis",
    "flag",
    "padding",
    "window",
    "groups",
    "panels",
    "runtime function",
    "literal",
    "operator",
    "function of a kernel",
    "operands swapped in a kernel",
    "another value in a kernel",
    "arithmetic regrouped",
    "row program",
    "inline constant",
    "packed constant",
    "byte of the weights",
    "interface",
    "foreign code",
};

ScopeName::Kind kind_of(const Expression& declared) {
  if (declared.name == "wick::view") return ScopeName::Kind::kView;
  if (declared.name == "wick::in_place") return ScopeName::Kind::kInPlace;
  return ScopeName::Kind::kSlot;
}

}  // namespace

std::span<const std::string_view> kinds() { return kKinds; }

void Collector::add(std::string_view kind, Oracle oracle, std::string what,
                    std::vector<Edit> edits) {
  const Edit& first = edits.front();
  Mutant mutant;
  mutant.kind = kind;
  mutant.what = std::move(what);
  mutant.line = line_of(first.in_header ? emitted_.header : emitted_.source, first.span.begin);
  mutant.oracle = oracle;
  mutant.edits = std::move(edits);
  mutants_.push_back(std::move(mutant));
}

void Collector::replace(std::string_view kind, Oracle oracle, Span old, const std::string& text) {
  const std::string before(emitted_.text(old));
  if (before != text) add(kind, oracle, before + " -> " + text, {{old, text, false}});
}

void Collector::swap(std::string_view kind, Oracle oracle, Span a, Span b) {
  const std::string first(emitted_.text(a));
  const std::string second(emitted_.text(b));
  if (first == second) return;
  add(kind, oracle, first + " <-> " + second, {{a, second, false}, {b, first, false}});
}

void Collector::flip(std::size_t byte, const std::string& what) {
  Mutant mutant;
  mutant.kind = "byte of the weights";
  mutant.what = what;
  mutant.oracle = Oracle::kDefinition;
  mutant.flipped = byte;
  mutants_.push_back(std::move(mutant));
}

Span Collector::lines(Span span) const {
  const std::string& text = emitted_.source;
  while (span.begin > 0 && text[span.begin - 1] != '\n') --span.begin;
  while (span.end < text.size() && text[span.end - 1] != '\n') ++span.end;
  return span;
}

std::vector<ScopeName> scope_of(const Emitted& emitted, const Function& function) {
  std::vector<ScopeName> scope;
  for (const Parameter& parameter : function.parameters) {
    if (parameter.type.empty()) continue;
    const auto kind = parameter.kind == "In"    ? ScopeName::Kind::kIn
                      : parameter.kind == "Out" ? ScopeName::Kind::kOut
                                                : ScopeName::Kind::kDonated;
    scope.push_back({parameter.name, *emitted.type(parameter.type), kind, 0});
  }
  for (const WeightMember& weight : emitted.weights)
    scope.push_back(
        {"weights." + weight.name, *emitted.type(weight.type), ScopeName::Kind::kConstant, 0});
  for (const BoundMember& bound : emitted.bound)
    scope.push_back(
        {"state." + bound.name, *emitted.type(bound.type), ScopeName::Kind::kConstant, 0});
  for (std::size_t i = 0; i < function.statements.size(); ++i) {
    const Statement& statement = function.statements[i];
    const std::string_view called = statement.runtime_function();
    const bool is_tensor = called == "slot" || called == "heap_slot" || called == "view" ||
                           called == "in_place" || called == "reuse";
    if (statement.declared.empty() || !is_tensor) continue;
    scope.push_back({statement.declared, emitted.describe(statement.value.templates.at(0)),
                     kind_of(statement.value), i + 1});
  }
  return scope;
}

const ScopeName* find_name(const std::vector<ScopeName>& scope, std::string_view name) {
  const auto found = std::ranges::find(scope, name, &ScopeName::name);
  return found != scope.end() ? &*found : nullptr;
}

bool is_same_type(const Type& a, const Type& b) {
  return a.element == b.element && a.extents == b.extents;
}

bool is_kernel_call(const Statement& statement) {
  const std::string_view called = statement.runtime_function();
  return statement.declared.empty() && !called.empty() && called != "free" && called != "retire" &&
         called != "enter" && called != "leave";
}

std::vector<const Expression*> flat_arguments(const Expression& call) {
  std::vector<const Expression*> flat;
  for (const Expression& argument : call.arguments) {
    const bool is_group = argument.name == "wick::terms" || argument.name == "wick::results" ||
                          argument.name == "wick::outs";
    if (!is_group) flat.push_back(&argument);
    if (is_group) {
      for (const Expression& nested : argument.arguments) flat.push_back(&nested);
    }
  }
  return flat;
}

MutatedFiles apply(const Emitted& emitted, const Mutant& mutant) {
  MutatedFiles files{emitted.source, emitted.header};
  std::vector<Edit> edits = mutant.edits;
  std::ranges::stable_sort(edits, std::ranges::greater(),
                           [](const Edit& e) { return e.span.begin; });
  for (const Edit& edit : edits) {
    std::string& text = edit.in_header ? files.header : files.source;
    text.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
  }
  return files;
}

std::vector<Mutant> mutants_of(const Emitted& emitted) {
  Collector collector(emitted);
  mutate_slots(collector);
  mutate_frees(collector);
  mutate_views(collector);
  mutate_order(collector);
  mutate_arguments(collector);
  mutate_kernels(collector);
  mutate_rows(collector);
  mutate_constants(collector);
  mutate_contract(collector);
  return collector.take();
}

}  // namespace wick::mutation
