// Operators on Lanes: arithmetic, comparison, selection, conversion, and the reduction of the lanes
// of one value. Included by lanes.h.
//
// Integers wrap (the arithmetic is done unsigned), x / 0 = 0 and the most negative integer divided
// by -1 is itself. Comparisons with NaN are false, but for `!=`.

#pragma once

#include "wick/lanes.h"

namespace wick {

namespace detail {

// Integer arithmetic as unsigned of the same size; floating point as it is.
template <class E, int N, class F>
WICK_INLINE Lanes<E, N> wrapping(F f, Lanes<E, N> a, Lanes<E, N> b) {
  static_assert(!std::is_same_v<E, bool>, "bool has no arithmetic");
  if constexpr (std::is_floating_point_v<E>) {
    return Lanes<E, N>(f(raw(a), raw(b)));
  } else if constexpr (N == 1) {
    using U = Unsigned<E>;
    return Lanes<E, 1>(static_cast<E>(f(static_cast<U>(a.v), static_cast<U>(b.v))));
  } else {
    using U = Vector<Unsigned<E>, N>;
    return Lanes<E, N>(bits_as<Vector<E, N>>(f(bits_as<U>(a.r), bits_as<U>(b.r))));
  }
}

struct Plus {
  template <class L>
  WICK_INLINE L operator()(L a, L b) const {
    return wrapping([](auto x, auto y) { return x + y; }, a, b);
  }
};
struct Minus {
  template <class L>
  WICK_INLINE L operator()(L a, L b) const {
    return wrapping([](auto x, auto y) { return x - y; }, a, b);
  }
};
struct Times {
  template <class L>
  WICK_INLINE L operator()(L a, L b) const {
    return wrapping([](auto x, auto y) { return x * y; }, a, b);
  }
};

struct Divide {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> a, Lanes<E, N> b) const {
    static_assert(!std::is_same_v<E, bool>, "bool has no arithmetic");
    if constexpr (std::is_floating_point_v<E>) {
      return Lanes<E, N>(raw(a) / raw(b));
    } else {
      const Lanes<E, N> zero(E{0});
      const Lanes<E, N> one(E{1});
      const auto by_zero = equal(b, zero);
      if constexpr (std::is_signed_v<E>) {
        const auto by_minus_one = equal(b, Lanes<E, N>(static_cast<E>(-1)));
        const auto divisor = pick(by_zero | by_minus_one, one, b);
        const Lanes<E, N> quotient(static_cast<decltype(raw(a))>(raw(a) / raw(divisor)));
        return pick(by_zero, zero, pick(by_minus_one, Minus{}(zero, a), quotient));
      } else {
        const auto divisor = pick(by_zero, one, b);
        const Lanes<E, N> quotient(static_cast<decltype(raw(a))>(raw(a) / raw(divisor)));
        return pick(by_zero, zero, quotient);
      }
    }
  }
};

struct Negate {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> x) const {
    static_assert(!std::is_same_v<E, bool>, "bool has no arithmetic");
    if constexpr (std::is_floating_point_v<E>) {
      return Lanes<E, N>(-raw(x));
    } else {
      return Minus{}(Lanes<E, N>(E{0}), x);
    }
  }
};

struct Less {
  template <class L>
  WICK_INLINE auto operator()(L a, L b) const {
    return to_bool(less(a, b));
  }
};
struct LessEqual {
  template <class L>
  WICK_INLINE auto operator()(L a, L b) const {
    return to_bool(less_equal(a, b));
  }
};
struct Equal {
  template <class L>
  WICK_INLINE auto operator()(L a, L b) const {
    return to_bool(equal(a, b));
  }
};
struct NotEqual {
  template <class L>
  WICK_INLINE auto operator()(L a, L b) const {
    return to_bool(not_equal(a, b));
  }
};

struct Where {
  template <class E, int N>
  WICK_INLINE Lanes<E, N> operator()(Lanes<E, N> a, Lanes<E, N> b, Lanes<bool, N> condition) const {
    return pick(to_mask<E>(condition), a, b);
  }
};

}  // namespace detail

