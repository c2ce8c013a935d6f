// Matrix products: NumPy's shapes, every layout of the factors, dtypes, epilogues, and the
// documented order of accumulation, bit for bit.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

constexpr auto add_kernel = [](auto product, auto b) { return product + b; };

template <class E>
E add_product(E a, E b, E sum) {
  if constexpr (std::is_floating_point_v<E>) return std::fma(a, b, sum);
  return static_cast<E>(a * b + sum);
}

// Element (row, column) of a product: in order of k, or as a reduction if there is one column.
template <class E, class A, class B>
E expected_product(Index k, bool one_column, const A& a, const B& b) {
  if constexpr (std::is_floating_point_v<E>) {
    if (one_column) {
      return sum_by_halves<E>(k, [&](E sum, Index i) { return add_product(a(i), b(i), sum); });
    }
  }
  E sum{0};
  for (Index i = 0; i < k; ++i) sum = add_product(a(i), b(i), sum);
  return sum;
}

// One product [m, k] @ [k, n] of factors with layouts A and B, with and without an epilogue.
template <class T, class A, class B>
void expect_product() {
  using E = typename T::Element;
  constexpr Index m = T::kLayout.extents[0];
  constexpr Index n = T::kLayout.extents[1];
  constexpr Index k = A::kLayout.extents[1];
  SCOPED_TRACE(::testing::Message() << m << " x " << k << " x " << n << ", strides "
                                    << A::kLayout.strides[0] << " " << A::kLayout.strides[1] << ", "
                                    << B::kLayout.strides[0] << " " << B::kLayout.strides[1]);
  const Operand<A> a(rough_values<E>);
  const Operand<B> b(rough_values<E>);
  const Operand<Tensor<E, n>> bias(rough_values<E>);
  Buffer<E> plain(T::kElements);
  Buffer<E> biased(T::kElements);
  Buffer<E> shared = small_values<E>(T::kElements);
  const Buffer<E> before(shared);
  matmul(Out<T>(plain.data()), a.in(), b.in());
  matmul(Out<T>(biased.data()), a.in(), b.in(), add_kernel, bias.in());
  const InOut<T> inout(shared.data());
  matmul_in_place(inout, a.in(), b.in(), add_kernel, inout);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const E product = expected_product<E>(
          k, n == 1, [&](Index at) { return a.at(2, {i, at}); },
          [&](Index at) { return b.at(2, {at, j}); });
      const Index at = i * n + j;
      ASSERT_TRUE(same(plain[at], product)) << i << ", " << j;
      ASSERT_TRUE(same(biased[at], static_cast<E>(product + bias.at(1, {j})))) << i << ", " << j;
      ASSERT_TRUE(same(shared[at], static_cast<E>(product + before[at]))) << i << ", " << j;
    }
  }
}

template <class E, Index M, Index K, Index N>
void expect_every_layout() {
  using T = Tensor<E, M, N>;
  using A = Tensor<E, M, K>;
  using B = Tensor<E, K, N>;
  expect_product<T, A, B>();
  expect_product<T, Strided<A, 1, M>, B>();
  expect_product<T, A, Strided<B, 1, K>>();
  expect_product<T, Strided<A, -K, -1>, Strided<B, -2, 2 * K>>();
}

TEST(Matmul, TilesAndEdgesOfF32) {
  expect_every_layout<float, 1, 33, 47>();
  expect_every_layout<float, 8, 20, 32>();
  expect_every_layout<float, 13, 129, 10>();
  expect_every_layout<float, 40, 65, 33>();
  expect_every_layout<float, 3, 9, 2>();
}
TEST(Matmul, TilesAndEdgesOfF64) {
  expect_every_layout<double, 21, 40, 19>();
  expect_every_layout<double, 5, 7, 64>();
}
TEST(Matmul, IntegersWrap) {
  expect_every_layout<std::int8_t, 20, 12, 70>();
  expect_every_layout<std::int32_t, 9, 12, 35>();
  expect_every_layout<std::int64_t, 9, 3, 5>();
}
TEST(Matmul, OneColumnIsADotProduct) {
  expect_every_layout<float, 1, 300, 1>();
  expect_every_layout<float, 37, 150, 1>();
  expect_every_layout<double, 19, 77, 1>();
  expect_every_layout<std::int32_t, 5, 9, 1>();
}
TEST(Matmul, BroadcastFactors) {
  expect_product<Tensor<float, 9, 20>, Strided<Tensor<float, 9, 11>, 0, 1>,
                 Strided<Tensor<float, 11, 20>, 1, 0>>();
  expect_product<Tensor<float, 40, 20>, Strided<Tensor<float, 40, 11>, 1, 0>,
                 Strided<Tensor<float, 11, 20>, 0, 0>>();
}
// Every second column: more of them at a time than a vector holds.
TEST(Matmul, ColumnsThatLieApart) {
  expect_product<Tensor<float, 1, 64>, Tensor<float, 1, 9>,
                 Strided<Tensor<float, 9, 64>, 128, 2>>();
  expect_product<Tensor<float, 8, 64>, Tensor<float, 8, 9>,
                 Strided<Tensor<float, 9, 64>, -192, -3>>();
}

