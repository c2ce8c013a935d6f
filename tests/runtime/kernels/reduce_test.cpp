// Reductions over sets of axes, dtypes and layouts; the documented order of accumulation; scan and
// arg_reduce.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

constexpr auto same_kernel = [](auto x) { return x; };
constexpr auto product_kernel = [](auto a, auto b) { return a * b; };
constexpr auto sum_kernel = [](auto a, auto b) { return a + b; };

template <int... A>
constexpr bool is_reduced(Axes<A...>, int axis) {
  return ((A == axis) || ...);
}

// f(place of a result, its terms in row-major order of the reduced axes) for each result of
// reducing `shape` along A; reduced axes of the place are 0.
template <class A, class E, class At, class F>
void each_result(const Layout& shape, const At& at, const F& f) {
  Layout kept = shape;
  Layout reduced = shape;
  for (int axis = 0; axis < shape.rank; ++axis) {
    (is_reduced(A{}, axis) ? kept : reduced).extents[axis] = 1;
  }
  each_place(kept, [&](const Place& outer) {
    std::vector<E> terms;
    each_place(reduced, [&](const Place& inner) {
      Place place = outer;
      for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] += inner[axis];
      terms.push_back(at(place));
    });
    f(outer, terms);
  });
}

template <class R, class E>
E expected_reduction(const std::vector<E>& terms) {
  if constexpr (std::is_same_v<R, Sum>) {
    E sum{0};
    for (const E x : terms) sum = static_cast<E>(sum + x);
    return sum;
  } else if constexpr (std::is_same_v<R, Product>) {
    E product{1};
    for (const E x : terms) product = static_cast<E>(product * x);
    return product;
  } else if constexpr (std::is_same_v<R, SumOfSquares>) {
    E sum{0};
    for (const E x : terms) sum = static_cast<E>(sum + x * x);
    return sum;
  } else if constexpr (std::is_same_v<R, Mean>) {
    double sum = 0;
    for (const E x : terms) sum += static_cast<double>(x);
    return static_cast<E>(sum / static_cast<double>(terms.size()));
  } else {
    using Limits = std::numeric_limits<E>;
    constexpr bool maximum = std::is_same_v<R, Maximum>;
    E best = maximum ? (Limits::has_infinity ? -Limits::infinity() : Limits::lowest())
                     : (Limits::has_infinity ? Limits::infinity() : Limits::max());
    for (const E x : terms) best = (maximum ? x > best : x < best) ? x : best;
    return best;
  }
}

// Reduces small whole numbers, for which every order of accumulation is exact.
template <class R, class A, class T, class U>
void expect_reduction() {
  using E = typename U::Element;
  SCOPED_TRACE(::testing::Message() << "rank " << U::kLayout.rank << ", " << U::kElements
                                    << " elements of " << sizeof(E) << " bytes");
  const Operand<U> in(small_values<E>);
  Buffer<E> result(T::kElements);
  reduce<A>(Out<T>(result.data()), R{}, terms(same_kernel, in.in()));
  Index i = 0;
  each_result<A, E>(
      U::kLayout, [&](const Place& place) { return in.at(U::kLayout.rank, place); },
      [&](const Place&, const std::vector<E>& values) {
        const E expected = expected_reduction<R>(values);
        if constexpr (std::is_same_v<R, Product> && std::is_floating_point_v<E>) {
          EXPECT_NEAR(result[i], expected, 1e-5 * std::abs(static_cast<double>(expected)));
        } else {
          EXPECT_TRUE(same(result[i], expected)) << result[i] << " instead of " << expected;
        }
        ++i;
      });
  EXPECT_EQ(i, T::kElements);
}

