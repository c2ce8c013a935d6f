// What is read was written and still is there; what is freed is freed once, where its use ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/check/safety.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const TensorType kRow = f32({32});  // 128 bytes

std::vector<std::string> faults(Source& source) { return texts(prove_safe(source.done())); }

// ---- Sound programs -----------------------------------------------------------------------------

TEST(Lifetimes, AcceptAChainOfSlots) {
  Source s(256);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.slot("b", kRow, 128);
  s.map(b, {a, x});
  s.free(a);
  const auto c = s.slot("c", kRow, 0);  // where a was
  s.map(c, {b});
  s.free(b);
  s.map(y, {c});
  s.free(c);
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptViewsAndInPlace) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", f32({8, 4}));
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.in_place("b", kRow, a);
  s.map_in_place(b, {a, x});
  const auto rows = s.view("rows", f32({4, 8}), b);
  const auto columns = s.view("columns", strided({8, 4}, {1, 8}), rows);
  s.map(y, {columns});
  s.free(a);
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptAnOutputWrittenInPlace) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto running = s.in_place("running", kRow, y);
  s.call("scan", {integer(0)}, {out(running), reducer(), in(x)});
  s.map_in_place(s.in_place_of(kRow, y), {running});
  s.map(z, {y});
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptADonatedInput) {
  Source s(0);
  const auto x = s.donated("x", kRow), y = s.output("y", kRow);
  const auto a = s.in_place("a", kRow, x);
  s.map_in_place(a, {x});
  s.map(y, {a});
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptTheHeap) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.heap_slot("a", kRow);
  s.map(a, {x});
  const auto b = s.heap_slot("b", kRow);
  s.map(b, {a});
  s.retire(a);
  const auto c = s.reuse("c", i32({32}), a);
  s.map(c, {b});
  s.free(b);
  s.map(y, {c});
  s.free(c);
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptScratchOfTheHeap) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto w = s.heap_scratch("w", 512);
  s.call("sort", {integer(0), flag(false)}, {out(y), in(x), workspace(w)});
  s.free(w);
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptASlotThatNobodyReads) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.free(a);
  s.map(y, {x});
  EXPECT_THAT(faults(s), IsEmpty());
}

TEST(Lifetimes, AcceptTensorsWithoutElements) {
  Source s(0);
  const auto x = s.input("x", f32({0})), y = s.output("y", f32({0}));
  const auto a = s.slot("a", f32({0}), 0);
  s.map(a, {x});
  const auto b = s.slot("b", f32({0}), 0);  // the same place, which holds nothing
  s.map(b, {a});
  s.free(a);
  s.map(y, {b});
  s.free(b);
  EXPECT_THAT(faults(s), IsEmpty());
}

// ---- Reads --------------------------------------------------------------------------------------

TEST(Lifetimes, RefuseAReadOfWhatWasNotWritten) {
  Source s(128);
  const auto y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);  // line 1
  s.map(y, {a});
  EXPECT_THAT(faults(s), ElementsAre("2: `a` is read here, but nothing has been written to it"));
}

TEST(Lifetimes, RefuseAReadOfAnOutputThatWasNotWritten) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  s.map(z, {y});
  s.map(y, {x});
  EXPECT_THAT(faults(s), ElementsAre("1: `y` is read here, but nothing has been written to it"));
}

TEST(Lifetimes, RefuseAReadAfterAFree) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.free(a);  // line 3
  s.map(y, {a});
  EXPECT_THAT(faults(s), ElementsAre("4: `a` is read here, but line 3 has freed it"));
}

TEST(Lifetimes, RefuseAReadThroughAViewAfterAFree) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", f32({8}));
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto v = s.view("v", f32({8}), a, 24);
  s.free(a);  // line 4
  s.map(y, {v});
  EXPECT_THAT(faults(s), ElementsAre("5: `v` is read here, but line 4 has freed `a`"));
}

TEST(Lifetimes, RefuseAReadOfOverwrittenBytes) {
  Source s(256);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto k = s.slot("k", kRow, 0);
  s.map(k, {x});
  const auto wide = s.slot("wide", f32({32}), 64);  // bytes [64, 192), k has [0, 128)
  s.map(wide, {x});                                 // line 4
  s.map(y, {k, wide});
  s.free(k);
  s.free(wide);
  EXPECT_THAT(
      faults(s),
      ElementsAre(
          "5: `k` is read here, but line 4 has overwritten its bytes [64, 128) with `wide`"));
}

TEST(Lifetimes, RefuseAReadOfWhatWasOverwrittenInPlace) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.in_place("b", kRow, a);
  s.map_in_place(b, {a});  // line 4
  s.map(y, {a});
  s.free(a);
  EXPECT_THAT(faults(s),
              ElementsAre("5: `a` is read here, but line 4 has overwritten it with `b`"));
}

