// Convolutions: every way the work is cut, layouts, dtypes, epilogues, and the documented order of
// accumulation, bit for bit, against a walk over the definition.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

constexpr auto add_kernel = [](auto sum, auto b) { return sum + b; };

template <class E>
E add_product(E a, E b, E sum) {
  if constexpr (std::is_floating_point_v<E>) return std::fma(a, b, sum);
  return static_cast<E>(a * b + sum);
}

// The numbers of one spatial axis.
struct Axis {
  Index step;
  Index dilation;
  Index before;
};

// A place of an operand of three axes, or of four: `y` is left out of three.
inline Place spatial_place(int rank, Index a, Index b, Index y, Index x) {
  if (rank == 3) return {a, b, x};
  return {a, b, y, x};
}

// The element of the convolution at `place` by the definition: one accumulator, in order of
// channel, row and column of the window, 0 outside of the operand.
template <class X, class W>
auto expected_element(const Operand<X>& x, const Operand<W>& w, const Place& place, Index groups,
                      Axis down, Axis across) {
  using E = typename X::Element;
  constexpr int rank = X::kLayout.rank;
  const Layout& image = X::kLayout;
  const Layout& window = W::kLayout;
  const Index group = place[1] / (window.extents[0] / groups);
  const Index y = rank == 3 ? 0 : place[2];
  const Index z = rank == 3 ? place[2] : place[3];
  const Index rows = rank == 3 ? 1 : image.extents[2];
  E sum{0};
  for (Index c = 0; c < window.extents[1]; ++c) {
    for (Index i = 0; i < (rank == 3 ? 1 : window.extents[2]); ++i) {
      for (Index j = 0; j < window.extents[rank - 1]; ++j) {
        const Index row = y * down.step - down.before + i * down.dilation;
        const Index column = z * across.step - across.before + j * across.dilation;
        const bool inside =
            row >= 0 && row < rows && column >= 0 && column < image.extents[rank - 1];
        const Index channel = group * window.extents[1] + c;
        const E element =
            inside ? x.at(rank, spatial_place(rank, place[0], channel, row, column)) : E{0};
        sum = add_product(w.at(rank, spatial_place(rank, place[1], c, i, j)), element, sum);
      }
    }
  }
  return sum;
}

template <class List>
struct Numbers;
template <template <Index...> class List, Index... I>
struct Numbers<List<I...>> {
  static constexpr Index kFirst[] = {I...};
  static constexpr Index kLast = kFirst[sizeof...(I) - 1];
};

// Convolves with and without overwriting, with a bias per channel and the result's own elements.
template <class T, class X, class W, class S, class D, class P, Index Groups = 1>
void expect_convolution() {
  using E = typename T::Element;
  constexpr int rank = T::kLayout.rank;
  using Bias = std::conditional_t<rank == 3, Tensor<E, T::kLayout.extents[1], 1>,
                                  Tensor<E, T::kLayout.extents[1], 1, 1>>;
  const Operand<X> x(rough_values<E>);
  const Operand<W> w(rough_values<E>);
  const Operand<Bias> bias(rough_values<E>);
  Buffer<E> biased(T::kElements);
  Buffer<E> shared = small_values<E>(T::kElements);
  const Buffer<E> before(shared);
  convolve<S, D, P, Groups>(Out<T>(biased.data()), x.in(), w.in(), add_kernel, bias.in());
  const InOut<T> inout(shared.data());
  convolve_in_place<S, D, P, Groups>(inout, x.in(), w.in(), add_kernel, inout);
  const Axis down = {Numbers<S>::kFirst[0], Numbers<D>::kFirst[0], Numbers<P>::kFirst[0]};
  const Axis across = {Numbers<S>::kLast, Numbers<D>::kLast, Numbers<P>::kLast};
  Index at = 0;
  each_place(T::kLayout, [&](const Place& place) {
    const E sum = expected_element(x, w, place, Groups, rank == 3 ? Axis{1, 1, 0} : down, across);
    EXPECT_TRUE(same(biased[at], static_cast<E>(sum + bias.at(rank, place)))) << at;
    EXPECT_TRUE(same(shared[at], static_cast<E>(sum + before[at]))) << at;
    ++at;
  });
}

