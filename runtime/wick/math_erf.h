// erf, and gelu: x times the normal distribution function of x.
//
// Near 0 both are polynomials. Away from it, they need the upper tail of the normal distribution,
//
//   Q(a) = erfc(a / sqrt 2) / 2 = e^(-a^2 / 2) R(a),    (1 + 2 a) R(a) = p(q),  q = (a - k) / (a +
//   k)
//
// where the last varies so little (0.74 to 0.86) that one polynomial serves from 0.45 to where Q
// vanishes. (The form is W. J. Cody's and M. Shepherd's; the coefficients are ours.) gelu(x) = x -
// x Q(x) above 0 and -a Q(a), a = -x, below, where nothing cancels and the result is as good
// relative to itself down to the denormals: for that a^2 is in two parts and the quotients are
// corrected.

#pragma once

#include "wick/math_exp.h"

namespace wick {

namespace detail {

template <class E>
struct NormalConstants;

template <>
struct NormalConstants<float> {
  static constexpr float kTail[] = {// p(q), error 2^-30
                                    0x1.b38188p-1f,  0x1.b56c62p-7f,   -0x1.3fabccp-3f,
                                    0x1.17a2ccp-3f,  -0x1.a6a194p-5f,  -0x1.30a336p-11f,
                                    0x1.ca7cf0p-8f,  -0x1.8fd99cp-12f, -0x1.2767a2p-10f,
                                    0x1.5fe260p-17f, 0x1.46c244p-13f};
  static constexpr float kTailLow = 0x1.4979bap-26f;  // of its constant term
  static constexpr float kCentre = 3.0f;
  static constexpr float kVanishing = 14.6f;  // a Q(a) is 0 from 14.3
  // e^(-a^2 / 2) is formed 2^kRaise times and lowered at the end, for the sake of denormals.
  static constexpr int kRaise = 100;
  static constexpr float kLower = 0x1p-100f;
  // (Q(0) - Q(x)) / x as a polynomial in x^2 on |x| <= 0.51, error 2^-28.
  static constexpr float kNear[] = {0x1.988452p-2f, -0x1.1057b6p-4f, 0x1.4681aep-7f,
                                    -0x1.27fae6p-10f};
};

template <>
struct NormalConstants<double> {
  static constexpr double kTail[] = {
      // error 2^-58
      0x1.b135a378924a6p-1,   -0x1.44c9cd8f57983p-5,  -0x1.ba6f247fb8866p-5,
      0x1.9d3d58860d82fp-4,   -0x1.9c4af953d7302p-4,  0x1.28e8fee37b211p-4,
      -0x1.42359ad0287c8p-5,  0x1.f96034ebc0dcdp-7,   -0x1.d4263610df72cp-9,
      -0x1.f1d6502097e06p-14, 0x1.bdbec6f27230fp-12,  -0x1.c5b99f6dcb78dp-14,
      -0x1.bb88bd6d9fee8p-16, 0x1.454d46cea6408p-16,  0x1.1f1f39258b261p-21,
      -0x1.7f76d6f878e07p-19, 0x1.7d5e24c563b1dp-23,  0x1.cc74441f84ebbp-22,
      -0x1.587e427d5984ap-25, -0x1.12155f8942905p-24, 0x1.2a7a5dfd499c9p-28,
      0x1.cf7ff718696fbp-28};
  static constexpr double kTailLow = -0x1.6742416a0acbfp-55;
  static constexpr double kCentre = 5.0;
  static constexpr double kVanishing = 39.0;
  static constexpr int kRaise = 600;
  static constexpr double kLower = 0x1p-600;
  static constexpr double kNear[] = {
      // error 2^-59
      0x1.9884533d43651p-2,  -0x1.1058377e2ceb0p-4,  0x1.46d04297616bfp-7,  -0x1.37403f64382b8p-10,
      0x1.e42b064f03840p-14, -0x1.3ce72d13f82fap-17, 0x1.65064e9901981p-21, -0x1.4e6f2fa0f38b4p-25};
};

// R(a) in two parts, for a from 1/2, good to about half an ulp. Both quotients come from one
// division, and what rounding took from them is put back.
template <class E, int N>
WICK_INLINE TwoPart<Lanes<E, N>> normal_tail(Lanes<E, N> a) {
  using C = NormalConstants<E>;
  using L = Lanes<E, N>;
  const L one(E{1});
  const L centre(C::kCentre);
  const L numerator = minus(a, centre), sum = plus(a, centre);
  const L numerator_low = minus(a, plus(numerator, centre)), sum_low = minus(a, minus(sum, centre));
  const auto bottom = fast_two_sum(plus(a, a), one);
  const L inverse = Divide{}(one, times(sum, bottom.hi));
  const L inverse_sum = times(inverse, bottom.hi), inverse_bottom = times(inverse, sum);
  const L rough_q = times(numerator, inverse_sum);
  const L error =
      plus(residual(numerator, rough_q, sum), subtract_product(rough_q, sum_low, numerator_low));
  const L q = multiply_add(error, inverse_sum, rough_q);
  const L steep = horner_from<1>(q, C::kTail);
  const L p = multiply_add(q, steep, L(C::kTail[0]));
  const L p_low = multiply_add(q, steep, minus(L(C::kTailLow), minus(p, L(C::kTail[0]))));
  const L rough = times(p, inverse_bottom);
  const L rest = plus(residual(p, rough, bottom.hi), subtract_product(rough, bottom.lo, p_low));
  return {rough, times(rest, inverse_bottom)};
}

struct Gelu {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using C = NormalConstants<E>;
    using L = Lanes<E, N>;
    const L a = at_most(magnitude(x), C::kVanishing);
    const auto tail = normal_tail(a);
    const auto square = two_product(a, a);
    const L minus_half(static_cast<E>(-0.5));
    const auto parts = exp_parts_fine<static_cast<int>(exponent_bias<E>) + C::kRaise>(
        times(square.hi, minus_half), times(square.lo, minus_half));
    // R is rounded thrice: its low part is a few ulps, of which z takes a share that counts.
    const L density_low = multiply_add(tail.lo, parts.z, tail.lo);
    const auto density = fast_two_sum(tail.hi, multiply_add(tail.hi, parts.z, density_low));
    const L product = times(a, density.hi);
    const L lost = multiply_add(a, density.lo, Negate{}(residual(product, a, density.hi)));
    const L raised = times(plus(product, lost), power_of_two<E>(parts.n));
    const L above = pick(less(L(E{0}), x), x, L(static_cast<E>(-0.0)));
    const L far = subtract_product(raised, L(C::kLower), above);
    // x / 2 + x^2 P(x^2). Negated before and after, so that -0 stays what it is, and after by its
    // sign bit, for g++ merges a negation with a fused multiply-add as if zeros had no sign.
    const L opposite =
        subtract_product(square.hi, horner(square.hi, C::kNear), times(x, minus_half));
    const L near = from_bits<E>(bit_xor(to_bits(opposite), Lanes<Signed<E>, N>(sign_bit<E>)));
    return pick(less(a, L(static_cast<E>(0.5))), near, far);
  }
};

// erf(x) = x + x P(x^2) on |x| <= 0.9.
template <class E>
struct ErfConstants;
template <>
struct ErfConstants<float> {
  static constexpr float kNear[] = {0x1.06eba6p-3f, -0x1.8127p-2f,  0x1.ce1ec2p-4f,  // error 2^-26
                                    -0x1.b6cbbp-6f, 0x1.48be62p-8f, -0x1.40686p-11f};
  // -log(1 - erf(a)) on 0.85 <= a <= 4, error 2^-29 of 1 - erf.
  static constexpr float kFar[] = {0x1.e11b32p-14f, 0x1.20c59ep+0f, 0x1.45f0a8p-1f, 0x1.abd1bp-4f,
                                   -0x1.704bap-6f,  0x1.974392p-9f, -0x1.a8bafp-13f};
  static constexpr float kIsOne = 4.0f;
};
template <>
struct ErfConstants<double> {
  static constexpr double kNear[] = {
      // error 2^-60
      0x1.06eba8214db69p-3,  -0x1.812746b0379e3p-2,  0x1.ce2f21a042835p-4,  -0x1.b82ce312736cfp-6,
      0x1.565bcd0a6eef0p-8,  -0x1.c02db31efd183p-11, 0x1.f9a307605bac0p-14, -0x1.f4cf6f9e271bbp-17,
      0x1.b9b866a819804p-20, -0x1.5d8af025bb3b7p-23, 0x1.e2dcfeab54fdep-27, -0x1.d32bb0847fed2p-31};
  static constexpr double kIsOne = 6.0;
};

struct Erf {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    using C = ErfConstants<E>;
    using L = Lanes<E, N>;
    const L size = magnitude(x);
    const L near = multiply_add(size, horner(times(x, x), C::kNear), size);
    const L far = minus(L(E{1}), complement(at_most(size, C::kIsOne)));
    const L value = pick(less(size, L(static_cast<E>(0.875))), near, far);
    return with_sign(value, sign_bits(x));
  }

