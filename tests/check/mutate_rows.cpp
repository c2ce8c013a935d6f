// What a row program does.
#include <algorithm>
#include <array>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

constexpr std::string_view kKind = "row program";

void mutate_reducer(Collector& to, const Expression& reducer) {
  static constexpr std::array<std::string_view, 6> kReducers = {
      "wick::Sum",     "wick::Product", "wick::Maximum",
      "wick::Minimum", "wick::Mean",    "wick::SumOfSquares"};
  for (const std::string_view other : kReducers)
    to.replace(kKind, Oracle::kResults, reducer.name_span, std::string(other));
}

void mutate_values(Collector& to, const std::vector<std::string>& values, const Expression& call) {
  // A write names its result first.
  for (std::size_t i = call.name == "row.write" ? 1 : 0; i < call.arguments.size(); ++i) {
    const Expression& argument = call.arguments[i];
    if (const Lambda* kernel = to.emitted().lambda(argument.name)) {
      for (const Lambda& other : to.emitted().lambdas) {
        if (!other.is_rows() && other.parameters.size() == kernel->parameters.size())
          to.replace(kKind, Oracle::kResults, argument.span, other.name);
      }
      continue;
    }
    if (argument.is_call) {
      mutate_reducer(to, argument);
      continue;
    }
    for (const std::string& other : values)
      to.replace(kKind, Oracle::kResults, argument.span, other);
    for (std::size_t j = i + 1; j < call.arguments.size(); ++j)
      to.swap(kKind, Oracle::kResults, argument.span, call.arguments[j].span);
  }
}

// A statement of a program before the one that it stands behind, unless it reads that one.
void mutate_order(Collector& to, const Lambda& lambda) {
  for (std::size_t i = 1; i < lambda.statements.size(); ++i) {
    const Statement& first = lambda.statements[i - 1];
    const Statement& second = lambda.statements[i];
    const bool is_read = std::ranges::any_of(
        second.value.arguments, [&](const Expression& e) { return e.name == first.declared; });
    const bool writes = first.value.name == "row.write" || second.value.name == "row.write";
    if (writes && !is_read) to.swap(kKind, Oracle::kResults, first.span, second.span);
  }
}

void mutate_program(Collector& to, const Lambda& lambda) {
  std::vector<std::string> values, written;
  for (const Statement& statement : lambda.statements) {
    if (statement.value.name == "row.write")
      written.push_back(statement.value.arguments.at(0).name);
  }
  for (const std::string& parameter : lambda.parameters) {
    if (parameter != "row" && std::ranges::find(written, parameter) == written.end())
      values.push_back(parameter);
  }
  for (const Statement& statement : lambda.statements) {
    const Expression& call = statement.value;
    mutate_values(to, values, call);
    if (call.name == "row.keep") {
      const Expression& buffer = call.templates.at(1);
      const Expression& element = call.templates.at(0);
      to.replace(kKind, Oracle::kResults, element.span,
                 element.name == "float" ? "double" : "float");
      to.replace(kKind, Oracle::kDefinition, buffer.span,
                 std::to_string(std::stoll(buffer.name) + 1));
      if (buffer.name != "0") to.replace(kKind, Oracle::kDefinition, buffer.span, "0");
    }
    if (call.name == "row.write") {
      to.add(kKind, Oracle::kResults, "no " + std::string(to.emitted().text(statement.span)),
             {{to.lines(statement.span), ""}});
      for (const std::string& other : written)
        to.replace(kKind, Oracle::kResults, call.arguments[0].span, other);
    }
    if (!statement.declared.empty()) values.push_back(statement.declared);
  }
}

}  // namespace

void mutate_rows(Collector& to) {
  for (const Lambda& lambda : to.emitted().lambdas) {
    if (!lambda.is_rows()) continue;
    mutate_program(to, lambda);
    mutate_order(to, lambda);
  }
}

}  // namespace wick::mutation
