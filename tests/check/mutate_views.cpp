// Views, and writes in place.
#include <algorithm>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

void mutate_offset(Collector& to, const Expression& view) {
  const std::size_t behind = view.templates[0].span.end;
  if (view.templates.size() == 1) {
    for (const char* offset : {"1", "-1", "3"})
      to.add("view offset", Oracle::kResults, std::string("offset ") + offset,
             {{{behind, behind}, std::string(", ") + offset}});
    return;
  }
  const std::int64_t offset = std::stoll(view.templates[1].name);
  for (const std::int64_t other : {offset + 1, offset - 1, std::int64_t{0}})
    to.replace("view offset", Oracle::kResults, view.templates[1].span, std::to_string(other));
}

void mutate_strides(Collector& to, const Expression& type) {
  const Type described = to.emitted().describe(type);
  for (std::size_t axis = 0; axis < described.extents.size(); ++axis) {
    if (described.extents[axis] < 2) continue;  // never walked along
    const Span span = type.templates.at(axis + 1).span;
    const std::int64_t stride = described.strides[axis];
    for (const std::int64_t other : {stride + 1, stride - 1, -stride, 2 * stride})
      to.replace("view stride", Oracle::kResults, span, std::to_string(other));
    for (std::size_t next = axis + 1; next < described.extents.size(); ++next) {
      if (described.extents[next] > 1)
        to.swap("view stride", Oracle::kResults, span, type.templates.at(next + 1).span);
    }
  }
}

// The same elements, backwards along one axis: nothing leaves the tensor.
void reverse(Collector& to, const Expression& view) {
  const Expression& type = view.templates.at(0);
  const Type described = to.emitted().describe(type);
  const std::int64_t offset = view.templates.size() > 1 ? std::stoll(view.templates[1].name) : 0;
  for (std::size_t axis = 0; axis < described.extents.size(); ++axis) {
    if (described.extents[axis] < 2 || described.elements() == 0) continue;
    std::string text = "wick::Strided<";
    const Expression& packed = type.name == "wick::Strided" ? type.templates.at(0) : type;
    text += to.emitted().text(packed.span);
    for (std::size_t i = 0; i < described.strides.size(); ++i)
      text += ", " + std::to_string(i == axis ? -described.strides[i] : described.strides[i]);
    const std::int64_t last = (described.extents[axis] - 1) * described.strides[axis];
    to.replace("view backwards", Oracle::kResults,
               {view.templates.front().span.begin, view.templates.back().span.end},
               text + ">, " + std::to_string(offset + last));
  }
}

void mutate_view(Collector& to, const std::vector<ScopeName>& scope, std::size_t at,
                 const Expression& view) {
  const Expression& type = view.templates.at(0);
  mutate_offset(to, view);
  reverse(to, view);
  if (type.name == "wick::Strided") {
    mutate_strides(to, type);
    to.replace("view type", Oracle::kResults, type.span,
               std::string(to.emitted().text(type.templates.at(0).span)));
  }
  const Type described = to.emitted().describe(type);
  for (const Type& other : to.emitted().types) {
    if (other.element == described.element && other.elements() == described.elements() &&
        !is_same_type(other, described))
      to.replace("view type", Oracle::kResults, type.span, other.name);
  }
  const ScopeName* base = find_name(scope, view.arguments.at(0).name);
  for (const ScopeName& other : scope) {
    const bool fits = base != nullptr && other.type.element == base->type.element &&
                      other.type.elements() >= base->type.elements();
    if (fits && other.since <= at)
      to.replace("view base", Oracle::kResults, view.arguments[0].span, other.name);
  }
}

// A result with a slot of its own is written over one of the kernel's operands instead.
void mutate_to_in_place(Collector& to, const Function& function,
                        const std::vector<ScopeName>& scope, std::size_t at) {
  const Statement& statement = function.statements[at];
  const std::string_view called = statement.runtime_function();
  const Expression* written = nullptr;  // the result, or wick::outs of it
  if (called == "map" || called == "matmul" || called == "convolve")
    written = &statement.value.arguments.at(0);
  if (called == "rows") written = &statement.value.arguments.at(2);
  if (written == nullptr || written->arguments.size() > 1) return;
  const std::string& result = written->is_call ? written->arguments.at(0).name : written->name;
  const auto declared = std::ranges::find(function.statements, result, &Statement::declared);
  if (declared == function.statements.end() || declared->value.name != "wick::slot") return;
  const std::string type(to.emitted().text(declared->value.templates.at(0).span));
  for (std::size_t i = 1; i < statement.value.arguments.size(); ++i) {
    const ScopeName* operand = find_name(scope, statement.value.arguments[i].name);
    if (operand == nullptr || !operand->is_writable()) continue;
    if (operand->type.elements() != to.emitted().describe(declared->value.templates[0]).elements())
      continue;
    if (operand->since > static_cast<std::size_t>(declared - function.statements.begin())) continue;
    std::vector<Edit> edits = {
        {declared->value.span, "wick::in_place<" + type + ">(" + operand->name + ")"},
        {{statement.value.name_span.end, statement.value.name_span.end}, "_in_place"}};
    if (written->is_call) edits.push_back({written->span, result});
    for (const Statement& other : function.statements) {
      if (other.runtime_function() == "free" && other.value.arguments.at(0).name == result)
        edits.push_back({to.lines(other.span), ""});
    }
    to.add("in place over a live slot", Oracle::kResults, result + " over " + operand->name,
           std::move(edits));
  }
}

// A row program names its results in wick::outs, unless it writes in place.
void to_fresh_write(Collector& to, const Statement& statement) {
  const std::string called(statement.runtime_function());
  const std::string fresh = called.substr(0, called.size() - std::string_view("_in_place").size());
  std::vector<Edit> edits = {{statement.value.name_span, "wick::" + fresh}};
  if (fresh == "rows") {
    const Span result = statement.value.arguments.at(2).span;
    edits.push_back({result, "wick::outs(" + std::string(to.emitted().text(result)) + ")"});
  }
  to.add("in place as a fresh write", Oracle::kResults, called + " -> " + fresh, std::move(edits));
}

void mutate_statement(Collector& to, const Function& function, const std::vector<ScopeName>& scope,
                      std::size_t at) {
  const Statement& statement = function.statements[at];
  if (statement.value.name == "wick::view") mutate_view(to, scope, at, statement.value);
  mutate_to_in_place(to, function, scope, at);
  const std::string_view called = statement.runtime_function();
  if (called.ends_with("_in_place") && statement.declared.empty()) to_fresh_write(to, statement);
}

}  // namespace

void mutate_views(Collector& to) {
  for (const Function& function : to.emitted().functions) {
    const std::vector<ScopeName> scope = scope_of(to.emitted(), function);
    for (std::size_t i = 0; i < function.statements.size(); ++i)
      mutate_statement(to, function, scope, i);
  }
}

}  // namespace wick::mutation
