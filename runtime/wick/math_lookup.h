// Functions of f32 that look their coefficients up, on targets that have a table of 16 or 32
// numbers in registers at hand for each lane as cheaply as one multiply-add (WICK_LOOKS_UP).
//
// Their bits are their own, the same for vectors of any length and for single elements: what is
// shorter than sixteen lanes is filled up to that.
//
// exp, sigmoid: x = n ln 2 + r with n in sixteenths, |r| <= ln 2 / 32, and
//
//   e^x = 2^floor(n) T[16 n mod 16] (1 + p(r)),   T[k] = c 2^(k / 16),   1 + p(r) = e^r / c
//
// where c is near 1 and such that each T[k] is nearly a number of 24 digits: of all that is rounded
// only the last sum counts.
//
// tanh, erf: odd functions that rise to 1. b = 2 + s |x| lies in [2, 32); its exponent and the
// first three digits of its mantissa are the number of one of 32 intervals, eight to each power of
// two. There
//
//   f(|x|) = c + d (c1 + d (c2 + d (c3 + d c4))),   d = |x| - k,   c = f(k)
//
// with k near the middle of the interval and such that c is very nearly a number of 24 digits. In
// the first interval k = c = 0, and what the parentheses stand for is f(d) / d - 1: the result is
// d + d (...), which is as good relative to itself down to the denormals.
//
// gelu: max(x, 0) - a Q(a), where a = |x| and Q is the upper tail of the normal distribution. With
//
//   2 a Q(a) e^(a^2 / 2) = c (1 + q),   q = d (c1 + d (c2 + d (c3 + d c4))),   d = a - k
//   e^(-a^2 / 2) = 2^floor(n) 2 T[16 n mod 16] (1 + p(r))
//
// a Q(a) is 2^floor(n) (c T + c T (p + q + p q)). Each c and T[k] has twelve digits, so that their
// product is exact, and only the last sum counts of all that is rounded.

#pragma once

#include "wick/math_core.h"

