#pragma once

// A group of operands that is handed around as one value, in the order they were written.
//
// Statements with two lists of operands (terms and results of a reduction) need it, and so does a
// loop nest that moves both lists along.

#include "wick/lanes.h"
#include "wick/tensor.h"

namespace wick::internal {

template <class... T>
struct Group;

template <>
struct Group<> {
  template <int Axis>
  WICK_INLINE Group plus(Index) const noexcept {
    return {};
  }
  template <class F, class... Done>
  WICK_INLINE auto expand(const F& f, Done... done) const noexcept {
    return f(done...);
  }
};

template <class T, class... More>
struct Group<T, More...> {
  T first;
  Group<More...> more;

  // All members, moved by `i` along an axis (members are cursors).
  template <int Axis>
  WICK_INLINE Group plus(Index i) const noexcept {
    return {first.template plus<Axis>(i), more.template plus<Axis>(i)};
  }
  // f(done..., members...).
  template <class F, class... Done>
  WICK_INLINE auto expand(const F& f, Done... done) const noexcept {
    return more.expand(f, done..., first);
  }
};

WICK_INLINE Group<> group() noexcept { return {}; }
template <class T, class... More>
WICK_INLINE Group<T, More...> group(T first, More... more) noexcept {
  return {first, group(more...)};
}

}  // namespace wick::internal
