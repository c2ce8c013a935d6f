// Run, its parts, and what is computed once: who may do what, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/check/safety.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const TensorType kRow = f32({32});

// ---- Parts --------------------------------------------------------------------------------------

// Two parts: a is written in the first, overwritten in place in the second and read there.
struct Parts {
  Source s{128};
  Parts() {
    s.input("x", kRow);
    s.output("y", kRow);
    s.begin_part("first");
    const auto x = s.parameter("x");
    const auto a = s.slot("a", kRow, 0);
    s.map(a, {x});  // line 2
    s.end_part();
    s.begin_part("second");
    const auto y = s.parameter("y");
    const auto again = s.slot("a", kRow, 0);
    const auto b = s.in_place("b", kRow, again);
    s.map_in_place(b, {again});  // line 5
    s.map(y, {b});               // line 6
    s.free(again);
    s.end_part();
  }
};

TEST(Functions, AcceptParts) {
  Parts parts;
  parts.s.call_part(0);
  parts.s.call_part(1);
  EXPECT_THAT(texts(prove_safe(parts.s.done())), IsEmpty());
}

TEST(Functions, RefusePartsInTheWrongOrder) {
  Parts parts;
  parts.s.call_part(1);
  parts.s.call_part(0);
  EXPECT_THAT(texts(prove_safe(parts.s.done())),
              ElementsAre("2: `a` is never freed, and this is the last statement that uses it",
                          "5: `a` is read here, but nothing has been written to it",
                          "5: `b` is overwritten in place here, but nothing has been written to "
                          "it"));
}

TEST(Functions, RefuseAPartThatIsNeverCalled) {
  Parts parts;
  parts.s.call_part(0);
  EXPECT_THAT(texts(prove_safe(parts.s.done())),
              ElementsAre("0: the output `y` is never written", "0: `second` is never called",
                          "2: `a` is never freed, and this is the last statement that uses it"));
}

TEST(Functions, RefuseAPartThatIsCalledTwice) {
  Parts parts;
  parts.s.call_part(0);
  parts.s.call_part(1);
  parts.s.call_part(0);  // line 10
  EXPECT_THAT(texts(prove_safe(parts.s.done())),
              ElementsAre("10: `first` is called a second time"));
}

TEST(Functions, RefuseACallOfItself) {
  Parts parts;
  parts.s.call_part(0);
  parts.s.call_part(1);
  parts.s.call_part(2);  // line 10
  EXPECT_THAT(texts(prove_safe(parts.s.done())),
              ElementsAre("10: `run` is called where it may not be"));
}

TEST(Functions, RefuseAParameterThatIsNotRuns) {
  Parts parts;
  parts.s.call_part(0);
  parts.s.call_part(1);
  Program program = parts.s.done();
  program.functions[1].parameters[0].type = f32({31});
  program.functions[1].parameters[0].place = {3, 1};
  EXPECT_THAT(texts(prove_safe(program)),
              ElementsAre("3: `y` is not what run has by that name: another type, or none"));
}

// ---- What is computed once ----------------------------------------------------------------------

// prepare computes `cached` from `gain`, by way of a slot of the arena; run reads it.
struct Cached {
  Source s{128};
  Cached() {
    s.input("x", kRow);
    s.state(128);
    s.begin_prepare();
    const auto gain = s.bound("gain", f32({1}));
    const auto t = s.slot("t", kRow, 0);
    s.map(t, {gain});
    const auto cached = s.state_slot("cached", kRow, 0);
    s.map(cached, {t});  // line 4
    s.free(t);
    s.end_part();
  }
  NameIndex x = 0;  // the first name of run
  NameIndex output() { return s.output("y", kRow); }
};

TEST(Functions, AcceptCachedValues) {
  Cached c;
  const auto y = c.output();
  c.s.prepare(0);
  const auto cached = c.s.state_slot("cached", kRow, 0);
  c.s.map(y, {c.x, cached});
  EXPECT_THAT(texts(prove_safe(c.s.done())), IsEmpty());
}

TEST(Functions, RefuseCachedValuesThatAreNotPrepared) {
  Cached c;
  const auto y = c.output();
  const auto cached = c.s.state_slot("cached", kRow, 0);
  c.s.map(y, {c.x, cached});  // line 7
  EXPECT_THAT(texts(prove_safe(c.s.done())),
              ElementsAre("0: `prepare` is never called",
                          "7: `cached` is read here, but nothing has been written to it"));
}

TEST(Functions, RefuseToPrepareLate) {
  Cached c;
  const auto y = c.output(), z = c.s.output("z", kRow);
  c.s.map(z, {c.x});
  c.s.prepare(0);  // line 7
  const auto cached = c.s.state_slot("cached", kRow, 0);
  c.s.map(y, {cached});
  EXPECT_THAT(texts(prove_safe(c.s.done())),
              ElementsAre("7: cached values are prepared after the first statement of run"));
}