namespace wick {

namespace detail {

template <class E>
inline constexpr bool kByTable = WICK_LOOKS_UP != 0 && std::is_same_v<E, float>;

// f of any number of lanes, filled up to sixteen; more go through its steps side by side.
template <class F, int N>
WICK_INLINE Lanes<float, N> in_sixteens(F f, Lanes<float, N> x) {
  if constexpr (N >= 16) {
    return f(x);
  } else if constexpr (N == 1) {
    return Lanes<float, 1>(f(Lanes<float, 16>(x)).get(0));
  } else {
    return lower(in_sixteens(f, join(x, x)));
  }
}

// `table(x)` where tables are to be had, else `plain`, which is applied to each vector of x.
template <class Table, class Plain, class A>
WICK_INLINE auto unary_by_table(Table table, Plain plain, A x) {
  using L = Joined<A>;
  if constexpr (kByTable<ElementOf<L>>) {
    return in_sixteens(table, L(x));
  } else {
    return unary(plain, x);
  }
}

struct PowerTable {
  static constexpr float kInverseLn2 = 0x1.715476p+0f;
  static constexpr float kLn2 = 0x1.62e43p-1f;
  static constexpr float kLn2Less = 0x1.05c61p-29f;
  static constexpr float kMagic = 0x1.8p19f;  // a sixteenth is the unit of its last digit
  static constexpr std::uint32_t kMagicBits = 0x49400000;
  // c 2^(k / 16), c = 1.01007736228028, each within 0.14 2^-23 relative.
  static constexpr float kPowers[16] = {
      0x1.02946ep+0f, 0x1.0e0732p+0f, 0x1.19fbb8p+0f, 0x1.2677bep+0f,
      0x1.338144p+0f, 0x1.411e8ep+0f, 0x1.4f5626p+0f, 0x1.5e2ee2p+0f,
      0x1.6dafe4p+0f, 0x1.7de09ep+0f, 0x1.8ec8dap+0f, 0x1.a070b6p+0f,
      0x1.b2e0aep+0f, 0x1.c621ap+0f,  0x1.da3ccap+0f, 0x1.ef3bd6p+0f};
  // e^r / c - 1, error 2^-29.
  static constexpr float kPolynomial[] = {-0x1.46eba6p-7f, 0x1.fae452p-1f, 0x1.fae83ep-2f,
                                          0x1.51db84p-3f};
};

// The steps of one vector, for any number of them.
template <class L>
WICK_INLINE L scaled(L x, L n) {
  return apply([](auto a, auto b) { return scale_by(a, b); }, x, n);
}
template <class L>
WICK_INLINE L capped(L x, float limit) {
  return apply([limit](auto part) { return cap_magnitude(part, decltype(part)(limit)); }, x);
}
template <class Table, class L>
WICK_INLINE L found(const Table& table, L t) {
  return apply([&table](auto part) { return look_up(table, to_bits(part)); }, t);
}

// NaN if a is.
template <class L>
WICK_INLINE L least_side(L a, L b) {
  return apply([](auto x, auto y) { return least_of(y, x); }, a, b);
}
template <class L>
WICK_INLINE L greatest_side(L a, L b) {
  return apply([](auto x, auto y) { return greatest_of(y, x); }, a, b);
}

struct ExpByTable {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    using C = PowerTable;
    const L t = fma(x, C::kInverseLn2, L(C::kMagic));
    const L n = t - C::kMagic;
    const L rough = fma(n, -C::kLn2, x);  // exact
    // NaN, and what is beyond the range, is in n.
    const L r = capped(fma(n, C::kLn2Less, rough), 0x1p-5f);
    const auto& c = C::kPolynomial;
    const L p = fma(fma(fma(r, c[3], L(c[2])), r, L(c[1])), r, L(c[0]));
    const L power = found(C::kPowers, t);
    return scaled(fma(power, p, power), n);
  }
};

struct SigmoidTable {
  // c 2^(k / 16 - 32), c = 1.00132416512096, each within 0.16 2^-23 relative.
  static constexpr float kPowers[16] = {
      0x1.0056c8p-32f, 0x1.0bb026p-32f, 0x1.178a26p-32f, 0x1.23ea7ap-32f,
      0x1.30d714p-32f, 0x1.3e562ap-32f, 0x1.4c6e38p-32f, 0x1.5b2604p-32f,
      0x1.6a84ap-32f,  0x1.7a917p-32f,  0x1.8b542ap-32f, 0x1.9cd4dap-32f,
      0x1.af1becp-32f, 0x1.c23226p-32f, 0x1.d620b6p-32f, 0x1.eaf12ep-32f};
  // e^r / c - 1, error 2^-29; the first as its bits.
  static constexpr std::uint32_t kConstant = 0xBAAD54DA;  // -0x1.5aa9b4p-10
  static constexpr float kPolynomial[] = {0x1.ff5296p-1f, 0x1.ff3bbcp-2f, 0x1.4dcc1ep-3f};
};

// The constant of p and the rest of n ln 2, in the digits of t; finite whatever t is.
template <class L>
WICK_INLINE L constant_of_sigmoid(L t) {
  constexpr auto sum = static_cast<std::int32_t>(SigmoidTable::kConstant + PowerTable::kMagicBits);
  return apply(
      [](auto part) {
        return from_bits<float>(minus(decltype(to_bits(part))(sum), to_bits(part)));
      },
      t);
}

// 1 / (1 + e^-x), with less to do than exp and a quotient, and less to round.
//
// n is rounded up, so that r and p are never positive. ln 2 is 2^-29 1.02 less than its 24 digits:
// what that is to n goes into the constant of p, in whose last digits, of 2^-33 each, the
// sixteenths of n count. Numerator and denominator are taken 2^-32 times, as the quotient becomes
// denormal before 2^n overflows. With S = 2^floor(n) T the denominator is
//
//   1 + S (1 + p) = max(S, 1) + (S p + min(S, 1))
//
// where the sum in parentheses, at most 1, is rounded finely.
struct SigmoidByTable {
  using C = SigmoidTable;

  template <class L>
  WICK_INLINE L operator()(L x) const {
    const L t = apply(
        [](auto part) {
          using V = decltype(part);
          return multiply_add_up(part, V(-PowerTable::kInverseLn2), V(PowerTable::kMagic));
        },
        x);
    const L n = t - PowerTable::kMagic;
    const L r = capped(fma(n, -PowerTable::kLn2, -x), 0x1p-4f);
    const auto& c = C::kPolynomial;
    const L p = fma(fma(fma(r, c[2], L(c[1])), r, L(c[0])), r, constant_of_sigmoid(t));
    const L unit(0x1p-32f);
    // NaN is in n.
    const L s = scaled(found(C::kPowers, t), least_side(n, L(152.0f)));
    return unit / (greatest_side(s, unit) + fma(s, p, least_side(s, unit)));
  }
};

// y / (1 + e^(x + low)), the same way, for sixteen lanes. y is of any size where x is small, so
// that only from x = 16 on both are taken 2^-32 times.
template <class L>
WICK_INLINE L over_one_plus_power(L y, L x, L low) {
  using C = SigmoidTable;
  const L t = multiply_add_up(x, L(PowerTable::kInverseLn2), L(PowerTable::kMagic));
  const L n = minus(t, L(PowerTable::kMagic));
  const L r = cap_magnitude(plus(multiply_add(n, L(-PowerTable::kLn2), x), low), L(0x1p-4f));
  const L slope = horner(r, C::kPolynomial);
  const L p = multiply_add(slope, r, constant_of_sigmoid(t));
  const auto large = less(L(16.0f), x);
  const L unit = pick(large, L(0x1p-32f), L(1.0f));
  const L power = times(look_up(C::kPowers, to_bits(t)), pick(large, L(1.0f), L(0x1p+32f)));
  const L s = scale_by(power, least_side(n, L(159.0f)));
  return Divide{}(times(y, unit),
                  plus(greatest_side(s, unit), multiply_add(s, p, least_side(s, unit))));
}

// x / (1 + e^(-2 u)), 2 u = x (a + b x^2) in two parts (GeluTanh in math_exp.h). The first part of
// a has so few digits that its difference to the rounded sum is exact.
struct GeluTanhByTable {
  static constexpr float kA = 0x1.98845p+0f, kALow = 0x1.9ea1b2p-23f;
  static constexpr float kB = 0x1.2444f2p-4f, kBLow = 0x1.49b16ap-29f;
  static constexpr float kLeast = -11.0f;

