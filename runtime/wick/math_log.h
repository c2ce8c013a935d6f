// Logarithms: log, log2, log1p, and softplus = log(1 + e^x).
//
// x = 2^k m with sqrt(1/2) <= m < sqrt(2), so that log x = k ln 2 + log m does not cancel. With
// f = m - 1, f32 takes a polynomial in f, and f64 one in s = f / (2 + f), for which
// log(1 + f) = log((1 + s) / (1 - s)) = 2 s + s R(s^2) needs half the terms; 2 s = f - s f lets f,
// which is exact, stand by itself. The rarer f32 functions go through f64.

#pragma once

#include "wick/math_exp.h"

namespace wick {

namespace detail {

// f^3 P(f) = log(1 + f) - f + f^2 / 2 for f32 on [sqrt(1/2) - 1, sqrt(2) - 1], error 2^-27.3.
inline constexpr float kLogPolynomial32[] = {0x1.55554ap-2f,  -0x1.00022p-2f, 0x1.99a596p-3f,
                                             -0x1.54788cp-3f, 0x1.226e3ep-3f, -0x1.0ce072p-3f,
                                             0x1.07d13cp-3f,  -0x1.41eee8p-4f};
// z R(z) for f64, z = s^2 <= 0.0295, error 2^-58.5.
inline constexpr double kLogPolynomial64[] = {
    0x1.5555555555592p-1, 0x1.999999997fe83p-2, 0x1.24924941e6e16p-2, 0x1.c71c5210bbcb9p-3,
    0x1.74663d9a3bd37p-3, 0x1.39a1d751927ecp-3, 0x1.2f04721b5b238p-3};

template <class E>
inline constexpr E kSmallestNormal = std::numeric_limits<E>::min();

// Integers of a few digits as floating point.
template <int N>
WICK_INLINE Lanes<float, N> small_integer(Lanes<std::int32_t, N> x) {
  return convert<float>(x);
}
template <int N>
WICK_INLINE Lanes<double, N> small_integer(Lanes<std::int64_t, N> x) {
  // Few targets convert 64-bit integers: put them into the low bits of 1.5 * 2^52 instead.
  constexpr double magic = 0x1.8p+52;
  const Lanes<double, N> offset(magic);
  return minus(from_bits<double>(plus(x, to_bits(offset))), offset);
}

// x = 2^k (1 + f).
template <class E, int N>
struct LogParts {
  Lanes<E, N> k, f;
};

// For x above 0, denormals included; other x give numbers that mean nothing.
template <class E, int N>
WICK_INLINE LogParts<E, N> log_parts(Lanes<E, N> x) {
  using L = Lanes<E, N>;
  using I = Lanes<Signed<E>, N>;
  constexpr bool single = std::is_same_v<E, float>;
  // sqrt(1/2), rounded.
  constexpr auto root_half = static_cast<Signed<E>>(single ? 0x3F3504F3 : 0x3FE6A09E667F3BCD);
  constexpr E raise = single ? static_cast<E>(0x1p+24f) : static_cast<E>(0x1p+54);
  constexpr E raised = single ? E{24} : E{54};
  const auto denormal = less(x, L(kSmallestNormal<E>));
  const I bits = to_bits(pick(denormal, times(x, L(raise)), x));
  const I relative = minus(bits, I(root_half));
  const I k(static_cast<decltype(raw(bits))>(raw(relative) >> mantissa_bits<E>));
  const L m = from_bits<E>(minus(bits, shift_left<E>(k, mantissa_bits<E>)));
  const L k_number = minus(small_integer(k), pick(denormal, L(raised), L(E{0})));
  return {k_number, minus(m, L(E{1}))};
}

// The value of a logarithm, put right where it has none: -inf at 0, NaN below, inf at inf.
template <class E, int N>
WICK_INLINE Lanes<E, N> log_ends(Lanes<E, N> x, Lanes<E, N> value) {
  using L = Lanes<E, N>;
  constexpr E inf = std::numeric_limits<E>::infinity();
  const L zero(E{0});
  const L above = pick(less(x, L(inf)), value, x);
  const L at_zero = pick(equal(x, zero), L(-inf), above);
  return pick(less(x, zero), L(std::numeric_limits<E>::quiet_NaN()), at_zero);
}

// What is left of log(1 + f) after f and -f^2 / 2: both are kept apart by the caller.
template <int N>
WICK_INLINE Lanes<double, N> log_rest(Lanes<double, N> f, Lanes<double, N> half_square) {
  using L = Lanes<double, N>;
  const L s = Divide{}(f, plus(f, L(2.0)));
  const L z = times(s, s);
  return times(s, multiply_add(z, horner(z, kLogPolynomial64), half_square));
}

// k ln 2 + log(1 + f) + low.
template <int N>
WICK_INLINE Lanes<double, N> log_sum(LogParts<double, N> parts, Lanes<double, N> low) {
  using C = ExpConstants<double>;
  using L = Lanes<double, N>;
  const L half_square = times(times(parts.f, parts.f), L(0.5));
  const L rest = plus(log_rest(parts.f, half_square), multiply_add(parts.k, L(C::kLn2Low), low));
  const L inner = minus(half_square, rest);
  return minus(times(parts.k, L(C::kLn2High)), minus(inner, parts.f));
}

struct Log {
  template <int N>
  WICK_INLINE Lanes<float, N> operator()(Lanes<float, N> x) const {
    using C = ExpConstants<float>;
    using L = Lanes<float, N>;
    const auto parts = log_parts(x);
    const L square = times(parts.f, parts.f);
    const L cubic = times(times(square, parts.f), horner(parts.f, kLogPolynomial32));
    const L low = multiply_add(parts.k, L(C::kLn2Low), cubic);
    const L rest = multiply_add(square, L(-0.5f), low);
    const L value = multiply_add(parts.k, L(C::kLn2High), plus(parts.f, rest));
    return log_ends(x, value);
  }
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x) const {
    return log_ends(x, log_sum(log_parts(x), Lanes<double, N>(0.0)));
  }
};

// k + log(m) / ln 2, with log(m) in two parts of which the first times the first part of 1 / ln 2
// is exact.
struct Log2 {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x) const {
    using L = Lanes<double, N>;
    constexpr double inverse_high = 0x1.715476p+0;
    constexpr double inverse_low = 0x1.4ae0bf85ddf44p-26;
    const auto parts = log_parts(x);
    const L half_square = times(times(parts.f, parts.f), L(0.5));
    const L high = upper_half(minus(parts.f, half_square));
    const L low = plus(minus(minus(parts.f, high), half_square), log_rest(parts.f, half_square));
    const L main = times(high, L(inverse_high));
    const L tail = multiply_add(plus(low, high), L(inverse_low), times(low, L(inverse_high)));
    const auto sum = fast_two_sum(pick(equal(parts.k, L(0.0)), main, parts.k),
                                  pick(equal(parts.k, L(0.0)), L(0.0), main));
    return log_ends(x, plus(sum.hi, plus(sum.lo, tail)));
  }
  template <int N>
  WICK_INLINE Lanes<float, N> operator()(Lanes<float, N> x) const {
    return through_double(*this, x);
  }
};