template <class A, class B>
WICK_INLINE auto operator+(A a, B b) -> detail::Joined<A, B> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::Plus{}, L(a), L(b));
}
template <class A, class B>
WICK_INLINE auto operator-(A a, B b) -> detail::Joined<A, B> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::Minus{}, L(a), L(b));
}
template <class A, class B>
WICK_INLINE auto operator*(A a, B b) -> detail::Joined<A, B> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::Times{}, L(a), L(b));
}
template <class A, class B>
WICK_INLINE auto operator/(A a, B b) -> detail::Joined<A, B> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::Divide{}, L(a), L(b));
}
template <class E, int N>
WICK_INLINE Lanes<E, N> operator-(Lanes<E, N> x) {
  return detail::apply(detail::Negate{}, x);
}

template <class A, class B>
WICK_INLINE auto operator<(A a, B b) -> detail::MaskOfLanes<detail::Joined<A, B>> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::Less{}, L(a), L(b));
}
template <class A, class B>
WICK_INLINE auto operator<=(A a, B b) -> detail::MaskOfLanes<detail::Joined<A, B>> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::LessEqual{}, L(a), L(b));
}
template <class A, class B>
WICK_INLINE auto operator>(A a, B b) -> detail::MaskOfLanes<detail::Joined<A, B>> {
  return b < a;
}
template <class A, class B>
WICK_INLINE auto operator>=(A a, B b) -> detail::MaskOfLanes<detail::Joined<A, B>> {
  return b <= a;
}
template <class A, class B>
WICK_INLINE auto operator==(A a, B b) -> detail::MaskOfLanes<detail::Joined<A, B>> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::Equal{}, L(a), L(b));
}
template <class A, class B>
WICK_INLINE auto operator!=(A a, B b) -> detail::MaskOfLanes<detail::Joined<A, B>> {
  using L = detail::Joined<A, B>;
  return detail::apply(detail::NotEqual{}, L(a), L(b));
}

// `a` where the condition holds, else `b`. The condition may come from a comparison of any dtype.
template <class C, class A, class B, class L = detail::Joined<A, B>,
          detail::EnableIfSame<typename detail::LanesTraits<C>::Element, bool> = 0>
WICK_INLINE auto where(C condition, A a, B b) {
  constexpr int count = detail::wider(L::kCount, detail::LanesTraits<C>::kCount);
  using Result = Lanes<typename L::Element, count>;
  return detail::apply(detail::Where{}, Result(a), Result(b), Lanes<bool, count>(condition));
}

namespace detail {

// The first `Live` lanes of one vector reduced by `r`, in a vector of this width throughout: g++ 12
// takes halves of 16 bytes through memory.
template <int Live, class R, class E, int N>
WICK_INLINE E fold_lanes(R r, Lanes<E, N> x) {
  if constexpr (Live == 2) {
    return Lanes<E, 1>(r(Lanes<E, 1>(x.get(0)), Lanes<E, 1>(x.get(1)))).v;
  } else {
    const Lanes<E, N> halves(shuffle(x.r, x.r, typename LaneRange<Live / 2, N>::Type{}));
    return fold_lanes<Live / 2>(r, Lanes<E, N>(r(x, halves)));
  }
}

}  // namespace detail

// All lanes of one value reduced by `r`, by halves: the first half with the second, and so on down.
template <class R, class E, int N>
WICK_INLINE E reduce_lanes(R r, Lanes<E, N> x) {
  if constexpr (N == 1) {
    return x.v;
  } else if constexpr (detail::form_of<E, N> == detail::Form::kVector &&
                       N * sizeof(detail::HeldAs<E>) <= 16) {
    return detail::fold_lanes<N>(r, x);
  } else {
    return reduce_lanes(r, Lanes<E, N / 2>(r(lower(x), upper(x))));
  }
}

}  // namespace wick
