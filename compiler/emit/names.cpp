#include "compiler/emit/names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "compiler/emit/code.h"

namespace wick::compiler::cpp {
namespace {

constexpr std::size_t kLongest =
    60;  // of an identifier; longer names are cut, unique() tells them apart

// Keywords and alternative tokens of C++17 and later, and of C for the extern "C" face.
constexpr std::array kKeywords = std::to_array<std::string_view>({"alignas",
                                                                  "alignof",
                                                                  "and",
                                                                  "and_eq",
                                                                  "asm",
                                                                  "auto",
                                                                  "bitand",
                                                                  "bitor",
                                                                  "bool",
                                                                  "break",
                                                                  "case",
                                                                  "catch",
                                                                  "char",
                                                                  "char8_t",
                                                                  "char16_t",
                                                                  "char32_t",
                                                                  "class",
                                                                  "compl",
                                                                  "concept",
                                                                  "const",
                                                                  "consteval",
                                                                  "constexpr",
                                                                  "constinit",
                                                                  "const_cast",
                                                                  "continue",
                                                                  "co_await",
                                                                  "co_return",
                                                                  "co_yield",
                                                                  "decltype",
                                                                  "default",
                                                                  "delete",
                                                                  "do",
                                                                  "double",
                                                                  "dynamic_cast",
                                                                  "else",
                                                                  "enum",
                                                                  "explicit",
                                                                  "export",
                                                                  "extern",
                                                                  "false",
                                                                  "float",
                                                                  "for",
                                                                  "friend",
                                                                  "goto",
                                                                  "if",
                                                                  "inline",
                                                                  "int",
                                                                  "long",
                                                                  "mutable",
                                                                  "namespace",
                                                                  "new",
                                                                  "noexcept",
                                                                  "not",
                                                                  "not_eq",
                                                                  "nullptr",
                                                                  "operator",
                                                                  "or",
                                                                  "or_eq",
                                                                  "private",
                                                                  "protected",
                                                                  "public",
                                                                  "register",
                                                                  "reinterpret_cast",
                                                                  "requires",
                                                                  "restrict",
                                                                  "return",
                                                                  "short",
                                                                  "signed",
                                                                  "sizeof",
                                                                  "static",
                                                                  "static_assert",
                                                                  "static_cast",
                                                                  "struct",
                                                                  "switch",
                                                                  "template",
                                                                  "this",
                                                                  "thread_local",
                                                                  "throw",
                                                                  "true",
                                                                  "try",
                                                                  "typedef",
                                                                  "typeid",
                                                                  "typename",
                                                                  "typeof",
                                                                  "union",
                                                                  "unsigned",
                                                                  "using",
                                                                  "virtual",
                                                                  "void",
                                                                  "volatile",
                                                                  "wchar_t",
                                                                  "while",
                                                                  "xor",
                                                                  "xor_eq"});

// Macros that compilers and the headers we include define, or that common headers of a user's may.
constexpr std::string_view kMacros =
    " NULL EOF assert errno linux unix i386 offsetof stdin stdout stderr major minor makedev near "
    "far "
    "small interface min max signbit isnan isinf I complex imaginary vector pixel va_start va_end "
    "va_arg va_copy setjmp ";

// Names in emitted code that are ours.
constexpr std::array kOwn = std::to_array<std::string_view>({"wick",
                                                             "std",
                                                             "run",
                                                             "prepare",
                                                             "bind",
                                                             "reset",
                                                             "arena",
                                                             "state",
                                                             "weights",
                                                             "workspace",
                                                             "row",
                                                             "State",
                                                             "Weights",
                                                             "weights_at",
                                                             "load",
                                                             "kArenaBytes",
                                                             "kArenaAlignment",
                                                             "kWeightsBytes",
                                                             "kWeightsFile",
                                                             "kStateBytes",
                                                             "kStateAlignment",
                                                             "kParameters",
                                                             "kInputs",
                                                             "kOutputs",
                                                             "size_t",
                                                             "byte",
                                                             "bytes",
                                                             "once",
                                                             "packed",
                                                             "static_arena",
                                                             "main"});

template <class Table>
bool contains(const Table& table, std::string_view name) {
  return std::ranges::find(table, name) != table.end();
}

bool is_macro(std::string_view name) {
  return kMacros.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// INT8_MAX, SIZE_MAX, DBL_MAX …
bool looks_like_macro(std::string_view name) {
  const auto upper = [](char c) { return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; };
  return name.find('_') != std::string_view::npos && std::ranges::all_of(name, upper);
}

// Row96, F64Matrix2x3, BoolScalar: what emitted code calls its types. Inside a lambda such a name
// would hide the type.
bool looks_like_type(std::string_view name) {
  for (const std::string_view dtype : {"F64", "I8", "U8", "I32", "I64", "Bool"}) {
    if (!name.starts_with(dtype)) continue;
    name.remove_prefix(dtype.size());
    break;
  }
  if (name == "Scalar") return true;
  for (const std::string_view form : {"Row", "Vector", "Matrix", "Tensor"}) {
    if (!name.starts_with(form) || name.size() == form.size()) continue;
    const auto extent = [](char c) { return is_digit(c) || c == 'x'; };
    return std::ranges::all_of(name.substr(form.size()), extent);
  }
  return false;
}

// Code points of other scripts, each as "u" and four or more hexadecimal digits.
std::string spelled_out(std::string_view name) {
  std::string result;
  while (!name.empty() && result.size() <= 2 * kLongest) {
    const auto [point, length] = decode(name);
    name.remove_prefix(length);
    if (point < 0x80) {
      result += static_cast<char>(point);
      continue;
    }
    result += "u";
    for (const char c : hexadecimal(point))
      result += c >= 'A' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace

std::string identifier(std::string_view name) {
  std::string result;
  for (const char c : spelled_out(name)) {
    if (is_letter(c) || is_digit(c)) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (result.size() > kLongest) result.resize(kLongest);
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty()) return "v";
  // Everything that begins with WICK_ is a macro of the runtime, or may become one; suffixes follow
  // WICK alone.
  const bool runtimes = result == "WICK" || result.starts_with("WICK_");
  if (is_digit(result[0]) || runtimes) result.insert(0, "v");
  const bool taken = contains(kKeywords, result) || is_macro(result) || looks_like_macro(result) ||
                     looks_like_type(result);
  if (taken) result += '_';
  return result;
}

std::string suffixed(std::string_view identifier, std::string_view suffix) {
  return std::string(identifier) + (identifier.ends_with('_') ? "" : "_") + std::string(suffix);
}

std::string pascal(std::string_view identifier) {
  std::string result;
  bool start = true;
  for (const char c : identifier) {
    if (c == '_') {
      start = true;
      continue;
    }
    const bool lower = c >= 'a' && c <= 'z';
    if (start && !result.empty() && is_digit(result.back()) && is_digit(c)) result += '_';
    result += start && lower ? static_cast<char>(c - 'a' + 'A') : c;
    start = false;
  }
  return result;
}

Scope::Scope() {
  for (const std::string_view name : kOwn) taken_.emplace(name);
}

std::string Scope::unique(std::string_view name) { return own(identifier(name)); }

std::string Scope::own(std::string base) {
  if (taken_.insert(base).second) return base;
  for (int& count = counts_.try_emplace(base, 1).first->second;;) {
    const std::string candidate = suffixed(base, std::to_string(++count));
    if (taken_.insert(candidate).second) return candidate;
  }
}

}  // namespace wick::compiler::cpp
