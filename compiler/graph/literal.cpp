#include "compiler/graph/literal.h"

#include <charconv>
#include <limits>

#include "compiler/support/text.h"

namespace wick::compiler {
namespace {

// A decimal text taken apart: (-1)^negative * digits * 10^exponent, with `digits` free of zeros at
// both ends; zero has none.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;

  // The power of ten of the first digit.
  std::int64_t magnitude() const { return exponent + static_cast<std::int64_t>(digits.size()) - 1; }
};

// Exponents beyond this are as good as infinite, whatever the digits before them.
constexpr std::int64_t kMostExponent = 1'000'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits of the mantissa; false unless there is at least one.
bool take_mantissa(std::string_view& rest, Decimal& number) {
  std::size_t count = 0, used = 0;
  bool fraction = false;
  for (; used < rest.size(); ++used) {
    const char c = rest[used];
    if (c == '.' && !fraction && count > 0) {
      fraction = true;
    } else if (is_digit(c)) {
      ++count;
      if (fraction) --number.exponent;
      if (c != '0' || !number.digits.empty()) number.digits += c;
    } else {
      break;
    }
  }
  rest.remove_prefix(used);
  return count > 0;
}

bool take_exponent(std::string_view& rest, Decimal& number) {
  rest.remove_prefix(1);
  if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative) rest.remove_prefix(1);
  if (rest.empty()) return false;
  std::int64_t power = 0;
  for (; !rest.empty(); rest.remove_prefix(1)) {
    if (!is_digit(rest.front())) return false;
    power = std::min(power * 10 + (rest.front() - '0'), kMostExponent);
  }
  number.exponent += negative ? -power : power;
  return true;
}

// The grammar is JSON's, leading zeros allowed.
std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  number.negative = !text.empty() && text.front() == '-';
  if (number.negative) text.remove_prefix(1);
  if (!take_mantissa(text, number)) return std::nullopt;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    if (!take_exponent(text, number)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  return number;
}

template <class E>
ReadLiteral read_float(std::string_view text, const Decimal& number) {
  E value = 0;
  const auto end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    if (number.magnitude() > 0) {
      return {{},
              std::string(text) + " is too large for " + std::string(name_of(dtype_of<E>())) +
                  ", whose largest value is " + shortest(std::numeric_limits<E>::max()),
              "write \"inf\" if infinity is meant"};
    }
    value = number.negative ? -E{0} : E{0};
  }
  return {HostTensor::scalar<E>(value), {}, {}};
}

template <class E>
ReadLiteral integer_out_of_range(std::string_view text) {
  using Limits = std::numeric_limits<E>;
  return {{},
          std::string(text) + " is out of range for " + std::string(name_of(dtype_of<E>())) +
              ", which holds " + std::to_string(Limits::min()) + " to " +
              std::to_string(Limits::max()),
          {}};
}

template <class E>
ReadLiteral read_integer(std::string_view text, const Decimal& number) {
  if (number.digits.empty()) return {HostTensor::scalar<E>(0), {}, {}};
  if (number.exponent < 0) {
    return {{},
            std::string(text) + " is not an integer, and the dtype here is " +
                std::string(name_of(dtype_of<E>())),
            "write an integer, or cast the other operands to a floating-point dtype"};
  }
  constexpr std::int64_t kMostDigits = 19;  // of 2^63 - 1
  if (number.magnitude() >= kMostDigits) return integer_out_of_range<E>(text);
  std::string digits = number.negative ? "-" : "";
  digits += number.digits;
  digits.append(static_cast<std::size_t>(number.exponent), '0');
  E value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  if (!whole) return integer_out_of_range<E>(text);
  return {HostTensor::scalar<E>(value), {}, {}};
}

ReadLiteral unsuitable(std::string_view text, DType dtype, std::string_view wanted) {
  return {{},
          "expected " + std::string(wanted) + " for the dtype " + std::string(name_of(dtype)) +
              ", found " + std::string(text),
          {}};
}

template <class E>
ReadLiteral read_as(std::string_view text) {
  constexpr DType kDType = dtype_of<E>();
  if constexpr (std::is_same_v<E, bool>) {
    if (text == "true" || text == "false") return {HostTensor::scalar<E>(text == "true"), {}, {}};
    return unsuitable(text, kDType, "true or false");
  } else {
    if constexpr (is_float(kDType)) {
      using Limits = std::numeric_limits<E>;
      if (text == "inf") return {HostTensor::scalar<E>(Limits::infinity()), {}, {}};
      if (text == "-inf") return {HostTensor::scalar<E>(-Limits::infinity()), {}, {}};
      if (text == "nan") return {HostTensor::scalar<E>(Limits::quiet_NaN()), {}, {}};
    }
    const auto number = parse_decimal(text);
    if (!number) return unsuitable(text, kDType, is_float(kDType) ? "a number" : "an integer");
    if constexpr (is_float(kDType)) {
      return read_float<E>(text, *number);
    } else {
      return read_integer<E>(text, *number);
    }
  }
}

}  // namespace

ReadLiteral read_literal(std::string_view text, DType dtype) {
  return dispatch(dtype, [&](auto zero) { return read_as<decltype(zero)>(text); });
}

}  // namespace wick::compiler
