// Statements that are missing, or stand elsewhere.
#include <algorithm>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

// A kernel call with the declarations directly before it and the frees directly behind it.
struct Group {
  Span declarations;
  Span rest;
  std::size_t end = 0;  // the first statement behind it
};

bool is_declaration(const Statement& s) {
  return !s.declared.empty() && s.value.name != "weights_at";
}
bool is_free(const Statement& s) {
  return s.runtime_function() == "free" || s.runtime_function() == "retire";
}

// The group that starts at a statement, if one does.
bool group_at(const Collector& to, const Function& function, std::size_t at, Group& group) {
  const auto& statements = function.statements;
  std::size_t call = at;
  while (call < statements.size() && is_declaration(statements[call])) ++call;
  if (call >= statements.size() || !is_kernel_call(statements[call])) return false;
  group.end = call + 1;
  while (group.end < statements.size() && is_free(statements[group.end])) ++group.end;
  const std::size_t first = to.lines(statements[at].span).begin;
  // Behind the last declaration, so that a comment above the call goes with the call.
  const std::size_t between = call > at ? to.lines(statements[call - 1].span).end : first;
  group.declarations = {first, between};
  group.rest = {between, to.lines(statements[group.end - 1].span).end};
  return true;
}

// Two neighbours change places; what the second declares comes before both.
void reorder(Collector& to, const Function& function) {
  std::size_t at = 0;
  const auto text = [&](Span span) { return std::string(to.emitted().text(span)); };
  while (at < function.statements.size()) {
    Group first, second;
    if (!group_at(to, function, at, first)) {
      ++at;
      continue;
    }
    if (group_at(to, function, first.end, second)) {
      const Span all{first.declarations.begin, second.rest.end};
      const std::uint32_t line = line_of(to.emitted().source, first.rest.begin);
      to.add("statements reordered", Oracle::kResults,
             "the calls of lines " + std::to_string(line) + " and " +
                 std::to_string(line_of(to.emitted().source, second.rest.begin)),
             {{all, text(first.declarations) + text(second.declarations) + text(second.rest) +
                        text(first.rest)}});
    }
    at = first.end;
  }
}

void drop(Collector& to, const Function& function) {
  for (const Statement& statement : function.statements) {
    const std::string name = statement.value.name;
    const Span line = to.lines(statement.span);
    if (is_kernel_call(statement)) {
      to.add("statement dropped", Oracle::kResults, std::string(to.emitted().text(statement.span)),
             {{line, ""}});
      to.add("statement doubled", Oracle::kResults, std::string(to.emitted().text(statement.span)),
             {{{line.end, line.end}, std::string(to.emitted().text(line))}});
    } else if (to.emitted().function(name) != nullptr) {
      to.add("prepare or part skipped", Oracle::kResults, name, {{line, ""}});
    } else if (name == "state.once.finish") {
      to.add("prepare or part skipped", Oracle::kDefinition, name, {{line, ""}});
    } else if (name == "wick::enter" || name == "wick::leave") {
      to.add("enter and leave", Oracle::kDefinition, "no " + name, {{line, ""}});
      to.replace("enter and leave", Oracle::kDefinition, statement.value.arguments.at(1).span,
                 std::to_string(to.emitted().arena_bytes / 2));
      if (statement.value.arguments.size() > 2) {
        const Span last = statement.value.arguments.back().span;
        const std::size_t before =
            statement.value.arguments[statement.value.arguments.size() - 2].span.end;
        to.replace("enter and leave", Oracle::kDefinition, {before, last.end}, "");
      }
    }
  }
}

// Nothing calls prepare any more.
void forget_prepare(Collector& to, const Function& function) {
  const std::string text(to.emitted().text(function.body));
  const std::size_t begin = text.find("  if (state.once.begin()) {\n");
  if (begin == std::string::npos) return;
  const std::size_t end = text.find("  }\n", begin) + 4;
  const Span block{function.body.begin + begin, function.body.begin + end};
  to.add("prepare or part skipped", Oracle::kResults, "the whole of state.once", {{block, ""}});
}

}  // namespace

void mutate_order(Collector& to) {
  for (const Function& function : to.emitted().functions) {
    drop(to, function);
    reorder(to, function);
    forget_prepare(to, function);
  }
}

}  // namespace wick::mutation
