// A tensor's values on the machine that wick runs on: constants, folded values, inputs and results
// of the reference.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "compiler/support/check.h"
#include "compiler/tensor/dtype.h"
#include "compiler/tensor/shape.h"

namespace wick::compiler {

// Packed row-major elements, little-endian like the files they come from. Copies share the bytes,
// which never change once shared; they may belong to a mapped file that `owner` keeps open. Bytes
// need not be aligned for the element type: read through at<E>().
class HostTensor {
 public:
  HostTensor() = default;
  // All elements zero.
  HostTensor(DType dtype, const Shape& shape);
  // `bytes` must have the size that dtype and shape say.
  HostTensor(DType dtype, const Shape& shape, std::span<const std::byte> bytes,
             std::shared_ptr<const void> owner);

  template <class E>
  static HostTensor of(const Shape& shape, std::span<const E> values);
  template <class E>
  static HostTensor scalar(E value);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::int64_t element_count() const { return shape_.element_count(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  // For filling a tensor that was just made; checked to be the only owner.
  std::span<std::byte> mutable_bytes();

  template <class E>
  E at(std::int64_t index) const;
  template <class E>
  void set(std::int64_t index, E value);

  // Any element as double (i64 beyond 2^53 is rounded), bool as 0 or 1.
  double as_double(std::int64_t index) const;

 private:
  DType dtype_ = DType::kF32;
  Shape shape_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<std::vector<std::byte>> own_;  // empty when the bytes belong to `owner_`
  std::shared_ptr<const void> owner_;
};

// The dtype of a C++ element type.
template <class E>
constexpr DType dtype_of();

template <>
constexpr DType dtype_of<float>() {
  return DType::kF32;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::kF64;
}
template <>
constexpr DType dtype_of<std::int8_t>() {
  return DType::kI8;
}
template <>
constexpr DType dtype_of<std::uint8_t>() {
  return DType::kU8;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
  return DType::kI32;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::kI64;
}
template <>
constexpr DType dtype_of<bool>() {
  return DType::kBool;
}

template <class E>
E HostTensor::at(std::int64_t index) const {
  if constexpr (std::is_same_v<E, bool>) {
    return bytes_[static_cast<std::size_t>(index)] != std::byte{0};
  } else {
    E value;
    std::memcpy(&value, bytes_.data() + static_cast<std::size_t>(index) * sizeof(E), sizeof(E));
    return value;
  }
}

template <class E>
void HostTensor::set(std::int64_t index, E value) {
  std::memcpy(own_->data() + static_cast<std::size_t>(index) * sizeof(E), &value, sizeof(E));
}

template <class E>
HostTensor HostTensor::of(const Shape& shape, std::span<const E> values) {
  HostTensor tensor(dtype_of<E>(), shape);
  check(static_cast<std::int64_t>(values.size()) == shape.element_count(),
        "HostTensor::of: wrong count");
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.set<E>(static_cast<std::int64_t>(i), values[i]);
  return tensor;
}

template <class E>
HostTensor HostTensor::scalar(E value) {
  HostTensor tensor(dtype_of<E>(), Shape());
  tensor.set<E>(0, value);
  return tensor;
}

// True if dtype, shape and every byte agree, all NaNs counting as one value.
bool same_values(const HostTensor& a, const HostTensor& b);

}  // namespace wick::compiler
