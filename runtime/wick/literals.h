// Typed literals that C++ cannot write as a number.
//
//   wick::infinity<float>                 and its negation
//   wick::nan<double>                     the quiet NaN
//   wick::scalar<float, 0x7FC00001u>      any bits at all, here a NaN with a payload

#pragma once

#include "wick/lanes_native.h"

namespace wick {

template <class E>
inline constexpr E infinity = std::numeric_limits<E>::infinity();

template <class E>
inline constexpr E nan = std::numeric_limits<E>::quiet_NaN();

namespace detail {

// A constant of E from its bits, for compilers whose C++17 has no constexpr way to say it but a
// builtin.
template <class E, std::uint64_t Bits>
constexpr E scalar_of_bits() {
  static_assert(sizeof(E) == sizeof(std::uint64_t) || (Bits >> (8 * sizeof(E) % 64)) == 0,
                "more bits than the type has");
  return __builtin_bit_cast(E, static_cast<Unsigned<E>>(Bits));
}

}  // namespace detail

template <class E, std::uint64_t Bits>
inline constexpr E scalar = detail::scalar_of_bits<E, Bits>();

}  // namespace wick