// log(u) + (1 + x - u) / u with u = 1 + x rounded; f = x itself where u needs no scaling.
struct Log1p {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x) const {
    using L = Lanes<double, N>;
    const L one(1.0), zero(0.0);
    const auto sum = two_sum(one, x);
    const L u = sum.hi;
    auto parts = log_parts(u);
    const auto unscaled = equal(parts.k, zero);
    const L low = pick(unscaled, zero, Divide{}(sum.lo, u));
    parts.f = pick(unscaled, x, parts.f);
    const L value = log_ends(u, log_sum(parts, low));
    return pick(less(magnitude(x), L(0x1p-54)), x, value);
  }
  template <int N>
  WICK_INLINE Lanes<float, N> operator()(Lanes<float, N> x) const {
    return through_double(*this, x);
  }
};

// max(x, 0) + log(1 + e^-|x|).
struct Softplus {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> x) const {
    const auto tail = Log1p{}(Exp{}(Negate{}(magnitude(x))));
    return plus(Relu{}(x), tail);
  }
  template <int N>
  WICK_INLINE Lanes<float, N> operator()(Lanes<float, N> x) const {
    return through_double(*this, x);
  }
};

}  // namespace detail

template <class A>
WICK_INLINE auto log(A x) -> detail::Joined<A> {
  return detail::unary(detail::Log{}, x);
}
template <class A>
WICK_INLINE auto log2(A x) -> detail::Joined<A> {
  return detail::unary(detail::Log2{}, x);
}
template <class A>
WICK_INLINE auto log1p(A x) -> detail::Joined<A> {
  return detail::unary(detail::Log1p{}, x);
}
template <class A>
WICK_INLINE auto softplus(A x) -> detail::Joined<A> {
  return detail::unary(detail::Softplus{}, x);
}

}  // namespace wick
