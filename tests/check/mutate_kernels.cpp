// What a kernel computes.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "tests/check/mutator.h"

namespace wick::mutation {
namespace {

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
  std::array<char, 64> buffer{};
  const double value = std::stod(digits) * factor + summand;
  std::snprintf(buffer.data(), buffer.size(), is_single ? "%.9g" : "%.17g", value);
  std::string text = buffer.data();
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + (is_single ? "f" : "");
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
    // Another number, a number close by, and one on the other side of zero.
    for (const auto& [factor, summand] : {std::array{2.0, 0.0}, {1.0, 0.001}, {-1.0, 0.0}}) {
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

}  // namespace

void mutate_kernels(Collector& to) {
  for (const Lambda& lambda : to.emitted().lambdas) {
    if (lambda.is_rows()) continue;
    std::vector<std::string> values = lambda.parameters;
    for (const Statement& statement : lambda.statements) {
      mutate_expression(to, values, statement.value);
      if (!statement.declared.empty()) values.push_back(statement.declared);
    }
  }
}

}  // namespace wick::mutation