  template <class L>
  WICK_INLINE L operator()(L x) const {
    const L numerator = greatest_of(L(kLeast), x);
    const L opposite = Negate{}(least_of(L(-kLeast), numerator));
    const auto square = two_product(opposite, opposite);
    const L sum = multiply_add(square.hi, L(kB), L(kA));
    const L rest = multiply_add(square.hi, L(kB), minus(L(kA), sum));
    const L small = multiply_add(square.lo, L(kB), multiply_add(square.hi, L(kBLow), L(kALow)));
    const auto exponent = two_product(opposite, sum);
    const L low = multiply_add(opposite, plus(rest, small), exponent.lo);
    return over_one_plus_power(numerator, exponent.hi, low);
  }
};

// F, vector by vector.
template <class F>
struct EachVector {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    return apply(F{}, x);
  }
};

// b = kFirst + kScale |x|; from kIsOne, just below the end of the last interval, the function
// rounds to 1. The fit is within 0.6 ulp of the result.
struct TanhTable {
  static constexpr float kFirst = 2.0f;
  static constexpr float kScale = 3.325f;
  static constexpr float kIsOne = 9.022f;
  static constexpr float kCentre[32] = {
      0x0p+0f,        0x1.c70a7cp-4f, 0x1.7cae7ep-3f, 0x1.0e719cp-2f, 0x1.5a3844p-2f,
      0x1.a574f4p-2f, 0x1.f4c742p-2f, 0x1.1fb88cp-1f, 0x1.5c2602p-1f, 0x1.a8da2ap-1f,
      0x1.f384fep-1f, 0x1.1fd5ap+0f,  0x1.47d20ep+0f, 0x1.6cec56p+0f, 0x1.94a34ap+0f,
      0x1.b9e382p+0f, 0x1.f5a5p+0f,   0x1.1fdd82p+1f, 0x1.46132p+1f,  0x1.6e41dp+1f,
      0x1.94672cp+1f, 0x1.bb6cbap+1f, 0x1.e1dff2p+1f, 0x1.045bd6p+2f, 0x1.209cb2p+2f,
      0x1.4721a6p+2f, 0x1.6cdb16p+2f, 0x1.94b098p+2f, 0x1.baa138p+2f, 0x1.e0d5dap+2f,
      0x1.03ae64p+3f, 0x1.15419ep+3f};
  static constexpr float kValue[32] = {
      0x0p+0f,        0x1.c52d9ap-4f, 0x1.785b66p-3f, 0x1.085392p-2f, 0x1.4d9a88p-2f,
      0x1.8f2b04p-2f, 0x1.d05692p-2f, 0x1.04d38ap-1f, 0x1.2ed9b6p-1f, 0x1.5c5888p-1f,
      0x1.8098bep-1f, 0x1.9e3f74p-1f, 0x1.b6985ap-1f, 0x1.c80ea8p-1f, 0x1.d65f9ap-1f,
      0x1.e08fbep-1f, 0x1.ec0f74p-1f, 0x1.f4b9d6p-1f, 0x1.f9c36ap-1f, 0x1.fca96ap-1f,
      0x1.fe287p-1f,  0x1.feff7ep-1f, 0x1.ff7346p-1f, 0x1.ffb348p-1f, 0x1.ffe044p-1f,
      0x1.fff67ap-1f, 0x1.fffd12p-1f, 0x1.ffff28p-1f, 0x1.ffffbep-1f, 0x1.ffffecp-1f,
      0x1.fffffap-1f, 0x1.fffffep-1f};
  static constexpr float kSlope[32] = {
      0x0p+0f,         0x1.f9bb8ap-1f,  0x1.eeb59ap-1f,  0x1.dde27p-1f,   0x1.c9a892p-1f,
      0x1.b2331cp-1f,  0x1.96b8c2p-1f,  0x1.7b20d2p-1f,  0x1.4cdce2p-1f,  0x1.12ffacp-1f,
      0x1.be358ap-2f,  0x1.61aec8p-2f,  0x1.10925cp-2f,  0x1.a7179ap-3f,  0x1.3f79a6p-3f,
      0x1.e79294p-4f,  0x1.38d1a4p-4f,  0x1.64cb2ep-5f,  0x1.8cb594p-6f,  0x1.a9e46cp-7f,
      0x1.d6b47cp-8f,  0x1.00408p-8f,   0x1.194becp-9f,  0x1.32c784p-10f, 0x1.fb8498p-12f,
      0x1.30a2d8p-13f, 0x1.76e022p-15f, 0x1.afd946p-17f, 0x1.07e92ep-18f, 0x1.3fe578p-20f,
      0x1.7fdfaep-22f, 0x1.000a7ep-23f};
  static constexpr float kSecond[32] = {
      0x1.44aap-17f,    -0x1.bfa10ap-4f,  -0x1.6ba61p-3f,   -0x1.ed6d1p-3f,   -0x1.2a324p-2f,
      -0x1.52835p-2f,   -0x1.70dc32p-2f,  -0x1.82465ap-2f,  -0x1.89c844p-2f,  -0x1.763328p-2f,
      -0x1.4f2ce6p-2f,  -0x1.1e27bap-2f,  -0x1.d2fcfcp-3f,  -0x1.78dd14p-3f,  -0x1.258058p-3f,
      -0x1.c9a288p-4f,  -0x1.2ca21ap-4f,  -0x1.5cf45p-5f,   -0x1.87e798p-6f,  -0x1.a71a8p-7f,
      -0x1.d50232p-8f,  -0x1.ff7a9cp-9f,  -0x1.18fbb6p-9f,  -0x1.32945p-10f,  -0x1.fb79cap-12f,
      -0x1.30a844p-13f, -0x1.77116ap-15f, -0x1.afb276p-17f, -0x1.07e96ap-18f, -0x1.3ff00cp-20f,
      -0x1.7fee54p-22f, -0x1.01e0f2p-23f};
  static constexpr float kThird[32] = {
      -0x1.562844p-2f, -0x1.449756p-2f, -0x1.283e5p-2f,  -0x1.fd9864p-3f, -0x1.9fbac2p-3f,
      -0x1.3afe46p-3f, -0x1.9fa4fcp-4f, -0x1.c092eap-5f, 0x1.52aa38p-7f,  0x1.1b44c6p-4f,
      0x1.9ac108p-4f,  0x1.c5a134p-4f,  0x1.b42beap-4f,  0x1.8520ep-4f,   0x1.464bfap-4f,
      0x1.0b19b6p-4f,  0x1.72656ap-5f,  0x1.be706cp-6f,  0x1.000accp-6f,  0x1.17d1e4p-7f,
      0x1.38180ap-8f,  0x1.557e1cp-9f,  0x1.77e50ep-10f, 0x1.9a86f6p-11f, 0x1.59da6cp-12f,
      0x1.9f6d9ep-14f, 0x1.ff00d2p-16f, 0x1.267d5ap-17f, 0x1.67e7acp-19f, 0x1.b41b7ep-21f,
      0x1.05b41ap-22f, 0x1.585e96p-24f};
  static constexpr float kFourth[32] = {
      0x1.34f8dep-6f,   0x1.248c12p-4f,   0x1.cfaa06p-4f,   0x1.263d2p-3f,    0x1.4dfc0ep-3f,
      0x1.5c45c8p-3f,   0x1.53f5cp-3f,    0x1.389abp-3f,    0x1.f5e9b2p-4f,   0x1.33fe16p-4f,
      0x1.10be08p-5f,   0x1.8e6ffp-9f,    -0x1.ec4eb4p-7f,  -0x1.7ddd94p-6f,  -0x1.9fcef8p-6f,
      -0x1.872a8cp-6f,  -0x1.369ebap-6f,  -0x1.91636cp-7f,  -0x1.df33fep-8f,  -0x1.12351p-8f,
      -0x1.34258ep-9f,  -0x1.560396p-10f, -0x1.799704p-11f, -0x1.9f5866p-12f, -0x1.57910ep-13f,
      -0x1.9d458ap-15f, -0x1.f1ddbcp-17f, -0x1.2ac0a8p-18f, -0x1.672a46p-20f, -0x1.aff49ep-22f,
      -0x1.0342aep-23f, -0x1.0170c6p-25f};
};

