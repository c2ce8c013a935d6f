// Services for the reference evaluation of records.
//
// Floating point is computed in a wider type (f32 in double, f64 in long double) and rounded once,
// or in its own type where a single operation is correctly rounded or merely selects. Integers are
// computed as std::int64_t whose arithmetic wraps, and cut to the dtype: the low bits are right
// whatever the width. All operands are packed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "compiler/ops/record.h"

namespace wick::compiler::ops {

// ---- Element types ------------------------------------------------------------------------------

// What values of E are computed in, to be rounded once afterwards.
template <class E>
using Wide =
    std::conditional_t<std::is_same_v<E, float>, double,
                       std::conditional_t<std::is_same_v<E, double>, long double, std::int64_t>>;

// What values of E are computed in where the operation itself rounds correctly.
template <class E>
using Exact = std::conditional_t<std::is_floating_point_v<E>, E, std::int64_t>;

// A computed value as an element: rounded to nearest even, integers cut to their width.
template <class E, class W>
E element(W value) {
  if constexpr (std::is_same_v<E, bool>) {
    return value != W{0};
  } else {
    return static_cast<E>(value);
  }
}

// The operation `cast`: floating point to integer truncates and saturates, NaN becomes 0; integers
// wrap; to bool, whatever is not 0 (NaN too) is true.
template <class To, class From>
To converted(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // The limits as powers of two are exact in every floating-point type.
    constexpr int bits = std::numeric_limits<To>::digits;
    const From beyond = std::ldexp(From{1}, bits);
    if (value != value) return To{0};
    if (value >= beyond) return std::numeric_limits<To>::max();
    if constexpr (std::is_signed_v<To>) {
      if (value < -beyond) return std::numeric_limits<To>::min();
    } else {
      if (value <= From{0}) return To{0};
    }
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

// A number of the graph, in a record's attribute or written by a composite, as an element: rounded
// once, or converted as `cast` does.
HostTensor scalar_of(double value, DType dtype);

template <class F>
void dispatch_float(DType dtype, F&& f) {
  if (dtype == DType::kF32) return f(float{});
  check(dtype == DType::kF64, "expected a floating-point dtype");
  f(double{});
}

template <class F>
void dispatch_number(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kI8:
      return f(std::int8_t{});
    case DType::kU8:
      return f(std::uint8_t{});
    case DType::kI32:
      return f(std::int32_t{});
    case DType::kI64:
      return f(std::int64_t{});
    default:
      dispatch_float(dtype, f);
  }
}

// ---- Wrapping integers --------------------------------------------------------------------------

inline std::int64_t wrapped(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
inline std::uint64_t bits_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// Overloads for both kinds of value, so that one lambda serves all dtypes.
template <class W>
W plus(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    return wrapped(bits_of(a) + bits_of(b));
  } else {
    return a + b;
  }
}
template <class W>
W minus(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    return wrapped(bits_of(a) - bits_of(b));
  } else {
    return a - b;
  }
}
template <class W>
W times(W a, W b) {
  if constexpr (std::is_integral_v<W>) {
    return wrapped(bits_of(a) * bits_of(b));
  } else {
    return a * b;
  }
}

