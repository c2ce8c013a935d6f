// Pooling: against a walk over the definition, and by hand.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

struct Axis {
  Index size;
  Index step;
  Index dilation;
  Index before;
};

// Calls f(element) for the elements of the window of `place`, row-major, without padding.
template <class X, class F>
void each_element(const Operand<X>& x, const Place& place, Axis down, Axis across, const F& f) {
  constexpr int rank = X::kLayout.rank;
  for (Index i = 0; i < down.size; ++i) {
    for (Index j = 0; j < across.size; ++j) {
      const Index row = (rank == 3 ? 0 : place[2] * down.step) - down.before + i * down.dilation;
      const Index column = place[rank - 1] * across.step - across.before + j * across.dilation;
      if (row < 0 || row >= (rank == 3 ? 1 : X::kLayout.extents[2])) continue;
      if (column < 0 || column >= X::kLayout.extents[rank - 1]) continue;
      Place at = {place[0], place[1], row, column};
      if (rank == 3) at[2] = column;
      f(x.at(rank, at));
    }
  }
}

// Both kinds of pooling, with the same numbers along both axes.
template <class T, class X, Index Size, Index Step, Index Padding>
void expect_pooling() {
  using E = typename T::Element;
  const Operand<X> x(rough_values<E>);
  Buffer<E> largest(T::kElements);
  Buffer<E> means(T::kElements);
  Buffer<E> counted(T::kElements);
  using K = Sizes<Size, Size>;
  using S = Steps<Step, Step>;
  using P = Before<Padding, Padding>;
  max_pool<K, S, Dilations<1, 1>, P>(Out<T>(largest.data()), x.in());
  average_pool<K, S, P, false>(Out<T>(means.data()), x.in());
  average_pool<K, S, P, true>(Out<T>(counted.data()), x.in());
  const Axis axis = {Size, Step, 1, Padding};
  Index at = 0;
  each_place(T::kLayout, [&](const Place& place) {
    E most = -std::numeric_limits<E>::infinity();
    E sum{0};
    int count = 0;
    each_element(x, place, axis, axis, [&](E element) {
      if (element > most) most = element;
      sum += element;
      ++count;
    });
    EXPECT_EQ(largest[at], most) << at;
    EXPECT_EQ(means[at], sum / static_cast<E>(count)) << at;
    EXPECT_EQ(counted[at], sum / static_cast<E>(Size * Size)) << at;
    ++at;
  });
}

TEST(Pool, HalvesAnImage) {
  expect_pooling<Tensor<float, 2, 3, 16, 16>, Tensor<float, 2, 3, 32, 32>, 2, 2, 0>();
  // An odd row and column are left out.
  expect_pooling<Tensor<float, 1, 2, 5, 38>, Tensor<float, 1, 2, 11, 77>, 2, 2, 0>();
}
TEST(Pool, OverlappingAndPaddedWindows) {
  expect_pooling<Tensor<float, 1, 2, 9, 37>, Tensor<float, 1, 2, 9, 37>, 3, 1, 1>();
  expect_pooling<Tensor<double, 1, 2, 5, 12>, Tensor<double, 1, 2, 9, 23>, 3, 2, 1>();
  // Every window touches padding at the sides.
  expect_pooling<Tensor<float, 1, 1, 2, 2>, Tensor<float, 1, 1, 3, 3>, 4, 1, 1>();
}
TEST(Pool, WindowsApart) {
  expect_pooling<Tensor<float, 1, 1, 4, 20>, Tensor<float, 1, 1, 12, 60>, 2, 3, 0>();
}
TEST(Pool, StridedOperands) {
  expect_pooling<Tensor<float, 2, 2, 5, 6>, Strided<Tensor<float, 2, 2, 10, 12>, 240, 1, 24, 2>, 2,
                 2, 0>();
  expect_pooling<Tensor<float, 1, 1, 5, 6>, Strided<Tensor<float, 1, 1, 10, 12>, 0, 0, 0, -1>, 2, 2,
                 0>();
}
TEST(Pool, DilatedMaximumAlongOneAxisOfIntegers) {
  using X = Tensor<std::int32_t, 2, 2, 40>;
  using T = Tensor<std::int32_t, 2, 2, 19>;
  const Operand<X> x(small_values<std::int32_t>);
  Buffer<std::int32_t> largest(T::kElements);
  max_pool<Sizes<3>, Steps<2>, Dilations<2>, Before<1>>(Out<T>(largest.data()), x.in());
  Index at = 0;
  each_place(T::kLayout, [&](const Place& place) {
    std::int32_t most = std::numeric_limits<std::int32_t>::lowest();
    each_element(x, place, {1, 1, 1, 0}, {3, 2, 2, 1}, [&](std::int32_t element) {
      if (element > most) most = element;
    });
    EXPECT_EQ(largest[at++], most);
  });
}

TEST(Pool, NanWinsAndPaddingDoesNot) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float x[] = {-5, -7, nan, -1, -infinity, -infinity, 3, nan};
  float result[5];
  // Windows [. -5] [-7 nan] [-1 -inf] [-inf 3] [nan .].
  max_pool<Sizes<2>, Steps<2>, Dilations<1>, Before<1>>(Out<Tensor<float, 1, 1, 5>>(result),
                                                        In<Tensor<float, 1, 1, 8>>(x));
  EXPECT_EQ(result[0], -5.0f);
  EXPECT_TRUE(std::isnan(result[1]));
  EXPECT_EQ(result[2], -1.0f);
  EXPECT_EQ(result[3], 3.0f);
  EXPECT_TRUE(std::isnan(result[4]));
}

}  // namespace
}  // namespace wick::test