TEST(Lifetimes, RefuseAReadOfADonatedInputThatWasOverwritten) {
  Source s(0);
  const auto x = s.donated("x", kRow), y = s.output("y", kRow);
  const auto a = s.in_place("a", kRow, x);
  s.map_in_place(a, {x});  // line 2
  s.map(y, {a, x});
  EXPECT_THAT(faults(s),
              ElementsAre("3: `x` is read here, but line 2 has overwritten it with `a`"));
}

TEST(Lifetimes, RefuseAReadInAnotherDtype) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto bits = s.in_place("bits", i32({32}), y);
  s.map(bits, {x});  // line 2
  s.map(z, {y});
  EXPECT_THAT(faults(s), ElementsAre("3: `y` is read here as f32, but line 2 has written elements "
                                     "of type i32"));
}

// ---- Writes -------------------------------------------------------------------------------------

TEST(Lifetimes, RefuseAResultOverAnOperand) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  const auto b = s.slot("b", kRow, 0);
  s.map(b, {a});  // line 4
  s.map(y, {b});
  s.free(b);
  EXPECT_THAT(faults(s),
              ElementsAre("4: `b` lies in bytes [0, 128) of `a`, which the same statement uses"));
}

TEST(Lifetimes, RefuseAnOutputOverItself) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.in_place("a", kRow, y);
  s.map(a, {x});
  s.map(y, {a});  // line 3: not in place
  EXPECT_THAT(faults(s),
              ElementsAre("3: `y` is written here over `a`, which the same statement uses"));
}

TEST(Lifetimes, RefuseASecondWriteOfAnOutput) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  s.map(y, {x});
  s.map(y, {x});
  EXPECT_THAT(faults(s), ElementsAre("2: `y` is written here, but line 1 has written it already"));
}

TEST(Lifetimes, RefuseAWriteOfAFinishedOutput) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto a = s.in_place("a", kRow, y);
  s.map(a, {x});
  s.map(z, {y});  // line 3
  s.map_in_place(s.in_place_of(kRow, y), {a});
  EXPECT_THAT(faults(s),
              ElementsAre("4: `y` is written here, but line 3 has read it as the finished output"));
}

TEST(Lifetimes, RefuseAnOutputThatIsNeverWritten) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  s.output("z", kRow);
  s.map(y, {x});
  EXPECT_THAT(faults(s), ElementsAre("0: the output `z` is never written"));
}

TEST(Lifetimes, RefuseInPlaceOfNothing) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  const auto b = s.in_place("b", kRow, a);
  s.map_in_place(b, {x});  // line 3
  s.map(y, {b});
  EXPECT_THAT(
      faults(s),
      ElementsAre("3: `b` is overwritten in place here, but nothing has been written to it"));
}

TEST(Lifetimes, RefuseAnOperandInPlaceThroughAnotherLayout) {
  Source s(64);
  const TensorType square = f32({4, 4});
  const auto x = s.input("x", square), y = s.output("y", square);
  const auto a = s.slot("a", square, 0);
  s.map(a, {x});
  const auto t = s.view("t", strided({4, 4}, {1, 4}), a);
  const auto b = s.in_place("b", square, a);
  s.map_in_place(b, {a, t});  // line 5
  s.map(y, {b});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("5: `t` shares the memory of `b`, but in another layout: "
                                     "elements are overwritten before they are read"));
}

TEST(Lifetimes, RefuseRowsThatLieAcrossInPlace) {
  Source s(64);
  const TensorType square = f32({4, 4});
  RowProgram copy;
  copy.name = "b_rows";
  copy.parameters = {"b", "a", "t"};
  copy.statements.resize(1);
  copy.statements[0].kind = RowStatement::Kind::kWrite;
  copy.statements[0].arguments = {{RowArgument::Kind::kParameter, 1, {}}};
  s.program().row_programs.push_back(copy);
  const auto x = s.input("x", square), y = s.output("y", square);
  const auto a = s.slot("a", square, 0);
  s.map(a, {x});
  const auto t = s.view("t", strided({4, 4}, {1, 4}), a);
  const auto b = s.in_place("b", square, a);
  const auto w = s.scratch("w", 0, 0);
  s.call("rows_in_place", {axes({1})}, {rows(), workspace(w), inout(b), in(a), in(t)});  // line 6
  s.map(y, {b});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("6: `t` shares the memory of `b`, but in another layout: "
                                     "elements are overwritten before they are read"));
}

TEST(Lifetimes, RefuseAFactorInPlaceOfItsProduct) {
  Source s(64);
  const TensorType square = f32({4, 4});
  const auto x = s.input("x", square), y = s.output("y", square);
  const auto a = s.slot("a", square, 0);
  s.map(a, {x});
  const auto b = s.in_place("b", square, a);
  s.call("matmul_in_place", {}, {inout(b), in(a), in(x), kernel(), in(a)});  // line 4
  s.map(y, {b});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("4: `a` shares the memory of `b`, but is read after parts of "
                                     "it have been overwritten"));
}

