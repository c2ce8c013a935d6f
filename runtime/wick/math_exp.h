// The exponential and what is made of it: exp, expm1, sigmoid, silu, tanh, elu, gelu_tanh.
//
// All rest on one reduction: x = n ln 2 + r with n whole and |r| <= ln 2 / 2, so that
//
//   e^x = 2^n (1 + z),   z = e^r - 1 = r + r^2 q(r)
//
// with n left as the low bits of t = x / ln 2 + magic, where the magic number makes the unit of t's
// last digit 1. Functions of e^x never form it: 1 + e^x, for one, is (1 + 2^n) + 2^n z, with one
// rounding that matters instead of three.

#pragma once

#include "wick/math_core.h"
#include "wick/math_lookup.h"

namespace wick {

namespace detail {

// r^2 q(r) = e^r - 1 - r on |r| <= ln 2 / 2; ln 2 in two parts, n times the first exact.
template <class E>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr float kPolynomial[] = {
      // error 2^-28
      0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f, 0x1.6a23cep-10f};
  static constexpr float kInverseLn2 = 0x1.715476p+0f;
  static constexpr float kLn2High = 0x1.63p-1f;
  static constexpr float kLn2Low = -0x1.bd0106p-13f;
  static constexpr float kOverflow = 89.0f;     // e^x is infinite from 88.7
  static constexpr float kUnderflow = -105.0f;  // and 0 below -103.97
  static constexpr float kNoOne = 25.0f;        // e^-x vanishes beside 1
  static constexpr float kTiny = 0x1p-26f;      // e^x - 1 rounds to x below
};

template <>
struct ExpConstants<double> {
  static constexpr double kPolynomial[] = {
      // error 2^-57.9
      0x1.000000000000ap-1,  0x1.55555555554f9p-3,  0x1.555555555085dp-5,  0x1.1111111128044p-7,
      0x1.6c16c184342a3p-10, 0x1.a01a012912e4dp-13, 0x1.a01999eaed173p-16, 0x1.71df27af10623p-19,
      0x1.28ad95fdf3ed1p-22, 0x1.ad7c687b3f445p-26};
  static constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42fee00000p-1;
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kOverflow = 710.0;
  static constexpr double kUnderflow = -746.0;
  static constexpr double kNoOne = 45.0;
  static constexpr double kTiny = 0x1p-55;
};

template <class E>
inline constexpr int mantissa_bits = std::numeric_limits<E>::digits - 1;
template <class E>
inline constexpr Signed<E> exponent_bias = std::numeric_limits<E>::max_exponent - 1;

// x not above (below) a limit; NaN stays.
template <class E, int N>
WICK_INLINE Lanes<E, N> at_most(Lanes<E, N> x, E limit) {
  return least_of(Lanes<E, N>(limit), x);
}
template <class E, int N>
WICK_INLINE Lanes<E, N> at_least(Lanes<E, N> x, E limit) {
  return greatest_of(Lanes<E, N>(limit), x);
}

template <class E, int N>
WICK_INLINE Lanes<Signed<E>, N> shift_left(Lanes<Signed<E>, N> x, int count) {
  using U = std::conditional_t<N == 1, Unsigned<E>, Vector<Unsigned<E>, N == 1 ? 2 : N>>;
  using R = Lanes<Signed<E>, N>;
  return R(bits_as<decltype(raw(x))>(bits_as<U>(raw(x)) << count));
}

// e^(hi + lo) = 2^n (1 + z). `n` holds n + Offset in its low bits, other bits above them; `whole`
// is n as a number.
template <class E, int N>
struct ExpParts {
  Lanes<E, N> z;
  Lanes<Signed<E>, N> n;
  Lanes<E, N> whole;
};

// n as a number, and hi - n times the first part of ln 2, which is exact but for hi's own digits.
template <class L>
struct ExpReduction {
  L t, n, rough;
};

template <int Offset, class E, int N>
WICK_INLINE ExpReduction<Lanes<E, N>> exp_reduce(Lanes<E, N> x) {
  using C = ExpConstants<E>;
  using L = Lanes<E, N>;
  constexpr E one_and_half = static_cast<E>(std::int64_t{3} << (mantissa_bits<E> - 1));
  const L magic(one_and_half + static_cast<E>(Offset));
  const L t = multiply_add(x, L(C::kInverseLn2), magic);
  const L n = minus(t, magic);
  return {t, n, multiply_add(n, L(-C::kLn2High), x)};
}

template <int Offset, class E, int N>
WICK_INLINE ExpParts<E, N> exp_parts(Lanes<E, N> x) {
  using C = ExpConstants<E>;
  const auto reduced = exp_reduce<Offset>(x);
  const auto r = multiply_add(reduced.n, Lanes<E, N>(-C::kLn2Low), reduced.rough);
  const auto z = multiply_add(times(r, r), horner(r, C::kPolynomial), r);
  return {z, to_bits(reduced.t), reduced.n};
}

// The same for e^(x + low), and with the rounding error of r carried along: z is good to a little
// more than half an ulp, for functions in which 1 cancels or that have no ulp to spare.
template <int Offset, class E, int N>
WICK_INLINE ExpParts<E, N> exp_parts_fine(Lanes<E, N> x, Lanes<E, N> low) {
  using C = ExpConstants<E>;
  const auto reduced = exp_reduce<Offset>(x);
  const auto rest = multiply_add(reduced.n, Lanes<E, N>(-C::kLn2Low), low);
  const auto r = fast_two_sum(reduced.rough, rest);
  const auto tail = multiply_add(times(r.hi, r.hi), horner(r.hi, C::kPolynomial), r.lo);
  return {plus(r.hi, tail), to_bits(reduced.t), reduced.n};
}

// 2^n from parts made with the exponent's bias (or another offset) as Offset: n + Offset becomes
// the exponent field. Right for 0 < n + Offset < 2^(exponent bits).
template <class E, int N>
WICK_INLINE Lanes<E, N> power_of_two(Lanes<Signed<E>, N> n) {
  return from_bits<E>(shift_left<E>(n, mantissa_bits<E>));
}

// m 2^n over the whole range, denormals and overflow included, with one rounding: in two steps of
// half the exponent each. `n` was made with twice the bias as Offset.
template <class E, int N>
WICK_INLINE Lanes<E, N> scale(Lanes<E, N> m, Lanes<Signed<E>, N> n) {
  using I = Lanes<Signed<E>, N>;
  const I exponents(std::is_same_v<E, float> ? Signed<E>{0x7F800000}
                                             : static_cast<Signed<E>>(0x7FF0000000000000));
  const I doubled = shift_left<E>(n, mantissa_bits<E> - 1);
  const I half_step(static_cast<Signed<E>>(Signed<E>{1} << (mantissa_bits<E> - 1)));
  const auto floor_half = from_bits<E>(bit_and(doubled, exponents));
  const auto ceil_half = from_bits<E>(bit_and(plus(doubled, half_step), exponents));
  return times(times(m, floor_half), ceil_half);
}

template <class E>
inline constexpr int twice_bias = static_cast<int>(2 * exponent_bias<E>);

// e^x from kUnderflow to kOverflow.
template <class E, int N>
WICK_INLINE Lanes<E, N> exp_in_range(Lanes<E, N> x) {
  const auto parts = exp_parts<twice_bias<E>>(x);
  const auto mantissa = plus(Lanes<E, N>(E{1}), parts.z);
  return scale(mantissa, parts.n);
}

struct Exp {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using C = ExpConstants<E>;
    return exp_in_range(at_least(at_most(x, C::kOverflow), C::kUnderflow));
  }
};