TEST(Convolve, PaddedImages) {
  using S = Steps<1, 1>;
  using D = Dilations<1, 1>;
  using P = Before<1, 1>;
  expect_convolution<Tensor<float, 1, 9, 16, 16>, Tensor<float, 1, 3, 16, 16>,
                     Tensor<float, 9, 3, 3, 3>, S, D, P>();
  expect_convolution<Tensor<float, 2, 3, 7, 37>, Tensor<float, 2, 2, 7, 37>,
                     Tensor<float, 3, 2, 3, 3>, S, D, P>();
  // Padding on one side only, and more of it than there is image.
  expect_convolution<Tensor<float, 1, 2, 6, 5>, Tensor<float, 1, 1, 2, 2>,
                     Tensor<float, 2, 1, 2, 2>, S, D, Before<5, 4>>();
}
TEST(Convolve, StepsAndDilations) {
  expect_convolution<Tensor<float, 1, 4, 8, 9>, Tensor<float, 1, 3, 15, 26>,
                     Tensor<float, 4, 3, 3, 5>, Steps<2, 3>, Dilations<1, 1>, Before<1, 2>>();
  expect_convolution<Tensor<double, 1, 3, 5, 11>, Tensor<double, 1, 2, 19, 22>,
                     Tensor<double, 3, 2, 2, 3>, Steps<3, 2>, Dilations<8, 3>, Before<4, 3>>();
  // A step that leaves elements out.
  expect_convolution<Tensor<float, 1, 5, 4, 8>, Tensor<float, 1, 2, 12, 22>,
                     Tensor<float, 5, 2, 1, 1>, Steps<3, 3>, Dilations<1, 1>, Before<0, 0>>();
}
// The weights times the pixels.
TEST(Convolve, WindowsOfOneElement) {
  expect_convolution<Tensor<float, 2, 5, 6, 7>, Tensor<float, 2, 3, 6, 7>,
                     Tensor<float, 5, 3, 1, 1>, Steps<1, 1>, Dilations<1, 1>, Before<0, 0>>();
  // Channels last.
  expect_convolution<Tensor<float, 2, 5, 6, 7>, Strided<Tensor<float, 2, 3, 6, 7>, 126, 1, 21, 3>,
                     Strided<Tensor<float, 5, 3, 1, 1>, 1, 5, 5, 5>, Steps<1, 1>, Dilations<1, 1>,
                     Before<0, 0>>();
  // One pixel has one accumulator, too.
  expect_convolution<Tensor<float, 1, 3, 1>, Tensor<float, 1, 90, 1>, Tensor<float, 3, 90, 1>,
                     Steps<1>, Dilations<1>, Before<0>>();
}
TEST(Convolve, Groups) {
  expect_convolution<Tensor<float, 2, 6, 5, 10>, Tensor<float, 2, 4, 5, 10>,
                     Tensor<float, 6, 2, 3, 3>, Steps<1, 1>, Dilations<1, 1>, Before<1, 1>, 2>();
  expect_convolution<Tensor<float, 1, 5, 20, 20>, Tensor<float, 1, 5, 20, 20>,
                     Tensor<float, 5, 1, 3, 3>, Steps<1, 1>, Dilations<1, 1>, Before<1, 1>, 5>();
}
TEST(Convolve, OneSpatialAxis) {
  expect_convolution<Tensor<float, 2, 5, 49>, Tensor<float, 2, 3, 100>, Tensor<float, 5, 3, 7>,
                     Steps<2>, Dilations<1>, Before<2>>();
  expect_convolution<Tensor<double, 1, 1, 33>, Tensor<double, 1, 1, 60>, Tensor<double, 1, 1, 4>,
                     Steps<1>, Dilations<9>, Before<0>>();
}
TEST(Convolve, IntegersWrap) {
  expect_convolution<Tensor<std::int8_t, 1, 3, 6, 70>, Tensor<std::int8_t, 1, 2, 6, 70>,
                     Tensor<std::int8_t, 3, 2, 3, 3>, Steps<1, 1>, Dilations<1, 1>, Before<1, 1>>();
  expect_convolution<Tensor<std::int64_t, 1, 2, 9>, Tensor<std::int64_t, 1, 1, 9>,
                     Tensor<std::int64_t, 2, 1, 3>, Steps<1>, Dilations<1>, Before<1>>();
}
TEST(Convolve, EveryLayout) {
  // Columns before rows, backwards, and one row for all.
  expect_convolution<Tensor<float, 1, 3, 6, 10>, Strided<Tensor<float, 1, 2, 6, 10>, 120, 60, 1, 6>,
                     Strided<Tensor<float, 3, 2, 3, 3>, -1, 27, 9, -3>, Steps<1, 1>,
                     Dilations<1, 1>, Before<1, 1>>();
  expect_convolution<Tensor<float, 1, 1, 4, 8>, Strided<Tensor<float, 1, 1, 8, 18>, 0, 0, -18, 1>,
                     Strided<Tensor<float, 1, 1, 2, 3>, 0, 0, 0, 1>, Steps<2, 2>, Dilations<1, 1>,
                     Before<0, 0>>();
}