// The fit is within 0.53 ulp of the result.
struct ErfTable {
  static constexpr float kFirst = 2.0f;
  static constexpr float kScale = 7.64f;
  static constexpr float kIsOne = 3.926f;
  static constexpr float kCentre[32] = {
      0x0p+0f,        0x1.9796ecp-5f, 0x1.4d8eaap-4f, 0x1.d907c6p-4f, 0x1.2c273ep-3f,
      0x1.70b348p-3f, 0x1.b348a6p-3f, 0x1.f7b4f2p-3f, 0x1.2cd03cp-2f, 0x1.712038p-2f,
      0x1.b42888p-2f, 0x1.f56e7ep-2f, 0x1.1dbc8ep-1f, 0x1.3e80fep-1f, 0x1.600e96p-1f,
      0x1.823b4cp-1f, 0x1.b2ea4ap-1f, 0x1.f6365cp-1f, 0x1.1dc3dap+0f, 0x1.3e3f5ep+0f,
      0x1.5f03cep+0f, 0x1.815944p+0f, 0x1.a21d46p+0f, 0x1.c4a47cp+0f, 0x1.f75bbcp+0f,
      0x1.1c1eaap+1f, 0x1.3e9d4cp+1f, 0x1.5fb116p+1f, 0x1.8146d2p+1f, 0x1.a32aap+1f,
      0x1.c3de54p+1f, 0x1.ea90f2p+1f};
  static constexpr float kValue[32] = {
      0x0p+0f,        0x1.cb894cp-5f, 0x1.778c7ap-4f, 0x1.09b274p-3f, 0x1.5046fep-3f,
      0x1.9b951ep-3f, 0x1.e3de5p-3f,  0x1.168efp-2f,  0x1.49ea52p-2f, 0x1.8f27b6p-2f,
      0x1.cff124p-2f, 0x1.05d412p-1f, 0x1.23dafcp-1f, 0x1.3df478p-1f, 0x1.569c86p-1f,
      0x1.6d8ab2p-1f, 0x1.8a6d0ap-1f, 0x1.ab525cp-1f, 0x1.c56b08p-1f, 0x1.d7b052p-1f,
      0x1.e5202ap-1f, 0x1.eef6dp-1f,  0x1.f54c88p-1f, 0x1.f9a69p-1f,  0x1.fd3904p-1f,
      0x1.ff21e2p-1f, 0x1.ffc77cp-1f, 0x1.fff2ap-1f,  0x1.fffd48p-1f, 0x1.ffff86p-1f,
      0x1.ffffecp-1f, 0x1.fffffep-1f};
  static constexpr float kSlope[32] = {
      0x1.06eba8p-3f,  0x1.20269ep+0f, 0x1.1ef4acp+0f, 0x1.1d09bep+0f,  0x1.1ab9fep+0f,
      0x1.17a722p+0f,  0x1.141b38p+0f, 0x1.0fe8bep+0f, 0x1.08fb76p+0f,  0x1.fb54eap-1f,
      0x1.e1e018p-1f,  0x1.c68e54p-1f, 0x1.a71e94p-1f, 0x1.8856c2p-1f,  0x1.6811d8p-1f,
      0x1.470784p-1f,  0x1.18c658p-1f, 0x1.b979bap-2f, 0x1.4c5a4ep-2f,  0x1.ecbbe8p-3f,
      0x1.609a9p-3f,   0x1.df7c9ep-4f, 0x1.40dcd2p-4f, 0x1.959c5ap-5f,  0x1.83196cp-6f,
      0x1.0bf7e6p-7f,  0x1.2d4882p-9f, 0x1.3757bp-11f, 0x1.12dc06p-13f, 0x1.a04fdap-16f,
      0x1.249336p-18f, 0x1.fa12dp-22f};
  static constexpr float kSecond[32] = {
      0x1.06527ep-20f,  -0x1.cac82p-5f,  -0x1.75e436p-4f,  -0x1.075754p-3f, -0x1.4b7d58p-3f,
      -0x1.92c422p-3f,  -0x1.d578cap-3f, -0x1.0b813ep-2f,  -0x1.375e4p-2f,  -0x1.6dc29ap-2f,
      -0x1.9a7ef8p-2f,  -0x1.bd2c6ep-2f, -0x1.d844a8p-2f,  -0x1.e82192p-2f, -0x1.ef2cfcp-2f,
      -0x1.ed6522p-2f,  -0x1.dd00cep-2f, -0x1.b108f4p-2f,  -0x1.72ff82p-2f, -0x1.3245ap-2f,
      -0x1.e378ap-3f,   -0x1.68e0d6p-3f, -0x1.0606a2p-3f,  -0x1.669666p-4f, -0x1.7c9228p-5f,
      -0x1.297a7ap-6f,  -0x1.76fb2ep-8f, -0x1.abdd14p-10f, -0x1.9dd1ap-12f, -0x1.54d2c6p-14f,
      -0x1.02a1fcp-16f, -0x1.de7a04p-20f};
  static constexpr float kThird[32] = {
      -0x1.814ea4p-2f, -0x1.7e00c6p-2f, -0x1.7962b2p-2f, -0x1.71fe0cp-2f, -0x1.68f4b6p-2f,
      -0x1.5c8efap-2f, -0x1.4eb80cp-2f, -0x1.3ebbe4p-2f, -0x1.2441b2p-2f, -0x1.f48d5ep-3f,
      -0x1.99526cp-3f, -0x1.3b6ca4p-3f, -0x1.a9a582p-4f, -0x1.d96ee8p-5f, -0x1.a44d42p-7f,
      0x1.e02f84p-6f,  0x1.4a5ccp-4f,   0x1.0f4736p-3f,  0x1.49f726p-3f,  0x1.56e2dap-3f,
      0x1.44139ap-3f,  0x1.1a132ap-3f,  0x1.cfa078p-4f,  0x1.633fcap-4f,  0x1.b495cap-5f,
      0x1.8f4712p-6f,  0x1.22721ap-7f,  0x1.75bd14p-9f,  0x1.935182p-11f, 0x1.6f55b2p-13f,
      0x1.30704ep-15f, 0x1.2f5ab2p-18f};
  static constexpr float kFourth[32] = {
      0x1.e24fd4p-8f,   0x1.090ffp-5f,   0x1.728e5ap-5f,  0x1.e10d02p-5f,   0x1.4da01ep-4f,
      0x1.8af432p-4f,   0x1.ceb004p-4f,  0x1.ff75c4p-4f,  0x1.25c7b6p-3f,   0x1.4dad54p-3f,
      0x1.688fe4p-3f,   0x1.762a7cp-3f,  0x1.75c5e4p-3f,  0x1.6ad8c6p-3f,   0x1.529a84p-3f,
      0x1.329668p-3f,   0x1.ed1048p-4f,  0x1.3599ccp-4f,  0x1.04bb6p-5f,    -0x1.23209ap-8f,
      -0x1.ee0fdcp-6f,  -0x1.6f792cp-5f, -0x1.9761f6p-5f, -0x1.849eecp-5f,  -0x1.2d398p-5f,
      -0x1.50875ep-6f,  -0x1.2a4bdp-7f,  -0x1.b3b348p-9f, -0x1.097ff4p-10f, -0x1.1097bep-12f,
      -0x1.dd65bcp-15f, -0x1.628992p-17f};
};