// The larger and the smaller; NaN if either is; of two zeros the positive is the larger.
template <class W>
W larger(W a, W b) {
  if constexpr (std::is_floating_point_v<W>) {
    if (a != a || b != b) return a + b;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}
template <class W>
W smaller(W a, W b) {
  if constexpr (std::is_floating_point_v<W>) {
    if (a != a || b != b) return a + b;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

// ---- Walking ------------------------------------------------------------------------------------

// Steps through the elements of a shape in row-major order and gives, for each of N layouts of
// that shape, where the element lies. Start to end costs O(1) amortised per element.
template <std::size_t N>
class Walk {
 public:
  Walk(const Shape& shape, const std::array<Layout, N>& layouts) : shape_(shape) {
    for (std::size_t k = 0; k < N; ++k) {
      offsets_[k] = layouts[k].offset();
      std::ranges::copy(layouts[k].strides(), strides_[k].begin());
    }
  }

  std::int64_t offset(std::size_t operand) const { return offsets_[operand]; }

  void next() {
    for (std::size_t axis = shape_.rank(); axis-- > 0;) {
      if (++index_[axis] < shape_[axis]) {
        for (std::size_t k = 0; k < N; ++k) offsets_[k] += strides_[k][axis];
        return;
      }
      index_[axis] = 0;
      for (std::size_t k = 0; k < N; ++k) offsets_[k] -= (shape_[axis] - 1) * strides_[k][axis];
    }
  }

 private:
  Shape shape_;
  std::array<std::int64_t, kMaxRank> index_{};
  std::array<std::int64_t, N> offsets_{};
  std::array<std::array<std::int64_t, kMaxRank>, N> strides_{};
};

// Calls f(offset) for every element of the layout, in row-major order.
template <class F>
void for_each_offset(const Layout& layout, F f) {
  const std::int64_t count = layout.shape().element_count();
  Walk<1> walk(layout.shape(), {layout});
  for (std::int64_t i = 0; i < count; ++i, walk.next()) f(walk.offset(0));
}

// A packed tensor's layout with the given axes (sorted) only, and with all but those: walking the
// first from each offset of the second visits every element once.
Layout along_axes(const Shape& shape, std::span<const std::int64_t> axes);
Layout across_axes(const Shape& shape, std::span<const std::int64_t> axes);

// An empty result tensor of the I-th type.
HostTensor make_result(const Evaluation& evaluation, std::size_t index = 0);

// Bytes of the operand at the offsets of `layout`, in row-major order, as the only result: how
// every operation that only moves elements is evaluated.
void evaluate_move(Evaluation& evaluation, std::size_t operand, const Layout& layout);

// ---- Elementwise --------------------------------------------------------------------------------

// Result element i is f(operand elements at broadcast index i…), N operands of dtype E.
template <class E, class R, std::size_t N, class F>
void map_elements(Evaluation& evaluation, F f) {
  const Shape& shape = evaluation.types[0].shape();
  std::array<Layout, N> layouts;
  for (std::size_t k = 0; k < N; ++k) {
    layouts[k] = broadcast_layout(Layout(evaluation.operands[k].shape()), shape);
  }
  HostTensor result = make_result(evaluation);
  Walk<N> walk(shape, layouts);
  const std::int64_t count = shape.element_count();
  for (std::int64_t i = 0; i < count; ++i, walk.next()) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      result.set<R>(i, f(evaluation.operands[K].template at<E>(walk.offset(K))...));
    }(std::make_index_sequence<N>());
  }
  evaluation.results.push_back(std::move(result));
}

// The evaluate function of an operation on N operands of one floating-point dtype, computed wide.
template <std::size_t N, auto F>
void evaluate_wide(Evaluation& evaluation) {
  dispatch_float(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    map_elements<E, E, N>(evaluation,
                          [](auto... x) { return element<E>(F(static_cast<Wide<E>>(x)...)); });
  });
}

// … of any number dtype, each element by correctly rounded or wrapping operations.
template <std::size_t N, auto F>
void evaluate_exact(Evaluation& evaluation) {
  dispatch_number(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    map_elements<E, E, N>(evaluation,
                          [](auto... x) { return element<E>(F(static_cast<Exact<E>>(x)...)); });
  });
}

// … of any dtype, giving bool.
template <std::size_t N, auto F>
void evaluate_predicate(Evaluation& evaluation) {
  dispatch(evaluation.operands[0].dtype(), [&](auto zero) {
    using E = decltype(zero);
    map_elements<E, bool, N>(evaluation, [](auto... x) { return F(static_cast<Exact<E>>(x)...); });
  });
}

// Of one operand and the attribute `name`, which becomes an element first. Floating point only.
template <auto F>
void evaluate_with_number(Evaluation& evaluation, std::string_view name) {
  const double number = evaluation.attributes.number(name);
  dispatch_float(evaluation.types[0].dtype, [&](auto zero) {
    using E = decltype(zero);
    const auto parameter = static_cast<Wide<E>>(static_cast<E>(number));
    map_elements<E, E, 1>(evaluation,
                          [&](E x) { return element<E>(F(static_cast<Wide<E>>(x), parameter)); });
  });
}

}  // namespace wick::compiler::ops
