// Row programs: the bits of the separate statements, along every axis, with every kind of argument.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

constexpr auto same_kernel = [](auto x) { return x; };
constexpr auto difference_kernel = [](auto x, auto y) { return x - y; };
constexpr auto square_kernel = [](auto x) { return x * x + 1.0f; };
constexpr auto quotient_kernel = [](auto x, auto y) { return x / y; };
constexpr auto affine_kernel = [](auto x, auto scale, auto shift) { return x * scale + shift; };

// d = x - max(x); e = d * d + 1; total = sum(e); out = e / total
constexpr auto normalised_rows = [](auto row, auto out, auto totals, auto x) {
  const auto peak = row.reduce(wick::Maximum{}, same_kernel, x);
  const auto d = row.template keep<float, 0>(difference_kernel, x, peak);
  const auto e = row.template keep<float, 1>(square_kernel, d);
  const auto total = row.reduce(wick::Sum{}, same_kernel, e);
  row.write(out, quotient_kernel, e, total);
  row.write(totals, same_kernel, total);
};

constexpr std::size_t rounded(Index elements, std::size_t size) {
  return (static_cast<std::size_t>(elements) * size + 63) / 64 * 64;
}

// R is the shape of totals, K of the same with the reduced axes kept.
template <class A, class T, class U, class R, class K, Index Row>
void expect_separate_bits() {
  SCOPED_TRACE(::testing::Message() << "rank " << T::kLayout.rank << ", rows of " << Row);
  constexpr std::size_t bytes = 2 * rounded(Row, 4);
  alignas(64) std::byte arena[bytes + 64];
  const Operand<U> x(rough_values<float>);
  Buffer<float> out(T::kElements);
  Buffer<float> totals(R::kElements);
  rows<A>(normalised_rows, workspace<bytes>(arena, 0),
          outs(Out<T>(out.data()), Out<R>(totals.data())), x.in());

  Buffer<float> peak(K::kElements);
  Buffer<float> d(T::kElements);
  Buffer<float> e(T::kElements);
  Buffer<float> total(K::kElements);
  Buffer<float> expected(T::kElements);
  reduce<A>(Out<K>(peak.data()), Maximum{}, terms(same_kernel, x.in()));
  map(Out<T>(d.data()), difference_kernel, x.in(), In<K>(peak.data()));
  map(Out<T>(e.data()), square_kernel, In<T>(d.data()));
  reduce<A>(Out<K>(total.data()), Sum{}, terms(same_kernel, In<T>(e.data())));
  map(Out<T>(expected.data()), quotient_kernel, In<T>(e.data()), In<K>(total.data()));
  for (Index i = 0; i < T::kElements; ++i) EXPECT_TRUE(same(out[i], expected[i])) << i;
  for (Index i = 0; i < K::kElements; ++i) EXPECT_TRUE(same(totals[i], total[i])) << i;
}

TEST(Rows, BitsOfTheSeparateStatements) {
  using M = Tensor<float, 6, 217>;
  expect_separate_bits<Axes<1>, M, M, Tensor<float, 6, 1>, Tensor<float, 6, 1>, 217>();
  expect_separate_bits<Axes<1>, M, M, Tensor<float, 6>, Tensor<float, 6, 1>, 217>();
  expect_separate_bits<Axes<0>, M, M, Tensor<float, 217>, Tensor<float, 1, 217>, 6>();
  expect_separate_bits<Axes<1>, M, Strided<M, 1, 6>, Tensor<float, 6>, Tensor<float, 6, 1>, 217>();
  using C = Tensor<float, 4, 5, 18>;
  expect_separate_bits<Axes<0, 2>, C, C, Tensor<float, 5>, Tensor<float, 1, 5, 1>, 72>();
  expect_separate_bits<Axes<1, 2>, C, C, Tensor<float, 4>, Tensor<float, 4, 1, 1>, 90>();
  expect_separate_bits<Axes<1>, C, C, Tensor<float, 4, 18>, Tensor<float, 4, 1, 18>, 5>();
  expect_separate_bits<Axes<0, 1, 2>, C, C, Tensor<float>, Tensor<float, 1, 1, 1>, 360>();
  using S = Tensor<float, 3, 1>;
  expect_separate_bits<Axes<1>, S, S, Tensor<float, 3>, S, 1>();
  using V = Tensor<float, 10>;
  expect_separate_bits<Axes<0>, V, Strided<V, -1>, Tensor<float>, Tensor<float, 1>, 10>();
}

