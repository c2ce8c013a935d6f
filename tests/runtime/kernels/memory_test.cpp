// Slots, views, poison, checks, heap slots and the once of cached values. Built with WICK_CHECKS
// and WICK_POISON.

#include "tests/runtime/kernels/support.h"

#include <string>
#include <thread>

namespace {
std::string& last_failure() {
  static std::string text;
  return text;
}
std::size_t& bytes_refused() {
  static std::size_t bytes = 0;
  return bytes;
}
}  // namespace

// Without these the program would be ended.
void wick::check_failed(const char* what) noexcept { last_failure() = what; }
void wick::out_of_memory(std::size_t bytes) noexcept {
  bytes_refused() = bytes;
  std::_Exit(bytes == wick::internal::round_up(bytes) ? 42 : 43);
}

namespace wick::test {
namespace {

using Row = Tensor<float, 9>;

TEST(Slot, NamesArenaBytes) {
  alignas(64) std::byte arena[256];
  const auto row = slot<Row>(arena, 64);
  EXPECT_EQ(static_cast<const void*>(row.data()), static_cast<const void*>(arena + 64));
  const auto same_bytes = in_place<Tensor<std::int32_t, 3, 3>>(row);
  EXPECT_EQ(static_cast<const void*>(same_bytes.data()), static_cast<const void*>(arena + 64));
  const In<Tensor<float, 4>> part = view<Tensor<float, 4>, 5>(row);
  EXPECT_EQ(part.data(), row.data() + 5);
  const auto scratch = workspace<100>(arena, 128);
  EXPECT_EQ(scratch.data(), arena + 128);
}

template <class S, class T>
constexpr bool converts = std::is_convertible_v<S, T>;
static_assert(converts<Slot<Row>, In<Row>> && converts<Slot<Row>, Out<Row>> &&
              converts<Slot<Row>, InOut<Row>> && converts<HeapSlot<Row>, InOut<Row>>);
static_assert(converts<Out<Row>, In<Row>> && converts<InOut<Row>, In<Row>>);
static_assert(!converts<In<Row>, Out<Row>> && !converts<Out<Row>, InOut<Row>>);
static_assert(converts<const float*, In<Row>> && converts<float*, Out<Row>>);
static_assert(!converts<const float*, Out<Row>>);

template <class E>
void expect_poison(std::uint64_t low_bits) {
  alignas(64) std::byte arena[192];
  std::memset(arena, 0, sizeof arena);
  wick::free(slot<Tensor<E, 3>>(arena, 64));
  for (std::size_t i = 0; i < 192; i += sizeof(E)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, arena + i, sizeof(E));
    EXPECT_EQ(bits, i >= 64 && i < 128 ? low_bits : 0) << "byte " << i;
  }
}

// The whole 64 bytes of the slot, and nothing else.
TEST(Free, FillsWithPoisonByDtype) {
  expect_poison<float>(0x7FA00000u);
  expect_poison<double>(0x7FF4000000000000u);
  expect_poison<std::int8_t>(0xA5);
  expect_poison<std::uint8_t>(0xA5);
  expect_poison<std::int32_t>(0xA5A5A5A5u);
  expect_poison<std::int64_t>(0xA5A5A5A5A5A5A5A5u);
}

TEST(Free, PoisonIsASignallingNaN) {
  alignas(64) std::byte arena[64];
  const auto row = slot<Row>(arena, 0);
  wick::free(row);
  std::uint32_t bits = 0;
  std::memcpy(&bits, arena, 4);
  EXPECT_EQ(bits & 0x7F800000u, 0x7F800000u) << "exponent of NaN";
  EXPECT_NE(bits & 0x003FFFFFu, 0u) << "not an infinity";
  EXPECT_EQ(bits & 0x00400000u, 0u) << "not quiet";
}

// ---- Checks on entry -----------------------------------------------------------------------

class Enter : public ::testing::Test {
 protected:
  void SetUp() override { last_failure().clear(); }