 private:
  // 1 - erf(a), good to an ulp of 1.
  template <int N>
  static WICK_INLINE Lanes<float, N> complement(Lanes<float, N> a) {
    using L = Lanes<float, N>;
    const auto parts = exp_parts<127>(Negate{}(horner(a, ErfConstants<float>::kFar)));
    const L power = power_of_two<float>(parts.n);
    return multiply_add(power, parts.z, power);
  }
  template <int N>
  static WICK_INLINE Lanes<double, N> complement(Lanes<double, N> a) {
    using C = NormalConstants<double>;
    using L = Lanes<double, N>;
    const L normal = times(a, L(0x1.6a09e667f3bcdp+0));
    const L q = Divide{}(minus(normal, L(C::kCentre)), plus(normal, L(C::kCentre)));
    const L tail = Divide{}(horner(q, C::kTail), plus(plus(normal, normal), L(1.0)));
    const auto parts = exp_parts<1023>(Negate{}(times(a, a)));
    const L power = power_of_two<double>(parts.n);
    const L twice = plus(tail, tail);
    return times(power, multiply_add(twice, parts.z, twice));
  }
};

}  // namespace detail

template <class A>
WICK_INLINE auto erf(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::OddByTable<detail::ErfTable>{}, detail::Erf{}, x);
}
template <class A>
WICK_INLINE auto gelu(A x) -> detail::Joined<A> {
  return detail::unary_by_table(detail::EachVector<detail::GeluByTable>{}, detail::Gelu{}, x);
}

}  // namespace wick
