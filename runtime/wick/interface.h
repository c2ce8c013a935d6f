#pragma once

// What an emitted header says about its function as data, for callers that take any model: tables
// of names, dtypes and shapes, and the packed file of its weights.
//
//   for (const wick::TensorInfo& input : digits::kInputs) print(input.name, input.rank);

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "wick/tensor.h"

namespace wick {

enum class DType : std::uint8_t { kF32, kF64, kI8, kU8, kI32, kI64, kBool };

/// A tensor that a function takes or gives.
struct TensorInfo {
  const char* name = "";  // in the graph, UTF-8; a name with a NUL inside ends there
  DType dtype = DType::kF32;
  int rank = 0;
  Index shape[kMaxRank] = {};
  std::size_t bytes = 0;
  bool overwritten = false;  // an input that the function may write to
};

/// The packed weights of a model: what stands in its `.weights` file.
struct PackedFile {
  const char* name = "";  // as the file was written, without a folder
  std::size_t bytes = 0;
  std::uint64_t hash = 0;  // wick::hash64 of these bytes
};

namespace internal {

template <class E>
constexpr DType dtype_of() noexcept {
  if constexpr (std::is_same_v<E, float>) return DType::kF32;
  if constexpr (std::is_same_v<E, double>) return DType::kF64;
  if constexpr (std::is_same_v<E, std::int8_t>) return DType::kI8;
  if constexpr (std::is_same_v<E, std::uint8_t>) return DType::kU8;
  if constexpr (std::is_same_v<E, std::int32_t>) return DType::kI32;
  if constexpr (std::is_same_v<E, std::int64_t>) return DType::kI64;
  if constexpr (std::is_same_v<E, bool>) return DType::kBool;
}

}  // namespace internal

/// The description of a tensor of type T under its name.
template <class T>
constexpr TensorInfo describe(const char* name, bool overwritten = false) noexcept {
  TensorInfo info;
  info.name = name;
  info.dtype = internal::dtype_of<typename T::Element>();
  info.rank = T::kLayout.rank;
  for (int axis = 0; axis < info.rank; ++axis) info.shape[axis] = T::kLayout.extents[axis];
  info.bytes = T::kBytes;
  info.overwritten = overwritten;
  return info;
}

}  // namespace wick
