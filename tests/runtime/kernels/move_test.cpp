// Statements that move elements or work with indices: concat, pad, tile, gather, one_hot, iota, and
// the sorting ones. Values by hand or by a naive walk.

#include "tests/runtime/kernels/support.h"

#include <algorithm>
#include <numeric>

namespace wick::test {
namespace {

template <class E>
std::vector<E> contents(const Buffer<E>& buffer) {
  return std::vector<E>(buffer.data(), buffer.data() + buffer.size());
}

template <class E>
Buffer<E> buffer_of(std::initializer_list<E> values) {
  Buffer<E> buffer(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), buffer.data());
  return buffer;
}

// ---- concat --------------------------------------------------------------------------------

template <int A, class T, class U, class V>
void expect_concat() {
  using E = typename T::Element;
  const Operand<U> first(small_values<E>);
  const Operand<V> second(small_values<E>);
  Buffer<E> result(T::kElements);
  concat<A>(Out<T>(result.data()), first.in(), second.in());
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    const Index split = U::kLayout.extents[A];
    Place within = place;
    if (place[A] >= split) within[A] -= split;
    const int rank = T::kLayout.rank;
    EXPECT_EQ(result[i++], place[A] < split ? first.at(rank, within) : second.at(rank, within));
  });
}

TEST(Concat, AlongEveryAxis) {
  expect_concat<0, Tensor<float, 7>, Tensor<float, 4>, Strided<Tensor<float, 3>, -1>>();
  expect_concat<0, Tensor<bool, 5, 9>, Tensor<bool, 4, 9>, Strided<Tensor<bool, 1, 9>, 0, 1>>();
  expect_concat<1, Tensor<double, 5, 30>, Tensor<double, 5, 29>, Tensor<double, 5, 1>>();
  expect_concat<1, Tensor<float, 3, 25, 6>, Strided<Tensor<float, 3, 20, 6>, 1, 3, 60>,
                Tensor<float, 3, 5, 6>>();
  expect_concat<2, Tensor<std::int64_t, 2, 3, 4>, Tensor<std::int64_t, 2, 3, 0>,
                Tensor<std::int64_t, 2, 3, 4>>();
}

TEST(Concat, ManyOperandsAndOne) {
  const Buffer<float> a = buffer_of({1.0f, 2.0f});
  Buffer<float> three(6);
  Buffer<float> one(2);
  const In<Tensor<float, 2>> in(a.data());
  concat<0>(Out<Tensor<float, 6>>(three.data()), in, in, in);
  concat<0>(Out<Tensor<float, 2>>(one.data()), in);
  EXPECT_EQ(contents(three), (std::vector<float>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(contents(one), (std::vector<float>{1, 2}));
}

// ---- pad and tile --------------------------------------------------------------------------

using Six = Tensor<float, 2, 3>;

TEST(Pad, ConstantOnEverySide) {
  const Buffer<float> in = buffer_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  Buffer<float> out(20);
  pad<Before<1, 0>, After<1, 2>>(Out<Tensor<float, 4, 5>>(out.data()), In<Six>(in.data()), 9.0f);
  EXPECT_EQ(contents(out), (std::vector<float>{9, 9, 9, 9, 9, 1, 2, 3, 9, 9,  //
                                               4, 5, 6, 9, 9, 9, 9, 9, 9, 9}));
}

TEST(Pad, EmptyAndScalar) {
  const float* none = nullptr;
  Buffer<float> out(3);
  pad<Before<1>, After<2>>(Out<Tensor<float, 3>>(out.data()), In<Tensor<float, 0>>(none), 7.0f);
  EXPECT_EQ(contents(out), (std::vector<float>{7, 7, 7}));
  const Buffer<float> in = buffer_of({5.0f});
  Buffer<float> scalar(1);
  pad<Before<>, After<>>(Out<Tensor<float>>(scalar.data()), In<Tensor<float>>(in.data()), 7.0f);
  EXPECT_EQ(scalar[0], 5.0f);
}

// As numpy.pad(mode="edge") gives it.
TEST(Pad, Edge) {
  const Buffer<float> in = buffer_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  Buffer<float> out(18);
  pad_edge<Before<0, 2>, After<1, 1>>(Out<Tensor<float, 3, 6>>(out.data()), In<Six>(in.data()));
  EXPECT_EQ(contents(out), (std::vector<float>{1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6,  //
                                               4, 4, 4, 5, 6, 6}));
}

// As numpy.pad(mode="reflect") gives it, also for margins longer than the operand.
TEST(Pad, Reflect) {
  const Buffer<float> in = buffer_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  Buffer<float> out(36);
  pad_reflect<Before<1, 5>, After<1, 1>>(Out<Tensor<float, 4, 9>>(out.data()), In<Six>(in.data()));
  const std::vector<float> low = {2, 1, 2, 3, 2, 1, 2, 3, 2};
  const std::vector<float> high = {5, 4, 5, 6, 5, 4, 5, 6, 5};
  for (Index j = 0; j < 9; ++j) {
    EXPECT_EQ(out[j], high[static_cast<std::size_t>(j)]);
    EXPECT_EQ(out[9 + j], low[static_cast<std::size_t>(j)]);
    EXPECT_EQ(out[18 + j], high[static_cast<std::size_t>(j)]);
    EXPECT_EQ(out[27 + j], low[static_cast<std::size_t>(j)]);
  }
  Buffer<float> single(4);
  pad_reflect<Before<2>, After<1>>(Out<Tensor<float, 4>>(single.data()),
                                   In<Tensor<float, 1>>(in.data()));
  EXPECT_EQ(contents(single), (std::vector<float>{1, 1, 1, 1}));
}

template <class T, class U>
void expect_tile() {
  using E = typename T::Element;
  const Operand<U> in(small_values<E>);
  Buffer<E> out(T::kElements);
  tile(Out<T>(out.data()), in.in());
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    Place within = place;
    for (int axis = 0; axis < U::kLayout.rank; ++axis) {
      within[static_cast<std::size_t>(axis)] %= U::kLayout.extents[axis];
    }
    EXPECT_EQ(out[i++], in.at(T::kLayout.rank, within));
  });
}

