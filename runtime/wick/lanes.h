// Lanes<E, N>: N elements of one type, what a kernel's lambda receives and returns.
//
// A kernel is written once and runs over vectors in the body of a loop and over single elements in
// its tail, so the same operators must work for every N. N is a power of two from 1 to 64 and has
// nothing to do with the target's width: Lanes<float, 64> is
//
//   on AVX-512   { { r r } { r r } }                  4 vectors of 16
//   on SSE2      { { { r r } { r r } } { ... } }     16 vectors of 4
//   no vectors   pairs down to Lanes<float, 1>
//
// A pair of halves down to one vector, never an array of vectors: compilers keep the members of
// nested pairs in registers, and arrays in memory.
//
// Lanes<bool, N> is what comparisons give, for every dtype alike, so that a comparison of doubles
// may select integers. In registers it is a mask of 32 bits per element, in memory a byte, 0 or 1.
//
// Lanes<E, 1> and E stand for all lanes where other operands have more.

#pragma once

#include "wick/lanes_native.h"

namespace wick {

namespace detail {

enum class Form { kScalar, kVector, kPair };

template <class E, int N>
inline constexpr Form form_of = N == 1                 ? Form::kScalar
                                : N <= native_lanes<E> ? Form::kVector
                                                       : Form::kPair;

template <class T, class E>
using EnableIfSame = std::enable_if_t<std::is_same_v<T, E>, int>;

}  // namespace detail

template <class E, int N, detail::Form = detail::form_of<E, N>>
struct Lanes;

template <class E, int N>
struct Lanes<E, N, detail::Form::kScalar> {
  using Element = E;
  static constexpr int kCount = 1;
  E v;

  Lanes() = default;
  // From exactly an E: a literal of another type is a mistake, not a conversion.
  template <class T, detail::EnableIfSame<T, E> = 0>
  WICK_INLINE constexpr Lanes(T x) : v(x) {}

  static WICK_INLINE Lanes load(const E* from) {
    if constexpr (std::is_same_v<E, bool>) {
      return Lanes(*reinterpret_cast<const detail::InMemory<std::uint8_t>*>(from) != 0);
    } else {
      return Lanes(E{*reinterpret_cast<const detail::InMemory<E>*>(from)});
    }
  }
  WICK_INLINE void store(E* to) const {
    // As a byte and not as a bool: g++ 12 vectorises stores of comparisons and may store 255.
    using Stored = std::conditional_t<std::is_same_v<E, bool>, std::uint8_t, E>;
    *reinterpret_cast<detail::InMemory<Stored>*>(to) = static_cast<Stored>(v);
  }
  static WICK_INLINE constexpr Lanes broadcast(E x) { return Lanes(x); }
  WICK_INLINE constexpr E get(int) const { return v; }
  WICK_INLINE constexpr E operator[](int) const { return v; }
};

template <class E, int N>
struct Lanes<E, N, detail::Form::kVector> {
  using Element = E;
  using Held = detail::HeldAs<E>;
  using Native = detail::Vector<Held, N>;
  static constexpr int kCount = N;
  Native r;

  Lanes() = default;
  WICK_INLINE explicit Lanes(Native x) : r(x) {}
  template <class T, detail::EnableIfSame<T, E> = 0>
  WICK_INLINE Lanes(T x) {
    if constexpr (std::is_same_v<E, bool>) {
      r = Native{} - (x ? 1 : 0);
    } else {
      r = x - Native{};  // and not x + 0, which would turn -0 into 0
    }
  }
  WICK_INLINE Lanes(Lanes<E, 1> x) : Lanes(x.v) {}

  static WICK_INLINE Lanes load(const E* from) {
    if constexpr (std::is_same_v<E, bool>) {
      using Bytes = detail::Vector<std::int8_t, N>;
      const Bytes bytes = *reinterpret_cast<const detail::VectorInMemory<std::int8_t, N>*>(from);
      return Lanes(__builtin_convertvector(detail::bits_as<Bytes>(bytes != Bytes{}), Native));
    } else {
      return Lanes(Native(*reinterpret_cast<const detail::VectorInMemory<E, N>*>(from)));
    }
  }
  WICK_INLINE void store(E* to) const {
    if constexpr (std::is_same_v<E, bool>) {
      using Bytes = detail::Vector<std::int8_t, N>;
      *reinterpret_cast<detail::VectorInMemory<std::int8_t, N>*>(to) =
          __builtin_convertvector(r & 1, Bytes);
    } else {
      *reinterpret_cast<detail::VectorInMemory<E, N>*>(to) = r;
    }
  }
  static WICK_INLINE Lanes broadcast(E x) { return Lanes(x); }
  WICK_INLINE E get(int i) const { return static_cast<E>(r[i]); }
  WICK_INLINE E operator[](int i) const { return get(i); }
};

template <class E, int N>
struct Lanes<E, N, detail::Form::kPair> {
  using Element = E;
  using Half = Lanes<E, N / 2>;
  static constexpr int kCount = N;
  Half lo, hi;

