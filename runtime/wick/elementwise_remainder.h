// mod: the remainder of floored division, as NumPy has it. The result has the sign of the divisor;
// it is the exact remainder of truncated division, plus the divisor (rounded) if the signs differ.
// Of integers x mod 0 = 0, of floating point NaN.

#pragma once

#include "wick/math_core.h"

namespace wick {

namespace detail {

// The remainder of |a| by |b| for finite a and b != 0, exactly, as the pencil-and-paper division of
// the significands, 11 digits at a time.
__attribute__((noinline, cold)) inline double remainder_of_sizes(double a, double b) {
  constexpr std::uint64_t significand = 0xFFFFFFFFFFFFF;
  const auto a_bits = bits_as<std::uint64_t>(a) & ~(std::uint64_t{1} << 63);
  const auto b_bits = bits_as<std::uint64_t>(b) & ~(std::uint64_t{1} << 63);
  const int a_field = static_cast<int>(a_bits >> 52), b_field = static_cast<int>(b_bits >> 52);
  const std::uint64_t hidden = significand + 1;
  const std::uint64_t a_digits = (a_bits & significand) | (a_field != 0 ? hidden : 0);
  const std::uint64_t b_digits = (b_bits & significand) | (b_field != 0 ? hidden : 0);
  int ahead = (a_field != 0 ? a_field : 1) - (b_field != 0 ? b_field : 1);
  if (ahead < 0) return bits_as<double>(a_bits);
  std::uint64_t rest = a_digits % b_digits;
  while (ahead > 0 && rest != 0) {
    const int step = ahead < 11 ? ahead : 11;
    rest = (rest << step) % b_digits;
    ahead -= step;
  }
  // One unit of b's last digit: a power of two, perhaps denormal.
  const int unit_field = (b_field != 0 ? b_field : 1) - 52;
  const std::uint64_t unit_bits = unit_field > 0 ? static_cast<std::uint64_t>(unit_field) << 52
                                                 : std::uint64_t{1} << (51 + unit_field);
  return static_cast<double>(rest) * bits_as<double>(unit_bits);
}

// |a| - trunc(|a / b|) |b|. Where the quotient is below 2^20 its truncation is right or one too
// large, and the product is taken off exactly; other lanes go one by one.
template <class E, int N>
WICK_INLINE Lanes<E, N> truncated_remainder(Lanes<E, N> a, Lanes<E, N> b) {
  using L = Lanes<E, N>;
  constexpr E largest = std::numeric_limits<E>::max() / 4;
  const L zero(E{0});
  const L quotient = Divide{}(a, b);
  const auto defined = less(a, L(std::numeric_limits<E>::infinity())) & less(zero, b);
  const auto easy = less(quotient, L(static_cast<E>(0x1p+20))) & less(a, L(largest));
  const L whole = Trunc{}(quotient);
  const auto product = two_product(whole, b);
  const L rest = minus(minus(a, product.hi), product.lo);
  const L fixed = pick(less(rest, zero), plus(rest, b), rest);
  L value = pick(less(a, b), a, fixed);
  const auto hard = defined & !easy & less_equal(b, a);
  if (__builtin_expect(any_lane(hard), 0)) {
    constexpr auto count = static_cast<std::size_t>(N);
    E as[count], bs[count], values[count];
    a.store(as);
    b.store(bs);
    value.store(values);
    for (std::size_t i = 0; i < count; ++i) {
      const bool finite = as[i] <= std::numeric_limits<E>::max() && bs[i] > E{0};
      const bool slow = !(as[i] / bs[i] < static_cast<E>(0x1p+20)) || !(as[i] < largest);
      if (finite && slow && as[i] >= bs[i]) {
        values[i] = static_cast<E>(
            remainder_of_sizes(static_cast<double>(as[i]), static_cast<double>(bs[i])));
      }
    }
    value = L::load(values);
  }
  const L nan(std::numeric_limits<E>::quiet_NaN());
  return pick(defined | is_nan(b), value, nan);
}

struct Modulo {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> a, Lanes<E, N> b) const {
    using L = Lanes<E, N>;
    const L zero(E{0});
    if constexpr (is_floating<E>) {
      const L size = truncated_remainder(magnitude(a), magnitude(b));
      const L rest = with_sign(size, sign_bits(a));
      const auto opposite = (less(rest, zero) & less(zero, b)) | (less(zero, rest) & less(b, zero));
      const L floored = pick(opposite, plus(rest, b), rest);
      const L value = pick(equal(rest, zero), with_sign(zero, sign_bits(b)), floored);
      return pick(is_nan(a) | is_nan(b), plus(a, b), value);
    } else {
      const L one(E{1});
      if constexpr (std::is_signed_v<E>) {
        const L minus_one(static_cast<E>(-1));
        const L divisor = pick(equal(b, zero) | equal(b, minus_one), one, b);
        const L rest(static_cast<decltype(raw(a))>(raw(a) % raw(divisor)));
        const auto opposite =
            (less(rest, zero) & less(zero, b)) | (less(zero, rest) & less(b, zero));
        return pick(opposite, plus(rest, b), rest);
      } else {
        const L divisor = pick(equal(b, zero), one, b);
        return L(static_cast<decltype(raw(a))>(raw(a) % raw(divisor)));
      }
    }
  }
};

}  // namespace detail

template <class A, class B>
WICK_INLINE auto mod(A a, B b) -> detail::Joined<A, B> {
  return detail::binary(detail::Modulo{}, a, b);
}

}  // namespace wick
