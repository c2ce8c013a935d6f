// Element types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/support/check.h"

namespace wick::compiler {

enum class DType : std::uint8_t { kF32, kF64, kI8, kU8, kI32, kI64, kBool };

struct DTypeInfo {
  std::string_view name;      // in the graph language: "f32"
  std::string_view cpp_name;  // in emitted code: "float"
  std::size_t size;           // bytes of one element
};

inline constexpr std::array<DTypeInfo, 7> kDTypes = {{{"f32", "float", 4},
                                                      {"f64", "double", 8},
                                                      {"i8", "std::int8_t", 1},
                                                      {"u8", "std::uint8_t", 1},
                                                      {"i32", "std::int32_t", 4},
                                                      {"i64", "std::int64_t", 8},
                                                      {"bool", "bool", 1}}};

constexpr const DTypeInfo& info(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }
constexpr std::string_view name_of(DType dtype) { return info(dtype).name; }
constexpr std::size_t size_of(DType dtype) { return info(dtype).size; }
constexpr bool is_float(DType dtype) { return dtype == DType::kF32 || dtype == DType::kF64; }
constexpr bool is_integer(DType dtype) { return !is_float(dtype) && dtype != DType::kBool; }

// The dtype of that name in the graph language, if there is one.
constexpr std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kDTypes.size(); ++i) {
    if (kDTypes[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

// Calls `f` with a value-initialised element of the C++ type of `dtype`: `dispatch(d, [](auto zero)
// { using E = decltype(zero); … })`.
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kF32:
      return f(float{});
    case DType::kF64:
      return f(double{});
    case DType::kI8:
      return f(std::int8_t{});
    case DType::kU8:
      return f(std::uint8_t{});
    case DType::kI32:
      return f(std::int32_t{});
    case DType::kI64:
      return f(std::int64_t{});
    case DType::kBool:
      return f(bool{});
  }
  throw InternalError("dispatch over an unknown dtype");
}

}  // namespace wick::compiler
