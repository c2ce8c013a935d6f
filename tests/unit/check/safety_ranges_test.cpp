// Every range lies inside of what it names, aligned, and apart from scratch memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "frontend/check/safety.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const TensorType kRow = f32({32});  // 128 bytes

std::vector<std::string> faults(Source& source) { return texts(prove_safe(source.done())); }

// y = a, where a is a slot of 128 bytes at the offset in an arena of 256.
std::vector<std::string> faults_of_slot_at(std::int64_t offset) {
  Source s(256);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, offset);
  s.map(a, {x});
  s.map(y, {a});
  s.free(a);
  return faults(s);
}

TEST(Ranges, AcceptASlotAtTheEndOfTheArena) { EXPECT_THAT(faults_of_slot_at(128), IsEmpty()); }

TEST(Ranges, RefuseASlotBeyondTheArena) {
  EXPECT_THAT(faults_of_slot_at(192),
              ElementsAre("1: `a` occupies 128 bytes at 192, but the arena has 256"));
  EXPECT_THAT(faults_of_slot_at(-64),
              ElementsAre("1: `a` occupies 128 bytes at -64, but the arena has 256"));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64 * 64;
  EXPECT_THAT(faults_of_slot_at(most),
              ElementsAre("1: `a` occupies 128 bytes at " + std::to_string(most) +
                          ", but the arena has 256"));
}

TEST(Ranges, RefuseASlotThatIsNotAligned) {
  EXPECT_THAT(faults_of_slot_at(32),
              ElementsAre("1: `a` begins at byte 32 of the arena, which is no multiple of 64"));
}

// wick::free gives a slot's bytes back rounded up to 64.
TEST(Ranges, RefuseASlotWhoseRoundedEndLiesBeyondTheArena) {
  Source s(100);
  const auto x = s.input("x", f32({17})), y = s.output("y", f32({17}));
  const auto a = s.slot("a", f32({17}), 0);  // 68 bytes, 128 rounded up
  s.map(a, {x});
  s.map(y, {a});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("1: `a` occupies 68 bytes at 0, but the arena has 100"));
}

TEST(Ranges, RefuseASlotWithoutAnArena) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.map(y, {a});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("1: `a` lies in the arena, but there is none"));
}

// ---- Views --------------------------------------------------------------------------------------

// y = view of x, an input of 12 elements.
std::vector<std::string> faults_of_view(const TensorType& type, std::int64_t offset) {
  Source s(0);
  const auto x = s.input("x", f32({12})), y = s.output("y", f32({}));
  const auto v = s.view("v", type, x, offset);
  std::vector<std::int64_t> all;
  for (std::size_t axis = 0; axis < type.shape().rank(); ++axis)
    all.push_back(static_cast<std::int64_t>(axis));
  s.call("reduce", {axes(all)}, {out(y), reducer(), terms({in(v)})});
  return faults(s);
}

TEST(Ranges, AcceptViewsThatReachTheFirstAndTheLastElement) {
  EXPECT_THAT(faults_of_view(f32({3, 4}), 0), IsEmpty());
  EXPECT_THAT(faults_of_view(strided({4, 3}, {1, 4}), 0), IsEmpty());
  EXPECT_THAT(faults_of_view(strided({12}, {-1}), 11), IsEmpty());           // backwards
  EXPECT_THAT(faults_of_view(strided({5, 12}, {0, 1}), 0), IsEmpty());       // broadcast
  EXPECT_THAT(faults_of_view(strided({3, 2}, {4, -2}), 3), IsEmpty());       // 3, 1, 7, 5, 11, 9
  EXPECT_THAT(faults_of_view(strided({0, 9}, {1000, 1000}), 5), IsEmpty());  // nothing is read
}

TEST(Ranges, RefuseViewsThatLeaveTheirBase) {
  EXPECT_THAT(faults_of_view(f32({3, 4}), 1),
              ElementsAre("1: `v` reaches elements [1, 13) of `x`, which has [0, 12)"));
  EXPECT_THAT(faults_of_view(strided({12}, {-1}), 10),
              ElementsAre("1: `v` reaches elements [-1, 11) of `x`, which has [0, 12)"));
  EXPECT_THAT(faults_of_view(strided({4, 3}, {1, 5}), 0),
              ElementsAre("1: `v` reaches elements [0, 14) of `x`, which has [0, 12)"));
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(faults_of_view(strided({3}, {huge}), 0),
              ElementsAre("1: `v` reaches elements beyond all memory of `x`, which has [0, 12)"));
}

TEST(Ranges, RefuseAViewOutsideOfTheViewBelowIt) {
  Source s(0);
  const auto x = s.input("x", f32({12})), y = s.output("y", f32({3}));
  const auto half = s.view("half", f32({6}), x, 0);
  const auto v = s.view("v", f32({3}), half, 4);
  s.map(y, {v});
  EXPECT_THAT(faults(s), ElementsAre("2: `v` reaches elements [4, 7) of `half`, which has [0, 6)"));
}