// e^x - 1 = 2 ((2^(n-1) - 1/2) + 2^(n-1) z), half of everything so that n = 128 (1024) is in range.
struct Expm1 {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using C = ExpConstants<E>;
    using L = Lanes<E, N>;
    const L inside = at_least(at_most(x, C::kOverflow), -C::kNoOne);
    const auto parts = exp_parts_fine<static_cast<int>(exponent_bias<E>) - 1>(inside, L(E{0}));
    const L power = power_of_two<E>(parts.n);
    const L half = multiply_add(power, parts.z, minus(power, L(static_cast<E>(0.5))));
    return pick(less(magnitude(x), L(C::kTiny)), x, plus(half, half));
  }
};

// y / (1 + e^(hi + lo)) for hi + lo up to where that vanishes. From e^(2 kShift) on, numerator and
// denominator are taken 2^-kShift times, so that 2^n does not overflow before the quotient
// underflows.
template <class E, int N>
WICK_INLINE Lanes<E, N> over_one_plus_exp(Lanes<E, N> y, ExpParts<E, N> parts,
                                          Lanes<E, N> exponent) {
  using L = Lanes<E, N>;
  using I = Lanes<Signed<E>, N>;
  constexpr Signed<E> shift = std::is_same_v<E, float> ? 64 : 300;
  const auto large = less(L(static_cast<E>(shift)), exponent);
  constexpr E small = std::is_same_v<E, float> ? static_cast<E>(0x1p-64) : static_cast<E>(0x1p-300);
  const L unit = pick(large, L(small), L(E{1}));
  const I n = pick(large, minus(parts.n, I(shift)), parts.n);
  const L power = power_of_two<E>(n);
  // Where the sum of the two powers is inexact its error goes into z, in units of 2^n.
  const L sum = plus(power, unit);
  const L error = minus(unit, minus(sum, power));
  const L inverse =
      from_bits<E>(minus(I(2 * exponent_bias<E> << mantissa_bits<E>), to_bits(power)));
  const L denominator = multiply_add(power, multiply_add(error, inverse, parts.z), sum);
  return Divide{}(times(y, unit), denominator);
}