// Layer norm: per-row scalars, an operand with one element per column, one with one per row.
TEST(Rows, ScalarsAndBroadcastOperands) {
  constexpr auto program = [](auto row, auto out, auto x, auto gain, auto offset) {
    constexpr auto reciprocal = [](auto s) { return 2.0 / s; };
    const auto mean = row.reduce(wick::Mean{}, same_kernel, x);
    const auto scale = row.scalar(reciprocal, mean);
    const auto shift = row.scalar(difference_kernel, mean, offset);
    const auto y = row.template keep<double, 0>(affine_kernel, x, scale, shift);
    constexpr auto product = [](auto a, auto b) { return a * b; };
    row.write(out, product, y, gain);
  };
  using T = Tensor<double, 7, 30>;
  const Operand<T> x(small_values<double>);
  const Operand<Tensor<double, 30>> gain(small_values<double>);
  const Operand<Tensor<double, 7, 1>> offset(small_values<double>);
  alignas(64) std::byte arena[256];
  Buffer<double> out(T::kElements);
  rows<Axes<1>>(program, workspace<256>(arena, 0), outs(Out<T>(out.data())), x.in(), gain.in(),
                offset.in());
  for (Index i = 0; i < 7; ++i) {
    double sum = 0;
    for (Index j = 0; j < 30; ++j) sum += x.at(2, {i, j});
    const double mean = sum / 30;
    for (Index j = 0; j < 30; ++j) {
      const double scaled = x.at(2, {i, j}) * (2.0 / mean);
      const double y = scaled + (mean - offset.at(2, {i, 0}));
      EXPECT_EQ(out[i * 30 + j], y * gain.at(1, {j}));
    }
  }
}

// Results with one element per row and no kept row; a dtype that changes on the way.
TEST(Rows, OneElementPerRow) {
  constexpr auto program = [](auto row, auto count, auto biggest, auto x) {
    constexpr auto positive = [](auto v) { return wick::cast<std::int32_t>(v > 0.0f); };
    row.write(count, same_kernel, row.reduce(wick::Sum{}, positive, x));
    row.write(biggest, same_kernel, row.reduce(wick::Maximum{}, same_kernel, x));
  };
  using T = Tensor<float, 9, 100>;
  const Operand<T> x(small_values<float>);
  Buffer<std::int32_t> count(9);
  Buffer<float> biggest(9);
  rows<Axes<1>>(
      program, kNoWorkspace,
      outs(Out<Tensor<std::int32_t, 9>>(count.data()), Out<Tensor<float, 9, 1>>(biggest.data())),
      x.in());
  for (Index i = 0; i < 9; ++i) {
    std::int32_t expected = 0;
    for (Index j = 0; j < 100; ++j) expected += x.at(2, {i, j}) > 0 ? 1 : 0;
    EXPECT_EQ(count[i], expected);
    EXPECT_EQ(biggest[i], 6.0f);
  }
}

