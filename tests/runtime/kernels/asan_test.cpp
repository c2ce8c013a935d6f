// Built with AddressSanitizer: a slot's bytes may not be touched between its free and the next slot
// at the same place, and all of the arena is open outside of the function.

#include "tests/runtime/kernels/support.h"

namespace wick::test {
namespace {

using Row = Tensor<float, 10>;
// A store that the compiler may neither leave out nor prove to be inside of its array.
__attribute__((noinline)) void poke(std::byte& byte) {
  *const_cast<volatile std::byte*>(&byte) = std::byte{1};
}

constexpr auto twice_kernel = [](auto x) { return x + x; };

TEST(FreedSlot, ReadingItDies) {
  alignas(64) static std::byte arena[192];
  static float out[10];
  const auto row = slot<Row>(arena, 64);
  map(row, [] { return 1.0f; });
  wick::free(row);
  EXPECT_DEATH(map(Out<Row>(out), twice_kernel, row), "use-after-poison");
  leave(arena, sizeof arena);
}

TEST(FreedSlot, WritingItDies) {
  alignas(64) static std::byte arena[192];
  const auto row = slot<Row>(arena, 64);
  wick::free(row);
  EXPECT_DEATH(map(row, [] { return 1.0f; }), "use-after-poison");
  leave(arena, sizeof arena);
}

// The slot has 40 bytes and occupies 64.
TEST(FreedSlot, ClosesItsBytesRoundedUpAndNoOthers) {
  alignas(64) static std::byte arena[192];
  wick::free(slot<Row>(arena, 64));
  poke(arena[63]);
  poke(arena[128]);
  EXPECT_DEATH(poke(arena[64]), "use-after-poison");
  EXPECT_DEATH(poke(arena[127]), "use-after-poison");
  leave(arena, sizeof arena);
}

TEST(FreedSlot, OpensAgainForTheNextSlot) {
  alignas(64) static std::byte arena[192];
  wick::free(slot<Tensor<float, 30>>(arena, 0));
  const auto next = slot<Row>(arena, 64);
  map(next, [] { return 1.0f; });
  EXPECT_EQ(next.data()[9], 1.0f);
  EXPECT_DEATH(poke(arena[0]), "use-after-poison");
  const auto scratch = workspace<64>(arena, 0);
  poke(scratch.data()[63]);
  leave(arena, sizeof arena);
}

TEST(RetiredHeapSlot, IsClosedUntilItsMemoryIsReused) {
  const auto row = heap_slot<Row>();
  map(row, [] { return 1.0f; });
  wick::retire(row);
  EXPECT_DEATH(map(row, [] { return 2.0f; }), "use-after-poison");
  const auto next = reuse<Tensor<float, 2, 5>>(row);
  EXPECT_EQ(next.data(), row.data());
  map(next, [] { return 3.0f; });
  EXPECT_EQ(next.data()[9], 3.0f);
  wick::free(next);
}

TEST(Arena, IsOpenOnEntryAndAfterExit) {
  alignas(64) static std::byte arena[192];
  wick::free(slot<Row>(arena, 128));
  leave(arena, sizeof arena);
  std::memset(arena, 1, sizeof arena);
  wick::free(slot<Row>(arena, 128));
  enter(arena, sizeof arena);
  std::memset(arena, 2, sizeof arena);
  EXPECT_EQ(arena[191], std::byte{2});
}

// Statements stay inside of operands that end where their allocation ends.
TEST(Statements, ReadAndWriteNothingOutside) {
  const auto in = std::make_unique<float[]>(37 * 19);
  const auto out = std::make_unique<float[]>(37 * 19);
  const auto column = std::make_unique<float[]>(37);
  const auto row = std::make_unique<float[]>(19);
  const auto product = std::make_unique<float[]>(19 * 19);
  for (int i = 0; i < 37 * 19; ++i) in[static_cast<std::size_t>(i)] = 1.0f;
  using M = Tensor<float, 37, 19>;
  using Transposed = Strided<Tensor<float, 19, 37>, 1, 19>;
  constexpr auto same_kernel = [](auto x) { return x; };
  map(Out<M>(out.get()), twice_kernel, In<M>(in.get()));
  map_in_place(InOut<M>(out.get()), twice_kernel, In<M>(out.get()));
  copy(Out<Tensor<float, 19, 37>>(out.get()), In<Transposed>(in.get()));
  reduce<Axes<1>>(Out<Tensor<float, 37>>(column.get()), Sum{}, terms(same_kernel, In<M>(in.get())));
  reduce<Axes<0>>(Out<Tensor<float, 19>>(row.get()), Sum{}, terms(same_kernel, In<M>(in.get())));
  matmul(Out<Tensor<float, 19, 19>>(product.get()), In<Transposed>(in.get()), In<M>(in.get()));
  EXPECT_EQ(column[36], 19.0f);
  EXPECT_EQ(row[18], 37.0f);
  EXPECT_EQ(product[19 * 19 - 1], 37.0f);
}

TEST(Statements, WindowsReadAndWriteNothingOutside) {
  using X = Tensor<float, 1, 2, 11, 37>;
  using T = Tensor<float, 1, 3, 6, 19>;
  using W = Tensor<float, 3, 2, 3, 3>;
  using Half = Tensor<float, 1, 2, 5, 18>;
  const auto x = std::make_unique<float[]>(X::kElements);
  const auto w = std::make_unique<float[]>(W::kElements);
  const auto out = std::make_unique<float[]>(T::kElements);
  const auto half = std::make_unique<float[]>(Half::kElements);
  for (Index i = 0; i < X::kElements; ++i) x[static_cast<std::size_t>(i)] = 1.0f;
  for (Index i = 0; i < W::kElements; ++i) w[static_cast<std::size_t>(i)] = 1.0f;
  convolve<Steps<2, 2>, Dilations<1, 1>, Before<1, 1>, 1>(Out<T>(out.get()), In<X>(x.get()),
                                                          In<W>(w.get()));
  max_pool<Sizes<2, 2>, Steps<2, 2>, Dilations<1, 1>, Before<0, 0>>(Out<Half>(half.get()),
                                                                    In<X>(x.get()));
  // Windows of 2 x 3 x 3 elements, of which the corners hold 2 x 2 x 2.
  EXPECT_EQ(out[0], 8.0f);
  EXPECT_EQ(out[19 + 1], 18.0f);
  EXPECT_EQ(out[T::kElements - 1], 8.0f);
  EXPECT_EQ(half[Half::kElements - 1], 1.0f);
}

}  // namespace
}  // namespace wick::test