template <class R, class E>
void expect_reductions() {
  expect_reduction<R, Axes<>, Tensor<E>, Tensor<E>>();
  expect_reduction<R, Axes<>, Tensor<E, 3, 5>, Tensor<E, 3, 5>>();
  expect_reduction<R, Axes<0>, Tensor<E>, Tensor<E, 1>>();
  expect_reduction<R, Axes<0>, Tensor<E>, Tensor<E, 77>>();
  expect_reduction<R, Axes<0>, Tensor<E, 1>, Strided<Tensor<E, 200>, -3>>();
  expect_reduction<R, Axes<1>, Tensor<E, 5>, Tensor<E, 5, 150>>();
  expect_reduction<R, Axes<1>, Tensor<E, 5, 1>, Strided<Tensor<E, 5, 67>, 1, 5>>();
  expect_reduction<R, Axes<0>, Tensor<E, 37>, Tensor<E, 70, 37>>();
  expect_reduction<R, Axes<0>, Tensor<E, 1, 3>, Tensor<E, 9, 3>>();
  expect_reduction<R, Axes<1>, Tensor<E, 4, 19>, Tensor<E, 4, 33, 19>>();
  expect_reduction<R, Axes<0, 2>, Tensor<E, 21>, Tensor<E, 4, 21, 6>>();
  expect_reduction<R, Axes<0, 2>, Tensor<E, 1, 3, 1>, Tensor<E, 5, 3, 70>>();
  expect_reduction<R, Axes<1, 3>, Tensor<E, 2, 1, 4, 1>,
                   Strided<Tensor<E, 2, 3, 4, 5>, 1, 2, 6, 24>>();
  expect_reduction<R, Axes<0, 1, 2, 4, 5, 7>, Tensor<E, 3, 2>, Tensor<E, 2, 1, 2, 3, 2, 2, 2, 3>>();
  expect_reduction<R, Axes<0>, Tensor<E, 6>, Strided<Tensor<E, 40, 6>, 0, 1>>();
  expect_reduction<R, Axes<1>, Tensor<E, 0>, Tensor<E, 0, 4>>();
}

TEST(Reduce, SumOfEveryDtype) {
  expect_reductions<Sum, float>();
  expect_reductions<Sum, double>();
  expect_reductions<Sum, std::int8_t>();
  expect_reductions<Sum, std::uint8_t>();
  expect_reductions<Sum, std::int32_t>();
  expect_reductions<Sum, std::int64_t>();
}
TEST(Reduce, SumOfSquares) {
  expect_reductions<SumOfSquares, float>();
  expect_reductions<SumOfSquares, std::int64_t>();
}
TEST(Reduce, MeanOfFloatingPoint) {
  expect_reduction<Mean, Axes<1>, Tensor<float, 5>, Tensor<float, 5, 150>>();
  expect_reduction<Mean, Axes<0>, Tensor<double, 37>, Tensor<double, 70, 37>>();
  expect_reduction<Mean, Axes<>, Tensor<double, 7>, Tensor<double, 7>>();
}
TEST(Reduce, Extremes) {
  expect_reductions<Maximum, float>();
  expect_reductions<Minimum, double>();
  expect_reductions<Maximum, std::int8_t>();
  expect_reductions<Minimum, std::uint8_t>();
  expect_reductions<Minimum, std::int64_t>();
}
TEST(Reduce, ProductWraps) {
  expect_reduction<Product, Axes<1>, Tensor<std::int32_t, 5>, Tensor<std::int32_t, 5, 41>>();
  expect_reduction<Product, Axes<0>, Tensor<double, 9>, Tensor<double, 5, 9>>();
}

TEST(Reduce, AllAndAny) {
  using T = Tensor<bool, 3, 90>;
  Buffer<bool> in(T::kElements);
  for (Index i = 0; i < T::kElements; ++i) in[i] = i < 90 || i == 200;
  Buffer<bool> all(3);
  Buffer<bool> any(3);
  reduce<Axes<1>>(Out<Tensor<bool, 3>>(all.data()), All{}, terms(same_kernel, In<T>(in.data())));
  reduce<Axes<1>>(Out<Tensor<bool, 3>>(any.data()), Any{}, terms(same_kernel, In<T>(in.data())));
  EXPECT_TRUE(all[0]);
  EXPECT_FALSE(all[1]);
  EXPECT_FALSE(all[2]);
  EXPECT_TRUE(any[0]);
  EXPECT_FALSE(any[1]);
  EXPECT_TRUE(any[2]);
}

