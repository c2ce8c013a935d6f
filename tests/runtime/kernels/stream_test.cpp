// Results stored past the caches: when that is, and that each element comes out where it belongs,
// however the result is aligned.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

using internal::Stores;
using internal::stores_apart;

constexpr auto add_kernel = [](auto a, auto b) { return a + b; };
constexpr auto less_kernel = [](auto a, auto b) { return a < b; };
constexpr auto half_kernel = [](auto x) { return wick::cast<float>(x) * 0.5f; };

constexpr Index kMillion = Index{1} << 20;

TEST(Streaming, BeginsAt32MiBOfDifferentElements) {
  using Four = Tensor<float, 4 * kMillion>;
  EXPECT_EQ((stores_apart<Four, Four>()), Stores::kStreamed);
  EXPECT_EQ((stores_apart<Four, Tensor<float, 4 * kMillion - 1>>()), Stores::kApart);
  EXPECT_EQ((stores_apart<Tensor<float, 8 * kMillion>>()), Stores::kStreamed);
  EXPECT_EQ((stores_apart<Tensor<bool, 8 * kMillion>, Tensor<bool, 8 * kMillion>>()),
            Stores::kApart);
  // What is broadcast is read again from a cache.
  using Row = Strided<Tensor<float, 1024, 4096>, 0, 1>;
  EXPECT_EQ((stores_apart<Tensor<float, 1024, 4096>, Row>()), Stores::kApart);
  EXPECT_EQ((stores_apart<Tensor<float, 0>, Tensor<float, 4, 0>>()), Stores::kApart);
}

// The result of a statement at each place of a line, with untouched elements around it.
template <class T, class F>
void expect_at_every_place(const F& expected_at, void (*statement)(typename T::Element*)) {
  using E = typename T::Element;
  constexpr Index places = 64 / static_cast<Index>(sizeof(E));
  for (Index place = 0; place < places; ++place) {
    SCOPED_TRACE(::testing::Message() << "place " << place << " of a line");
    Buffer<E> memory(places + T::kElements + places);
    const Buffer<E> before(memory);
    statement(memory.data() + place);
    Index wrong = 0;
    for (Index i = 0; i < memory.size(); ++i) {
      const bool inside = i >= place && i < place + T::kElements;
      const bool right = inside ? same(memory[i], expected_at(i - place))
                                : std::memcmp(&memory[i], &before[i], sizeof(E)) == 0;
      wrong += right ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0);
  }
}

template <class E, Index Length>
void expect_streamed_sum() {
  using T = Tensor<E, Length>;
  static const Buffer<E> a = small_values<E>(Length + 1);
  expect_at_every_place<T>(
      [](Index i) { return static_cast<E>(a[i] + a[i + 1]); },
      [](E* out) {
        internal::map_elements<Stores::kStreamed, T, decltype(add_kernel), T, T>(
            out, add_kernel, a.data(), a.data() + 1);
      });
}

TEST(Streaming, EndsAnywhereInALine) {
  expect_streamed_sum<float, 256>();
  expect_streamed_sum<float, 391>();
  expect_streamed_sum<double, 300>();
  expect_streamed_sum<std::int64_t, 129>();
  expect_streamed_sum<std::uint8_t, 1111>();
}

// Rows that begin at other places of a line each, and operands that are broadcast.
TEST(Streaming, RunsAlongRows) {
  using T = Tensor<float, 5, 270>;
  static const Buffer<float> column = small_values<float>(5);
  static const Buffer<float> row = small_values<float>(270);
  expect_at_every_place<T>([](Index i) { return column[i / 270] + row[i % 270]; },
                           [](float* out) {
                             internal::map_elements<Stores::kStreamed, T, decltype(add_kernel),
                                                    Tensor<float, 5, 1>, Tensor<float, 270>>(
                                 out, add_kernel, column.data(), row.data());
                           });
}

// A kernel of fewer lanes than the result's type has in a vector.
TEST(Streaming, KnowsTheWidestElement) {
  using T = Tensor<float, 300>;
  static const Buffer<double> a = small_values<double>(300);
  expect_at_every_place<T>(
      [](Index i) { return static_cast<float>(a[i]) * 0.5f; },
      [](float* out) {
        internal::map_elements<Stores::kStreamed, T, decltype(half_kernel), Tensor<double, 300>>(
            out, half_kernel, a.data());
      });
}

// Elements without a streaming store of their own.
TEST(Streaming, LeavesBoolToOrdinaryStores) {
  using T = Tensor<bool, 2000>;
  static const Buffer<float> a = small_values<float>(2001);
  expect_at_every_place<T>([](Index i) { return a[i] < a[i + 1]; },
                           [](bool* out) {
                             internal::map_elements<Stores::kStreamed, T, decltype(less_kernel),
                                                    Tensor<float, 2000>, Tensor<float, 2000>>(
                                 out, less_kernel, a.data(), a.data() + 1);
                           });
}

// Blocks of a transposed operand: rows of whole lines (48, 80) and of others (50).
template <class E, Index Rows, Index Columns>
void expect_streamed_blocks() {
  using T = Tensor<E, Rows, Columns>;
  using Across = Strided<T, 1, Rows>;
  static const Buffer<E> a = small_values<E>(Rows * Columns);
  expect_at_every_place<T>(
      [](Index i) { return static_cast<E>(a[i] + a[i % Columns * Rows + i / Columns]); },
      [](E* out) {
        internal::map_elements<Stores::kStreamed, T, decltype(add_kernel), T, Across>(
            out, add_kernel, a.data(), a.data());
      });
}

TEST(Streaming, TurnsBlocks) {
  expect_streamed_blocks<float, 20, 80>();
  expect_streamed_blocks<float, 33, 50>();
  expect_streamed_blocks<double, 17, 48>();
  expect_streamed_blocks<std::uint8_t, 70, 192>();
}

}  // namespace
}  // namespace wick::test
