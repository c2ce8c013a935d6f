// Elementwise operations that need no approximation: their results are exact or rounded once.
//
// NaN propagates through minimum, maximum, relu and clamp, whichever operand it is. A zero keeps
// its sign through floor, ceil, round and trunc.

#pragma once

#include "wick/lanes.h"

namespace wick {

namespace detail {

template <class L>
using ElementOf = typename L::Element;

template <class E>
inline constexpr bool is_floating = std::is_floating_point_v<E>;

// The bits of floating-point lanes as integers of the same size, and back.
template <class E, int N>
WICK_INLINE Lanes<Signed<E>, N> to_bits(Lanes<E, N> x) {
  using R = Lanes<Signed<E>, N>;
  return R(bits_as<decltype(raw(R{}))>(raw(x)));
}
template <class E, int N>
WICK_INLINE Lanes<E, N> from_bits(Lanes<Signed<E>, N> x) {
  using R = Lanes<E, N>;
  return R(bits_as<decltype(raw(R{}))>(raw(x)));
}

template <class E, int N>
WICK_INLINE Lanes<E, N> bit_and(Lanes<E, N> a, Lanes<E, N> b) {
  return Lanes<E, N>(static_cast<decltype(raw(a))>(raw(a) & raw(b)));
}
template <class E, int N>
WICK_INLINE Lanes<E, N> bit_or(Lanes<E, N> a, Lanes<E, N> b) {
  return Lanes<E, N>(static_cast<decltype(raw(a))>(raw(a) | raw(b)));
}
template <class E, int N>
WICK_INLINE Lanes<E, N> bit_xor(Lanes<E, N> a, Lanes<E, N> b) {
  return Lanes<E, N>(static_cast<decltype(raw(a))>(raw(a) ^ raw(b)));
}

// The bit pattern with only the sign set.
template <class E>
inline constexpr Signed<E> sign_bit = std::numeric_limits<Signed<E>>::min();

// The sign of x, as bits.
template <class E, int N>
WICK_INLINE Lanes<Signed<E>, N> sign_bits(Lanes<E, N> x) {
  return bit_and(to_bits(x), Lanes<Signed<E>, N>(sign_bit<E>));
}
template <class E, int N>
WICK_INLINE Lanes<E, N> magnitude(Lanes<E, N> x) {
  return from_bits<E>(
      bit_and(to_bits(x), Lanes<Signed<E>, N>(std::numeric_limits<Signed<E>>::max())));
}
// A non-negative x with sign bits put on.
template <class E, int N>
WICK_INLINE Lanes<E, N> with_sign(Lanes<E, N> x, Lanes<Signed<E>, N> sign) {
  return from_bits<E>(bit_or(to_bits(x), sign));
}

template <class E, int N>
WICK_INLINE auto is_nan(Lanes<E, N> x) {
  return not_equal(x, x);
}

struct Abs {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    if constexpr (is_floating<E>) {
      return magnitude(x);
    } else if constexpr (std::is_signed_v<E>) {
      return pick(less(x, Lanes<E, N>(E{0})), Negate{}(x), x);
    } else {
      return x;
    }
  }
};

// -1, 0 or 1; zeros keep their sign and NaN stays NaN.
struct Sign {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using L = Lanes<E, N>;
    const L zero(E{0});
    // Zeros of both signs give 0, NaN stays: x + 0 is x but for -0.
    const L positive = pick(less(zero, x), L(E{1}), x + zero);
    if constexpr (std::is_signed_v<E>) {
      return pick(less(x, zero), L(static_cast<E>(-1)), positive);
    } else {
      return positive;
    }
  }
};

struct MinimumOf {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> a, Lanes<E, N> b) const {
    const auto smaller = least_of(a, b);
    if constexpr (is_floating<E>) {
      return pick(is_nan(a), a, smaller);
    } else {
      return smaller;
    }
  }
};

struct MaximumOf {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> a, Lanes<E, N> b) const {
    const auto larger = greatest_of(a, b);
    if constexpr (is_floating<E>) {
      return pick(is_nan(a), a, larger);
    } else {
      return larger;
    }
  }
};

// x if it is above zero or NaN, else +0.
struct Relu {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    const Lanes<E, N> zero(E{0});
    return pick(less_equal(x, zero), zero, x);
  }
};

struct LeakyRelu {
  template <class L>
  WICK_INLINE L operator()(L x, L alpha) const {
    return pick(less(x, L(ElementOf<L>{0})), Times{}(x, alpha), x);
  }
};

// The nearest integer, halves to even: above 2^(digits - 1) every value is an integer; below,
// adding and subtracting that power rounds.
struct RoundEven {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using L = Lanes<E, N>;
    constexpr E limit = static_cast<E>(std::int64_t{1} << (std::numeric_limits<E>::digits - 1));
    const L size = magnitude(x);
    const L rounded = Minus{}(Plus{}(size, L(limit)), L(limit));
    return pick(less(size, L(limit)), with_sign(rounded, sign_bits(x)), x);
  }
};

struct Floor {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using L = Lanes<E, N>;
    const L nearest = RoundEven{}(x);
    return pick(less(x, nearest), Minus{}(nearest, L(E{1})), nearest);
  }
};

