// sin, cos and atan2, over the whole range.
//
// The reduction x = n pi / 2 + r, |r| <= pi / 4, is where sines go wrong: near a multiple of pi / 2
// almost all digits of x cancel. pi / 2 is subtracted in three parts, the first two so short that n
// times each is exact. That serves |x| up to a limit; beyond, each lane goes through reduce_large,
// which multiplies the digits of x by those digits of 2 / pi that matter (M. Payne, R. Hanek 1983).
//
// f32 is reduced in f64, whose 53 digits leave r right to f32 wherever x lies, and evaluated in
// f32.

#pragma once

#include "wick/math_core.h"

namespace wick {

namespace detail {

// r^3 S(r^2) = sin r - r and r^4 C(r^2) = cos r - 1 + r^2 / 2 on |r| <= pi / 4.
template <class E>
struct SineConstants;
template <>
struct SineConstants<float> {
  static constexpr float kSine[] = {-0x1.555546p-3f, 0x1.11075cp-7f, -0x1.994ceep-13f};    // 2^-28
  static constexpr float kCosine[] = {0x1.55554ap-5f, -0x1.6c0c88p-10f, 0x1.9a00eep-16f};  // 2^-33
};
template <>
struct SineConstants<double> {
  static constexpr double kSine[] = {// error 2^-58
                                     -0x1.5555555555549p-3,  0x1.111111110f86ap-7,
                                     -0x1.a01a019c0f317p-13, 0x1.71de357558ea6p-19,
                                     -0x1.ae5e642e49a42p-26, 0x1.5d925c3b5d7e3p-33};
  static constexpr double kCosine[] = {// error 2^-64
                                       0x1.555555555554cp-5,  -0x1.6c16c16c15164p-10,
                                       0x1.a01a019caf199p-16, -0x1.27e4f807e9d4cp-22,
                                       0x1.1ee9ea7637e90p-29, -0x1.8fadd3d187044p-37};
};

inline constexpr double kHalfPi = 0x1.921fb54442d18p+0;
inline constexpr double kHalfPiLow = 0x1.1a62633145c07p-54;

// The binary digits of 2 / pi, after 64 zeros: enough for the largest double.
inline constexpr std::uint64_t kTwoOverPi[] = {0,
                                               0xA2F9836E4E441529,
                                               0xFC2757D1F534DDC0,
                                               0xDB6295993C439041,
                                               0xFE5163ABDEBBC561,
                                               0xB7246E3A424DD2E0,
                                               0x06492EEA09D1921C,
                                               0xFE1DEB1CB129A73E,
                                               0xE88235F52EBB4484,
                                               0xE99C7026B45F7E41,
                                               0x3991D639835339F4,
                                               0x9C845F8BBDF9283B,
                                               0x1FF897FFDE05980F,
                                               0xEF2F118B5A0A6D1F,
                                               0x6D367ECF27CB09B7,
                                               0x4F463F669E5FEA2D,
                                               0x7527BAC7EBE5F17B,
                                               0x3D0739F78A5292EA,
                                               0x6BFB5FB11F8D5D08,
                                               0x56033046FC7B6BAB,
                                               0xF0CFBC209AF4361D};

struct Wide {
  std::uint64_t high, low;
};

// a * b in full, from products of 32 bits.
constexpr Wide multiply_wide(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t low_half = 0xFFFFFFFF;
  const std::uint64_t a_high = a >> 32, a_low = a & low_half;
  const std::uint64_t b_high = b >> 32, b_low = b & low_half;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t middle = a_high * b_low + (low >> 32);
  const std::uint64_t other = a_low * b_high + (middle & low_half);
  return {a_high * b_high + (middle >> 32) + (other >> 32), (other << 32) | (low & low_half)};
}

// x = n pi / 2 + hi + lo, n modulo 4.
struct Quarters {
  double hi, lo;
  std::int64_t n;
};

// A fraction of a quarter turn, 128 bits below 1/2, as a number in two parts times pi / 2.
inline Quarters quarters_of_fraction(std::uint64_t high, std::uint64_t low) {
  int shift = 0;
  if (high == 0) {
    high = low;
    low = 0;
    shift = 64;
  }
  const int zeros = high == 0 ? 0 : __builtin_clzll(high);
  if (zeros > 0) {
    high = (high << zeros) | (low >> (64 - zeros));
    low <<= zeros;
  }
  shift += zeros;
  const double unit = bits_as<double>(static_cast<std::uint64_t>(1023 - shift) << 52);
  const double top = static_cast<double>(high >> 11) * 0x1p-53 * unit;
  const double rest = static_cast<double>((high << 53) | (low >> 11)) * 0x1p-117 * unit;
  using L = Lanes<double, 1>;
  const auto product = two_product(L(top), L(kHalfPi));
  const double tail = product.lo.v + (top * kHalfPiLow + rest * kHalfPi);
  const auto sum = fast_two_sum(product.hi, L(tail));
  return {sum.hi.v, sum.lo.v, 0};
}

// Payne and Hanek's reduction of one |x| >= 2^20. x = m 2^s with m of 53 bits: digits of 2 / pi
// worth 4 or more times 1 / (m 2^s) give whole turns and are left out, the next 192 decide.
__attribute__((noinline, cold)) inline Quarters reduce_large(double x) {
  const auto bits = bits_as<std::uint64_t>(x);
  const int exponent = static_cast<int>((bits >> 52) & 0x7FF);
  if (exponent == 0x7FF) return {x - x, 0.0, 0};
  const std::uint64_t m = (bits & 0xFFFFFFFFFFFFF) | 0x10000000000000;
  const int position = exponent - 1075 - 2 + 64;
  const int first = position / 64, shift = position % 64;
  std::uint64_t digits[3];
  for (int i = 0; i < 3; ++i) {
    digits[i] = kTwoOverPi[first + i] << shift;
    if (shift != 0) digits[i] |= kTwoOverPi[first + i + 1] >> (64 - shift);
  }
  const Wide last = multiply_wide(m, digits[2]);
  const Wide second = multiply_wide(m, digits[1]);
  const std::uint64_t middle = second.low + last.high;
  const std::uint64_t carry = middle < second.low ? 1 : 0;
  const std::uint64_t top = m * digits[0] + second.high + carry;
  std::uint64_t high = (top << 2) | (middle >> 62);
  std::uint64_t low = (middle << 2) | (last.low >> 62);
  std::int64_t n = static_cast<std::int64_t>(top >> 62);
  bool negative = (bits >> 63) != 0;
  const bool past_half = (high >> 63) != 0;
  if (past_half) {
    high = ~high + (low == 0 ? 1 : 0);
    low = ~low + 1;
    n += 1;
  }
  if (negative) n = -n;
  negative = negative != past_half;
  Quarters result = quarters_of_fraction(high, low);
  if (negative) {
    result.hi = -result.hi;
    result.lo = -result.lo;
  }
  result.n = n;
  return result;
}

template <int N>
struct ReducedAngle {
  Lanes<double, N> hi, lo;
  Lanes<std::int64_t, N> n;
};

// Lanes beyond the limit reduced one by one.
template <int N>
WICK_INLINE void reduce_large_lanes(Lanes<double, N> x, double limit, ReducedAngle<N>& angle) {
  const auto large = less_equal(Lanes<double, N>(limit), magnitude(x));
  if (__builtin_expect(any_lane(large), 0)) {
    constexpr auto count = static_cast<std::size_t>(N);
    double xs[count], hi[count], lo[count];
    std::int64_t n[count];
    x.store(xs);
    angle.hi.store(hi);
    angle.lo.store(lo);
    angle.n.store(n);
    for (std::size_t i = 0; i < count; ++i) {
      if (!(xs[i] >= limit || xs[i] <= -limit)) continue;
      const Quarters quarters = reduce_large(xs[i]);
      hi[i] = quarters.hi;
      lo[i] = quarters.lo;
      n[i] = quarters.n;
    }
    angle = {Lanes<double, N>::load(hi), Lanes<double, N>::load(lo),
             Lanes<std::int64_t, N>::load(n)};
  }
}

template <int N>
WICK_INLINE ReducedAngle<N> nearest_quarter(Lanes<double, N> x) {
  using L = Lanes<double, N>;
  const L magic(0x1.8p+52);
  const L t = plus(times(x, L(0x1.45f306dc9c883p-1)), magic);
  return {minus(t, magic), L(0.0), to_bits(t)};
}

// For f64: r to about 100 digits, pi / 2 in parts of 32, 32 and 53 bits, |n| < 2^20.
template <int N>
WICK_INLINE ReducedAngle<N> reduce_fine(Lanes<double, N> x) {
  using L = Lanes<double, N>;
  ReducedAngle<N> angle = nearest_quarter(x);
  const L n = angle.hi;
  const L first = minus(x, times(n, L(0x1.921fb544p+0)));
  const auto second = two_sum(first, Negate{}(times(n, L(0x1.0b4611a6p-34))));
  const L rest = minus(second.lo, times(n, L(0x1.3198a2e037073p-69)));
  const auto r = fast_two_sum(second.hi, rest);
  angle.hi = r.hi;
  angle.lo = r.lo;
  reduce_large_lanes(x, 0x1p+20, angle);
  return angle;
}

// For f32: r to 2^-50 at least, parts of 25, 25 and 53 bits, |n| < 2^28.
template <int N>
WICK_INLINE ReducedAngle<N> reduce_coarse(Lanes<double, N> x) {
  using L = Lanes<double, N>;
  ReducedAngle<N> angle = nearest_quarter(x);
  const L n = angle.hi;
  const L first = minus(x, times(n, L(0x1.921fb5p+0)));
  const L second = minus(first, times(n, L(0x1.110b46p-26)));
  angle.hi = minus(second, times(n, L(0x1.1a62633145c07p-54)));
  reduce_large_lanes(x, 0x1p+28, angle);
  return angle;
}

// sin(r + low + n pi / 2).
template <class E, int N>
WICK_INLINE Lanes<E, N> sine_of(Lanes<E, N> r, Lanes<E, N> low, Lanes<Signed<E>, N> n) {
  using C = SineConstants<E>;
  using L = Lanes<E, N>;
  using I = Lanes<Signed<E>, N>;
  const L z = times(r, r);
  const L half = times(z, L(static_cast<E>(0.5)));
  const L one(E{1});
  const L rough = minus(one, half);
  const L sine_tail = multiply_add(times(r, z), horner(z, C::kSine), times(low, rough));
  const L sine = plus(r, sine_tail);
  const L lost = minus(minus(one, rough), half);
  const L cosine_tail = multiply_add(times(z, z), horner(z, C::kCosine), lost);
  const L cosine = plus(rough, subtract_product(r, low, cosine_tail));
  const auto odd = not_equal(bit_and(n, I(Signed<E>{1})), I(Signed<E>{0}));
  const I sign = shift_left<E>(bit_and(n, I(Signed<E>{2})), static_cast<int>(8 * sizeof(E)) - 2);
  const L value = pick(odd, cosine, sine);
  return from_bits<E>(bit_xor(to_bits(value), sign));
}

// sin(x + quarters pi / 2): the sine with 0 quarters, the cosine with 1.
template <int Turn, int N>
WICK_INLINE Lanes<double, N> sine(Lanes<double, N> x) {
  using I = Lanes<std::int64_t, N>;
  const auto angle = reduce_fine(x);
  return sine_of(angle.hi, angle.lo, plus(angle.n, I(std::int64_t{Turn})));
}
template <int Turn, int N>
WICK_INLINE Lanes<float, N> sine(Lanes<float, N> x) {
  using I = Lanes<std::int32_t, N>;
  using L = Lanes<float, N>;
  const auto r = apply([](auto part) { return reduce_coarse(part).hi; }, convert<double>(x));
  const auto n = apply([](auto part) { return reduce_coarse(part).n; }, convert<double>(x));
  const L angle = apply([](auto part) { return convert<float>(part); }, r);
  const I quarter = apply([](auto part) { return convert<std::int32_t>(part); }, n);
  return sine_of(angle, L(0.0f), plus(quarter, I(Turn)));
}

struct Sin {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    return pick(equal(x, Lanes<E, N>(E{0})), x, sine<0>(x));
  }
};
struct Cos {
  template <class L>
  WICK_INLINE L operator()(L x) const {
    return sine<1>(x);
  }
};

// u^3 A(u^2) = atan u - u on |u| <= tan(pi / 8), error 2^-59.5.
inline constexpr double kArcTangent[] = {
    -0x1.555555555553dp-2, 0x1.99999999958f6p-3, -0x1.24924922b1671p-3, 0x1.c71c70e7bedfdp-4,
    -0x1.745cf90e6be72p-4, 0x1.3b111ca1402e4p-4, -0x1.10ebe06229b3fp-4, 0x1.df1190a9aa36dp-5,
    -0x1.9cdce442f5771p-5, 0x1.37ef2ad464066p-5, -0x1.25a18f1334e6dp-6};

// The angle of (x, y): with b <= a the two magnitudes, atan(b / a) or, from tan(pi / 8) on,
// pi / 4 + atan((b - a) / (b + a)); then mirrored at the diagonal, at the y axis and at the x axis.
// The quotient and the constants are in two parts.
struct Atan2 {
  template <int N>
  WICK_INLINE Lanes<double, N> operator()(Lanes<double, N> y, Lanes<double, N> x) const {
    using L = Lanes<double, N>;
    const L zero(0.0), inf(std::numeric_limits<double>::infinity());
    const L x_size = magnitude(x), y_size = magnitude(y);
    const auto steep = less(x_size, y_size);
    L a = pick(steep, y_size, x_size), b = pick(steep, x_size, y_size);
    // Both infinite count as equal, both zero as 0 / 1.
    const auto both = equal(b, inf);
    a = pick(both, L(1.0), pick(equal(a, zero), L(1.0), a));
    b = pick(both, L(1.0), b);
    const L scale =
        pick(less(L(0x1p+1000), a), L(0x1p-100), pick(less(a, L(0x1p-900)), L(0x1p+120), L(1.0)));
    const L ratio = first_octant(times(a, scale), times(b, scale));
    const L tiny = pick(less(b, times(a, L(0x1p-60))), Divide{}(b, a), ratio);
    return place(tiny, x, y, steep);
  }
  template <int N>
  WICK_INLINE Lanes<float, N> operator()(Lanes<float, N> y, Lanes<float, N> x) const {
    return through_double(*this, y, x);
  }