TEST(Tile, RepeatsAlongEveryAxis) {
  expect_tile<Tensor<float, 12>, Tensor<float, 3>>();
  expect_tile<Tensor<double, 4, 9>, Tensor<double, 2, 3>>();
  expect_tile<Tensor<bool, 4, 5, 6>, Strided<Tensor<bool, 1, 5, 2>, 0, -2, 1>>();
  expect_tile<Tensor<std::int8_t, 3, 0>, Tensor<std::int8_t, 3, 2>>();
  expect_tile<Tensor<float>, Tensor<float>>();
}

// ---- Indices -------------------------------------------------------------------------------

// Out of range, and counted from the end: -1 is 4, 9 and -9 are clamped to 4 and 0.
TEST(Gather, NegativeAndClampedIndices) {
  const Buffer<float> data = buffer_of({10.0f, 11.0f, 12.0f, 13.0f, 14.0f});
  const Buffer<std::int32_t> indices = buffer_of<std::int32_t>({-1, 0, 9, -9, 2, -5});
  Buffer<float> out(6);
  gather<0>(Out<Tensor<float, 2, 3>>(out.data()), In<Tensor<float, 5>>(data.data()),
            In<Tensor<std::int32_t, 2, 3>>(indices.data()));
  EXPECT_EQ(contents(out), (std::vector<float>{14, 10, 14, 10, 12, 10}));
}

TEST(Gather, ExtremeIndicesAreClamped) {
  using Limits = std::numeric_limits<std::int64_t>;
  const Buffer<float> data = buffer_of({1.0f, 2.0f});
  const Buffer<std::int64_t> indices = buffer_of<std::int64_t>({Limits::max(), Limits::min()});
  Buffer<float> out(2);
  gather<0>(Out<Tensor<float, 2>>(out.data()), In<Tensor<float, 2>>(data.data()),
            In<Tensor<std::int64_t, 2>>(indices.data()));
  EXPECT_EQ(contents(out), (std::vector<float>{2, 1}));
}

TEST(Gather, SlicesOfStridedData) {
  using U = Strided<Tensor<double, 4, 5, 20>, 1, 80, 4>;
  const Operand<U> data(small_values<double>);
  const Buffer<std::int64_t> indices = buffer_of<std::int64_t>({3, -4, 1});
  using T = Tensor<double, 4, 3, 20>;
  Buffer<double> out(T::kElements);
  gather<1>(Out<T>(out.data()), data.in(), In<Tensor<std::int64_t, 3>>(indices.data()));
  const Index named[] = {3, 1, 1};
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    EXPECT_EQ(out[i++], data.at(3, {place[0], named[place[1]], place[2]}));
  });
}

