// The operators of reductions: associative up to rounding, each with its identity.
//
// `r(a, b)` combines two values of Lanes (or scalars); `identity<E>()` leaves any value as it is,
// and is the result over nothing: 0 for a sum, -infinity (or the least integer) for a maximum.
// `Mean` and `SumOfSquares` are sums of other terms or with a finish of their own, and live with
// the reductions.

#pragma once

#include "wick/elementwise_basic.h"

namespace wick {

struct Sum {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const {
    return wick::add(a, b);
  }
  template <class E>
  static constexpr E identity() {
    return E{0};
  }
};

struct Product {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const {
    return wick::mul(a, b);
  }
  template <class E>
  static constexpr E identity() {
    return E{1};
  }
};

// NaN if any operand is NaN.
struct Maximum {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const {
    return wick::maximum(a, b);
  }
  template <class E>
  static constexpr E identity() {
    if constexpr (std::is_floating_point_v<E>) {
      return -std::numeric_limits<E>::infinity();
    } else {
      return std::numeric_limits<E>::lowest();
    }
  }
};

struct Minimum {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const {
    return wick::minimum(a, b);
  }
  template <class E>
  static constexpr E identity() {
    if constexpr (std::is_floating_point_v<E>) {
      return std::numeric_limits<E>::infinity();
    } else {
      return std::numeric_limits<E>::max();
    }
  }
};

struct All {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const {
    return wick::logical_and(a, b);
  }
  template <class E>
  static constexpr E identity() {
    return E{true};
  }
};

struct Any {
  template <class A, class B>
  WICK_INLINE auto operator()(A a, B b) const {
    return wick::logical_or(a, b);
  }
  template <class E>
  static constexpr E identity() {
    return E{false};
  }
};

}  // namespace wick