TEST(Functions, RefuseAWriteOfACachedValue) {
  Cached c;
  const auto y = c.output();
  c.s.prepare(0);
  const auto cached = c.s.state_slot("cached", kRow, 0);
  const auto over = c.s.in_place("over", kRow, cached);
  c.s.map_in_place(over, {c.x});  // line 9
  c.s.map(y, {cached});
  EXPECT_THAT(texts(prove_safe(c.s.done())),
              ElementsAre("9: `over` is written here, but it is a cached value"));
}

// Even if the two have the same elements.
TEST(Functions, RefuseACachedValueOverAnother) {
  Source s{0};
  s.input("x", kRow);
  const auto y = s.output("y", kRow);
  s.state(256);
  s.begin_prepare();
  const auto gain = s.bound("gain", f32({1}));
  const auto a = s.state_slot("a", kRow, 0);
  s.map(a, {gain});
  const auto b = s.state_slot("b", kRow, 64);
  s.map(b, {gain});  // line 4
  s.end_part();
  s.prepare(0);
  s.map(y, {s.state_slot("b", kRow, 64)});
  EXPECT_THAT(texts(prove_safe(s.done())),
              ElementsAre("4: `b` is written here over `a`, a cached value"));
}

TEST(Functions, RefuseACachedValueAtAnotherPlace) {
  Cached c;
  const auto y = c.output();
  c.s.prepare(0);
  const auto cached = c.s.state_slot("cached", f32({16}), 64);
  c.s.map(y, {c.s.view("v", strided({32}, {0}), cached)});  // line 9
  EXPECT_THAT(texts(prove_safe(c.s.done())),
              ElementsAre("9: `v` is read here, but nothing has been written to it"));
}

TEST(Functions, RefuseACachedValueThatIsFreed) {
  Cached c;
  const auto y = c.output();
  c.s.prepare(0);
  const auto cached = c.s.state_slot("cached", kRow, 0);
  c.s.map(y, {cached});
  c.s.free(cached);  // line 9
  EXPECT_THAT(texts(prove_safe(c.s.done())),
              ElementsAre("9: `cached` is freed here, but it does not own its memory"));
}

TEST(Functions, RefuseAnInputInWhatIsComputedOnce) {
  Source s(0);
  s.input("x", kRow);
  const auto y = s.output("y", kRow);
  s.state(128);
  s.begin_prepare();
  const auto x = s.parameter("x");
  const auto cached = s.state_slot("cached", kRow, 0);
  s.map(cached, {x});  // line 2
  s.end_part();
  s.prepare(0);
  const auto again = s.state_slot("cached", kRow, 0);
  s.map(y, {again});
  EXPECT_THAT(texts(prove_safe(s.done())),
              ElementsAre("2: the input `x` is read by what is computed once"));
}

// ---- Frames -------------------------------------------------------------------------------------

Program small() {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  s.map(y, {x});
  return s.done();
}

TEST(Functions, RefuseAFunctionThatMayThrow) {
  Program program = small();
  program.functions[0].is_noexcept = false;
  EXPECT_THAT(texts(prove_safe(program)), ElementsAre("0: `run` is not noexcept"));
}

TEST(Functions, RefuseAnArenaThatIsNotEntered) {
  Program program = small();
  program.functions[0].statements.erase(program.functions[0].statements.begin());
  EXPECT_THAT(texts(prove_safe(program)),
              ElementsAre("0: run uses an arena, but does not begin with `wick::enter` and end "
                          "with `wick::leave`"));
}

TEST(Functions, RefuseAnArenaOfAnotherSize) {
  Program program = small();
  program.functions[0].statements[0].bytes = 64;
  EXPECT_THAT(texts(prove_safe(program)),
              ElementsAre("0: `wick::enter` is told of 64 bytes, but the arena has 128"));
}

TEST(Functions, RefuseToEnterWithoutATensor) {
  Program program = small();
  program.functions[0].statements[0].arguments.pop_back();
  EXPECT_THAT(texts(prove_safe(program)),
              ElementsAre("0: `wick::enter` is not given the tensors that run takes, in their "
                          "order"));
}

TEST(Functions, RefuseToLeaveEarly) {
  Program program = small();
  std::swap(program.functions[0].statements[1], program.functions[0].statements[2]);
  EXPECT_THAT(texts(prove_safe(program)),
              ElementsAre("0: `wick::leave` is not the last statement of run",
                          "0: run uses an arena, but does not begin with `wick::enter` and end "
                          "with `wick::leave`"));
}

TEST(Functions, RefuseAFileWithoutRun) {
  EXPECT_THAT(texts(prove_safe(Program{})), ElementsAre("0: there is no function run"));
}

// No more than a person reads.
TEST(Functions, ReportTwentyFaultsAtMost) {
  Source s(0);
  const auto x = s.input("x", kRow);
  for (int i = 0; i < 30; ++i) s.map(x, {x});
  EXPECT_EQ(prove_safe(s.done()).size(), 20u);
}

}  // namespace
}  // namespace wick::frontend::check