template <class R, class E>
E over_nothing() {
  E result = small_value<E>(1);
  const E* none = nullptr;
  reduce<Axes<0>>(Out<Tensor<E>>(&result), R{}, terms(same_kernel, In<Tensor<E, 0>>(none)));
  return result;
}

TEST(Reduce, OverNothingGivesTheIdentity) {
  EXPECT_EQ((over_nothing<Sum, float>()), 0.0f);
  EXPECT_EQ((over_nothing<Product, std::int32_t>()), 1);
  EXPECT_EQ((over_nothing<Maximum, float>()), -std::numeric_limits<float>::infinity());
  EXPECT_EQ((over_nothing<Minimum, double>()), std::numeric_limits<double>::infinity());
  EXPECT_EQ((over_nothing<Maximum, std::int8_t>()), -128);
  EXPECT_EQ((over_nothing<Minimum, std::uint8_t>()), 255);
  EXPECT_TRUE((over_nothing<All, bool>()));
  EXPECT_FALSE((over_nothing<Any, bool>()));
  EXPECT_TRUE(std::isnan(over_nothing<Mean, float>()));
}

TEST(Reduce, ColumnsOverNothing) {
  Buffer<float> result(20);
  const float* none = nullptr;
  reduce<Axes<0>>(Out<Tensor<float, 20>>(result.data()), Sum{},
                  terms(same_kernel, In<Tensor<float, 0, 20>>(none)));
  for (Index i = 0; i < 20; ++i) EXPECT_EQ(result[i], 0.0f);
}

TEST(Reduce, ExtremesPropagateNaN) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Index at : {0, 15, 63, 64, 98}) {
    Buffer<float> in = small_values<float>(99);
    in[at] = nan;
    float greatest = 0;
    float least = 0;
    using T = Tensor<float, 99>;
    reduce<Axes<0>>(Out<Tensor<float>>(&greatest), Maximum{}, terms(same_kernel, In<T>(in.data())));
    reduce<Axes<0>>(Out<Tensor<float>>(&least), Minimum{}, terms(same_kernel, In<T>(in.data())));
    EXPECT_TRUE(std::isnan(greatest)) << "NaN at " << at;
    EXPECT_TRUE(std::isnan(least)) << "NaN at " << at;
  }
}

// ---- The order of accumulation -------------------------------------------------------------

// Sums of rounding terms along A, whatever the layout U, equal the documented order bit for bit.
template <class A, class T, class U>
void expect_documented_order() {
  using E = typename U::Element;
  SCOPED_TRACE(::testing::Message() << "rank " << U::kLayout.rank << ", " << U::kElements
                                    << " elements of " << sizeof(E) << " bytes");
  const Operand<U> in(rough_values<E>);
  Buffer<E> sum(T::kElements);
  Buffer<E> squares(T::kElements);
  reduce<A>(Out<T>(sum.data()), Sum{}, terms(same_kernel, in.in()));
  reduce<A>(Out<T>(squares.data()), SumOfSquares{}, terms(same_kernel, in.in()));
  Index i = 0;
  each_result<A, E>(
      U::kLayout, [&](const Place& place) { return in.at(U::kLayout.rank, place); },
      [&](const Place&, const std::vector<E>& x) {
        const auto count = static_cast<Index>(x.size());
        const auto at = [&x](Index k) { return x[static_cast<std::size_t>(k)]; };
        EXPECT_TRUE(same(sum[i], sum_by_halves<E>(count, [&](E s, Index k) { return s + at(k); })));
        EXPECT_TRUE(same(squares[i], sum_by_halves<E>(count, [&](E s, Index k) {
                           const E square = at(k) * at(k);
                           return s + square;
                         })));
        ++i;
      });
}

