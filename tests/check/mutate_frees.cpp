// Frees, and memory that is kept for a later tensor. Each of these is a fault by definition: a free
// stands directly after the last reader, once, and nowhere else.
#include <algorithm>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

constexpr std::string_view kMoved = "free moved";

bool is_free(const Statement& statement) {
  const std::string_view called = statement.runtime_function();
  return called == "free" || called == "retire";
}

// Statements that do something: not a declaration, not a free.
bool acts(const Statement& statement) { return statement.declared.empty() && !is_free(statement); }

// A slot without elements has no memory: whether it is freed is a question of bytes.
Oracle oracle_of(const Emitted& emitted, const Function& function, std::string_view slot) {
  const auto declared = std::ranges::find(function.statements, slot, &Statement::declared);
  if (declared == function.statements.end()) return Oracle::kDefinition;
  const Expression& value = declared->value;
  const bool is_slot =
      value.name == "wick::slot" || value.name == "wick::heap_slot" || value.name == "wick::reuse";
  const bool is_empty = is_slot && emitted.describe(value.templates.at(0)).elements() == 0;
  return is_empty ? Oracle::kBytes : Oracle::kDefinition;
}

void move(Collector& to, const Function& function, std::size_t from, Oracle oracle) {
  const Statement& statement = function.statements[from];
  const Span line = to.lines(statement.span);
  const std::string text = "  " + std::string(to.emitted().text(statement.span)) + "\n";
  const std::string name(to.emitted().text(statement.span));
  for (std::size_t at = from; at-- > 0;) {
    if (!acts(function.statements[at])) continue;
    const std::size_t place = to.lines(function.statements[at].span).begin;
    to.add(kMoved, oracle, name + " earlier", {{line, "", false}, {{place, place}, text}});
    break;
  }
  for (std::size_t at = from + 1; at < function.statements.size(); ++at) {
    if (!acts(function.statements[at])) continue;
    const std::size_t place = to.lines(function.statements[at].span).end;
    to.add(kMoved, oracle, name + " later", {{line, "", false}, {{place, place}, text}});
    if (function.statements[at].runtime_function() == "leave") break;
    if (at > from + 4) break;
  }
}

void mutate_free(Collector& to, const Function& function, std::size_t at) {
  const Statement& statement = function.statements[at];
  const Span line = to.lines(statement.span);
  const std::string text(to.emitted().text(statement.span));
  const std::string& slot = statement.value.arguments.at(0).name;
  const Oracle oracle = oracle_of(to.emitted(), function, slot);
  to.add("free dropped", oracle, text, {{line, ""}});
  to.add("free doubled", oracle, text, {{{line.end, line.end}, "  " + text + "\n"}});
  move(to, function, at, oracle);
  for (const Statement& other : function.statements) {
    const std::string_view called = other.runtime_function();
    const bool is_slot = called == "slot" || called == "heap_slot" || called == "reuse";
    if (!other.declared.empty() && is_slot && other.span.begin < statement.span.begin)
      to.replace("free of another slot",
                 oracle == Oracle::kBytes ? oracle_of(to.emitted(), function, other.declared)
                                          : Oracle::kDefinition,
                 statement.value.arguments.at(0).span, other.declared);
  }
}

void mutate_reuse(Collector& to, const Function& function, const Statement& statement) {
  const std::string_view called = statement.runtime_function();
  if (called == "retire")
    to.replace("retire and reuse", Oracle::kDefinition, statement.value.name_span, "wick::free");
  if (called == "free" && function.statements.front().span.begin != statement.span.begin) {
    const std::string& slot = statement.value.arguments.at(0).name;
    const bool is_heap = std::ranges::any_of(function.statements, [&](const Statement& s) {
      return s.declared == slot &&
             (s.value.name == "wick::heap_slot" || s.value.name == "wick::reuse");
    });
    if (is_heap)
      to.replace("retire and reuse", Oracle::kDefinition, statement.value.name_span,
                 "wick::retire");
  }
  if (called != "reuse") return;
  for (const Statement& other : function.statements) {
    if (other.runtime_function() == "heap_slot" && other.span.begin < statement.span.begin)
      to.replace("retire and reuse", Oracle::kDefinition, statement.value.arguments.at(0).span,
                 other.declared);
  }
  to.replace("retire and reuse", Oracle::kDefinition,
             {statement.value.name_span.begin, statement.value.span.end},
             "wick::heap_slot<" +
                 std::string(to.emitted().text(statement.value.templates.at(0).span)) + ">()");
}

}  // namespace

void mutate_frees(Collector& to) {
  for (const Function& function : to.emitted().functions) {
    for (std::size_t i = 0; i < function.statements.size(); ++i) {
      if (is_free(function.statements[i])) mutate_free(to, function, i);
      mutate_reuse(to, function, function.statements[i]);
    }
  }
}

}  // namespace wick::mutation
