#include "frontend/json/number.h"

#include <charconv>
#include <system_error>

#include "compiler/graph/literal.h"

namespace wick::frontend {

std::optional<std::int64_t> read_integer(std::string_view written) {
  const char* end = written.data() + written.size();
  std::int64_t value = 0;
  const auto plain = std::from_chars(written.data(), end, value);
  if (plain.ec == std::errc() && plain.ptr == end) return value;
  const auto literal = compiler::read_literal(written, compiler::DType::kI64);
  if (!literal.value) return std::nullopt;
  return literal.value->at<std::int64_t>(0);
}

bool is_non_finite(std::string_view text) {
  return text == "inf" || text == "-inf" || text == "nan";
}

}  // namespace wick::frontend