template <class E>
void expect_documented_orders() {
  expect_documented_order<Axes<0>, Tensor<E>, Tensor<E, 1000>>();
  expect_documented_order<Axes<1>, Tensor<E, 4>, Tensor<E, 4, 217>>();
  expect_documented_order<Axes<1>, Tensor<E, 4>, Strided<Tensor<E, 4, 217>, 1, 4>>();
  expect_documented_order<Axes<0>, Tensor<E, 37>, Tensor<E, 217, 37>>();
  expect_documented_order<Axes<0>, Tensor<E, 5>, Tensor<E, 3, 5>>();
  expect_documented_order<Axes<1>, Tensor<E, 2, 130>, Tensor<E, 2, 217, 130>>();
  expect_documented_order<Axes<0>, Tensor<E, 70>, Tensor<E, 21, 70>>();
  expect_documented_order<Axes<0, 2>, Tensor<E, 21>, Tensor<E, 9, 21, 30>>();
  expect_documented_order<Axes<0, 1>, Tensor<E, 18>, Strided<Tensor<E, 9, 31, 18>, 18, 162, 1>>();
  expect_documented_order<Axes<1>, Tensor<E, 5>, Tensor<E, 5, 40>>();
}

// Columns taken in every way: neighbouring rows as one, all of them or some, with rows left over;
// four rows of an accumulator at once, or two, and more; few rows; rows apart from each other; the
// last accumulator in registers (487 columns).
template <class E>
void expect_documented_orders_of_columns() {
  expect_documented_order<Axes<0>, Tensor<E, 3>, Tensor<E, 1000, 3>>();
  expect_documented_order<Axes<0>, Tensor<E, 1, 1>, Strided<Tensor<E, 901, 1>, 2, 1>>();
  expect_documented_order<Axes<0>, Tensor<E, 10>, Tensor<E, 64, 10>>();
  expect_documented_order<Axes<0>, Tensor<E, 100>, Tensor<E, 530, 100>>();
  expect_documented_order<Axes<0>, Tensor<E, 83>, Tensor<E, 13, 83>>();
  expect_documented_order<Axes<0>, Tensor<E, 259>, Tensor<E, 131, 259>>();
  expect_documented_order<Axes<0>, Tensor<E, 520>, Tensor<E, 385, 520>>();
  expect_documented_order<Axes<0>, Tensor<E, 487>, Tensor<E, 131, 487>>();
  expect_documented_order<Axes<0>, Tensor<E, 2, 9>, Strided<Tensor<E, 389, 2, 9>, 20, 9, 1>>();
  expect_documented_order<Axes<1>, Tensor<E, 2, 7>, Strided<Tensor<E, 2, 400, 7>, 4000, 8, 1>>();
}

TEST(ReduceOrder, SixtyFourAccumulatorsOfF32) { expect_documented_orders<float>(); }
TEST(ReduceOrder, ThirtyTwoAccumulatorsOfF64) { expect_documented_orders<double>(); }
TEST(ReduceOrder, ColumnsOfF32) { expect_documented_orders_of_columns<float>(); }
TEST(ReduceOrder, ColumnsOfF64) { expect_documented_orders_of_columns<double>(); }

// ---- Terms and results ---------------------------------------------------------------------

// sum(a * b) + c over an axis, a and b broadcast against each other.
TEST(Reduce, TermsAndResultsBroadcast) {
  using A = Tensor<double, 6, 1, 40>;
  using B = Tensor<double, 5, 40>;
  using C = Tensor<double, 6, 1>;
  using T = Tensor<double, 6, 5>;
  const Operand<A> a(small_values<double>);
  const Operand<B> b(small_values<double>);
  const Operand<C> c(small_values<double>);
  Buffer<double> result(T::kElements);
  reduce<Axes<2>>(Out<T>(result.data()), Sum{}, terms(product_kernel, a.in(), b.in()),
                  results(sum_kernel, c.in()));
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 5; ++j) {
      double expected = c.at(2, {i, j});
      for (Index k = 0; k < 40; ++k) expected += a.at(3, {i, j, k}) * b.at(3, {i, j, k});
      EXPECT_EQ(result[i * 5 + j], expected);
    }
  }
}