// Large enough for B to be packed although its rows are contiguous.
TEST(Matmul, LargeFactors) {
  expect_product<Tensor<float, 35, 530>, Tensor<float, 35, 513>, Tensor<float, 513, 530>>();
}

// More rows than work through one panel at a time; a copied B in several blocks.
TEST(Matmul, ManyRows) {
  using B = Tensor<float, 140, 35>;
  expect_product<Tensor<float, 530, 35>, Tensor<float, 530, 140>, Strided<B, 1, 140>>();
}
// One row whose columns fill all registers, and some columns more.
TEST(Matmul, OneLongRow) {
  expect_product<Tensor<float, 1, 300>, Tensor<float, 1, 70>, Tensor<float, 70, 300>>();
  expect_product<Tensor<float, 1, 512>, Strided<Tensor<float, 1, 300>, 1, 2>,
                 Tensor<float, 300, 512>>();
  expect_product<Tensor<double, 1, 150>, Tensor<double, 1, 9>, Tensor<double, 9, 150>>();
}
// One row whose panels go together: two of 64 columns, or eight columns and two.
TEST(Matmul, OneShortRow) {
  expect_product<Tensor<float, 1, 128>, Tensor<float, 1, 30>, Tensor<float, 30, 128>>();
  expect_product<Tensor<float, 1, 10>, Tensor<float, 1, 30>, Tensor<float, 30, 10>>();
}

// ---- Panels -------------------------------------------------------------------------------------

// The same bits as from rows, whatever the order in which B lies.
template <class E, Index M, Index K, Index N>
void expect_panels() {
  SCOPED_TRACE(::testing::Message() << M << " x " << K << " x " << N);
  using T = Tensor<E, M, N>;
  constexpr Index width = 64 / Index{sizeof(E)};
  const Operand<Tensor<E, M, K>> a(rough_values<E>);
  const Operand<Tensor<E, K, N>> b(rough_values<E>);
  const Operand<Tensor<E, N>> bias(rough_values<E>);
  Buffer<E> panels(K * N);
  Index at = 0;
  for (Index first = 0; first < N; first += width) {
    for (Index k = 0; k < K; ++k) {
      for (Index n = first; n < N && n < first + width; ++n) panels[at++] = b.at(2, {k, n});
    }
  }
  ASSERT_EQ(at, K * N);
  Buffer<E> plain(M * N), laid_out(M * N), biased(M * N), shared = small_values<E>(M * N);
  const Buffer<E> before(shared);
  const In<Panels<E, K, N>> factor(panels.data());
  matmul(Out<T>(plain.data()), a.in(), b.in());
  matmul(Out<T>(laid_out.data()), a.in(), factor);
  matmul(Out<T>(biased.data()), a.in(), factor, add_kernel, bias.in());
  const InOut<T> inout(shared.data());
  matmul_in_place(inout, a.in(), factor, add_kernel, inout);
  for (Index i = 0; i < M * N; ++i) {
    ASSERT_TRUE(same(laid_out[i], plain[i])) << i;
    ASSERT_TRUE(same(biased[i], static_cast<E>(plain[i] + bias.at(1, {i % N})))) << i;
    ASSERT_TRUE(same(shared[i], static_cast<E>(plain[i] + before[i]))) << i;
  }
}

TEST(Matmul, PanelsGiveTheBitsOfRows) {
  expect_panels<float, 1, 37, 300>();
  expect_panels<float, 1, 5, 17>();
  expect_panels<float, 3, 20, 112>();
  expect_panels<float, 13, 33, 77>();
  expect_panels<float, 9, 11, 10>();
  expect_panels<double, 1, 21, 83>();
  expect_panels<double, 14, 9, 25>();
}