  alignas(64) std::byte arena_[256];
  alignas(64) float tensors_[64];
};

TEST_F(Enter, AcceptsWhatIsApart) {
  enter(arena_, sizeof arena_, In<Row>(tensors_), In<Row>(tensors_ + 4), Out<Row>(tensors_ + 13));
  enter(nullptr, 0, In<Row>(tensors_), Out<Row>(tensors_ + 9));
  EXPECT_EQ(last_failure(), "");
}
TEST_F(Enter, RefusesAnOutputOverAnInput) {
  enter(arena_, sizeof arena_, In<Row>(tensors_), Out<Row>(tensors_ + 8));
  EXPECT_EQ(last_failure(), "an output or the arena overlaps another tensor");
}
TEST_F(Enter, RefusesTwoOutputsInOnePlace) {
  enter(arena_, sizeof arena_, Out<Row>(tensors_), InOut<Row>(tensors_));
  EXPECT_EQ(last_failure(), "an output or the arena overlaps another tensor");
}
TEST_F(Enter, RefusesATensorInTheArena) {
  enter(arena_, sizeof arena_, In<Row>(reinterpret_cast<float*>(arena_ + 220)));
  EXPECT_EQ(last_failure(), "an output or the arena overlaps another tensor");
}
TEST_F(Enter, RefusesBadAlignment) {
  enter(arena_ + 32, 64, In<Row>(tensors_));
  EXPECT_EQ(last_failure(), "the arena is not aligned to 64 bytes");
  const auto* odd = reinterpret_cast<const unsigned char*>(tensors_) + 2;
  enter(arena_, 64, In<Row>(reinterpret_cast<const float*>(odd)));
  EXPECT_EQ(last_failure(), "a tensor is not aligned");
}
TEST_F(Enter, SeesHowFarStridesReach) {
  using Backwards = Strided<Row, -1>;
  enter(nullptr, 0, In<Backwards>(tensors_ + 20), Out<Row>(tensors_ + 12));
  EXPECT_EQ(last_failure(), "an output or the arena overlaps another tensor");
  last_failure().clear();
  enter(nullptr, 0, In<Backwards>(tensors_ + 8), Out<Row>(tensors_ + 9));
  using Empty = Tensor<float, 0>;
  enter(nullptr, 0, In<Empty>(tensors_), Out<Row>(tensors_));
  EXPECT_EQ(last_failure(), "");
}

TEST(RowWorkspace, TooSmallIsNoticed) {
  constexpr auto program = [](auto row, auto out, auto x) {
    constexpr auto twice = [](auto v) { return v + v; };
    row.write(out, twice, row.template keep<float, 0>(twice, x));
  };
  using T = Tensor<float, 2, 30>;
  alignas(64) std::byte arena[192];
  Buffer<float> x = small_values<float>(60);
  Buffer<float> out(60);
  last_failure().clear();
  rows<Axes<1>>(program, workspace<128>(arena, 0), outs(Out<T>(out.data())), In<T>(x.data()));
  EXPECT_EQ(last_failure(), "");
  rows<Axes<1>>(program, workspace<64>(arena, 0), outs(Out<T>(out.data())), In<T>(x.data()));
  EXPECT_EQ(last_failure(), "the workspace of a row program is too small");
}

// ---- Heap ----------------------------------------------------------------------------------

TEST(HeapSlot, AlignedAndUsable) {
  constexpr auto twice = [](auto x) { return x + x; };
  for (int i = 0; i < 20; ++i) {
    const auto a = heap_slot<Row>();
    const auto scratch = heap_workspace<40>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scratch.data()) % 64, 0u);
    map(a, [] { return 1.5f; });
    map_in_place(a, twice, a);
    for (Index j = 0; j < 9; ++j) EXPECT_EQ(a.data()[j], 3.0f);
    std::memset(scratch.data(), 0, 40);
    wick::free(scratch);
    wick::free(a);
  }
}

TEST(HeapSlot, FailureCallsOutOfMemory) {
  using Huge = Tensor<std::int8_t, Index{1} << 62>;
  EXPECT_EXIT(static_cast<void>(heap_slot<Huge>()), ::testing::ExitedWithCode(42), "");
}

// ---- Once ----------------------------------------------------------------------------------

TEST(Once, OneCallerComputes) {
  Once once;
  EXPECT_TRUE(once.begin());
  once.finish();
  EXPECT_FALSE(once.begin());
  EXPECT_FALSE(once.begin());
  once.reset();
  EXPECT_TRUE(once.begin());
}

TEST(Once, OthersWaitForTheValue) {
  for (int round = 0; round < 50; ++round) {
    Once once;
    int value = 0;
    int computed = 0;
    int seen[4] = {};
    const auto call = [&](int thread) {
      if (once.begin()) {
        ++computed;
        std::this_thread::yield();
        value = 7;
        once.finish();
      }
      seen[thread] = value;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(call, i);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(computed, 1);
    for (const int x : seen) EXPECT_EQ(x, 7);
  }
}

}  // namespace
}  // namespace wick::test