TEST(Ranges, RefuseAViewOfOtherElements) {
  Source s(0);
  const auto x = s.input("x", f32({12})), y = s.output("y", f32({12}));
  const auto v = s.view("v", i32({12}), x);
  s.map(y, {v});
  EXPECT_THAT(faults(s), ElementsAre("1: `v`, i32[12], views `x`, f32[12]"));
}

// ---- In place -----------------------------------------------------------------------------------

TEST(Ranges, RefuseInPlaceOfAnotherSize) {
  Source s(128);
  const auto x = s.input("x", f32({1})), y = s.output("y", f32({33}));
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.in_place("b", f32({33}), a);
  s.map_in_place(b, {x});
  s.map(y, {b});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("3: `b`, f32[33], does not fit in place of `a`, f32[32]"));
}

TEST(Ranges, RefuseInPlaceOfAnInput) {
  Source s(0);
  const auto x = s.input("x", kRow);
  s.output("y", kRow);
  const auto a = s.in_place("a", kRow, x);
  s.map_in_place(a, {x});
  EXPECT_THAT(faults(s), ElementsAre("0: the output `y` is never written",
                                     "1: `x` is only read; nothing may be written in its place"));
}

// ---- Scratch ------------------------------------------------------------------------------------

std::vector<std::string> faults_of_scratch(std::int64_t bytes, std::int64_t offset) {
  Source s(1024);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.slot("b", kRow, 128);
  s.map(b, {x});
  const auto c = s.slot("c", kRow, 256);
  const auto w = s.scratch("w", bytes, offset);
  s.call("sort", {integer(0), flag(false)}, {out(c), in(a), workspace(w)});  // line 7
  s.free(a);
  s.map(y, {b, c});  // line 9
  s.free(b);
  s.free(c);
  return faults(s);
}

TEST(Ranges, AcceptScratchApart) { EXPECT_THAT(faults_of_scratch(512, 384), IsEmpty()); }

TEST(Ranges, RefuseScratchOverWhatIsReadLater) {
  Source s(1024);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.slot("b", kRow, 512);
  const auto w = s.scratch("w", 512, 0);
  s.call("sort", {integer(0), flag(false)}, {out(b), in(x), workspace(w)});  // line 5
  s.map(y, {a, b});
  s.free(a);
  s.free(b);
  EXPECT_THAT(faults(s), ElementsAre("6: `a` is read here, but line 5 has overwritten its bytes "
                                     "[0, 128) with the scratch memory `w`"));
}

TEST(Ranges, RefuseScratchOverAnOperandOrTheResult) {
  EXPECT_THAT(faults_of_scratch(512, 320),
              ElementsAre("7: the scratch memory `w` lies in bytes [320, 384) of `c`, which the "
                          "same statement uses"));
  EXPECT_THAT(faults_of_scratch(512, 0),
              ElementsAre("7: the scratch memory `w` lies in bytes [0, 128) of `a`, which the same "
                          "statement uses",
                          "7: the scratch memory `w` lies in bytes [256, 384) of `c`, which the "
                          "same statement uses",
                          "9: `b` is read here, but line 7 has overwritten its bytes [128, 256) "
                          "with the scratch memory `w`"));
}

TEST(Ranges, RefuseScratchBeyondTheArena) {
  EXPECT_THAT(faults_of_scratch(512, 576),
              ElementsAre("6: `w` occupies 512 bytes at 576, but the arena has 1024"));
}

TEST(Ranges, RefuseScratchThatIsTooSmall) {
  EXPECT_THAT(faults_of_scratch(511, 384),
              ElementsAre("7: the workspace has 511 bytes, but 512 are written"));
}

// ---- Constants ----------------------------------------------------------------------------------

std::vector<std::string> faults_of_constant(std::int64_t offset) {
  Source s(0);
  const auto y = s.output("y", kRow);
  s.program().packed_bytes = 256;
  const auto w = s.constant("w", kRow, offset);
  s.map(y, {w});
  return faults(s);
}

TEST(Ranges, CheckPackedConstants) {
  EXPECT_THAT(faults_of_constant(128), IsEmpty());
  EXPECT_THAT(faults_of_constant(192), ElementsAre("0: `weights.w` has 128 bytes at 192, but the "
                                                   "packed weights have 256"));
  EXPECT_THAT(faults_of_constant(32),
              ElementsAre("0: `weights.w` begins at byte 32, which is no multiple of 64"));
}

TEST(Ranges, RefuseAConstantWithMissingValues) {
  Source s(0);
  const auto y = s.output("y", kRow);
  const auto w = s.constant("w", kRow, 0);
  s.program().weights[0].is_inline = true;
  s.program().weights[0].values.resize(124);
  s.map(y, {w});
  EXPECT_THAT(faults(s), ElementsAre("0: `weights.w` has 128 bytes, but 124 are written down"));
}

TEST(Ranges, RefuseAnArenaThatIsNotAligned) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  s.program().arena_alignment = 32;
  s.map(y, {x});
  EXPECT_THAT(faults(s), ElementsAre("0: the arena is aligned to 32 bytes, not to 64"));
}

}  // namespace
}  // namespace wick::frontend::check
