// What a kernel computes.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

std::string literal_text(double value, bool is_single) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), is_single ? "%.9g" : "%.17g", value);
  std::string text = buffer.data();
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + (is_single ? "f" : "");
}

// "2.0f" with another number in front of the suffix; empty if it is no number.
std::string with_number(std::string_view literal, double factor, double summand) {
  const bool is_single = literal.ends_with('f') && !literal.starts_with("0x");
  const bool is_floating = is_single || literal.find('.') != std::string_view::npos ||
                           literal.find('e') != std::string_view::npos;
  const std::string digits(is_single ? literal.substr(0, literal.size() - 1) : literal);
  if (literal.starts_with("0x")) return {};
  if (!is_floating) {
    const long long number = std::stoll(digits);
    return std::to_string(number + (factor == 1 || number == 0 ? 1 : number));
  }
  return literal_text(std::stod(digits) * factor + summand, is_single);
}

bool is_number(const Expression& e) {
  const std::string_view name = e.name;
  const std::size_t at = name.starts_with('-') ? 1 : 0;
  return e.is_name() && name.size() > at && std::isdigit(static_cast<unsigned char>(name[at])) != 0;
}

void mutate_literal(Collector& to, const Expression& e) {
  if (e.name == "true" || e.name == "false") {
    to.replace("literal", Oracle::kResults, e.span, e.name == "true" ? "false" : "true");
  } else if (is_number(e)) {
    // Another number, a number close by, the next one of its type, and one beyond zero.
    const double next = 1 + (e.name.ends_with('f') ? 1.2e-7 : 2.3e-16);
    for (const auto& [factor, summand] :
         {std::array{2.0, 0.0}, {1.0, 0.001}, {next, 0.0}, {-1.0, 0.0}}) {
      const std::string text = with_number(e.name, factor, summand);
      if (!text.empty()) to.replace("literal", Oracle::kResults, e.span, text);
    }
  }
}

void mutate_operator(Collector& to, const Expression& e) {
  static constexpr std::array<std::array<std::string_view, 2>, 10> kOthers = {{
      {"+", "-"},
      {"-", "+"},
      {"*", "/"},
      {"/", "*"},
      {"*", "+"},
      {"<", "<="},
      {"<=", "<"},
      {">", ">="},
      {">=", ">"},
      {"==", "!="},
  }};
  for (const auto& [from, other] : kOthers) {
    if (e.name == from && e.arguments.size() == 2)
      to.replace("operator", Oracle::kResults, e.name_span, std::string(other));
  }
  if (e.name == "!=") to.replace("operator", Oracle::kResults, e.name_span, "==");
  if (e.arguments.size() == 1)
    to.replace("operator", Oracle::kResults, e.span,
               std::string(to.emitted().text(e.arguments[0].span)));
}

void mutate_function(Collector& to, const Expression& e) {
  static constexpr std::array<std::array<std::string_view, 2>, 24> kOthers = {{
      {"sin", "cos"},
      {"cos", "sin"},
      {"exp", "expm1"},
      {"expm1", "exp"},
      {"log", "log1p"},
      {"log1p", "log"},
      {"relu", "abs"},
      {"abs", "relu"},
      {"floor", "ceil"},
      {"ceil", "floor"},
      {"round", "trunc"},
      {"trunc", "round"},
      {"tanh", "sigmoid"},
      {"sigmoid", "tanh"},
      {"sqrt", "rsqrt"},
      {"rsqrt", "sqrt"},
      {"gelu", "gelu_tanh"},
      {"gelu_tanh", "gelu"},
      {"erf", "tanh"},
      {"silu", "relu"},
      {"maximum", "minimum"},
      {"minimum", "maximum"},
      {"logical_and", "logical_or"},
      {"logical_or", "logical_xor"},
  }};
  for (const auto& [from, other] : kOthers) {
    if (e.name == "wick::" + std::string(from))
      to.replace("function of a kernel", Oracle::kResults, e.name_span,
                 "wick::" + std::string(other));
  }
}

void mutate_expression(Collector& to, const std::vector<std::string>& values, const Expression& e) {
  mutate_literal(to, e);
  if (e.is_operator) mutate_operator(to, e);
  if (e.is_call) mutate_function(to, e);
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    for (std::size_t j = i + 1; j < e.arguments.size(); ++j)
      to.swap("operands swapped in a kernel", Oracle::kResults, e.arguments[i].span,
              e.arguments[j].span);
    mutate_expression(to, values, e.arguments[i]);
  }
  if (!e.is_name() || std::ranges::find(values, e.name) == values.end()) return;
  for (const std::string& other : values)
    to.replace("another value in a kernel", Oracle::kResults, e.span, other);
}

constexpr std::string_view kRegrouped = "arithmetic regrouped";

// What is equal for real numbers and not in floating point: a quotient as a product with the
// reciprocal, and a multiply-add that is rounded twice.
void regroup(Collector& to, const Expression& e) {
  for (const Expression& argument : e.arguments) regroup(to, argument);
  const auto text = [&](const Expression& x) { return std::string(to.emitted().text(x.span)); };
  if (e.name == "wick::fma")
    to.replace(kRegrouped, Oracle::kResults, e.span,
               text(e.arguments.at(0)) + " * " + text(e.arguments.at(1)) + " + " +
                   text(e.arguments.at(2)));
  if (e.name != "/" || !is_number(e.arguments.at(1))) return;
  const std::string& divisor = e.arguments[1].name;
  const bool is_single = divisor.ends_with('f');
  if (!is_single && divisor.find('.') == std::string::npos) return;
  to.replace(kRegrouped, Oracle::kResults, e.span,
             text(e.arguments[0]) + " * " + literal_text(1 / std::stod(divisor), is_single));
}

// (a + b) + c as (a + c) + b, and the same of products.
void reassociate(Collector& to, const Lambda& lambda, std::size_t at) {
  const Expression& outer = lambda.statements[at].value;
  if (!outer.is_operator || outer.arguments.size() != 2) return;
  if (outer.name != "+" && outer.name != "*") return;
  for (std::size_t i = 0; i < at; ++i) {
    const Statement& inner = lambda.statements[i];
    if (!inner.value.is_operator || inner.value.name != outer.name) continue;
    for (const std::size_t side : {0u, 1u}) {
      const bool reads = outer.arguments[side].name == inner.declared;
      const Expression& other = outer.arguments[1 - side];
      const bool is_early =
          std::ranges::find(lambda.parameters, other.name) != lambda.parameters.end();
      if (reads && is_early && inner.value.arguments.size() == 2)
        to.swap(kRegrouped, Oracle::kResults, inner.value.arguments[1].span, other.span);
    }
  }
}

}  // namespace

void mutate_kernels(Collector& to) {
  for (const Lambda& lambda : to.emitted().lambdas) {
    if (lambda.is_rows()) continue;
    std::vector<std::string> values = lambda.parameters;
    for (std::size_t i = 0; i < lambda.statements.size(); ++i) {
      const Statement& statement = lambda.statements[i];
      mutate_expression(to, values, statement.value);
      regroup(to, statement.value);
      reassociate(to, lambda, i);
      if (!statement.declared.empty()) values.push_back(statement.declared);
    }
  }
}

}  // namespace wick::mutation