// Where x e^x has become 0, and where e^-x is nothing beside 1.
template <class E>
inline constexpr E vanishing = std::is_same_v<E, float> ? E{-110} : E{-755};
template <class E>
inline constexpr E saturated = std::is_same_v<E, float> ? E{87} : E{700};

// 1 / (1 + e^-x), numerator and denominator 2^-kScale times: the quotient becomes denormal before
// 2^n overflows.
struct Sigmoid {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using L = Lanes<E, N>;
    constexpr bool single = std::is_same_v<E, float>;
    constexpr int scale = single ? 32 : 80;
    const L unit(single ? static_cast<E>(0x1p-32) : static_cast<E>(0x1p-80));
    const L exponent = Negate{}(at_least(at_most(x, ExpConstants<E>::kNoOne), vanishing<E>));
    const auto parts = exp_parts<static_cast<int>(exponent_bias<E>) - scale>(exponent);
    const L power = power_of_two<E>(parts.n);
    // What the sum of the two powers loses goes into what is added to it.
    const L sum = plus(power, unit);
    const L lost = minus(unit, minus(sum, power));
    return Divide{}(unit, plus(sum, multiply_add(power, parts.z, lost)));
  }
};

struct Silu {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    const auto numerator = at_least(x, vanishing<E>);
    if constexpr (kByTable<E>) {
      return over_one_plus_power(numerator, Negate{}(numerator), Lanes<E, N>(E{0}));
    } else {
      return by_powers(numerator);
    }
  }

 private:
  template <class E, int N>
  static WICK_INLINE Lanes<E, N> by_powers(Lanes<E, N> numerator) {
    const auto exponent = Negate{}(at_most(numerator, saturated<E>));
    const auto parts = exp_parts<static_cast<int>(exponent_bias<E>)>(exponent);
    return over_one_plus_exp(numerator, parts, exponent);
  }
};

// x + x z T(z), z = x^2, on |x| <= 0.6.
template <class E>
struct TanhConstants;
template <>
struct TanhConstants<float> {
  static constexpr float kPolynomial[] = {
      // error 2^-28.5
      -0x1.55553ep-2f, 0x1.1109dep-3f, -0x1.b89fp-5f, 0x1.54e0ccp-6f, -0x1.830dfep-8f};
  static constexpr float kIsOne = 10.0f;
};
template <>
struct TanhConstants<double> {
  static constexpr double kPolynomial[] = {
      // error 2^-62.7
      -0x1.5555555555554p-2,  0x1.1111111110ef0p-3,  -0x1.ba1ba1b9f81d1p-5,  0x1.664f48797586ep-6,
      -0x1.226e33f0e2af5p-7,  0x1.d6d38932e1ff1p-9,  -0x1.7d9eafe6c8460p-10, 0x1.3521e091a0d95p-11,
      -0x1.f21b35ece62dep-13, 0x1.83f3fa785839fp-14, -0x1.0599f44cfac11p-15, 0x1.b4a9413fdfd88p-18};
  static constexpr double kIsOne = 20.0;
};