TEST(Matmul, NoInnerElementsGiveZeroAndTheEpilogue) {
  const float* none = nullptr;
  const Operand<Tensor<float, 3>> bias(small_values<float>);
  using T = Tensor<float, 5, 3>;
  Buffer<float> tiled(15);
  Buffer<float> column(5);
  matmul(Out<T>(tiled.data()), In<Tensor<float, 5, 0>>(none), In<Tensor<float, 0, 3>>(none),
         add_kernel, bias.in());
  matmul(Out<Tensor<float, 5>>(column.data()), In<Tensor<float, 5, 0>>(none),
         In<Tensor<float, 0>>(none));
  for (Index i = 0; i < 15; ++i) EXPECT_EQ(tiled[i], bias.at(1, {i % 3}));
  for (Index i = 0; i < 5; ++i) EXPECT_EQ(column[i], 0.0f);
  float* nowhere = nullptr;
  matmul(Out<Tensor<float, 0, 3>>(nowhere), In<Tensor<float, 0, 4>>(none),
         In<Tensor<float, 4, 3>>(none));
}

// ---- NumPy's shapes ------------------------------------------------------------------------

// Whole numbers; a and b are read by f(batch place, row or k, k or column).
template <class T, class A, class B, class V>
void expect_numpy_product() {
  const Operand<A> a(small_values<double>);
  const Operand<B> b(small_values<double>);
  const Operand<V> extra(small_values<double>);
  Buffer<double> result(T::kElements);
  matmul(Out<T>(result.data()), a.in(), b.in(), add_kernel, extra.in());

  constexpr bool row = A::kLayout.rank == 1;
  constexpr bool column = B::kLayout.rank == 1;
  constexpr int rank = T::kLayout.rank;
  constexpr Index k = A::kLayout.extents[A::kLayout.rank - 1];
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    // The same place in a result that has both axes, batch axes first.
    Place full = place;
    constexpr int batch = rank - (row ? 0 : 1) - (column ? 0 : 1);
    const Index at_row = row ? 0 : place[batch];
    const Index at_column = column ? 0 : place[batch + (row ? 0 : 1)];
    double expected = extra.at(rank, place);
    for (Index at = 0; at < k; ++at) {
      full[batch] = at_row;
      full[batch + 1] = at;
      const double x = row ? a.at(1, {at}) : a.at(batch + 2, full);
      full[batch] = at;
      full[batch + 1] = at_column;
      const double y = column ? b.at(1, {at}) : b.at(batch + 2, full);
      expected += x * y;
    }
    EXPECT_EQ(result[i++], expected);
  });
}

TEST(Matmul, OneDimensionalOperands) {
  using E = double;
  expect_numpy_product<Tensor<E>, Tensor<E, 70>, Tensor<E, 70>, Tensor<E>>();
  expect_numpy_product<Tensor<E, 6>, Tensor<E, 6, 70>, Tensor<E, 70>, Tensor<E, 6>>();
  expect_numpy_product<Tensor<E, 19>, Tensor<E, 7>, Tensor<E, 7, 19>, Tensor<E, 1>>();
  expect_numpy_product<Tensor<E, 3, 4>, Tensor<E, 3, 4, 7>, Tensor<E, 7>, Tensor<E, 3, 1>>();
  expect_numpy_product<Tensor<E, 3, 19>, Tensor<E, 7>, Tensor<E, 3, 7, 19>, Tensor<E, 19>>();
  expect_numpy_product<Tensor<E, 1>, Tensor<E, 1, 9>, Tensor<E, 9>, Tensor<E>>();
}

TEST(Matmul, BatchesBroadcast) {
  using E = double;
  expect_numpy_product<Tensor<E, 3, 5, 9>, Tensor<E, 3, 5, 4>, Tensor<E, 3, 4, 9>,
                       Tensor<E, 3, 1, 9>>();
  expect_numpy_product<Tensor<E, 3, 5, 9>, Tensor<E, 3, 5, 4>, Tensor<E, 4, 9>, Tensor<E, 5, 9>>();
  expect_numpy_product<Tensor<E, 3, 5, 9>, Tensor<E, 5, 4>, Tensor<E, 3, 4, 9>, Tensor<E, 9>>();
  expect_numpy_product<Tensor<E, 2, 3, 5, 9>, Tensor<E, 2, 1, 5, 4>, Tensor<E, 3, 4, 9>,
                       Tensor<E, 2, 3, 5, 1>>();
  expect_numpy_product<Tensor<E, 4, 1, 9>, Tensor<E, 4, 1, 6>, Tensor<E, 6, 9>, Tensor<E, 9>>();
  expect_numpy_product<Tensor<E, 2, 3, 5, 9>, Strided<Tensor<E, 2, 3, 5, 4>, 60, 4, 12, 1>,
                       Strided<Tensor<E, 2, 3, 4, 9>, 108, 9, 27, 1>, Tensor<E>>();
  expect_numpy_product<Tensor<E, 2, 3, 5, 1>, Tensor<E, 2, 1, 5, 40>, Tensor<E, 3, 40, 1>,
                       Tensor<E, 5, 1>>();
  expect_numpy_product<Tensor<E, 2, 1, 2, 1, 2, 1, 3, 5>, Tensor<E, 1, 2, 1, 2, 1, 3, 4>,
                       Tensor<E, 2, 1, 1, 1, 1, 1, 4, 5>, Tensor<E, 2, 1, 1, 1>>();
  expect_numpy_product<Tensor<E, 0, 3, 5>, Tensor<E, 0, 3, 4>, Tensor<E, 4, 5>, Tensor<E>>();
}