// The number of the interval of a table that a number from 0 on is in.
template <class T, class L>
WICK_INLINE auto interval_of(L size) {
  const auto place = to_bits(multiply_add(size, L(T::kScale), L(T::kFirst)));
  return decltype(place)(place.r >> 20);
}
// c1 + d (c2 + d (c3 + d c4)).
template <class T, class I, class L>
WICK_INLINE L slope_by_table(I i, L d) {
  const L third = multiply_add(look_up(T::kFourth, i), d, look_up(T::kThird, i));
  const L second = multiply_add(third, d, look_up(T::kSecond, i));
  return multiply_add(second, d, look_up(T::kSlope, i));
}

template <class T>
struct OddByTable {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    return apply([](auto part) { return of_sixteen(part); }, x);
  }

 private:
  template <class L>
  static WICK_INLINE L of_sixteen(L x) {
    const L size = least_of(L(T::kIsOne), magnitude(x));
    const auto i = interval_of<T>(size);
    const L d = minus(size, look_up(T::kCentre, i));
    const L value = greatest_of(look_up(T::kValue, i), d);  // d in the first interval alone
    return with_sign(multiply_add(slope_by_table<T>(i, d), d, value), sign_bits(x));
  }
};

// b = kFirst + kScale a begins in the last interval, whose c and k are 0 as the first's are. The
// fit is within 2^-24.9 of 1 + q. From 14.357 on a Q(a) rounds to 0.
//
// T[k] = 2^(k / 16 - 1) e^(kExcess[k] / 2), and 1 + p(r) = e^(-r / 2), error 2^-29.
struct NormalTable {
  static constexpr float kFirst = 1.875f;
  static constexpr float kScale = 1.956f;
  static constexpr float kVanishing = 14.37f;
  static constexpr float kCentre[32] = {
      0x0p+0f,        0x1.0af30ep-2f, 0x1.87794cp-2f, 0x1.074beep-1f, 0x1.4ae418p-1f,
      0x1.8c1732p-1f, 0x1.c6c974p-1f, 0x1.041a4cp+0f, 0x1.3523f2p+0f, 0x1.754ddap+0f,
      0x1.b97bbp+0f,  0x1.fac8cap+0f, 0x1.1f078ap+1f, 0x1.3e985ap+1f, 0x1.6005f8p+1f,
      0x1.80934cp+1f, 0x1.b099e6p+1f, 0x1.f36c82p+1f, 0x1.1922a6p+2f, 0x1.393f2ep+2f,
      0x1.5d6306p+2f, 0x1.7d7c64p+2f, 0x1.9dd43p+2f,  0x1.bf6a48p+2f, 0x1.eed0dcp+2f,
      0x1.17ec72p+3f, 0x1.3906cp+3f,  0x1.5ada66p+3f, 0x1.785428p+3f, 0x1.9e8d9cp+3f,
      0x1.b67aap+3f,  0x0p+0f};
  static constexpr float kValue[32] = {
      0x0p+0f,     0x1.b6cp-3f, 0x1.27cp-2f, 0x1.6cep-2f, 0x1.a68p-2f, 0x1.d54p-2f, 0x1.f94p-2f,
      0x1.0dep-1f, 0x1.234p-1f, 0x1.39p-1f,  0x1.4a8p-1f, 0x1.576p-1f, 0x1.61cp-1f, 0x1.698p-1f,
      0x1.702p-1f, 0x1.756p-1f, 0x1.7b8p-1f, 0x1.81cp-1f, 0x1.86p-1f,  0x1.894p-1f, 0x1.8cp-1f,
      0x1.8dep-1f, 0x1.8f6p-1f, 0x1.90ap-1f, 0x1.92p-1f,  0x1.936p-1f, 0x1.946p-1f, 0x1.952p-1f,
      0x1.95ap-1f, 0x1.962p-1f, 0x1.966p-1f, 0x0p+0f};
  static constexpr float kSlope[32] = {
      -0x1.9882fap-1f, 0x1.90173p+1f,  0x1.f121dp+0f,   0x1.4eaba4p+0f,  0x1.e33f8p-1f,
      0x1.704436p-1f,  0x1.27c454p-1f, 0x1.d95c84p-2f,  0x1.5e186ap-2f,  0x1.ed1834p-3f,
      0x1.61d674p-3f,  0x1.09662ep-3f, 0x1.949ab8p-4f,  0x1.3fa6bp-4f,   0x1.fab376p-5f,
      0x1.9a085p-5f,   0x1.32f3a6p-5f, 0x1.aa3958p-6f,  0x1.38addep-6f,  0x1.d476a6p-7f,
      0x1.5c172ep-7f,  0x1.111cep-7f,  0x1.b342d6p-8f,  0x1.5d6286p-8f,  0x1.066cbep-8f,
      0x1.703d4cp-9f,  0x1.0a7406p-9f, 0x1.8b3394p-10f, 0x1.3745b2p-10f, 0x1.d4858cp-11f,
      0x1.8d1ff2p-11f, -0x1.988452p-1f};
  static constexpr float kSecond[32] = {
      0x1.ffa184p-2f,   -0x1.2890d6p+1f,  -0x1.6431c8p+0f,  -0x1.ce5efcp-1f, -0x1.41f3b4p-1f,
      -0x1.da092ep-2f,  -0x1.712efep-2f,  -0x1.1d954ap-2f,  -0x1.91d468p-3f, -0x1.097754p-3f,
      -0x1.64ae0ep-4f,  -0x1.f75372p-5f,  -0x1.68f8ap-5f,   -0x1.0dd664p-5f, -0x1.94311ep-6f,
      -0x1.361d8ap-6f,  -0x1.aea6dcp-7f,  -0x1.0eed72p-7f,  -0x1.6c901p-8f,  -0x1.f6c33ep-9f,
      -0x1.566174p-9f,  -0x1.f3bb0ep-10f, -0x1.73bc7ep-10f, -0x1.16ed4p-10f, -0x1.7f77dap-11f,
      -0x1.e1721cp-12f, -0x1.3a55cep-12f, -0x1.a7a4dap-13f, -0x1.34ffep-13f, -0x1.a821a6p-14f,
      -0x1.54c22ap-14f, 0x1.fffe1cp-2f};
  static constexpr float kThird[32] = {
      -0x1.0bb3b4p-2f, 0x1.5ce3f4p+0f,  0x1.96cdd4p-1f,  0x1.ff5208p-2f,  0x1.58cf8ap-2f,
      0x1.ec703cp-3f,  0x1.7532a2p-3f,  0x1.18235p-3f,   0x1.79d444p-4f,  0x1.d7414ap-5f,
      0x1.2a5b7cp-5f,  0x1.8e3d76p-6f,  0x1.0e1cb2p-6f,  0x1.7fd0d6p-7f,  0x1.10b70ep-7f,
      0x1.8e650ep-8f,  0x1.02ee3ap-8f,  0x1.28c72p-9f,   0x1.6faf12p-10f, 0x1.d44714p-11f,
      0x1.253932p-11f, 0x1.8efa2p-12f,  0x1.15c0e6p-12f, 0x1.8608ccp-13f, 0x1.eeb4d8p-14f,
      0x1.16207p-14f,  0x1.4811f4p-15f, 0x1.92133cp-16f, 0x1.0f9ef2p-16f, 0x1.540a2p-17f,
      0x1.02c644p-17f, -0x1.0ff4p-2f};
  static constexpr float kFourth[32] = {
      0x1.9a82bep-4f,   -0x1.6317acp-1f,  -0x1.8d6ce6p-2f,  -0x1.e91682p-3f,  -0x1.42daf4p-3f,
      -0x1.bfd852p-4f,  -0x1.4354eap-4f,  -0x1.d901eap-5f,  -0x1.322f72p-5f,  -0x1.67b9d8p-6f,
      -0x1.b6a21p-7f,   -0x1.15f8ap-7f,   -0x1.6a1abcp-8f,  -0x1.e410e2p-9f,  -0x1.482f54p-9f,
      -0x1.ca87f6p-10f, -0x1.1557bcp-10f, -0x1.26dcd4p-11f, -0x1.4b384ep-12f, -0x1.847c64p-13f,
      -0x1.d56c96p-14f, -0x1.264014p-14f, -0x1.80a35ap-15f, -0x1.0cd122p-15f, -0x1.25d3fcp-16f,
      -0x1.26cf3ap-17f, -0x1.3ee9acp-18f, -0x1.6943e4p-19f, -0x1.aed53ep-20f, -0x1.0aa924p-20f,
      -0x1.51b108p-21f, 0x1.e09a2p-4f};
  static constexpr float kPowers[16] = {0x1p-1f,     0x1.0b6p-1f, 0x1.172p-1f, 0x1.238p-1f,
                                        0x1.306p-1f, 0x1.3dep-1f, 0x1.4cp-1f,  0x1.5acp-1f,
                                        0x1.6ap-1f,  0x1.7a2p-1f, 0x1.8acp-1f, 0x1.9c4p-1f,
                                        0x1.ae8p-1f, 0x1.c1ap-1f, 0x1.d58p-1f, 0x1.ea4p-1f};
  static constexpr float kExcess[16] = {
      0x0p+0f,          0x1.40ea36p-12f,  -0x1.51eb06p-12f, -0x1.ae102ap-13f,
      -0x1.ab493p-12f,  -0x1.0bd64ap-12f, 0x1.ca8cep-15f,   0x1.6e6bdp-12f,
      -0x1.c00c4p-13f,  0x1.3ef782p-12f,  -0x1.29552p-12f,  -0x1.696bfcp-13f,
      -0x1.7b9c1cp-13f, 0x1.c81dd6p-14f,  -0x1.b1d1bap-16f, -0x1.6ed6bap-13f};
  static constexpr float kPolynomial[3] = {-0x1p-1f, 0x1.00022ap-3f, -0x1.555766p-6f};
};

