// What a statement reads, where it writes, and what it calls.
#include <algorithm>
#include <array>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

void mutate_memory(Collector& to, const std::vector<ScopeName>& scope, std::size_t at,
                   const Expression& call) {
  const std::vector<const Expression*> arguments = flat_arguments(call);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ScopeName* name = find_name(scope, arguments[i]->name);
    if (name == nullptr) continue;
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const ScopeName* other = find_name(scope, arguments[j]->name);
      if (other != nullptr && is_same_type(name->type, other->type) &&
          (i > 0 || other->is_writable()))
        to.swap("arguments swapped", Oracle::kResults, arguments[i]->span, arguments[j]->span);
    }
    for (const ScopeName& other : scope) {
      const bool fits = is_same_type(name->type, other.type) && other.since <= at;
      if (!fits || (i == 0 && !other.is_writable())) continue;
      to.replace(i == 0 ? "another result" : "another operand", Oracle::kResults,
                 arguments[i]->span, other.name);
    }
  }
}

void mutate_callables(Collector& to, const Expression& call) {
  static constexpr std::array<std::string_view, 6> kReducers = {
      "wick::Sum",     "wick::Product", "wick::Maximum",
      "wick::Minimum", "wick::Mean",    "wick::SumOfSquares"};
  for (const Expression* argument : flat_arguments(call)) {
    if (const Lambda* lambda = to.emitted().lambda(argument->name)) {
      for (const Lambda& other : to.emitted().lambdas) {
        if (other.parameters.size() == lambda->parameters.size() &&
            other.is_rows() == lambda->is_rows())
          to.replace("another kernel", Oracle::kResults, argument->span, other.name);
      }
    }
    const auto swap_names = [&](std::string_view a, std::string_view b) {
      if (argument->name == a)
        to.replace("reducer", Oracle::kResults, argument->name_span, std::string(b));
      if (argument->name == b)
        to.replace("reducer", Oracle::kResults, argument->name_span, std::string(a));
    };
    swap_names("wick::ArgMaximum", "wick::ArgMinimum");
    swap_names("wick::All", "wick::Any");
    if (call.name == "wick::scan" ||
        std::ranges::find(kReducers, argument->name) == kReducers.end())
      continue;
    for (const std::string_view other : kReducers)
      to.replace("reducer", Oracle::kResults, argument->name_span, std::string(other));
  }
}

// The tensor along whose axes a call works.
const Type* walked(const std::vector<ScopeName>& scope, const Expression& call) {
  const std::vector<const Expression*> arguments = flat_arguments(call);
  for (std::size_t i = arguments.size() > 1 ? 1 : 0; i < arguments.size(); ++i) {
    if (const ScopeName* name = find_name(scope, arguments[i]->name)) return &name->type;
  }
  return nullptr;
}

// Another axis of the same extent, so that the call still compiles.
void mutate_axis(Collector& to, const Type& type, const Expression& axis, bool any) {
  const auto now = static_cast<std::size_t>(std::stoul(axis.name));
  for (std::size_t other = 0; other < type.extents.size(); ++other) {
    if (now < type.extents.size() && (any || type.extents[other] == type.extents[now]))
      to.replace("axis", Oracle::kResults, axis.span, std::to_string(other));
  }
}

// A size, step, distance or margin of a window that is one more or one less.
void mutate_window(Collector& to, const Expression& list) {
  for (const Expression& number : list.templates) {
    const long now = std::stol(number.name);
    to.replace("window", Oracle::kResults, number.span, std::to_string(now + 1));
    if (now > 0) to.replace("window", Oracle::kResults, number.span, std::to_string(now - 1));
  }
}

void mutate_templates(Collector& to, const std::vector<ScopeName>& scope, const Expression& call) {
  const Type* type = walked(scope, call);
  if (type == nullptr) return;
  static constexpr std::array<std::string_view, 4> kWindows = {"wick::Sizes", "wick::Steps",
                                                               "wick::Dilations", "wick::Before"};
  const bool any = call.name == "wick::scan" || call.name == "wick::iota";
  const bool slides = call.name.starts_with("wick::convolve") || call.name.ends_with("_pool");
  for (const Expression& argument : call.templates) {
    if (argument.name == "true" || argument.name == "false") {
      to.replace("flag", Oracle::kResults, argument.span,
                 argument.name == "true" ? "false" : "true");
    } else if (slides && std::ranges::find(kWindows, argument.name) != kWindows.end()) {
      mutate_window(to, argument);
    } else if (slides) {
      to.replace("groups", Oracle::kResults, argument.span, argument.name == "1" ? "2" : "1");
    } else if (argument.name == "wick::Axes") {
      for (const Expression& axis : argument.templates) mutate_axis(to, *type, axis, false);
    } else if (argument.name.find_first_not_of("0123456789") == std::string::npos) {
      mutate_axis(to, *type, argument, any);
    }
  }
  if (!call.name.starts_with("wick::pad")) return;
  for (std::size_t axis = 0; axis < type->extents.size(); ++axis) {
    to.swap("padding", Oracle::kResults, call.templates.at(0).templates.at(axis).span,
            call.templates.at(1).templates.at(axis).span);
  }
}

void mutate_function(Collector& to, const std::vector<ScopeName>& scope, const Expression& call) {
  static constexpr std::array<std::array<std::string_view, 2>, 3> kPairs = {{
      {"wick::pad_edge", "wick::pad_reflect"},
      {"wick::gather", "wick::gather_elements"},
      {"wick::copy", "wick::tile"},
  }};
  for (const auto& [a, b] : kPairs) {
    if (call.name == a)
      to.replace("runtime function", Oracle::kResults, call.name_span, std::string(b));
    if (call.name == b)
      to.replace("runtime function", Oracle::kResults, call.name_span, std::string(a));
  }
  const ScopeName* result = find_name(scope, call.arguments.at(0).name);
  if (call.name == "wick::map" && result != nullptr && result->is_writable() &&
      result->kind != ScopeName::Kind::kOut)
    to.replace("runtime function", Oracle::kResults, call.name_span, "wick::map_in_place");
}

}  // namespace

void mutate_arguments(Collector& to) {
  for (const Function& function : to.emitted().functions) {
    const std::vector<ScopeName> scope = scope_of(to.emitted(), function);
    for (std::size_t i = 0; i < function.statements.size(); ++i) {
      const Statement& statement = function.statements[i];
      if (!is_kernel_call(statement)) continue;
      mutate_memory(to, scope, i, statement.value);
      mutate_callables(to, statement.value);
      mutate_templates(to, scope, statement.value);
      mutate_function(to, scope, statement.value);
    }
  }
}

}  // namespace wick::mutation
