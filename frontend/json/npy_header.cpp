#include "frontend/json/npy_header.h"

#include <charconv>
#include <system_error>

#include "compiler/support/text.h"

namespace wick::frontend {
namespace {

// A recursive descent over the few forms that NumPy writes.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string& fault) : text_(text), fault_(fault) {}

  std::optional<NpyHeader> run() {
    if (!take('{')) return fail("does not start with a dictionary");
    while (!take('}')) {
      if (!entry()) return std::nullopt;
      if (take(',')) continue;
      if (take('}')) break;
      return fail("has no comma where one is due");
    }
    skip_space();
    if (at_ != text_.size()) return fail("goes on after its dictionary");
    if (!descr_ || !order_ || !shape_) return fail("lacks descr, fortran_order or shape");
    return std::move(header_);
  }

 private:
  std::nullopt_t fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
    return std::nullopt;
  }
  bool refuse(std::string why) {
    fail(std::move(why));
    return false;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::optional<std::string> string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(content);
  }

  bool entry() {
    const auto key = string();
    if (!key || !take(':')) return refuse("has something else where a key is due");
    if (*key == "descr" && !descr_) return descr_ = descr();
    if (*key == "fortran_order" && !order_) return order_ = order();
    if (*key == "shape" && !shape_) return shape_ = shape();
    return refuse("has the key " + compiler::quoted(key->substr(0, 40)) +
                  ", which is unknown or there twice");
  }

  bool descr() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') return refuse("describes records, not numbers");
    auto value = string();
    if (!value) return refuse("has no string as descr");
    header_.descr = std::move(*value);
    return true;
  }

  bool order() {
    header_.fortran_order = take_word("True");
    return header_.fortran_order || take_word("False") ||
           refuse("has neither True nor False as fortran_order");
  }

  bool shape() {
    if (!take('(')) return refuse("has no tuple as shape");
    while (!take(')')) {
      skip_space();
      std::int64_t extent = 0;
      const char* begin = text_.data() + at_;
      const auto result = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (result.ec != std::errc() || extent < 0) return refuse("has an extent that is none");
      at_ += static_cast<std::size_t>(result.ptr - begin);
      header_.shape.push_back(extent);
      if (take(',')) continue;
      if (take(')')) break;
      return refuse("has a shape without its closing parenthesis");
    }
    return true;
  }

  std::string_view text_;
  std::string& fault_;
  std::size_t at_ = 0;
  NpyHeader header_;
  bool descr_ = false;
  bool order_ = false;
  bool shape_ = false;
};

}  // namespace

std::optional<NpyHeader> read_npy_header(std::string_view text, std::string& fault) {
  return HeaderReader(text, fault).run();
}

}  // namespace wick::frontend
