// One element, small enough to stand in an expression.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "compiler/tensor/dtype.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

// An element by its bits: equal if dtype and bits are, so that -0.0 differs from 0.0 and NaN equals
// itself.
struct Scalar {
  DType dtype = DType::kF32;
  std::uint64_t bits = 0;

  template <class E>
  static Scalar of(E value) {
    Scalar scalar{dtype_of<E>(), 0};
    std::memcpy(&scalar.bits, &value, sizeof(E));
    return scalar;
  }
  // The only element of a tensor.
  static Scalar of_tensor(const HostTensor& tensor) {
    check(tensor.element_count() == 1, "Scalar: not one element");
    Scalar scalar{tensor.dtype(), 0};
    std::memcpy(&scalar.bits, tensor.bytes().data(), tensor.bytes().size());
    return scalar;
  }
  template <class E>
  E as() const {
    E value;
    std::memcpy(&value, &bits, sizeof(E));
    return value;
  }
  double as_double() const {
    return dispatch(dtype, [&](auto zero) { return static_cast<double>(as<decltype(zero)>()); });
  }
  HostTensor to_tensor() const {
    HostTensor tensor(dtype, Shape());
    std::memcpy(tensor.mutable_bytes().data(), &bits, size_of(dtype));
    return tensor;
  }

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

// `number` in a dtype: rounded once for floats, saturated and truncated for integers (NaN becomes
// 0), != 0 for bool.
inline Scalar rounded_scalar(double number, DType dtype) {
  return dispatch(dtype, [&](auto zero) {
    using E = decltype(zero);
    if constexpr (std::is_same_v<E, bool>) {
      return Scalar::of(number != 0);
    } else if constexpr (std::is_floating_point_v<E>) {
      return Scalar::of(static_cast<E>(number));
    } else {
      constexpr auto kLow = std::numeric_limits<E>::min(), kHigh = std::numeric_limits<E>::max();
      if (number != number) return Scalar::of(E{0});
      if (number <= static_cast<double>(kLow)) return Scalar::of(kLow);
      if (number >= static_cast<double>(kHigh)) return Scalar::of(kHigh);
      return Scalar::of(static_cast<E>(number));
    }
  });
}

}  // namespace wick::compiler