TEST(Lifetimes, RefuseAWriteOfAnInput) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  s.map(x, {y});
  s.map(y, {x});
  EXPECT_THAT(faults(s), ElementsAre("1: `y` is read here, but nothing has been written to it",
                                     "1: `x` is written here, but it is only to be read"));
}

// ---- Frees --------------------------------------------------------------------------------------

TEST(Lifetimes, RefuseASecondFree) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.map(y, {a});
  s.free(a);  // line 4
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("5: `a` is freed here, but line 4 has freed it already"));
}

TEST(Lifetimes, RefuseALateFree) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.map(y, {a});  // line 3
  s.map(z, {x});
  s.free(a);
  EXPECT_THAT(faults(s), ElementsAre("5: `a` is freed here, but line 3 is the last to use it"));
}

TEST(Lifetimes, RefuseAFreeBehindTheNextDeclaration) {
  Source s(256);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.map(y, {a});  // line 3
  const auto b = s.slot("b", kRow, 128);
  s.free(a);
  s.map(b, {x});
  s.map(z, {b});
  s.free(b);
  EXPECT_THAT(faults(s), ElementsAre("5: `a` is freed here, but line 3 is the last to use it"));
}

TEST(Lifetimes, RefuseAMissingFree) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.map(y, {a});
  EXPECT_THAT(faults(s), ElementsAre("3: `a` is never freed, and this is the last statement that "
                                     "uses it"));
}

TEST(Lifetimes, RefuseAMissingFreeOfBytesUsedAgain) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.map(y, {a});  // line 3
  const auto b = s.slot("b", kRow, 0);
  s.map(b, {x});  // line 5
  s.map(z, {b});
  s.free(b);
  EXPECT_THAT(
      faults(s),
      ElementsAre("3: `a` is never freed, and this is the last statement that uses it; line 5 has "
                  "overwritten its bytes [0, 128) with `b`"));
}

TEST(Lifetimes, RefuseAFreeOfWhatWasNotWritten) {
  Source s(128);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(y, {x});
  s.free(a);  // line 3
  EXPECT_THAT(faults(s), ElementsAre("3: `a` is freed here, but nothing has been written to it"));
}

TEST(Lifetimes, RefuseAFreeOfAnOutput) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  s.map(y, {x});
  s.free(y);
  EXPECT_THAT(faults(s), ElementsAre("2: `y` is freed here, but it does not own its memory"));
}

TEST(Lifetimes, RefuseAReuseOfWhatWasNotRetired) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.heap_slot("a", kRow);
  s.map(a, {x});
  const auto b = s.reuse("b", kRow, a);  // line 3
  s.map(b, {x});
  s.map(y, {b});
  s.free(b);
  EXPECT_THAT(
      faults(s),
      ElementsAre("3: the memory of `a` is used again by `b`, but it has not been retired"));
}

TEST(Lifetimes, RefuseARetiredSlotThatNobodyUsesAgain) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.heap_slot("a", kRow);
  s.map(a, {x});
  s.map(y, {a});
  s.retire(a);  // line 4
  EXPECT_THAT(faults(s), ElementsAre("4: `a` is retired here, but nothing uses its memory again"));
}

TEST(Lifetimes, RefuseAReadOfRetiredMemory) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto a = s.heap_slot("a", kRow);
  s.map(a, {x});
  s.retire(a);  // line 3
  const auto b = s.reuse("b", kRow, a);
  s.map(b, {a});  // line 5
  s.map(y, {b});
  s.free(b);
  EXPECT_THAT(faults(s), ElementsAre("5: `a` is read here, but line 3 has freed it"));
}

TEST(Lifetimes, RefuseScratchOfTheHeapThatStays) {
  Source s(0);
  const auto x = s.input("x", kRow), y = s.output("y", kRow);
  const auto w = s.heap_scratch("w", 512);  // line 1
  s.call("sort", {integer(0), flag(false)}, {out(y), in(x), workspace(w)});
  EXPECT_THAT(faults(s), ElementsAre("1: `w` is never freed"));
}

// Several faults are all reported, each once.
TEST(Lifetimes, ReportEachFaultOnce) {
  Source s(256);
  const auto x = s.input("x", kRow), y = s.output("y", kRow), z = s.output("z", kRow);
  const auto a = s.slot("a", kRow, 0);
  s.map(a, {x});
  s.free(a);  // line 3
  const auto b = s.slot("b", kRow, 128);
  s.map(y, {a});
  s.map(z, {a, b});
  EXPECT_THAT(faults(s), ElementsAre("5: `a` is read here, but line 3 has freed it",
                                     "6: `b` is read here, but nothing has been written to it"));
}

}  // namespace
}  // namespace wick::frontend::check
