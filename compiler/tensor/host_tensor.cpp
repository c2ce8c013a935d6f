#include "compiler/tensor/host_tensor.h"

#include <cmath>

namespace wick::compiler {

HostTensor::HostTensor(DType dtype, const Shape& shape) : dtype_(dtype), shape_(shape) {
  const auto size = byte_count(shape, dtype);
  check(size.has_value(), "HostTensor: too large");
  own_ = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(size->count));
  bytes_ = *own_;
}

HostTensor::HostTensor(DType dtype, const Shape& shape, std::span<const std::byte> bytes,
                       std::shared_ptr<const void> owner)
    : dtype_(dtype), shape_(shape), bytes_(bytes), owner_(std::move(owner)) {
  const auto size = byte_count(shape, dtype);
  check(size && static_cast<std::size_t>(size->count) == bytes.size(),
        "HostTensor: wrong number of bytes");
}

std::span<std::byte> HostTensor::mutable_bytes() {
  check(own_ != nullptr && own_.use_count() == 1, "HostTensor: bytes are shared");
  return *own_;
}

double HostTensor::as_double(std::int64_t index) const {
  return dispatch(dtype_,
                  [&](auto zero) { return static_cast<double>(at<decltype(zero)>(index)); });
}

bool same_values(const HostTensor& a, const HostTensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (!is_float(a.dtype())) return std::ranges::equal(a.bytes(), b.bytes());
  return dispatch(a.dtype(), [&](auto zero) {
    using E = decltype(zero);
    for (std::int64_t i = 0; i < a.element_count(); ++i) {
      const E x = a.at<E>(i), y = b.at<E>(i);
      const bool both_nan = x != x && y != y;
      if (!both_nan && std::memcmp(&x, &y, sizeof(E)) != 0) return false;
    }
    return true;
  });
}

}  // namespace wick::compiler