// The same program apart and over its own operand.
template <class A, class T, Index Row>
void expect_bits_in_place() {
  SCOPED_TRACE(::testing::Message() << "rank " << T::kLayout.rank << ", rows of " << Row);
  constexpr auto program = [](auto row, auto out, auto x, auto y) {
    constexpr auto sum = [](auto a, auto b, auto peak) { return (a - peak) * b; };
    const auto peak = row.reduce(wick::Maximum{}, same_kernel, x);
    const auto total = row.reduce(wick::Sum{}, same_kernel, y);
    const auto e = row.template keep<float, 0>(sum, x, y, total);
    row.write(out, sum, x, e, peak);
  };
  constexpr std::size_t bytes = rounded(Row, 4);
  alignas(64) std::byte arena[bytes + 64];
  Buffer<float> x = rough_values<float>(T::kElements);
  const Operand<T> y(small_values<float>);
  Buffer<float> expected(T::kElements);
  rows<A>(program, workspace<bytes>(arena, 0), outs(Out<T>(expected.data())), In<T>(x.data()),
          y.in());
  rows_in_place<A>(program, workspace<bytes>(arena, 0), InOut<T>(x.data()), In<T>(x.data()),
                   y.in());
  for (Index i = 0; i < T::kElements; ++i) EXPECT_TRUE(same(x[i], expected[i])) << i;
}

// Rows that end within a vector, rows shorter than one, rows of pieces, strided rows.
TEST(Rows, InPlaceGivesTheBitsOfApart) {
  expect_bits_in_place<Axes<1>, Tensor<float, 6, 217>, 217>();
  expect_bits_in_place<Axes<1>, Tensor<float, 5, 33>, 33>();
  expect_bits_in_place<Axes<1>, Tensor<float, 9, 3>, 3>();
  expect_bits_in_place<Axes<0>, Tensor<float, 21, 7>, 21>();
  expect_bits_in_place<Axes<0, 2>, Tensor<float, 4, 5, 18>, 72>();
  expect_bits_in_place<Axes<1>, Tensor<float, 3, 1>, 1>();
  expect_bits_in_place<Axes<1>, Tensor<float, 3, 0>, 0>();
}

TEST(Rows, KeepsRowsOfSeveralDtypes) {
  constexpr auto program = [](auto row, auto out, auto x) {
    constexpr auto negative = [](auto v) { return v < 0.0f; };
    constexpr auto twice = [](auto v) { return wick::cast<double>(v) * 2.0; };
    constexpr auto choose = [](auto flag, auto v) { return wick::where(flag, 0.0, v); };
    const auto flag = row.template keep<bool, 0>(negative, x);
    const auto wide = row.template keep<double, 1>(twice, x);
    row.write(out, choose, flag, wide);
  };
  using T = Tensor<float, 3, 21>;
  constexpr std::size_t bytes = rounded(21, 1) + rounded(21, 8);
  alignas(64) std::byte arena[bytes];
  const Operand<T> x(small_values<float>);
  Buffer<double> out(T::kElements);
  rows<Axes<1>>(program, workspace<bytes>(arena, 0), outs(Out<Tensor<double, 3, 21>>(out.data())),
                x.in());
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 21; ++j) {
      const double v = static_cast<double>(x.at(2, {i, j}));
      EXPECT_EQ(out[i * 21 + j], v < 0 ? 0.0 : 2 * v);
    }
  }
}

TEST(Rows, EmptyRowsAndNoRows) {
  constexpr auto program = [](auto row, auto out, auto total, auto x) {
    const auto kept = row.template keep<float, 0>(square_kernel, x);
    row.write(out, same_kernel, kept);
    row.write(total, same_kernel, row.reduce(wick::Sum{}, same_kernel, kept));
  };
  const float* none = nullptr;
  float* nowhere = nullptr;
  Buffer<float> total(3);
  using Empty = Tensor<float, 3, 0>;
  rows<Axes<1>>(program, kNoWorkspace,
                outs(Out<Empty>(nowhere), Out<Tensor<float, 3>>(total.data())), In<Empty>(none));
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(total[i], 0.0f);
  using NoRows = Tensor<float, 0, 16>;
  alignas(64) std::byte arena[64];
  rows<Axes<1>>(program, workspace<64>(arena, 0),
                outs(Out<NoRows>(nowhere), Out<Tensor<float, 0, 1>>(nowhere)), In<NoRows>(none));
}

}  // namespace
}  // namespace wick::test
