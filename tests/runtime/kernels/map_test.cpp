// map, map_in_place and copy over every dtype, rank and kind of stride, against a naive walk.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

constexpr auto add_kernel = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a == a), decltype(a)>) {
    return wick::logical_xor(a, b);
  } else {
    return a + b;
  }
};

template <class E>
E add_elements(E a, E b) {
  if constexpr (std::is_same_v<E, bool>) return a != b;
  return static_cast<E>(a + b);
}

// T is the result; U and V broadcast to it.
template <class T, class U, class V>
void expect_map_adds() {
  using E = typename T::Element;
  SCOPED_TRACE(::testing::Message() << "rank " << T::kLayout.rank << ", " << T::kElements
                                    << " elements of " << sizeof(E) << " bytes");
  const Operand<U> a(small_values<E>);
  const Operand<V> b(small_values<E>);
  Buffer<E> result(T::kElements);
  map(Out<T>(result.data()), add_kernel, a.in(), b.in());
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    const int rank = T::kLayout.rank;
    EXPECT_EQ(result[i], add_elements(a.at(rank, place), b.at(rank, place))) << "element " << i;
    ++i;
  });
  EXPECT_EQ(i, T::kElements);
}

template <class E>
void expect_every_layout() {
  using Scalar = Tensor<E>;
  expect_map_adds<Scalar, Scalar, Scalar>();
  expect_map_adds<Tensor<E, 1>, Scalar, Tensor<E, 1>>();
  expect_map_adds<Tensor<E, 37>, Tensor<E, 37>, Scalar>();
  expect_map_adds<Tensor<E, 129>, Tensor<E, 129>, Tensor<E, 1>>();
  expect_map_adds<Tensor<E, 37>, Strided<Tensor<E, 37>, -1>, Strided<Tensor<E, 37>, 3>>();
  expect_map_adds<Tensor<E, 37>, Strided<Tensor<E, 37>, 0>, Strided<Tensor<E, 37>, -2>>();
  expect_map_adds<Tensor<E, 5, 21>, Tensor<E, 5, 1>, Tensor<E, 21>>();
  expect_map_adds<Tensor<E, 35, 21>, Strided<Tensor<E, 35, 21>, 1, 35>, Tensor<E, 35, 21>>();
  expect_map_adds<Tensor<E, 3, 70>, Strided<Tensor<E, 3, 70>, 140, 2>, Tensor<E, 3, 1>>();
  expect_map_adds<Tensor<E, 4, 5, 6>, Strided<Tensor<E, 4, 5, 6>, 1, 24, 4>, Tensor<E, 5, 1>>();
  expect_map_adds<Tensor<E, 2, 3, 4, 5>, Tensor<E, 3, 1, 5>, Tensor<E, 2, 1, 4, 1>>();
  expect_map_adds<Tensor<E, 2, 1, 3, 1, 2, 1, 2, 3>, Tensor<E, 2, 1, 1, 1, 2, 1, 1, 3>,
                  Strided<Tensor<E, 2, 1, 3, 1, 2, 1, 2, 3>, 36, 0, -4, 9, 12, 5, 1, 2>>();
  expect_map_adds<Tensor<E, 2, 2, 2, 2, 2, 2, 2, 2>, Tensor<E, 2, 2, 2, 2, 2, 2, 2, 2>,
                  Strided<Tensor<E, 2, 2, 2, 2, 2, 2, 2, 2>, 1, 2, 4, 8, 16, 32, 64, 128>>();
  expect_map_adds<Tensor<E, 0>, Tensor<E, 0>, Scalar>();
  expect_map_adds<Tensor<E, 3, 0, 5>, Tensor<E, 1, 5>, Tensor<E, 3, 1, 1>>();
  expect_map_adds<Tensor<E, 0, 4>, Tensor<E, 0, 1>, Tensor<E, 4>>();
}

