// wick::fma(a, b, c): a * b + c rounded once, on every target. Included by lanes.h.
//
// With WICK_FAST_FMA it is one instruction. The vector extensions have no word for it, so that this
// file names the compilers' builtins; a vector they have no builtin for is done element by element.
//
// Without the instruction, f32 goes through f64: the product of two f32 is exact there, and the sum
// is rounded to odd, after which the rounding to f32 is right (S. Boldo, G. Melquiond, "Emulation
// of a FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008: holds when
// the wider format has at least two more bits than the product, 53 >= 48 + 2). f64 calls the C
// library's fma, which is exact.
//
// With numbers for b and c, b a power of two, a product and a sum often give the same bits: see
// rounds_alike. They are taken where the compiler knows the numbers, for a multiply-add reads three
// registers: where each result is stored (x * 2 - 1 over an array in cache), cores of the Zen 5
// family do two multiply-adds in three cycles, but a product, a sum and a store in each cycle.

#pragma once

#include "wick/lanes.h"
#include "wick/lanes_cast.h"
#include "wick/lanes_operators.h"

namespace wick {

namespace detail {

#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_fma)
#define WICK_ELEMENTWISE_FMA 1
#endif
#endif

#if !defined(WICK_ELEMENTWISE_FMA)
template <class V>
WICK_INLINE V fma_by_element(V a, V b, V c) {
  constexpr int count = static_cast<int>(sizeof(V) / sizeof(a[0]));
  V result{};
  for (int i = 0; i < count; ++i) {
    if constexpr (sizeof(a[0]) == sizeof(float)) {
      result[i] = __builtin_fmaf(a[i], b[i], c[i]);
    } else {
      result[i] = __builtin_fma(a[i], b[i], c[i]);
    }
  }
  return result;
}
#endif

// The compilers declare the mask operand of sixteen lanes with opposite signs.
#if defined(__clang__)
inline constexpr unsigned short kAllSixteen = 0xFFFF;
#else
inline constexpr short kAllSixteen = -1;
#endif
inline constexpr unsigned char kAllEight = 0xFF;
// Of the builtins that want to be told how to round.
inline constexpr int kCurrentRounding = 4;

template <class V>
WICK_INLINE V fma_vector(V a, V b, V c) {
#if defined(WICK_ELEMENTWISE_FMA)
  return __builtin_elementwise_fma(a, b, c);
#else
#if defined(__FMA__)
  if constexpr (std::is_same_v<V, Vector<float, 4>>) return __builtin_ia32_vfmaddps(a, b, c);
  if constexpr (std::is_same_v<V, Vector<double, 2>>) return __builtin_ia32_vfmaddpd(a, b, c);
  if constexpr (std::is_same_v<V, Vector<float, 8>>) return __builtin_ia32_vfmaddps256(a, b, c);
  if constexpr (std::is_same_v<V, Vector<double, 4>>) return __builtin_ia32_vfmaddpd256(a, b, c);
#endif
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<V, Vector<float, 16>>) {
    return __builtin_ia32_vfmaddps512_mask(a, b, c, kAllSixteen, kCurrentRounding);
  }
  if constexpr (std::is_same_v<V, Vector<double, 8>>) {
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, kAllEight, kCurrentRounding);
  }
#endif
#if defined(__aarch64__) && !defined(__clang__)
  if constexpr (std::is_same_v<V, Vector<float, 4>>) return __builtin_aarch64_fmav4sf(a, b, c);
  if constexpr (std::is_same_v<V, Vector<double, 2>>) return __builtin_aarch64_fmav2df(a, b, c);
#endif
  return fma_by_element(a, b, c);
#endif
}

#undef WICK_ELEMENTWISE_FMA