TEST(Gather, ScalarIndexDropsTheAxis) {
  const Operand<Tensor<float, 3, 7>> data(small_values<float>);
  const std::int64_t index = 2;
  Buffer<float> out(7);
  gather<0>(Out<Tensor<float, 7>>(out.data()), data.in(), In<Tensor<std::int64_t>>(&index));
  for (Index j = 0; j < 7; ++j) EXPECT_EQ(out[j], data.at(2, {2, j}));
}

TEST(GatherElements, AlongEitherAxis) {
  const Buffer<float> data = buffer_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  const Buffer<std::int64_t> indices = buffer_of<std::int64_t>({1, -2, 0, 7});
  Buffer<float> rows(4);
  Buffer<float> columns(4);
  using I = Tensor<std::int64_t, 2, 2>;
  gather_elements<0>(Out<Tensor<float, 2, 2>>(rows.data()), In<Six>(data.data()),
                     In<I>(indices.data()));
  gather_elements<1>(Out<Tensor<float, 2, 2>>(columns.data()), In<Six>(data.data()),
                     In<I>(indices.data()));
  EXPECT_EQ(contents(rows), (std::vector<float>{4, 2, 1, 5}));
  EXPECT_EQ(contents(columns), (std::vector<float>{2, 2, 4, 6}));
}

TEST(OneHot, NewAxisAnywhere) {
  const Buffer<std::int32_t> indices = buffer_of<std::int32_t>({2, -1, 0, 3, -4});
  Buffer<float> last(15);
  Buffer<bool> first(15);
  using I = In<Tensor<std::int32_t, 5>>;
  one_hot<1>(Out<Tensor<float, 5, 3>>(last.data()), I(indices.data()));
  one_hot<0>(Out<Tensor<bool, 3, 5>>(first.data()), I(indices.data()));
  EXPECT_EQ(contents(last), (std::vector<float>{0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 3; ++j) EXPECT_EQ(first[j * 5 + i], last[i * 3 + j] == 1.0f);
  }
}

TEST(Iota, PlaceAlongTheAxis) {
  Buffer<std::int64_t> middle(24);
  iota<1>(Out<Tensor<std::int64_t, 2, 3, 4>>(middle.data()));
  Buffer<std::uint8_t> wraps(300);
  iota<0>(Out<Tensor<std::uint8_t, 300>>(wraps.data()));
  for (Index i = 0; i < 24; ++i) EXPECT_EQ(middle[i], i / 4 % 3);
  for (Index i = 0; i < 300; ++i) EXPECT_EQ(wraps[i], i % 256);
}

// ---- Sorting -------------------------------------------------------------------------------

template <class E>
Buffer<E> values_with_ties(Index count) {
  Buffer<E> buffer = small_values<E>(count);
  if constexpr (std::is_floating_point_v<E>) {
    for (Index i = 4; i < count; i += 11) buffer[i] = std::numeric_limits<E>::quiet_NaN();
    for (Index i = 7; i < count; i += 23) buffer[i] = static_cast<E>(-0.0);
  }
  return buffer;
}

// Places along A in sorted order by selection: the first place that belongs before all others left.
template <class E>
std::vector<Index> order_by_selection(const std::vector<E>& x, bool descending) {
  const auto before = [descending](E a, E b) {
    const bool nan_a = a != a;
    const bool nan_b = b != b;
    if (nan_a || nan_b) return descending ? nan_a && !nan_b : nan_b && !nan_a;
    return descending ? a > b : a < b;
  };
  std::vector<Index> order;
  std::vector<bool> taken(x.size(), false);
  for (std::size_t n = 0; n < x.size(); ++n) {
    std::size_t best = x.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!taken[i] && (best == x.size() || before(x[i], x[best]))) best = i;
    }
    taken[best] = true;
    order.push_back(static_cast<Index>(best));
  }
  return order;
}

