// The interface, and what emitted code never contains.
#include <algorithm>
#include <array>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

constexpr std::string_view kInterface = "interface";
constexpr std::string_view kForeign = "foreign code";

// Where run's parameters stand in the header, which declares the same as the source defines.
std::size_t in_header(const Emitted& emitted, const std::string& text) {
  const std::size_t run = emitted.header.find("\nvoid run(");
  return emitted.header.find(text, run == std::string::npos ? 0 : run);
}

// An input that the function may write: as a result, or in place.
void mutate_input(Collector& to, const Parameter& parameter) {
  const Emitted& emitted = to.emitted();
  const std::string rest = "<" + parameter.type + "> " + parameter.name;
  const std::size_t place = in_header(emitted, "wick::" + parameter.kind + rest);
  if (place == std::string::npos) return;
  const Span declared{place, place + 6 + parameter.kind.size()};
  for (const std::string kind : {"In", "InOut", "Out"}) {
    // What is written may not be declared as read.
    if (kind == parameter.kind || kind == "In") continue;
    to.add(kInterface, Oracle::kDefinition, parameter.name + ": " + parameter.kind + " -> " + kind,
           {{parameter.kind_span, "wick::" + kind, false}, {declared, "wick::" + kind, true}});
  }
}

// Two parameters of one type under each other's names: in the definition alone, which C++ allows.
void swap_parameters(Collector& to, const Function& run) {
  const Emitted& emitted = to.emitted();
  for (std::size_t i = 0; i < run.parameters.size(); ++i) {
    for (std::size_t j = i + 1; j < run.parameters.size(); ++j) {
      const Parameter& a = run.parameters[i];
      const Parameter& b = run.parameters[j];
      if (a.type.empty() || a.kind != b.kind || a.type != b.type) continue;
      const auto name_span = [&](const Parameter& p) {
        const std::size_t begin = emitted.source.find("> " + p.name, p.kind_span.end) + 2;
        return Span{begin, begin + p.name.size()};
      };
      to.swap(kInterface, Oracle::kResults, name_span(a), name_span(b));
    }
  }
}

void mutate_header_shapes(Collector& to) {
  const Emitted& emitted = to.emitted();
  for (const Type& type : emitted.types) {
    if (!type.in_header || type.definition.templates.size() < 3) continue;
    const Expression& a = type.definition.templates[1];
    const Expression& b = type.definition.templates[2];
    if (a.name == b.name) continue;
    to.add(kInterface, Oracle::kDefinition, type.name + ": extents swapped",
           {{a.span, b.name, true}, {b.span, a.name, true}});
  }
}

// The tables that tell the interface as data: two tensors of one type under each other's names.
void mutate_tables(Collector& to) {
  const Emitted& emitted = to.emitted();
  for (std::size_t i = 0; i < emitted.tables.size(); ++i) {
    for (std::size_t j = i + 1; j < emitted.tables.size(); ++j) {
      const Expression& a = emitted.tables[i];
      const Expression& b = emitted.tables[j];
      if (a.templates.at(0).name != b.templates.at(0).name) continue;
      const auto text = [&](Span span) {
        return emitted.header.substr(span.begin, span.end - span.begin);
      };
      if (text(a.span) == text(b.span)) continue;
      to.add(kInterface, Oracle::kDefinition, text(a.span) + " <-> " + text(b.span),
             {{a.span, text(b.span), true}, {b.span, text(a.span), true}});
    }
  }
}

// Functions of the header: parameters bound crosswise, a reset that resets nothing, a version that
// is not asked for.
void mutate_header_functions(Collector& to) {
  const Emitted& emitted = to.emitted();
  const auto change = [&](const std::string& from, const std::string& text) {
    const std::size_t at = emitted.header.find(from);
    if (at != std::string::npos)
      to.add(kInterface, Oracle::kDefinition, from + " -> " + text,
             {{{at, at + from.size()}, text, true}});
  };
  change("  state.once.reset();\n", "");
  change("WICK_REQUIRE_RUNTIME(1, 1);", "");
  for (const BoundMember& a : emitted.bound) {
    for (const BoundMember& b : emitted.bound) {
      if (a.name != b.name && a.type == b.type)
        change("state." + a.name + " = " + a.name + ";", "state." + a.name + " = " + b.name + ";");
    }
  }
}

void add_foreign_code(Collector& to) {
  const Emitted& emitted = to.emitted();
  const Function& run = emitted.run();
  const auto first = std::ranges::find_if(run.statements, is_kernel_call);
  if (first == run.statements.end()) return;
  const std::size_t place = to.lines(first->span).begin;
  const Span here{place, place};
  static constexpr std::array<std::string_view, 9> kStatements = {
      "static int calls = 0;",
      "float* const extra = new float[4];",
      "std::byte local[100000];",
      "__builtin_trap();",
      "return;",
      "thread_local float last = 0.0f;",
      "const auto copy = [](auto x) { return x; };",
      "asm(\"nop\");",
      "for (;;) {}",
  };
  for (const std::string_view statement : kStatements)
    to.add(kForeign, Oracle::kDefinition, std::string(statement),
           {{here, "  " + std::string(statement) + "\n"}});
  const Parameter* arena = run.parameter("arena");
  if (arena != nullptr)
    to.add(kForeign, Oracle::kDefinition, "arena[0] = std::byte{0};",
           {{here, "  arena[0] = std::byte{0};\n"}});
}

void drop_noexcept(Collector& to) {
  const Emitted& emitted = to.emitted();
  const std::string word = " noexcept";
  const std::size_t source = emitted.source.rfind(word, emitted.run().body.begin);
  const std::size_t header = in_header(emitted, word);
  if (source == std::string::npos || header == std::string::npos) return;
  to.add(kForeign, Oracle::kDefinition, "run without noexcept",
         {{{source, source + word.size()}, "", false}, {{header, header + word.size()}, "", true}});
}

}  // namespace

void mutate_contract(Collector& to) {
  const Function& run = to.emitted().run();
  for (const Parameter& parameter : run.parameters) {
    if (!parameter.type.empty()) mutate_input(to, parameter);
  }
  swap_parameters(to, run);
  mutate_tables(to);
  mutate_header_functions(to);
  mutate_header_shapes(to);
  add_foreign_code(to);
  drop_noexcept(to);
}

}  // namespace wick::mutation