// Windows too large for one halo: cut along channels, rows, columns.
TEST(Convolve, WindowsInBlocks) {
  expect_convolution<Tensor<float, 1, 11, 3, 9>, Tensor<float, 1, 300, 3, 9>,
                     Tensor<float, 11, 300, 3, 3>, Steps<1, 1>, Dilations<1, 1>, Before<1, 1>>();
  // Several panels share a halo.
  expect_convolution<Tensor<float, 1, 3, 8, 8>, Tensor<float, 1, 160, 8, 8>,
                     Tensor<float, 3, 160, 3, 3>, Steps<1, 1>, Dilations<1, 1>, Before<1, 1>>();
  expect_convolution<Tensor<float, 1, 2, 2, 9>, Tensor<float, 1, 2, 80, 85>,
                     Tensor<float, 2, 2, 79, 77>, Steps<1, 1>, Dilations<1, 1>, Before<0, 0>>();
  expect_convolution<Tensor<float, 1, 2, 33>, Tensor<float, 1, 1, 5000>, Tensor<float, 2, 1, 4990>,
                     Steps<1>, Dilations<1>, Before<11>>();
}
// Compilers limit the steps of a constant: how 300,000 places are cut may not take one for each.
TEST(Convolve, LongWindows) {
  expect_convolution<Tensor<float, 1, 1, 2>, Tensor<float, 1, 1, 300001>,
                     Tensor<float, 1, 1, 300000>, Steps<1>, Dilations<1>, Before<0>>();
  // A halo for one result has an element per place.
  constexpr internal::WindowAxis narrow;
  constexpr internal::WindowAxis tall = {300000, 1, 300000};
  constexpr internal::Cut cut = internal::cut_windows(tall, narrow, 1, {}, 4096);
  EXPECT_EQ(cut.places.down, 4096);
  EXPECT_EQ(cut.places.across, 1);
}
TEST(Convolve, EpilogueChangesTheElementTypeOfManyBlocks) {
  constexpr auto positive = [](auto sum) { return sum > 0.0f; };
  using T = Tensor<bool, 1, 11, 3, 9>;
  const Operand<Tensor<float, 1, 300, 3, 9>> x(rough_values<float>);
  const Operand<Tensor<float, 11, 300, 3, 3>> w(rough_values<float>);
  Buffer<bool> result(T::kElements);
  convolve<Steps<1, 1>, Dilations<1, 1>, Before<1, 1>, 1>(Out<T>(result.data()), x.in(), w.in(),
                                                          positive);
  Index at = 0;
  each_place(T::kLayout, [&](const Place& place) {
    EXPECT_EQ(result[at++], expected_element(x, w, place, 1, {1, 1, 1}, {1, 1, 1}) > 0.0f);
  });
}