 private:
  // atan(b / a), 0 <= b <= a.
  template <class L>
  static WICK_INLINE L first_octant(L a, L b) {
    const L zero(0.0);
    const auto past = less(times(a, L(0x1.a827999fcef32p-2)), b);
    const auto sum = fast_two_sum(a, b), difference = fast_two_sum(Negate{}(a), b);
    const L top = pick(past, difference.hi, b), top_low = pick(past, difference.lo, zero);
    const L bottom = pick(past, sum.hi, a), bottom_low = pick(past, sum.lo, zero);
    const L u = Divide{}(top, bottom);
    const auto back = two_product(u, bottom);
    const L rest =
        plus(minus(minus(top, back.hi), back.lo), subtract_product(u, bottom_low, top_low));
    const L u_low = Divide{}(rest, bottom);
    const L z = times(u, u);
    const L tail =
        multiply_add(times(u, z), horner(z, kArcTangent), subtract_product(z, u_low, u_low));
    const auto quarter = fast_two_sum(pick(past, L(kHalfPi * 0.5), zero), u);
    const L quarter_low = pick(past, L(kHalfPiLow * 0.5), zero);
    return plus(quarter.hi, plus(plus(quarter.lo, quarter_low), tail));
  }
  template <int N>
  static WICK_INLINE Lanes<double, N> place(Lanes<double, N> angle, Lanes<double, N> x,
                                            Lanes<double, N> y, Mask<8, N> steep) {
    using L = Lanes<double, N>;
    const L one(1.0);
    const auto left = less(with_sign(one, sign_bits(x)), L(0.0));
    const L upright = plus(minus(L(kHalfPi), angle), L(kHalfPiLow));
    const L octant = pick(steep, upright, angle);
    const L obtuse_steep = plus(plus(L(kHalfPi), angle), L(kHalfPiLow));
    const L obtuse = plus(minus(L(2 * kHalfPi), angle), L(2 * kHalfPiLow));
    const L size = pick(left, pick(steep, obtuse_steep, obtuse), octant);
    const L value = with_sign(size, sign_bits(y));
    const L nan = plus(x, y);
    return pick(is_nan(x) | is_nan(y), nan, value);
  }
};

}  // namespace detail

template <class A>
WICK_INLINE auto sin(A x) -> detail::Joined<A> {
  return detail::unary(detail::Sin{}, x);
}
template <class A>
WICK_INLINE auto cos(A x) -> detail::Joined<A> {
  return detail::unary(detail::Cos{}, x);
}
// The angle of the point (x, y), from -pi to pi, by the signs of both, signs of zeros included.
template <class A, class B>
WICK_INLINE auto atan2(A y, B x) -> detail::Joined<A, B> {
  return detail::binary(detail::Atan2{}, y, x);
}

}  // namespace wick