struct Ceil {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using L = Lanes<E, N>;
    const L nearest = RoundEven{}(x);
    const L raised = with_sign(magnitude(Plus{}(nearest, L(E{1}))), sign_bits(x));
    return pick(less(nearest, x), raised, nearest);
  }
};

struct Trunc {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    const Lanes<E, N> size = magnitude(x);
    return pick(equal(x, x), with_sign(Floor{}(size), sign_bits(x)), x);
  }
};

struct IsNan {
  template <class E, int N>
  WICK_INLINE Lanes<bool, N> operator()(Lanes<E, N> x) const {
    return to_bool(is_nan(x));
  }
};

struct IsInf {
  template <class E, int N>
  WICK_INLINE Lanes<bool, N> operator()(Lanes<E, N> x) const {
    if constexpr (is_floating<E>) {
      return to_bool(equal(magnitude(x), Lanes<E, N>(std::numeric_limits<E>::infinity())));
    } else {
      return Lanes<bool, N>(false);
    }
  }
};

struct And {
  template <int N>
  WICK_INLINE Lanes<bool, N> operator()(Lanes<bool, N> a, Lanes<bool, N> b) const {
    return to_bool(to_mask<bool>(a) & to_mask<bool>(b));
  }
};
struct Or {
  template <int N>
  WICK_INLINE Lanes<bool, N> operator()(Lanes<bool, N> a, Lanes<bool, N> b) const {
    return to_bool(to_mask<bool>(a) | to_mask<bool>(b));
  }
};
struct Xor {
  template <int N>
  WICK_INLINE Lanes<bool, N> operator()(Lanes<bool, N> a, Lanes<bool, N> b) const {
    return to_bool(not_equal(a, b));
  }
};
struct Not {
  template <int N>
  WICK_INLINE Lanes<bool, N> operator()(Lanes<bool, N> x) const {
    return to_bool(!to_mask<bool>(x));
  }
};

// One operand: the operation applied to Lanes, or to a scalar as to Lanes of one.
template <class F, class A>
WICK_INLINE auto unary(F f, A x) {
  return apply(f, Joined<A>(x));
}
template <class F, class A, class B>
WICK_INLINE auto binary(F f, A a, B b) {
  using L = Joined<A, B>;
  return apply(f, L(a), L(b));
}

}  // namespace detail

template <class A>
WICK_INLINE auto neg(A x) -> detail::Joined<A> {
  return detail::unary(detail::Negate{}, x);
}
template <class A>
WICK_INLINE auto abs(A x) -> detail::Joined<A> {
  return detail::unary(detail::Abs{}, x);
}
template <class A>
WICK_INLINE auto sign(A x) -> detail::Joined<A> {
  return detail::unary(detail::Sign{}, x);
}
template <class A>
WICK_INLINE auto relu(A x) -> detail::Joined<A> {
  return detail::unary(detail::Relu{}, x);
}
template <class A>
WICK_INLINE auto floor(A x) -> detail::Joined<A> {
  return detail::unary(detail::Floor{}, x);
}
template <class A>
WICK_INLINE auto ceil(A x) -> detail::Joined<A> {
  return detail::unary(detail::Ceil{}, x);
}
template <class A>
WICK_INLINE auto round(A x) -> detail::Joined<A> {
  return detail::unary(detail::RoundEven{}, x);
}
template <class A>
WICK_INLINE auto trunc(A x) -> detail::Joined<A> {
  return detail::unary(detail::Trunc{}, x);
}

template <class A, class B>
WICK_INLINE auto add(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Plus{}, a, b);
}
template <class A, class B>
WICK_INLINE auto sub(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Minus{}, a, b);
}
template <class A, class B>
WICK_INLINE auto mul(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Times{}, a, b);
}
template <class A, class B>
WICK_INLINE auto div(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Divide{}, a, b);
}
template <class A, class B>
WICK_INLINE auto minimum(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::MinimumOf{}, a, b);
}
template <class A, class B>
WICK_INLINE auto maximum(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::MaximumOf{}, a, b);
}
template <class A, class B>
WICK_INLINE auto leaky_relu(A x, B alpha) -> detail::Joined<A, B> {
  return detail::binary(detail::LeakyRelu{}, x, alpha);
}
// minimum(maximum(x, low), high), as NumPy has it: `high` wins where it is below `low`.
template <class A, class B, class C>
WICK_INLINE auto clamp(A x, B low, C high) -> detail::Joined<A, B, C> {
  return minimum(maximum(x, low), high);
}

template <class A>
WICK_INLINE auto isnan(A x) -> detail::MaskOfLanes<detail::Joined<A>> {
  return detail::unary(detail::IsNan{}, x);
}
template <class A>
WICK_INLINE auto isinf(A x) -> detail::MaskOfLanes<detail::Joined<A>> {
  return detail::unary(detail::IsInf{}, x);
}

// Logic on bool; other dtypes take part after cast<bool>.
template <class A, class B>
WICK_INLINE auto logical_and(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::And{}, a, b);
}
template <class A, class B>
WICK_INLINE auto logical_or(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Or{}, a, b);
}
template <class A, class B>
WICK_INLINE auto logical_xor(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Xor{}, a, b);
}
template <class A>
WICK_INLINE auto logical_not(A x) -> detail::Joined<A> {
  return detail::unary(detail::Not{}, x);
}

}  // namespace wick