// The results' kernel may change the dtype, along rows and along columns.
TEST(Reduce, ResultsChangeTheElementType) {
  constexpr auto positive = [](auto sum) { return sum > 0.0f; };
  using U = Tensor<float, 30, 30>;
  const Operand<U> in(small_values<float>);
  Buffer<bool> rows(30);
  Buffer<bool> columns(30);
  reduce<Axes<1>>(Out<Tensor<bool, 30>>(rows.data()), Sum{}, terms(same_kernel, in.in()),
                  results(positive));
  reduce<Axes<0>>(Out<Tensor<bool, 30>>(columns.data()), Sum{}, terms(same_kernel, in.in()),
                  results(positive));
  for (Index i = 0; i < 30; ++i) {
    float row = 0;
    float column = 0;
    for (Index j = 0; j < 30; ++j) {
      row += in.at(2, {i, j});
      column += in.at(2, {j, i});
    }
    EXPECT_EQ(rows[i], row > 0);
    EXPECT_EQ(columns[i], column > 0);
  }
}

template <class A, class T, class U>
void expect_reduce_in_place() {
  const Operand<U> in(rough_values<float>);
  Buffer<float> shared = small_values<float>(T::kElements);
  Buffer<float> apart(T::kElements);
  const InOut<T> inout(shared.data());
  reduce<A>(Out<T>(apart.data()), Sum{}, terms(same_kernel, in.in()),
            results(sum_kernel, In<T>(shared.data())));
  reduce_in_place<A>(inout, Sum{}, terms(same_kernel, in.in()), results(sum_kernel, inout));
  for (Index i = 0; i < T::kElements; ++i) EXPECT_TRUE(same(shared[i], apart[i])) << i;
}

TEST(ReduceInPlace, EqualsReduce) {
  expect_reduce_in_place<Axes<1>, Tensor<float, 37>, Tensor<float, 37, 20>>();
  expect_reduce_in_place<Axes<0>, Tensor<float, 299>, Tensor<float, 20, 299>>();
  expect_reduce_in_place<Axes<0>, Tensor<float, 1, 7>, Tensor<float, 200, 7>>();
  expect_reduce_in_place<Axes<1>, Tensor<float, 3, 1, 18>, Tensor<float, 3, 70, 18>>();
}

// ---- Indices of extremes, running sums -----------------------------------------------------

template <class A, class T, class U>
void expect_arg_reduce() {
  using E = typename U::Element;
  const Operand<U> in(small_values<E>);
  Buffer<std::int64_t> greatest(T::kElements);
  Buffer<std::int64_t> least(T::kElements);
  arg_reduce<A>(Out<T>(greatest.data()), ArgMaximum{}, in.in());
  arg_reduce<A>(Out<T>(least.data()), ArgMinimum{}, in.in());
  Index i = 0;
  each_result<A, E>(
      U::kLayout, [&](const Place& place) { return in.at(U::kLayout.rank, place); },
      [&](const Place&, const std::vector<E>& x) {
        std::size_t first_greatest = 0;
        std::size_t first_least = 0;
        for (std::size_t k = 1; k < x.size(); ++k) {
          if (x[k] > x[first_greatest]) first_greatest = k;
          if (x[k] < x[first_least]) first_least = k;
        }
        EXPECT_EQ(greatest[i], static_cast<std::int64_t>(first_greatest));
        EXPECT_EQ(least[i], static_cast<std::int64_t>(first_least));
        ++i;
      });
}

TEST(ArgReduce, FirstOfEquals) {
  using I = std::int64_t;
  expect_arg_reduce<Axes<0>, Tensor<I>, Tensor<float, 50>>();
  expect_arg_reduce<Axes<1>, Tensor<I, 6>, Tensor<double, 6, 40>>();
  expect_arg_reduce<Axes<0>, Tensor<I, 1, 7>, Tensor<std::int8_t, 20, 7>>();
  expect_arg_reduce<Axes<0, 2>, Tensor<I, 5>, Tensor<std::uint8_t, 4, 5, 6>>();
  expect_arg_reduce<Axes<1>, Tensor<I, 3, 1>, Strided<Tensor<std::int64_t, 3, 9>, 1, -3>>();
  expect_arg_reduce<Axes<1>, Tensor<I, 3>, Tensor<bool, 3, 9>>();
  expect_arg_reduce<Axes<1>, Tensor<I, 3>, Tensor<float, 3, 301>>();
  expect_arg_reduce<Axes<1>, Tensor<I, 3>, Tensor<std::uint8_t, 3, 200>>();
  expect_arg_reduce<Axes<0>, Tensor<I, 90>, Tensor<float, 33, 90>>();
  expect_arg_reduce<Axes<0>, Tensor<I, 7>, Tensor<double, 20, 7>>();
  expect_arg_reduce<Axes<1>, Tensor<I, 2, 150>, Tensor<std::int8_t, 2, 40, 150>>();
  expect_arg_reduce<Axes<0, 1>, Tensor<I, 20>,
                    Strided<Tensor<std::int32_t, 3, 5, 20>, 20, 80, 1>>();
}