// a * b + c of doubles that hold f32 values, rounded to odd: the last bit of an inexact sum is 1.
template <int N>
WICK_INLINE Lanes<double, N> add_product_to_odd(Lanes<double, N> a, Lanes<double, N> b,
                                                Lanes<double, N> c) {
  using I = Lanes<std::int64_t, N>;
  using D = Lanes<double, N>;
  const D product = Times{}(a, b);
  const D sum = Plus{}(product, c);
  // The error of the sum, exactly (D. Knuth's two-sum); NaN if the sum is not finite.
  const D c_part = Minus{}(sum, product);
  const D product_part = Minus{}(sum, c_part);
  const D error = Plus{}(Minus{}(product, product_part), Minus{}(c, c_part));
  const D zero(0.0);
  const auto too_low = less(zero, error);
  const auto too_high = less(error, zero);
  const I bits(bits_as<decltype(raw(I{}))>(raw(sum)));
  const I even_bits(static_cast<decltype(raw(I{}))>(raw(bits) & 1));
  const auto even = equal(even_bits, I(std::int64_t{0}));
  // One step away from zero is one more in the bits, towards zero one less.
  const auto negative = less(sum, zero);
  const auto grow = (too_low & !negative) | (too_high & negative);
  const I one(std::int64_t{1});
  const I step = pick(grow, one, Minus{}(I(std::int64_t{0}), one));
  const auto wrong = even & (too_low | too_high);
  const I odd = Plus{}(bits, pick(wrong, step, I(std::int64_t{0})));
  return D(bits_as<decltype(raw(D{}))>(raw(odd)));
}

struct FusedMultiplyAdd {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> a, Lanes<E, N> b, Lanes<E, N> c) const {
    if constexpr (!std::is_floating_point_v<E>) {
      return Plus{}(Times{}(a, b), c);
    } else if constexpr (WICK_FAST_FMA || std::is_same_v<E, double>) {
      if constexpr (N > 1) {
        return Lanes<E, N>(fma_vector(a.r, b.r, c.r));
      } else if constexpr (std::is_same_v<E, float>) {
        return Lanes<E, N>(__builtin_fmaf(a.v, b.v, c.v));
      } else {
        return Lanes<E, N>(__builtin_fma(a.v, b.v, c.v));
      }
    } else {
      const auto wide = apply([](auto x, auto y, auto z) { return add_product_to_odd(x, y, z); },
                              convert<double>(a), convert<double>(b), convert<double>(c));
      return apply([](auto x) { return convert<float>(x); }, wide);
    }
  }
};

// Whether a * b + c is the same, for every a, when the product is rounded too: b is a power of two,
// and 2^-100 <= |c| <= 2^100. The product is then exact, with two exceptions. It overflows: c is
// less than half of the last place of what overflows, and the sum overflows as well. Or it is less
// than the least normal number, 2^-126 (of doubles: far less), rounded or not: less than a quarter
// of the last place of any such c, so that both forms give c.
template <class E>
WICK_INLINE bool rounds_alike(E b, E c) {
  using Bits = Unsigned<E>;
  constexpr Bits one = 1;
  constexpr Bits fraction = (one << (std::numeric_limits<E>::digits - 1)) - 1;
  constexpr Bits infinite = static_cast<Bits>(~(one << (sizeof(E) * 8 - 1))) - fraction;
  const Bits bits = bits_as<Bits>(b);
  const bool is_power =
      (bits & fraction) == 0 && (bits & infinite) != 0 && (bits & infinite) != infinite;
  const E size = c < 0 ? -c : c;
  return is_power && size >= E{0x1p-100} && size <= E{0x1p100};
}

}  // namespace detail

template <class A, class B, class C>
WICK_INLINE auto fma(A a, B b, C c) -> detail::Joined<A, B, C> {
  using L = detail::Joined<A, B, C>;
  if constexpr (std::is_floating_point_v<B> && std::is_floating_point_v<C>) {
    if (__builtin_constant_p(b) && __builtin_constant_p(c) && detail::rounds_alike(b, c)) {
      return detail::apply(detail::Plus{}, detail::apply(detail::Times{}, L(a), L(b)), L(c));
    }
  }
  return detail::apply(detail::FusedMultiplyAdd{}, L(a), L(b), L(c));
}

}  // namespace wick