// TopK has K places along A, the others as many as the operand U.
template <int A, bool Descending, class T, class U, class TopK>
void expect_sorted() {
  using E = typename T::Element;
  constexpr Index count = T::kLayout.extents[A];
  constexpr Index k = TopK::kLayout.extents[A];
  constexpr std::size_t bytes = 16 * static_cast<std::size_t>(count);
  SCOPED_TRACE(::testing::Message() << "axis " << A << " of " << count);
  alignas(64) std::byte arena[bytes + 1];
  const Operand<U> in(values_with_ties<E>);
  Buffer<E> sorted(T::kElements);
  Buffer<std::int64_t> order(T::kElements);
  Buffer<E> top(TopK::kElements);
  Buffer<std::int64_t> top_order(TopK::kElements);
  using Order = decltype(workspace<bytes>(arena, 0));
  const Order scratch = workspace<bytes>(arena, 0);
  wick::sort<A, Descending>(Out<T>(sorted.data()), in.in(), scratch);
  std::vector<Index> expected;
  each_place(T::kLayout, [&](const Place& place) {
    if (place[A] != 0) return;
    std::vector<E> row;
    for (Index i = 0; i < count; ++i) {
      Place at = place;
      at[A] = i;
      row.push_back(in.at(T::kLayout.rank, at));
    }
    expected = order_by_selection(row, Descending);
    for (Index i = 0; i < count; ++i) {
      Place at = place;
      at[A] = i;
      const E value = row[static_cast<std::size_t>(expected[static_cast<std::size_t>(i)])];
      EXPECT_TRUE(same(sorted[offset_at(T::kLayout, T::kLayout.rank, at)], value)) << i;
    }
  });
  if constexpr (T::kLayout.rank == 1) {
    using I = Tensor<std::int64_t, count>;
    argsort<A, Descending>(Out<I>(order.data()), in.in(), scratch);
    topk<A, Descending>(Out<TopK>(top.data()), Out<Tensor<std::int64_t, k>>(top_order.data()),
                        in.in(), scratch);
    for (Index i = 0; i < count; ++i) EXPECT_EQ(order[i], expected[static_cast<std::size_t>(i)]);
    for (Index i = 0; i < k; ++i) {
      EXPECT_EQ(top_order[i], order[i]);
      EXPECT_TRUE(same(top[i], sorted[i]));
    }
  }
}

template <bool Descending>
void expect_sorted_either_way() {
  using F = Tensor<float, 100>;
  expect_sorted<0, Descending, F, F, Tensor<float, 7>>();
  expect_sorted<0, Descending, Tensor<double, 33>, Strided<Tensor<double, 33>, -2>,
                Tensor<double, 33>>();
  using Bytes = Tensor<std::uint8_t, 64>;
  expect_sorted<0, Descending, Bytes, Bytes, Tensor<std::uint8_t, 0>>();
  using One = Tensor<std::int64_t, 1>;
  expect_sorted<0, Descending, One, One, One>();
  using M = Tensor<float, 3, 20, 4>;
  expect_sorted<1, Descending, M, Strided<M, 1, 3, 60>, M>();
  expect_sorted<2, Descending, M, M, M>();
  expect_sorted<0, Descending, M, M, M>();
  using Flags = Tensor<bool, 2, 9>;
  expect_sorted<1, Descending, Flags, Flags, Flags>();
}

TEST(Sort, AscendingNaNLast) { expect_sorted_either_way<false>(); }
TEST(Sort, DescendingNaNFirst) { expect_sorted_either_way<true>(); }

TEST(TopK, ValuesAndIndicesAlongAnOuterAxis) {
  const Buffer<float> in = buffer_of({3.0f, 1.0f, 4.0f, 1.0f, 5.0f, 9.0f, 2.0f, 6.0f});
  Buffer<float> values(4);
  Buffer<std::int64_t> indices(4);
  alignas(64) std::byte arena[64];
  topk<0, true>(Out<Tensor<float, 2, 2>>(values.data()),
                Out<Tensor<std::int64_t, 2, 2>>(indices.data()), In<Tensor<float, 4, 2>>(in.data()),
                workspace<64>(arena, 0));
  EXPECT_EQ(contents(values), (std::vector<float>{5, 9, 4, 6}));
  EXPECT_EQ(contents(indices), (std::vector<std::int64_t>{2, 2, 1, 3}));
}

}  // namespace
}  // namespace wick::test
