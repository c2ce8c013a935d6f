// Faithfulness of row programs: what is accepted, and what is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/check/comparison.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::ops::Integers;
using compiler::testing::Described;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Described softmax() { return one_input().node("y", "softmax", {"x"}, {{"axis", 1}}).output("y"); }

// Softmax by rows; the faults that it may have.
struct RowFault {
  std::string peak = "Maximum", total = "Sum", last = "/";
  bool swapped = false;
};

Faithfulness by_rows(const RowFault& fault) {
  Source s(64);
  const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix);
  const auto scratch = s.scratch("w", 64, 0);
  Equation shifted("e_kernel");
  const auto a = shifted.parameter(), peak = shifted.parameter();
  shifted.call("exp", {fault.swapped ? shifted.infix("-", peak, a) : shifted.infix("-", a, peak)});
  Equation last("y_kernel");
  const auto e = last.parameter(), total = last.parameter();
  last.infix(fault.last, e, total);
  const Argument program = rows(s, {row_reduce(fault.peak, {parameter_at(1)}),
                                    row_keep(shifted.number_in(s), {parameter_at(1), local_at(0)}),
                                    row_reduce(fault.total, {local_at(1)}),
                                    row_write(last.number_in(s), {local_at(1), local_at(2)})});
  s.call("rows", {axes({1})}, {program, workspace(scratch), outs({out(y)}), in(x)});
  return compare(s.done(), softmax().verified(), {});
}

TEST(FaithfulRows, AcceptSoftmax) { EXPECT_THAT(by_rows({}).findings, IsEmpty()); }

TEST(FaithfulRows, RefuseWhatDiffers) {
  EXPECT_THAT(only(by_rows({.peak = "Minimum"})).message,
              HasSubstr("reduces with wick::Minimum; the graph says wick::Maximum"));
  EXPECT_THAT(only(by_rows({.total = "Mean"})).message, HasSubstr("wick::Mean"));
  EXPECT_THAT(only(by_rows({.last = "*"})).message, HasSubstr("computes `*`; the graph says `/`"));
  EXPECT_THAT(only(by_rows({.swapped = true})).message, HasSubstr("swapped"));
  EXPECT_EQ(only(by_rows({.total = "Mean"})).place.line, 503u);
}

TEST(FaithfulRows, RefuseASumOfOneElementPerRow) {
  // The sum of a row scalar along the row is not the scalar.
  const Graph graph = one_input()
                          .node("m", "max", {"x"}, {{"axes", Integers{1}}, {"keepdims", true}})
                          .node("y", "sub", {"x", "m"})
                          .output("y")
                          .verified();
  Source s(0);
  const auto x = s.input("x", kMatrix), y = s.output("y", kMatrix);
  Equation minus("y_kernel");
  const auto a = minus.parameter(), b = minus.parameter();
  minus.infix("-", a, b);
  const Argument program =
      rows(s, {row_reduce("Maximum", {parameter_at(1)}), row_reduce("Sum", {local_at(0)}),
               row_write(minus.number_in(s), {parameter_at(1), local_at(1)})});
  const auto none = s.scratch("none", 64, 0);
  s.call("rows", {axes({1})}, {program, workspace(none), outs({out(y)}), in(x)});
  EXPECT_THAT(only(compare(s.done(), graph, {})).message, HasSubstr("wick::Sum"));
}

// Two results of one program, in their order or swapped.
TEST(FaithfulRows, TellResultsApart) {
  const Graph graph = one_input()
                          .node("m", "max", {"x"}, {{"axes", Integers{1}}})
                          .node("s", "sum", {"x"}, {{"axes", Integers{1}}})
                          .output("m")
                          .output("s")
                          .verified();
  for (const bool swapped : {false, true}) {
    Source s(0);
    const TensorType column = f32({kMatrix.shape()[0]});
    const auto x = s.input("x", kMatrix), m = s.output("m", column), sum = s.output("s", column);
    RowStatement first = row_write(RowStatement::kNoKernel, {local_at(swapped ? 1 : 0)});
    RowStatement second = row_write(RowStatement::kNoKernel, {local_at(swapped ? 0 : 1)});
    second.target = 1;
    const Argument program = rows(s, {row_reduce("Maximum", {parameter_at(2)}),
                                      row_reduce("Sum", {parameter_at(2)}), first, second});
    const auto none = s.scratch("none", 0, 0);
    s.call("rows", {axes({1})}, {program, workspace(none), outs({out(m), out(sum)}), in(x)});
    const auto findings = compare(s.done(), graph, {}).findings;
    EXPECT_EQ(findings.size(), swapped ? 2u : 0u);
    if (swapped) {
      EXPECT_THAT(findings[0].message, HasSubstr("wick::Sum; the graph says wick::Maximum"));
    }
  }
}

}  // namespace
}  // namespace wick::frontend::check
