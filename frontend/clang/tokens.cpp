#include "frontend/clang/tokens.h"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <string>

namespace wick::frontend::check {
namespace {

using clang::tok::TokenKind;
namespace tok = clang::tok;

constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr std::size_t kMostFindings = 20;
constexpr unsigned kLongestNumber = 64;
constexpr unsigned kLongestName = 1u << 16;
constexpr int kDeepestNesting = 32;
constexpr int kLongestRun = 256;  // tokens between separators

constexpr TokenKind kWords[] = {
    tok::kw_alignas,     tok::kw_alignof, tok::kw_auto,   tok::kw_bool,     tok::kw_const,
    tok::kw_constexpr,   tok::kw_double,  tok::kw_extern, tok::kw_false,    tok::kw_float,
    tok::kw_if,          tok::kw_inline,  tok::kw_int,    tok::kw_noexcept, tok::kw_namespace,
    tok::kw_nullptr,     tok::kw_return,  tok::kw_sizeof, tok::kw_static,   tok::kw_struct,
    tok::kw_template,    tok::kw_true,    tok::kw_using,  tok::kw_void,     tok::kw_char,
    tok::raw_identifier, tok::identifier,
};

constexpr TokenKind kMarks[] = {
    tok::l_paren,        tok::r_paren,      tok::l_brace,        tok::r_brace,
    tok::l_square,       tok::r_square,     tok::less,           tok::greater,
    tok::lessequal,      tok::greaterequal, tok::equalequal,     tok::exclaimequal,
    tok::plus,           tok::minus,        tok::star,           tok::slash,
    tok::comma,          tok::semi,         tok::coloncolon,     tok::period,
    tok::equal,          tok::amp,          tok::greatergreater, tok::numeric_constant,
    tok::string_literal,
};

clang::LangOptions cpp17() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
  options.Bool = options.LineComment = options.CXXOperatorNames = true;
  return options;
}

bool is_reserved(llvm::StringRef name) {
  return name.contains("__") ||
         (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
}

class TokenCheck {
 public:
  TokenCheck(std::string_view text, Place::File file, std::string_view included)
      : text_(text), file_(file), included_(included), words_(options_) {}

  std::vector<Finding> run() {
    if (text_.size() > kLargestFile) {
      fail(0, "the file is larger than 64 MiB, which no emitted file is");
      return std::move(findings_);
    }
    check_characters();
    if (findings_.empty()) check_all_tokens();
    return std::move(findings_);
  }

 private:
  void fail(std::size_t offset, std::string message, std::string hint = {}) {
    const std::string_view before = text_.substr(0, offset);
    Place place;
    place.file = file_;
    place.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    place.column = static_cast<std::uint32_t>(offset - line_start) + 1;
    findings_.push_back({place, std::move(message), std::move(hint), {}});
  }

  void check_characters() {
    const auto is_odd = [](char c) { return c != '\n' && (c < ' ' || c > '~'); };
    const auto at = std::ranges::find_if(text_, is_odd);
    if (at == text_.end()) return;
    fail(static_cast<std::size_t>(at - text_.begin()),
         "a character that emitted code does not contain; it is printable ASCII, indented with "
         "spaces");
  }

  void check_all_tokens() {
    const std::string buffer(text_);  // ends in the zero that the lexer needs
    clang::Lexer lexer(clang::SourceLocation(), options_, buffer.data(), buffer.data(),
                       buffer.data() + buffer.size());
    clang::Token token;
    bool in_directive = false;
    for (lexer.LexFromRawLexer(token); !token.is(tok::eof) && findings_.size() < kMostFindings;
         lexer.LexFromRawLexer(token)) {
      const std::size_t end = lexer.getCurrentBufferOffset();
      const std::size_t at = end - token.getLength();
      if (token.isAtStartOfLine()) in_directive = token.is(tok::hash);
      if (token.needsCleaning() || token.hasUCN()) {
        fail(at, "a word is broken over lines or spelt with escapes");
      } else if (in_directive) {
        if (token.is(tok::hash)) check_directive(at);
      } else if (check_token(token, at)) {
        check_nesting(token, at);
      }
      if (is_too_deep_) break;
    }
  }

  void check_directive(std::size_t at) {
    const std::string_view line = text_.substr(at, text_.find('\n', at) - at);
    if (line == "#include \"wick/runtime.h\"") return;
    if (included_.empty()) {
      if (line == "#pragma once") return;
    } else if (line == "#include \"" + std::string(included_) + "\"") {
      return;
    }
    const std::string allowed = included_.empty() ? "#pragma once and #include \"wick/runtime.h\""
                                                  : "#include \"" + std::string(included_) +
                                                        "\" and #include \"wick/runtime.h\"";
    fail(at, "emitted code has no other directives than " + allowed);
  }

  bool check_token(const clang::Token& token, std::size_t at) {
    TokenKind kind = token.getKind();
    const llvm::StringRef spelling(text_.data() + at, token.getLength());
    if (kind == tok::l_square && at > 0 && text_[at - 1] == '[' &&
        !text_.substr(at).starts_with("[maybe_unused]]")) {
      fail(at - 1, "emitted code has no other attribute than [[maybe_unused]]");
      return false;
    }
    if (kind == tok::raw_identifier) {
      kind = words_.get(spelling).getTokenID();
      if (kind == tok::identifier && is_reserved(spelling)) {
        fail(at, "'" + spelling.str() + "' is a name that C++ reserves; emitted code has none");
        return false;
      }
      const bool is_version = included_.empty() && spelling == "WICK_REQUIRE_RUNTIME";
      if (spelling.starts_with("WICK_") && !is_version) {
        fail(at, "'" + spelling.str() + "' is a macro that emitted code does not use");
        return false;
      }
    }
    if (token.getLength() > (kind == tok::numeric_constant ? kLongestNumber : kLongestName)) {
      fail(at, "a word longer than any in emitted code");
      return false;
    }
    if (std::ranges::find(kWords, kind) != std::end(kWords) ||
        std::ranges::find(kMarks, kind) != std::end(kMarks)) {
      return true;
    }
    fail(at, "'" + spelling.substr(0, 40).str() + "' is nothing that emitted code contains",
         "docs/generated-code.md lists what it may contain");
    return false;
  }

  // Brackets of all kinds, and how much stands between two separators: both bound what the parser
  // has to remember at once.
  void check_nesting(const clang::Token& token, std::size_t at) {
    switch (token.getKind()) {
      case tok::l_paren:
      case tok::l_square:
      case tok::l_brace:
        ++depth_;
        break;
      case tok::r_paren:
      case tok::r_square:
      case tok::r_brace:
        --depth_;
        break;
      case tok::less:
        ++angles_;
        break;
      case tok::greatergreater:
        angles_ -= 2;
        break;
      case tok::greater:
        --angles_;
        break;
      default:
        break;
    }
    const bool separates = token.isOneOf(tok::semi, tok::l_brace, tok::r_brace);
    run_ = separates || token.is(tok::comma) ? 0 : run_ + 1;
    angles_ = separates ? 0 : std::max(angles_, 0);
    is_too_deep_ = depth_ > kDeepestNesting || angles_ > kDeepestNesting || run_ > kLongestRun;
    if (is_too_deep_) fail(at, "this is nested more deeply than emitted code ever is");
  }

  std::string_view text_;
  Place::File file_;
  std::string_view included_;
  clang::LangOptions options_ = cpp17();
  clang::IdentifierTable words_;
  std::vector<Finding> findings_;
  int depth_ = 0;
  int angles_ = 0;
  int run_ = 0;
  bool is_too_deep_ = false;
};

}  // namespace

std::vector<Finding> check_tokens(std::string_view text, Place::File file,
                                  std::string_view included) {
  return TokenCheck(text, file, included).run();
}

}  // namespace wick::frontend::check
