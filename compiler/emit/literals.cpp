#include "compiler/emit/literals.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "compiler/support/text.h"

namespace wick::compiler::cpp {
namespace {

std::string hexadecimal(std::uint64_t bits) {
  std::array<char, 20> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), bits, 16).ptr;
  return "0x" + std::string(text.data(), end) + "u";
}

// A decimal that C++ reads as floating point: with a point or an exponent.
std::string with_point(std::string text) {
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <class Float>
std::string float_literal(Float value, std::uint64_t bits, std::string_view type,
                          std::string_view suffix) {
  const std::string name(type);
  if (std::isnan(value)) {
    const Float plain = std::numeric_limits<Float>::quiet_NaN();
    if (Scalar::of(plain).bits == bits) return "wick::nan<" + name + ">";
    return "wick::scalar<" + name + ", " + hexadecimal(bits) + ">";
  }
  if (std::isinf(value)) return std::string(value < 0 ? "-" : "") + "wick::infinity<" + name + ">";
  return with_point(shortest(value)) + std::string(suffix);
}

// The smallest integers have no literal of their own: their digits alone would be too large before
// the minus.
std::string integer_literal(std::int64_t value, std::string_view type) {
  if (value == std::numeric_limits<std::int64_t>::min())
    return std::string(type) + "{-9223372036854775807 - 1}";
  return std::string(type) + "{" + std::to_string(value) + "}";
}

}  // namespace

std::string literal(Scalar scalar) {
  const std::string_view type = info(scalar.dtype).cpp_name;
  switch (scalar.dtype) {
    case DType::kF32:
      return float_literal(scalar.as<float>(), scalar.bits, type, "f");
    case DType::kF64:
      return float_literal(scalar.as<double>(), scalar.bits, type, "");
    case DType::kBool:
      return scalar.bits != 0 ? "true" : "false";
    case DType::kI8:
      return integer_literal(scalar.as<std::int8_t>(), type);
    case DType::kU8:
      return integer_literal(scalar.as<std::uint8_t>(), type);
    case DType::kI32:
      return integer_literal(scalar.as<std::int32_t>(), type);
    case DType::kI64:
      return integer_literal(scalar.as<std::int64_t>(), type);
  }
  throw InternalError("literal of an unknown dtype");
}

std::string element_literal(Scalar scalar) {
  if (!is_integer(scalar.dtype)) return literal(scalar);
  const bool smallest = scalar.dtype == DType::kI64 &&
                        scalar.as<std::int64_t>() == std::numeric_limits<std::int64_t>::min();
  return smallest ? "-9223372036854775807 - 1" : literal_text(scalar);
}

std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e) {
      result += '\\';
      for (const unsigned shift : {6u, 3u, 0u}) {
        result += static_cast<char>('0' + ((byte >> shift) & 7u));
      }
      continue;
    }
    // A question mark could begin a trigraph in C.
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string literal_text(Scalar scalar) {
  switch (scalar.dtype) {
    case DType::kF32:
      return shortest(scalar.as<float>());
    case DType::kF64:
      return shortest(scalar.as<double>());
    case DType::kBool:
      return scalar.bits != 0 ? "true" : "false";
    case DType::kI8:
      return std::to_string(scalar.as<std::int8_t>());
    case DType::kU8:
      return std::to_string(scalar.as<std::uint8_t>());
    case DType::kI32:
      return std::to_string(scalar.as<std::int32_t>());
    case DType::kI64:
      return std::to_string(scalar.as<std::int64_t>());
  }
  throw InternalError("literal of an unknown dtype");
}

}  // namespace wick::compiler::cpp
