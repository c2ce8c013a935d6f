#include "frontend/json/values.h"

#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>

#include "compiler/graph/literal.h"

namespace wick::frontend {
namespace {

using compiler::HostTensor;

// Walks over the elements of a flat list.
class Elements {
 public:
  explicit Elements(std::string_view list) : list_(list) {}

  // The next element as it is written, without quotes; nothing at the end.
  std::optional<std::string_view> next() {
    begin_ = list_.find_first_not_of(" \t\r\n,[", end_);
    if (begin_ == std::string_view::npos || list_[begin_] == ']') return std::nullopt;
    if (list_[begin_] == '"') {
      const std::size_t closing = list_.find('"', begin_ + 1);
      end_ = closing + 1;
      return list_.substr(begin_ + 1, closing - begin_ - 1);
    }
    end_ = list_.find_first_of(" \t\r\n,]", begin_);
    return list_.substr(begin_, end_ - begin_);
  }

  TextSpan where() const { return {begin_, end_ - begin_}; }

 private:
  std::string_view list_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// The common case, without an allocation; false if the text needs a closer look.
template <class E>
bool read_plain(std::string_view written, E& value) {
  if constexpr (std::is_same_v<E, bool>) {
    value = written == "true";
    return value || written == "false";
  } else {
    const char* end = written.data() + written.size();
    const auto result = std::from_chars(written.data(), end, value);
    return result.ec == std::errc() && result.ptr == end;
  }
}

}  // namespace

std::optional<ElementFault> read_elements(std::string_view list, HostTensor& tensor) {
  return compiler::dispatch(tensor.dtype(), [&](auto value) -> std::optional<ElementFault> {
    using E = decltype(value);
    std::byte* to = tensor.mutable_bytes().data();
    Elements elements(list);
    std::size_t index = 0;
    for (auto written = elements.next(); written; written = elements.next(), ++index) {
      if (!read_plain(*written, value)) {
        const auto literal = compiler::read_literal(*written, tensor.dtype());
        if (!literal.value) {
          const bool integer = compiler::is_integer(tensor.dtype());
          return ElementFault{index, elements.where(), literal.message,
                              integer ? "every value must be one of the dtype's" : literal.hint};
        }
        value = literal.value->template at<E>(0);
      }
      std::memcpy(to + index * sizeof(E), &value, sizeof(E));
    }
    return std::nullopt;
  });
}

}  // namespace wick::frontend