TEST(Map, EveryLayoutOfF32) { expect_every_layout<float>(); }
TEST(Map, EveryLayoutOfF64) { expect_every_layout<double>(); }
TEST(Map, EveryLayoutOfI8) { expect_every_layout<std::int8_t>(); }
TEST(Map, EveryLayoutOfU8) { expect_every_layout<std::uint8_t>(); }
TEST(Map, EveryLayoutOfI32) { expect_every_layout<std::int32_t>(); }
TEST(Map, EveryLayoutOfI64) { expect_every_layout<std::int64_t>(); }
TEST(Map, EveryLayoutOfBool) { expect_every_layout<bool>(); }

template <class E, Index... Length>
void expect_lengths(std::integer_sequence<Index, Length...>) {
  (expect_map_adds<Tensor<E, Length>, Tensor<E, Length>, Tensor<E, Length>>(), ...);
}

TEST(Map, EveryTailLength) {
  expect_lengths<float>(std::make_integer_sequence<Index, 40>());
  expect_lengths<std::uint8_t>(std::make_integer_sequence<Index, 70>());
}

// A kernel that mixes dtypes: i32 and f64 operands, f32 result.
TEST(Map, MixesElementTypes) {
  constexpr auto kernel = [](auto flag, auto count, auto scale) {
    return wick::where(flag, wick::cast<float>(wick::cast<double>(count) * scale), -1.0f);
  };
  using T = Tensor<float, 3, 23>;
  const Operand<Tensor<bool, 3, 23>> flag(small_values<bool>);
  const Operand<Tensor<std::int32_t, 23>> count(small_values<std::int32_t>);
  const Operand<Tensor<double, 3, 1>> scale(small_values<double>);
  Buffer<float> result(T::kElements);
  map(Out<T>(result.data()), kernel, flag.in(), count.in(), scale.in());
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    const float product = static_cast<float>(count.at(2, place) * scale.at(2, place));
    EXPECT_EQ(result[i++], flag.at(2, place) ? product : -1.0f);
  });
}

TEST(Map, WithoutOperandsFills) {
  Buffer<float> result(19);
  map(Out<Tensor<float, 19>>(result.data()), [] { return 2.5f; });
  for (Index i = 0; i < 19; ++i) EXPECT_EQ(result[i], 2.5f);
}

// Blocks of whole lines, of parts of one, and left over at both ends; several operands across.
template <class E>
void expect_blocks() {
  expect_map_adds<Tensor<E, 70, 130>, Strided<Tensor<E, 70, 130>, 1, 70>, Tensor<E, 130>>();
  using Tall = Tensor<E, 150, 9>;
  expect_map_adds<Tall, Strided<Tall, 1, 150>, Strided<Tall, 1, 200>>();
  using Batch = Tensor<E, 2, 11, 3, 64>;
  expect_map_adds<Batch, Strided<Batch, 2112, 1, 704, 11>, Strided<Batch, 1, 2, 1408, 22>>();
}

TEST(Map, TurnsBlocksOfEveryElementSize) {
  expect_blocks<float>();
  expect_blocks<double>();
  expect_blocks<std::uint8_t>();
  expect_blocks<bool>();
}

// ---- In place ------------------------------------------------------------------------------

template <class T, class U>
void expect_in_place_equals_apart() {
  using E = typename T::Element;
  const Operand<U> b(small_values<E>);
  Buffer<E> apart(T::kElements);
  Buffer<E> shared = small_values<E>(T::kElements);
  map(Out<T>(apart.data()), add_kernel, In<T>(shared.data()), b.in());
  const InOut<T> inout(shared.data());
  map_in_place(inout, add_kernel, inout, b.in());
  for (Index i = 0; i < T::kElements; ++i) EXPECT_EQ(shared[i], apart[i]) << "element " << i;
}