// Axis i of the result is axis A[i] of the product; the epilogue's operands are read in the shape
// of the product. Whole numbers: the same product in its own order gives the elements.
template <class T, class Order, class P, class A, class B, class V>
void expect_transposed(const std::vector<Index>& order) {
  const Operand<A> a(small_values<float>);
  const Operand<B> b(small_values<float>);
  const Operand<V> extra(small_values<float>);
  Buffer<float> product(P::kElements), biased(P::kElements);
  Buffer<float> turned(T::kElements), turned_biased(T::kElements);
  matmul(Out<P>(product.data()), a.in(), b.in());
  matmul(Out<P>(biased.data()), a.in(), b.in(), add_kernel, extra.in());
  matmul_transposed<Order>(Out<T>(turned.data()), a.in(), b.in());
  matmul_transposed<Order>(Out<T>(turned_biased.data()), a.in(), b.in(), add_kernel, extra.in());
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    Index at = 0;
    for (std::size_t axis = 0; axis < order.size(); ++axis)
      at += place[axis] * P::kLayout.strides[order[axis]];
    ASSERT_EQ(turned[i], product[at]) << i;
    ASSERT_EQ(turned_biased[i], biased[at]) << i;
    ++i;
  });
}

TEST(Matmul, ResultsWithTheirAxesInAnotherOrder) {
  using E = float;
  expect_transposed<Tensor<E, 7, 3, 20>, Axes<1, 0, 2>, Tensor<E, 3, 7, 20>, Tensor<E, 3, 7, 5>,
                    Tensor<E, 3, 5, 20>, Tensor<E, 3, 1, 20>>({1, 0, 2});
  // One factor for all of the batch, and rows that lie apart.
  expect_transposed<Tensor<E, 13, 2, 2>, Axes<1, 0, 2>, Tensor<E, 2, 13, 2>,
                    Strided<Tensor<E, 2, 13, 4>, 4, 8, 1>, Tensor<E, 4, 2>, Tensor<E, 13, 1>>(
      {1, 0, 2});
  // B is copied on the way, partial sums wait in the result.
  expect_transposed<Tensor<E, 35, 2, 3, 33>, Axes<2, 0, 1, 3>, Tensor<E, 2, 3, 35, 33>,
                    Tensor<E, 2, 3, 35, 150>, Strided<Tensor<E, 3, 150, 33>, 4950, 1, 150>,
                    Tensor<E, 3, 35, 33>>({2, 0, 1, 3});
}

// alpha * A @ B - beta * C, written over C, which the epilogue reads under another dtype's eyes.
TEST(Matmul, EpilogueChangesTheElementType) {
  constexpr auto positive = [](auto product, auto c) { return product * 0.5f > c; };
  using T = Tensor<bool, 20, 41>;
  using C = Tensor<float, 20, 41>;
  const Operand<Tensor<float, 20, 6>> a(small_values<float>);
  const Operand<Tensor<float, 6, 41>> b(small_values<float>);
  const Operand<C> c(small_values<float>);
  Buffer<bool> result(T::kElements);
  matmul(Out<T>(result.data()), a.in(), b.in(), positive, c.in());
  each_place(T::kLayout, [&](const Place& place) {
    float product = 0;
    for (Index k = 0; k < 6; ++k) product += a.at(2, {place[0], k}) * b.at(2, {k, place[1]});
    EXPECT_EQ(result[place[0] * 41 + place[1]], product * 0.5f > c.at(2, place));
  });
}

}  // namespace
}  // namespace wick::test