  Lanes() = default;
  WICK_INLINE Lanes(Half low, Half high) : lo(low), hi(high) {}
  template <class T, detail::EnableIfSame<T, E> = 0>
  WICK_INLINE Lanes(T x) : lo(x), hi(x) {}
  // The halves of a pair of two scalars are Lanes<E, 1> themselves.
  WICK_INLINE Lanes(Lanes<E, 1> x) : lo(x), hi(x) {}

  static WICK_INLINE Lanes load(const E* from) {
    return Lanes(Half::load(from), Half::load(from + N / 2));
  }
  WICK_INLINE void store(E* to) const {
    lo.store(to);
    hi.store(to + N / 2);
  }
  static WICK_INLINE Lanes broadcast(E x) { return Lanes(x); }
  WICK_INLINE E get(int i) const { return i < N / 2 ? lo.get(i) : hi.get(i - N / 2); }
  WICK_INLINE E operator[](int i) const { return get(i); }
};

// ---- Halves --------------------------------------------------------------------------------

// Elements [0, N / 2) and [N / 2, N) of any Lanes, however it is held.
template <class E, int N>
WICK_INLINE Lanes<E, N / 2> lower(Lanes<E, N> x) {
  if constexpr (detail::form_of<E, N> == detail::Form::kPair) {
    return x.lo;
  } else if constexpr (N == 2) {
    return Lanes<E, 1>(x.get(0));
  } else {
    return Lanes<E, N / 2>(detail::shuffle(x.r, x.r, typename detail::LaneRange<0, N / 2>::Type{}));
  }
}

template <class E, int N>
WICK_INLINE Lanes<E, N / 2> upper(Lanes<E, N> x) {
  if constexpr (detail::form_of<E, N> == detail::Form::kPair) {
    return x.hi;
  } else if constexpr (N == 2) {
    return Lanes<E, 1>(x.get(1));
  } else {
    return Lanes<E, N / 2>(
        detail::shuffle(x.r, x.r, typename detail::LaneRange<N / 2, N / 2>::Type{}));
  }
}

// The inverse: the elements of `low`, then those of `high`.
template <class E, int N>
WICK_INLINE Lanes<E, 2 * N> join(Lanes<E, N> low, Lanes<E, N> high) {
  if constexpr (detail::form_of<E, 2 * N> == detail::Form::kPair) {
    return Lanes<E, 2 * N>(low, high);
  } else if constexpr (N == 1) {
    using Held = detail::HeldAs<E>;
    using Both = Lanes<E, 2>;
    constexpr int sign = std::is_same_v<E, bool> ? -1 : 1;
    return Both(typename Both::Native{static_cast<Held>(sign * static_cast<Held>(low.v)),
                                      static_cast<Held>(sign * static_cast<Held>(high.v))});
  } else {
    return Lanes<E, 2 * N>(
        detail::shuffle(low.r, high.r, typename detail::LaneRange<0, 2 * N>::Type{}));
  }
}

namespace detail {

// ---- Applying an operation -----------------------------------------------------------------

// `f` of scalars or single vectors, applied to Lanes of any count: operands are halved together
// until each of them is one vector or one scalar.
template <class F, class E, int N, class... Es>
WICK_INLINE auto apply(F f, Lanes<E, N> x, Lanes<Es, N>... more) {
  if constexpr (form_of<E, N> == Form::kPair || ((form_of<Es, N> == Form::kPair) || ...)) {
    return join(apply(f, lower(x), lower(more)...), apply(f, upper(x), upper(more)...));
  } else {
    return f(x, more...);
  }
}

// ---- What operands make together -----------------------------------------------------------

template <class T>
struct LanesTraits {
  static constexpr bool kIsOperand = std::is_arithmetic_v<T>;
  static constexpr bool kIsLanes = false;
  static constexpr int kCount = 1;
  using Element = T;
};
template <class E, int N>
struct LanesTraits<Lanes<E, N>> {
  static constexpr bool kIsOperand = true;
  static constexpr bool kIsLanes = true;
  static constexpr int kCount = N;
  using Element = E;
};

constexpr int wider(int a, int b) { return a > b ? a : b; }
template <class... T>
constexpr int widest() {
  int n = 1;
  ((n = wider(n, LanesTraits<T>::kCount)), ...);
  return n;
}
template <class T, int N>
constexpr bool fits() {
  return LanesTraits<T>::kIsOperand && (LanesTraits<T>::kCount == 1 || LanesTraits<T>::kCount == N);
}

// The Lanes that operands of one dtype make together, scalars standing for all lanes; no type at
// all (and hence no overload) if the dtypes or counts differ.
template <class A, class... B>
using Joined = std::enable_if_t<
    (fits<A, widest<A, B...>()>() && ... && fits<B, widest<A, B...>()>()) &&
        (std::is_same_v<typename LanesTraits<A>::Element, typename LanesTraits<B>::Element> && ...),
    Lanes<typename LanesTraits<A>::Element, widest<A, B...>()>>;

template <class L>
using MaskOfLanes = Lanes<bool, L::kCount>;

// ---- Masks of one element size -------------------------------------------------------------

// The outcome of comparing elements of so many bytes, in their own width, before it becomes
// Lanes<bool, N>: a bool, or one vector of 0 and -1.
template <std::size_t Bytes, int N>
struct Mask {
  using Raw = Vector<typename IntegerOf<Bytes>::Signed, N>;
  Raw r;
  friend WICK_INLINE Mask operator&(Mask a, Mask b) { return Mask{a.r & b.r}; }
  friend WICK_INLINE Mask operator|(Mask a, Mask b) { return Mask{a.r | b.r}; }
  friend WICK_INLINE Mask operator!(Mask a) { return Mask{~a.r}; }
};
template <std::size_t Bytes>
struct Mask<Bytes, 1> {
  using Raw = bool;
  bool r;
  friend WICK_INLINE Mask operator&(Mask a, Mask b) { return Mask{a.r && b.r}; }
  friend WICK_INLINE Mask operator|(Mask a, Mask b) { return Mask{a.r || b.r}; }
  friend WICK_INLINE Mask operator!(Mask a) { return Mask{!a.r}; }
};
template <class E, int N>
using MaskFor = Mask<sizeof(HeldAs<E>), N>;

// The register of a Lanes that is a scalar or one vector.
template <class E, int N>
WICK_INLINE auto raw(Lanes<E, N> x) {
  if constexpr (N == 1) {
    return x.v;
  } else {
    return x.r;
  }
}

template <class E, int N, class R>
WICK_INLINE MaskFor<E, N> mask_of(R comparison) {
  return MaskFor<E, N>{bits_as<typename MaskFor<E, N>::Raw>(comparison)};
}

// The order of bool is false < true, that of its masks in vectors -1 < 0.
template <class E, int N>
inline constexpr bool orders_backwards = std::is_same_v<E, bool> && N > 1;

template <class E, int N>
WICK_INLINE MaskFor<E, N> less(Lanes<E, N> a, Lanes<E, N> b) {
  return mask_of<E, N>(orders_backwards<E, N> ? raw(b) < raw(a) : raw(a) < raw(b));
}
template <class E, int N>
WICK_INLINE MaskFor<E, N> less_equal(Lanes<E, N> a, Lanes<E, N> b) {
  return mask_of<E, N>(orders_backwards<E, N> ? raw(b) <= raw(a) : raw(a) <= raw(b));
}
template <class E, int N>
WICK_INLINE MaskFor<E, N> equal(Lanes<E, N> a, Lanes<E, N> b) {
  return mask_of<E, N>(raw(a) == raw(b));
}
template <class E, int N>
WICK_INLINE MaskFor<E, N> not_equal(Lanes<E, N> a, Lanes<E, N> b) {
  return mask_of<E, N>(raw(a) != raw(b));
}

// `a` where the mask is set, else `b`.
template <std::size_t Bytes, class E, int N>
WICK_INLINE Lanes<E, N> pick(Mask<Bytes, N> mask, Lanes<E, N> a, Lanes<E, N> b) {
  static_assert(Bytes == sizeof(HeldAs<E>));
  return Lanes<E, N>(mask.r ? raw(a) : raw(b));
}

template <std::size_t Bytes, int N>
WICK_INLINE Lanes<bool, N> to_bool(Mask<Bytes, N> mask) {
  if constexpr (N == 1) {
    return Lanes<bool, 1>(mask.r);
  } else if constexpr (form_of<bool, N> == Form::kVector) {
    return Lanes<bool, N>(__builtin_convertvector(mask.r, Vector<std::int32_t, N>));
  } else {
    using Half = Mask<Bytes, N / 2>;
    const auto low = shuffle(mask.r, mask.r, typename LaneRange<0, N / 2>::Type{});
    const auto high = shuffle(mask.r, mask.r, typename LaneRange<N / 2, N / 2>::Type{});
    return join(to_bool(Half{low}), to_bool(Half{high}));
  }
}

// Lanes<bool, N> in the width of an E. `E` must be held in a scalar or one vector.
template <class E, int N>
WICK_INLINE MaskFor<E, N> to_mask(Lanes<bool, N> x) {
  if constexpr (N == 1) {
    return MaskFor<E, 1>{x.v};
  } else if constexpr (form_of<bool, N> == Form::kVector) {
    return MaskFor<E, N>{__builtin_convertvector(x.r, typename MaskFor<E, N>::Raw)};
  } else {
    return MaskFor<E, N>{
        shuffle(to_mask<E>(x.lo).r, to_mask<E>(x.hi).r, typename LaneRange<0, N>::Type{})};
  }
}

}  // namespace detail

}  // namespace wick

#include "wick/lanes_cast.h"
#include "wick/lanes_chosen.h"
#include "wick/lanes_fma.h"
#include "wick/lanes_operators.h"