TEST(Convolve, OperandsBroadcastAlongAnyAxis) {
  using T = Tensor<float, 2, 3, 8, 8>;
  const Operand<Tensor<float, 2, 2, 8, 8>> x(small_values<float>);
  const Operand<Tensor<float, 3, 2, 1, 1>> w(small_values<float>);
  const Operand<Tensor<float, 8>> columns(small_values<float>);
  const Operand<Tensor<float, 2, 1, 8, 1>> rows(small_values<float>);
  constexpr auto add_both = [](auto sum, auto a, auto b) { return sum + a + b; };
  Buffer<float> result(T::kElements);
  convolve<Steps<1, 1>, Dilations<1, 1>, Before<0, 0>, 1>(Out<T>(result.data()), x.in(), w.in(),
                                                          add_both, columns.in(), rows.in());
  Index at = 0;
  each_place(T::kLayout, [&](const Place& place) {
    const float sum = expected_element(x, w, place, 1, {1, 1, 0}, {1, 1, 0});
    EXPECT_EQ(result[at++], sum + columns.at(4, place) + rows.at(4, place));
  });
}

// By hand: [1 2 3] with weights [10 inf] and one element of padding before gives
// inf * 1 + 10 * 0 = inf, 10 * 1 + inf * 2 = inf, inf; with padding behind inf * 0 = NaN.
TEST(Convolve, PaddingIsZerosThatTakePart) {
  const float x[] = {1, 2, 3};
  const float w[] = {10, std::numeric_limits<float>::infinity()};
  float result[4];
  using X = Tensor<float, 1, 1, 3>;
  using W = Tensor<float, 1, 1, 2>;
  convolve<Steps<1>, Dilations<1>, Before<1>, 1>(Out<Tensor<float, 1, 1, 4>>(result), In<X>(x),
                                                 In<W>(w));
  EXPECT_EQ(result[0], w[1]);
  EXPECT_EQ(result[1], w[1]);
  EXPECT_EQ(result[2], w[1]);
  EXPECT_TRUE(std::isnan(result[3]));
}

TEST(Convolve, NoChannelsGiveZeroAndTheEpilogue) {
  const float* none = nullptr;
  const Operand<Tensor<float, 3, 1, 1>> bias(small_values<float>);
  using T = Tensor<float, 1, 3, 4, 4>;
  Buffer<float> result(T::kElements);
  convolve<Steps<1, 1>, Dilations<1, 1>, Before<1, 1>, 1>(
      Out<T>(result.data()), In<Tensor<float, 1, 0, 4, 4>>(none),
      In<Tensor<float, 3, 0, 3, 3>>(none), add_kernel, bias.in());
  each_place(T::kLayout, [&](const Place& place) {
    EXPECT_EQ(result[place[1] * 16 + place[2] * 4 + place[3]], bias.at(4, place));
  });
  // A window that would be cut into blocks if there were channels.
  using Long = Tensor<float, 1, 2, 1001>;
  Buffer<float> zeros(Long::kElements);
  for (Index i = 0; i < Long::kElements; ++i) zeros[i] = 7;
  convolve<Steps<1>, Dilations<1>, Before<0>, 1>(Out<Long>(zeros.data()),
                                                 In<Tensor<float, 1, 0, 6000>>(none),
                                                 In<Tensor<float, 2, 0, 5000>>(none));
  for (Index i = 0; i < Long::kElements; ++i) EXPECT_EQ(zeros[i], 0.0f) << i;
  float* nowhere = nullptr;
  convolve<Steps<1>, Dilations<1>, Before<0>, 1>(Out<Tensor<float, 0, 3, 4>>(nowhere),
                                                 In<Tensor<float, 0, 2, 5>>(none),
                                                 In<Tensor<float, 3, 2, 2>>(none));
}

}  // namespace
}  // namespace wick::test
