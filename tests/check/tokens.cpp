#include "tests/check/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace wick::mutation {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t end_of_name(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && continues_name(text[at])) ++at;
    const std::size_t joint = text.substr(at, 2) == "::" ? 2 : text.substr(at, 1) == "." ? 1 : 0;
    if (joint == 0 || at + joint >= text.size() || !starts_name(text[at + joint])) return at;
    at += joint;
  }
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  const bool is_hexadecimal = text.substr(at, 2) == "0x";
  while (at < text.size() && (continues_name(text[at]) || text[at] == '.')) {
    const bool is_exponent = !is_hexadecimal && (text[at] == 'e' || text[at] == 'E');
    ++at;
    if (is_exponent && at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  }
  return at;
}

std::size_t end_of_symbol(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 5> kPairs = {"==", "!=", "<=", ">=", "[["};
  return at + (std::ranges::find(kPairs, text.substr(at, 2)) != kPairs.end() ? 2 : 1);
}

// Behind a comment, a directive or a space that starts here, or here.
std::size_t behind_passed_over(std::string_view text, std::size_t at) {
  if (std::isspace(static_cast<unsigned char>(text[at])) != 0) return at + 1;
  if (text.substr(at, 2) == "//" || text[at] == '#')
    return std::min(text.find('\n', at), text.size());
  return at;
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2u : 1u;
  return std::min(at + 1, text.size());
}

std::size_t end_of_token(std::string_view text, std::size_t at) {
  if (starts_name(text[at])) return end_of_name(text, at);
  if (is_digit(text[at])) return end_of_number(text, at);
  return text[at] == '"' ? end_of_string(text, at) : end_of_symbol(text, at);
}

bool is_infix(std::string_view token) {
  static constexpr std::array<std::string_view, 10> kInfix = {
      "+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="};
  return std::ranges::find(kInfix, token) != kInfix.end();
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t behind = behind_passed_over(text, at);
    if (behind != at) {
      at = behind;
      continue;
    }
    const std::size_t end = end_of_token(text, at);
    tokens.push_back({{at, end}, text.substr(at, end - at)});
    at = end;
  }
  return tokens;
}

void Parser::fail(const std::string& what) const {
  const std::size_t place = at_end() ? text_.size() : tokens_[at_].span.begin;
  throw std::runtime_error("line " + std::to_string(line_of(text_, place)) + ": " + what);
}

const Token& Parser::peek(std::size_t ahead) const {
  if (at_ + ahead >= tokens_.size()) fail("the text ends too early");
  return tokens_[at_ + ahead];
}

bool Parser::sees(std::string_view text, std::size_t ahead) const {
  return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].text == text;
}

Token Parser::take() {
  const Token token = peek();
  ++at_;
  return token;
}

bool Parser::accept(std::string_view text) {
  if (!sees(text)) return false;
  ++at_;
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) fail("expected " + std::string(text));
}

void Parser::skip_behind(std::string_view text) {
  while (!accept(text)) take();
}

std::size_t Parser::skip_block() {
  int depth = 1;
  for (;;) {
    const Token token = take();
    if (token.text == "{") ++depth;
    if (token.text == "}" && --depth == 0) return token.span.begin;
  }
}

// A bracket directly behind a name opens template arguments; a comparison has spaces around it.
bool Parser::opens_templates() const {
  return sees("<") && peek().span.begin == tokens_[at_ - 1].span.end;
}

void Parser::list(std::vector<Expression>& items, std::string_view close) {
  while (!accept(close)) {
    items.push_back(expression());
    accept(",");
  }
}

Expression Parser::primary() {
  Expression e;
  const Token first = take();
  e.span = e.name_span = first.span;
  e.name = first.text;
  if (first.text == "{") {
    e.name.clear();
    list(e.arguments, "}");
  } else if (first.text == "-") {
    e.arguments.push_back(primary());
    e.is_operator = true;
    if (is_digit(e.arguments.front().name.front())) {
      e.name += e.arguments.front().name;
      e.name_span.end = e.arguments.front().span.end;
      e.arguments.clear();
      e.is_operator = false;
    }
  } else if (starts_name(first.text.front())) {
    if (e.name == "row.template") {
      e.name = "row." + std::string(peek().text);
      e.name_span = take().span;
    }
    if (opens_templates()) {
      take();
      list(e.templates, ">");
    }
    const bool braces = sees("{");
    if (accept("(") || accept("{")) {
      e.is_call = true;
      list(e.arguments, braces ? "}" : ")");
    }
  } else if (!is_digit(first.text.front()) && first.text.front() != '"') {
    fail("unexpected " + std::string(first.text));
  }
  e.span.end = tokens_[at_ - 1].span.end;
  return e;
}

Expression Parser::expression() {
  Expression left = primary();
  while (!at_end() && is_infix(peek().text) && text_[peek().span.begin - 1] == ' ') {
    Expression infix;
    const Token sign = take();
    infix.name = sign.text;
    infix.name_span = sign.span;
    infix.is_operator = true;
    infix.arguments = {std::move(left), primary()};
    infix.span = {infix.arguments[0].span.begin, infix.arguments[1].span.end};
    left = std::move(infix);
  }
  return left;
}

Statement Parser::statement() {
  Statement statement;
  statement.span.begin = peek().span.begin;
  if (accept("const")) {
    take();  // auto, or Weights
    statement.declared = take().text;
    expect("=");
  } else {
    statement.is_return = accept("return");
  }
  statement.value = expression();
  statement.span.end = peek().span.end;
  expect(";");
  return statement;
}

}  // namespace wick::mutation