struct GeluByTable {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    using T = NormalTable;
    const L a = least_of(L(T::kVanishing), magnitude(x));
    const auto i = interval_of<T>(a);
    const L d = minus(a, look_up(T::kCentre, i));
    const L q = times(slope_by_table<T>(i, d), d);
    const L value = greatest_of(look_up(T::kValue, i), d);  // d where k is 0
    const auto square = two_product(a, a);
    const L t = multiply_add(square.hi, L(-PowerTable::kInverseLn2 / 2), L(PowerTable::kMagic));
    const L n = minus(t, L(PowerTable::kMagic));
    const L rough = multiply_add(n, L(2 * PowerTable::kLn2), square.hi);  // exact
    const L rest = multiply_add(n, L(-2 * PowerTable::kLn2Less), square.lo);
    const L r = plus(rough, plus(rest, look_up(T::kExcess, to_bits(t))));
    const L p = times(horner(r, T::kPolynomial), r);
    const L s = multiply_add(p, plus(q, L(1.0f)), q);
    // Exact; where k is 0 the power is 1/2.
    const L product = times(look_up(T::kPowers, to_bits(t)), value);
    const L tail = scale_by(multiply_add(product, s, product), n);
    return minus(greatest_of(L(-0.0f), x), tail);
  }
};

}  // namespace detail

}  // namespace wick