// Nothing but -inf, and a NaN after it, in a row and in a column.
TEST(ArgReduce, OfInfinities) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Buffer<float> in(200);
  for (Index i = 0; i < 200; ++i) in[i] = i < 100 ? -infinity : infinity;
  in[150] = std::numeric_limits<float>::quiet_NaN();
  Buffer<std::int64_t> rows(2);
  arg_reduce<Axes<1>>(Out<Tensor<std::int64_t, 2>>(rows.data()), ArgMaximum{},
                      In<Tensor<float, 2, 100>>(in.data()));
  EXPECT_EQ(rows[0], 0);
  EXPECT_EQ(rows[1], 50);
  Buffer<std::int64_t> columns(100);
  arg_reduce<Axes<0>>(Out<Tensor<std::int64_t, 100>>(columns.data()), ArgMinimum{},
                      In<Tensor<float, 2, 100>>(in.data()));
  for (Index i = 0; i < 100; ++i) EXPECT_EQ(columns[i], i == 50 ? 1 : 0);
}

TEST(ArgReduce, FirstNaNWins) {
  Buffer<float> in = small_values<float>(30);
  in[11] = std::numeric_limits<float>::quiet_NaN();
  in[20] = std::numeric_limits<float>::quiet_NaN();
  std::int64_t greatest = -1;
  std::int64_t least = -1;
  arg_reduce<Axes<0>>(Out<Tensor<std::int64_t>>(&greatest), ArgMaximum{},
                      In<Tensor<float, 30>>(in.data()));
  arg_reduce<Axes<0>>(Out<Tensor<std::int64_t>>(&least), ArgMinimum{},
                      In<Tensor<float, 30>>(in.data()));
  EXPECT_EQ(greatest, 11);
  EXPECT_EQ(least, 11);
  Buffer<std::int64_t> columns(2);
  arg_reduce<Axes<0>>(Out<Tensor<std::int64_t, 2>>(columns.data()), ArgMaximum{},
                      In<Tensor<float, 15, 2>>(in.data()));
  EXPECT_EQ(columns[0], 10);  // in[20]
  EXPECT_EQ(columns[1], 5);   // in[11]
}

template <int A, class T, class U>
void expect_scan() {
  using E = typename T::Element;
  const Operand<U> in(rough_values<E>);
  Buffer<E> result(T::kElements);
  scan<A>(Out<T>(result.data()), Sum{}, in.in());
  each_place(T::kLayout, [&](const Place& place) {
    Place at = place;
    at[A] = 0;
    E expected = in.at(T::kLayout.rank, at);
    while (at[A] < place[A]) {
      ++at[A];
      expected = static_cast<E>(expected + in.at(T::kLayout.rank, at));
    }
    EXPECT_TRUE(same(result[offset_at(T::kLayout, T::kLayout.rank, place)], expected));
  });
}

TEST(Scan, AddsInOrder) {
  expect_scan<0, Tensor<float, 50>, Tensor<float, 50>>();
  expect_scan<1, Tensor<float, 4, 50>, Tensor<float, 4, 50>>();
  expect_scan<0, Tensor<double, 30, 21>, Tensor<double, 30, 21>>();
  expect_scan<1, Tensor<float, 3, 9, 18>, Strided<Tensor<float, 3, 9, 18>, 1, 3, 27>>();
  expect_scan<1, Tensor<std::int8_t, 3, 90>, Tensor<std::int8_t, 3, 90>>();
  expect_scan<0, Tensor<float, 0, 3>, Tensor<float, 0, 3>>();
}

}  // namespace
}  // namespace wick::test