template <class E>
void expect_in_place() {
  expect_in_place_equals_apart<Tensor<E>, Tensor<E>>();
  expect_in_place_equals_apart<Tensor<E, 1>, Tensor<E>>();
  expect_in_place_equals_apart<Tensor<E, 3>, Tensor<E, 3>>();
  expect_in_place_equals_apart<Tensor<E, 100>, Strided<Tensor<E, 100>, -1>>();
  expect_in_place_equals_apart<Tensor<E, 7, 19>, Tensor<E, 19>>();
  expect_in_place_equals_apart<Tensor<E, 33, 45>, Strided<Tensor<E, 33, 45>, 1, 33>>();
  expect_in_place_equals_apart<Tensor<E, 2, 0, 3>, Tensor<E, 3>>();
}

TEST(MapInPlace, EqualsMap) {
  expect_in_place<float>();
  expect_in_place<double>();
  expect_in_place<std::int8_t>();
  expect_in_place<std::uint8_t>();
  expect_in_place<std::int32_t>();
  expect_in_place<std::int64_t>();
  expect_in_place<bool>();
}

// The result may have another dtype of the same size.
TEST(MapInPlace, ChangesTheElementType) {
  constexpr auto kernel = [](auto x) { return wick::cast<std::int32_t>(x * 2.0f); };
  alignas(64) std::byte arena[256];
  const auto before = slot<Tensor<float, 50>>(arena, 0);
  for (Index i = 0; i < 50; ++i) before.data()[i] = static_cast<float>(i) + 0.25f;
  const auto after = in_place<Tensor<std::int32_t, 50>>(before);
  map_in_place(after, kernel, before);
  for (Index i = 0; i < 50; ++i) {
    std::int32_t element = 0;
    std::memcpy(&element, arena + i * 4, 4);
    EXPECT_EQ(element, 2 * i);
  }
}

// ---- Copy ----------------------------------------------------------------------------------

template <class T, class U>
void expect_copy() {
  using E = typename T::Element;
  const Operand<U> in(rough_values<E>);
  Buffer<E> result(T::kElements);
  copy(Out<T>(result.data()), in.in());
  Index i = 0;
  each_place(T::kLayout, [&](const Place& place) {
    EXPECT_TRUE(same(result[i++], in.at(T::kLayout.rank, place)));
  });
}

TEST(Copy, PacksEveryLayout) {
  expect_copy<Tensor<float, 9, 11>, Tensor<float, 9, 11>>();
  expect_copy<Tensor<float, 40, 50>, Strided<Tensor<float, 40, 50>, 1, 40>>();
  expect_copy<Tensor<float, 40, 50>, Strided<Tensor<float, 40, 50>, -50, -1>>();
  expect_copy<Tensor<float, 8, 17, 33>, Strided<Tensor<float, 8, 17, 33>, 33, 264, 1>>();
  expect_copy<Tensor<float, 8, 17, 33>, Strided<Tensor<float, 8, 17, 33>, 1, 264, 8>>();
  expect_copy<Tensor<float, 8, 9>, Strided<Tensor<float, 8, 9>, 0, 1>>();
  expect_copy<Tensor<std::int8_t, 90, 140>, Strided<Tensor<std::int8_t, 90, 140>, 1, 90>>();
  expect_copy<Tensor<std::int64_t, 30, 21>, Strided<Tensor<std::int64_t, 30, 21>, 1, 30>>();
}

TEST(Copy, KeepsTheBitsOfNaN) {
  const std::uint32_t bits = 0x7FA12345u;
  Buffer<std::int32_t> from(17);
  for (Index i = 0; i < 17; ++i) std::memcpy(&from[i], &bits, 4);
  Buffer<float> to(17);
  copy(Out<Tensor<float, 17>>(to.data()),
       In<Tensor<float, 17>>(reinterpret_cast<const float*>(from.data())));
  for (Index i = 0; i < 17; ++i) EXPECT_EQ(std::memcmp(&to[i], &bits, 4), 0);
}

}  // namespace
}  // namespace wick::test
