// wick::cast<To>(x): conversion of Lanes between dtypes. Included by lanes.h.
//
//   integer to integer     wraps
//   integer to floating    rounds to nearest even
//   f64 to f32             rounds to nearest even, overflow gives infinity
//   floating to integer    truncates; outside the range gives the nearest end of it, NaN gives 0
//   anything to bool       x != 0, so NaN gives true
//   bool to anything       0 or 1

#pragma once

#include "wick/lanes.h"
#include "wick/lanes_operators.h"

namespace wick {

namespace detail {

// The compilers' own conversion of a scalar or one vector; the values must be in range.
template <class To, class From, int N>
WICK_INLINE Lanes<To, N> convert(Lanes<From, N> x) {
  if constexpr (N == 1) {
    return Lanes<To, 1>(static_cast<To>(x.v));
  } else if constexpr (form_of<To, N> == Form::kVector && sizeof(From) == 1 && sizeof(To) > 1) {
    // By steps of twice the size: g++ 12 takes larger ones element by element.
    using Small = std::conditional_t<std::is_signed_v<From>, std::int16_t, std::uint16_t>;
    const auto small = __builtin_convertvector(x.r, Vector<Small, N>);
    const auto word = __builtin_convertvector(small, Vector<std::int32_t, N>);
    return Lanes<To, N>(__builtin_convertvector(word, Vector<To, N>));
  } else if constexpr (form_of<To, N> == Form::kVector) {
    return Lanes<To, N>(__builtin_convertvector(x.r, Vector<To, N>));
  } else {
    return join(convert<To>(lower(x)), convert<To>(upper(x)));
  }
}

// Floating point to the integer type To of the same size, saturating, by its two ends.
template <class To, class From, int N>
WICK_INLINE Lanes<To, N> saturate_same_size(Lanes<From, N> x) {
  static_assert(sizeof(To) == sizeof(From));
  using L = Lanes<From, N>;
  constexpr From low_end = static_cast<From>(std::numeric_limits<To>::min());
  constexpr From past_end = -low_end;
  const auto below = less(x, L(low_end));
  const auto above = less_equal(L(past_end), x);
  const auto inside = less_equal(L(low_end), x) & less(x, L(past_end));
  const auto inner =
      apply([](auto part) { return convert<To>(part); }, pick(inside, x, L(From{0})));
  using R = Lanes<To, N>;
  const R capped = pick(above, R(std::numeric_limits<To>::max()), inner);
  return pick(below, R(std::numeric_limits<To>::min()), capped);
}

// Floating point to an integer type whose ends are floating-point values exactly.
template <class To, class From, int N>
WICK_INLINE Lanes<To, N> saturate_exact(Lanes<From, N> x) {
  using L = Lanes<From, N>;
  const L low_end(static_cast<From>(std::numeric_limits<To>::min()));
  const L high_end(static_cast<From>(std::numeric_limits<To>::max()));
  const L number = pick(equal(x, x), x, L(From{0}));
  const L raised = pick(less(number, low_end), low_end, number);
  const L inside = pick(less(high_end, raised), high_end, raised);
  const auto wide = convert<std::int32_t>(inside);
  if constexpr (sizeof(To) == sizeof(std::int32_t)) {
    return wide;
  } else {
    return convert<To>(wide);
  }
}

// Integers of less than 2^22, exactly, as the last digits of a float whose unit is 1: g++ 12 makes
// one of two conversions in a row, of bytes by way of words to floats, and that element by element.
template <int N>
WICK_INLINE Lanes<float, N> small_to_float(Lanes<std::int32_t, N> x) {
  if constexpr (N == 1) {
    return Lanes<float, 1>(static_cast<float>(x.v));
  } else {
    constexpr float magic = 0x1.8p23f;
    return Lanes<float, N>(bits_as<Vector<float, N>>(x.r + 0x4B400000) - magic);
  }
}

template <class To>
struct Cast {
  template <class From, int N>
  WICK_INLINE Lanes<To, N> operator()(Lanes<From, N> x) const {
    if constexpr (std::is_same_v<To, From>) {
      return x;
    } else if constexpr (std::is_same_v<To, bool>) {
      return to_bool(not_equal(x, Lanes<From, N>(From{0})));
    } else if constexpr (std::is_same_v<From, bool>) {
      return from_bool(x);
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      return from_floating(x);
    } else if constexpr (sizeof(From) == 1 && std::is_floating_point_v<To>) {
      const auto wide = convert<std::int32_t>(x);
      return apply([](auto part) { return convert<To>(small_to_float(part)); }, wide);
    } else {
      return convert<To>(x);
    }
  }

 private:
  template <int N>
  static WICK_INLINE Lanes<To, N> from_bool(Lanes<bool, N> x) {
    if constexpr (N == 1) {
      return Lanes<To, 1>(static_cast<To>(x.v ? 1 : 0));
    } else {
      return convert<To>(Lanes<std::int32_t, N>(x.r & 1));
    }
  }
  template <class From, int N>
  static WICK_INLINE Lanes<To, N> from_floating(Lanes<From, N> x) {
    if constexpr (sizeof(To) == sizeof(From)) {
      return saturate_same_size<To>(x);
    } else if constexpr (sizeof(To) > sizeof(From)) {
      return apply([](auto part) { return saturate_same_size<To>(part); }, convert<double>(x));
    } else {
      return saturate_exact<To>(x);
    }
  }
};

}  // namespace detail

template <class To, class From, int N>
WICK_INLINE Lanes<To, N> cast(Lanes<From, N> x) {
  return detail::apply(detail::Cast<To>{}, x);
}
template <class To, class From, std::enable_if_t<std::is_arithmetic_v<From>, int> = 0>
WICK_INLINE Lanes<To, 1> cast(From x) {
  return detail::Cast<To>{}(Lanes<From, 1>(x));
}

}  // namespace wick