// Odd: a polynomial near 0, else 1 - 2 / (1 + e^(2 |x|)).
struct Tanh {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using C = TanhConstants<E>;
    using L = Lanes<E, N>;
    const L size = magnitude(x);
    const L capped = at_most(size, C::kIsOne);
    const auto parts = exp_parts<static_cast<int>(exponent_bias<E>)>(plus(capped, capped));
    const L power = power_of_two<E>(parts.n);
    const L one(E{1});
    const L denominator = multiply_add(power, parts.z, plus(power, one));
    const L far = minus(one, Divide{}(L(E{2}), denominator));
    const L square = times(x, x);
    const L near = multiply_add(times(size, square), horner(square, C::kPolynomial), size);
    const L value = pick(less(size, L(static_cast<E>(0.575))), near, far);
    return with_sign(value, sign_bits(x));
  }
};

struct Elu {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x, Lanes<E, N> alpha) const {
    using L = Lanes<E, N>;
    return pick(less(L(E{0}), x), x, times(alpha, Expm1{}(x)));
  }
};

// x / 2 (1 + tanh(u)) = x / (1 + e^(-2 u)) with 2 u = x (a + b x^2), a = 2 sqrt(2 / pi) and
// b = 0.044715 a. In the left tail the error of 2 u is an error of as many ulps in the result, so
// that 2 u is computed in two parts.
struct GeluTanh {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using L = Lanes<E, N>;
    constexpr bool single = std::is_same_v<E, float>;
    constexpr E a_high =
        single ? static_cast<E>(0x1.988454p+0f) : static_cast<E>(0x1.9884533d43651p+0);
    constexpr E a_low =
        single ? static_cast<E>(-0x1.857936p-25f) : static_cast<E>(-0x1.cbc0d30ebfd15p-54);
    constexpr E b_high =
        single ? static_cast<E>(0x1.2444f2p-4f) : static_cast<E>(0x1.2444f2a4d8b4bp-4);
    constexpr E b_low =
        single ? static_cast<E>(0x1.49b16ap-29f) : static_cast<E>(-0x1.6c843a29d1c70p-61);
    constexpr E least = single ? E{-11} : E{-22};
    const L numerator = at_least(x, least);
    const L inside = at_most(numerator, -least);
    const auto square = two_product(inside, inside);
    const auto cubic = two_product(square.hi, L(b_high));
    const auto factor = two_sum(L(a_high), cubic.hi);
    const L small = multiply_add(square.lo, L(b_high), multiply_add(square.hi, L(b_low), L(a_low)));
    const L factor_low = plus(factor.lo, plus(cubic.lo, small));
    const auto twice_u = two_product(inside, factor.hi);
    const L low = multiply_add(inside, factor_low, twice_u.lo);
    const L exponent = Negate{}(at_most(twice_u.hi, saturated<E>));
    const auto parts = exp_parts_fine<static_cast<int>(exponent_bias<E>)>(exponent, Negate{}(low));
    return over_one_plus_exp(numerator, parts, exponent);
  }
};

}  // namespace detail

template <class A>
WICK_INLINE auto exp(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::ExpByTable{}, detail::Exp{}, x);
}
template <class A>
WICK_INLINE auto expm1(A x) -> detail::Joined<A> {
  return detail::unary(detail::Expm1{}, x);
}
template <class A>
WICK_INLINE auto sigmoid(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::SigmoidByTable{}, detail::Sigmoid{}, x);
}
template <class A>
WICK_INLINE auto silu(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::EachVector<detail::Silu>{}, detail::Silu{}, x);
}
template <class A>
WICK_INLINE auto tanh(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::OddByTable<detail::TanhTable>{}, detail::Tanh{}, x);
}
template <class A, class B>
WICK_INLINE auto elu(A x, B alpha) -> detail::Joined<A, B> {
  return detail::binary(detail::Elu{}, x, alpha);
}
template <class A>
WICK_INLINE auto gelu_tanh(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::EachVector<detail::GeluTanhByTable>{}, detail::GeluTanh{},
                                x);
}

}  // namespace wick
