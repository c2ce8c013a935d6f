// The tokens of an emitted file, and the expressions that they form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/check/emitted.h"

namespace wick::mutation {

struct Token {
  Span span;
  std::string_view text;
};

// Comments and directives are left out. A qualified name is one token, and so is a string.
std::vector<Token> tokens_of(std::string_view text);

// Goes through tokens and takes expressions off them.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  bool at_end() const { return at_ >= tokens_.size(); }
  const Token& peek(std::size_t ahead = 0) const;
  bool sees(std::string_view text, std::size_t ahead = 0) const;
  Token take();
  // Takes `text` if it comes next.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  // Goes behind the next token with this text.
  void skip_behind(std::string_view text);
  // From behind an opening brace to behind the brace that closes it; where that one stands.
  std::size_t skip_block();

  Expression expression();
  // `const auto x = …;`, `return …;`, `f(…);`
  Statement statement();

 private:
  Expression primary();
  void list(std::vector<Expression>& items, std::string_view close);
  bool opens_templates() const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace wick::mutation
