// Shapes with which a statement of the runtime stays inside of its operands, by NumPy's rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/check/safety.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// One statement that reads inputs and writes outputs of these types.
std::vector<std::string> faults_of(const std::string& function,
                                   const std::vector<TemplateArgument>& templates,
                                   const std::vector<TensorType>& operands,
                                   const std::vector<TensorType>& results) {
  Source s(0);
  std::vector<Argument> in_arguments, arguments;
  for (std::size_t i = 0; i < operands.size(); ++i)
    in_arguments.push_back(in(s.input("x" + std::to_string(i), operands[i])));
  for (std::size_t i = 0; i < results.size(); ++i)
    arguments.push_back(out(s.output("y" + std::to_string(i), results[i])));
  if (function == "map") arguments.push_back(kernel());
  if (function == "arg_reduce" || function == "scan") arguments.push_back(reducer());
  if (function == "reduce") {
    arguments.push_back(reducer());
    arguments.push_back(terms({kernel()}));
    arguments.back().nested.insert(arguments.back().nested.end(), in_arguments.begin(),
                                   in_arguments.end());
  } else {
    arguments.insert(arguments.end(), in_arguments.begin(), in_arguments.end());
  }
  if (function == "pad") arguments.push_back(literal());
  s.call(function, templates, arguments);
  return texts(prove_safe(s.done()));
}

const auto kBefore = TemplateArgument::Kind::kBefore;
const auto kAfter = TemplateArgument::Kind::kAfter;

// ---- Element by element -------------------------------------------------------------------------

TEST(Shapes, Map) {
  EXPECT_THAT(faults_of("map", {}, {f32({3, 1}), f32({4}), f32({})}, {f32({3, 4})}), IsEmpty());
  EXPECT_THAT(faults_of("map", {}, {f32({3})}, {f32({3, 4})}),
              ElementsAre("1: `x0`, f32[3], does not broadcast to the result `y0`, f32[3, 4]"));
  EXPECT_THAT(faults_of("map", {}, {f32({2, 3, 4})}, {f32({3, 4})}),
              ElementsAre("1: `x0`, f32[2, 3, 4], does not broadcast to the result `y0`, "
                          "f32[3, 4]"));
}

TEST(Shapes, Copy) {
  EXPECT_THAT(faults_of("copy", {}, {f32({3, 4})}, {f32({3, 4})}), IsEmpty());
  EXPECT_THAT(faults_of("copy", {}, {f32({4, 3})}, {f32({3, 4})}),
              ElementsAre("1: `y0`, f32[3, 4], has the wrong shape: the statement makes [4, 3]"));
  EXPECT_THAT(faults_of("copy", {}, {i32({4})}, {f32({4})}),
              ElementsAre("1: `x0`, i32[4], is moved to `y0`, whose elements are f32"));
}

// ---- Reductions ---------------------------------------------------------------------------------

TEST(Shapes, Reduce) {
  const TensorType x = f32({2, 3, 4});
  EXPECT_THAT(faults_of("reduce", {axes({0, 2})}, {x}, {f32({3})}), IsEmpty());
  EXPECT_THAT(faults_of("reduce", {axes({0, 2})}, {x}, {f32({1, 3, 1})}), IsEmpty());
  EXPECT_THAT(faults_of("reduce", {axes({1})}, {x, f32({4})}, {f32({2, 4})}), IsEmpty());
  EXPECT_THAT(faults_of("reduce", {axes({1})}, {x}, {f32({2, 3})}),
              ElementsAre("1: `y0`, f32[2, 3], is no result of reducing [2, 3, 4] along these "
                          "axes"));
  EXPECT_THAT(faults_of("reduce", {axes({3})}, {x}, {f32({2, 3})}),
              ElementsAre("1: axis 3 does not exist in a tensor of 3 axes"));
  EXPECT_THAT(faults_of("reduce", {axes({1, 1})}, {x}, {f32({2, 4})}),
              ElementsAre("1: axis 1 is named twice"));
  EXPECT_THAT(faults_of("reduce", {axes({1})}, {x, f32({3})}, {f32({2, 4})}),
              ElementsAre("1: `x1`, f32[3], does not broadcast with the operands before it, "
                          "[2, 3, 4]"));
}

TEST(Shapes, ReduceAppliesAKernelToItsResults) {
  Source s(0);
  const auto x = s.input("x", f32({2, 3})), b = s.input("b", f32({3})), y = s.output("y", f32({2}));
  s.call("reduce", {axes({1})}, {out(y), reducer(), terms({in(x)}), results({kernel(), in(b)})});
  EXPECT_THAT(texts(prove_safe(s.done())),
              ElementsAre("1: `b`, f32[3], does not broadcast to the result `y`, f32[2]"));
}

TEST(Shapes, ArgReduce) {
  EXPECT_THAT(faults_of("arg_reduce", {axes({0})}, {f32({2, 3})}, {i64({3})}), IsEmpty());
  EXPECT_THAT(faults_of("arg_reduce", {axes({0})}, {f32({2, 3})}, {i32({3})}),
              ElementsAre("1: `y0`, i32[3], should have elements of type i64"));
}

TEST(Shapes, Scan) {
  EXPECT_THAT(faults_of("scan", {integer(1)}, {f32({2, 3})}, {f32({2, 3})}), IsEmpty());
  EXPECT_THAT(faults_of("scan", {integer(2)}, {f32({2, 3})}, {f32({2, 3})}),
              ElementsAre("1: axis 2 does not exist in a tensor of 2 axes"));
  EXPECT_THAT(faults_of("scan", {integer(0)}, {f32({2, 3})}, {f32({3, 2})}),
              ElementsAre("1: `y0`, f32[3, 2], has the wrong shape: the statement makes [2, 3]"));
}

// ---- Products -----------------------------------------------------------------------------------

TEST(Shapes, Matmul) {
  EXPECT_THAT(faults_of("matmul", {}, {f32({2, 3}), f32({3, 4})}, {f32({2, 4})}), IsEmpty());
  EXPECT_THAT(faults_of("matmul", {}, {f32({5, 1, 2, 3}), f32({6, 3, 4})}, {f32({5, 6, 2, 4})}),
              IsEmpty());
  EXPECT_THAT(faults_of("matmul", {}, {f32({3}), f32({3, 4})}, {f32({4})}), IsEmpty());
  EXPECT_THAT(faults_of("matmul", {}, {f32({2, 3}), f32({3})}, {f32({2})}), IsEmpty());
  EXPECT_THAT(faults_of("matmul", {}, {f32({3}), f32({3})}, {f32({})}), IsEmpty());
  EXPECT_THAT(faults_of("matmul", {}, {f32({2, 3}), f32({4, 3})}, {f32({2, 3})}),
              ElementsAre("1: the inner extents of the product differ: `x0`, f32[2, 3] and `x1`, "
                          "f32[4, 3]"));
  EXPECT_THAT(faults_of("matmul", {}, {f32({2, 3}), f32({3, 4})}, {f32({4, 2})}),
              ElementsAre("1: `y0`, f32[4, 2], has the wrong shape: the statement makes [2, 4]"));
  EXPECT_THAT(faults_of("matmul", {}, {f32({2, 2, 3}), f32({3, 3, 4})}, {f32({2, 2, 4})}),
              ElementsAre("1: the batch axes of the product do not broadcast: `x0`, f32[2, 2, 3] "
                          "and `x1`, f32[3, 3, 4]"));
  EXPECT_THAT(faults_of("matmul", {}, {f32({}), f32({3, 4})}, {f32({4})}),
              ElementsAre("1: `x0`, f32[], is the first operand of a product, but a scalar"));
}

TEST(Shapes, MatmulTransposed) {
  const auto faults = [](std::vector<std::int64_t> order, const TensorType& result) {
    return faults_of("matmul_transposed", {axes(std::move(order))},
                     {f32({5, 2, 3}), f32({5, 3, 4})}, {result});
  };
  EXPECT_THAT(faults({1, 0, 2}, f32({2, 5, 4})), IsEmpty());
  EXPECT_THAT(faults({0, 1, 2}, f32({5, 2, 4})), IsEmpty());
  EXPECT_THAT(faults({1, 0, 2}, f32({5, 2, 4})),
              ElementsAre("1: `y0`, f32[5, 2, 4], has the wrong shape: the statement makes "
                          "[2, 5, 4]"));
  EXPECT_THAT(
      faults({0, 2, 1}, f32({5, 4, 2})),
      ElementsAre("1: the last axis of the product, [5, 2, 4], has to stay the last one and "
                  "to have two elements or more"));
  EXPECT_THAT(faults({1, 1, 2}, f32({2, 2, 4})),
              ElementsAre("1: the order of axes does not name each axis of the product, [5, 2, 4], "
                          "once"));
  EXPECT_THAT(faults({1, 2}, f32({2, 4})),
              ElementsAre("1: the order of axes does not name each axis of the product, [5, 2, 4], "
                          "once"));
  EXPECT_THAT(faults({3, 0, 2}, f32({2, 5, 4})),
              ElementsAre("1: axis 3 does not exist in a tensor of 3 axes"));
  EXPECT_THAT(
      faults_of("matmul_transposed", {axes({0, 1})}, {f32({2, 3}), f32({3, 1})}, {f32({2, 1})}),
      ElementsAre("1: the last axis of the product, [2, 1], has to stay the last one and "
                  "to have two elements or more"));
}

// ---- Moving -------------------------------------------------------------------------------------

TEST(Shapes, Concat) {
  EXPECT_THAT(
      faults_of("concat", {integer(1)}, {f32({2, 3}), f32({2, 0}), f32({2, 1})}, {f32({2, 4})}),
      IsEmpty());
  EXPECT_THAT(faults_of("concat", {integer(1)}, {f32({2, 3}), f32({2, 2})}, {f32({2, 4})}),
              ElementsAre("1: the extents of the operands along axis 1 add up to 5, not to those "
                          "of `y0`, f32[2, 4]"));
  EXPECT_THAT(faults_of("concat", {integer(1)}, {f32({3, 4})}, {f32({2, 4})}),
              ElementsAre("1: `x0`, f32[3, 4], differs from the result `y0`, f32[2, 4] in more "
                          "than axis 1"));
}

TEST(Shapes, Pad) {
  EXPECT_THAT(
      faults_of("pad", {list(kBefore, {1, 0}), list(kAfter, {0, 2})}, {f32({2, 3})}, {f32({3, 5})}),
      IsEmpty());
  EXPECT_THAT(
      faults_of("pad", {list(kBefore, {1, 0}), list(kAfter, {0, 1})}, {f32({2, 3})}, {f32({3, 5})}),
      ElementsAre("1: `y0`, f32[3, 5], is not `x0`, f32[2, 3] with its margins along axis "
                  "1"));
  EXPECT_THAT(faults_of("pad", {list(kBefore, {-1}), list(kAfter, {2})}, {f32({2})}, {f32({3})}),
              ElementsAre("1: a margin is missing or negative: `x0`, f32[2], has 1 axes"));
  EXPECT_THAT(
      faults_of("pad_edge", {list(kBefore, {2}), list(kAfter, {0})}, {f32({0})}, {f32({2})}),
      ElementsAre("1: `x0`, f32[0], has nothing to repeat"));
}

TEST(Shapes, Tile) {
  EXPECT_THAT(faults_of("tile", {}, {f32({2, 3})}, {f32({4, 3})}), IsEmpty());
  EXPECT_THAT(faults_of("tile", {}, {f32({2, 3})}, {f32({3, 3})}),
              ElementsAre("1: `y0`, f32[3, 3], does not repeat `x0`, f32[2, 3] a whole number of "
                          "times"));
}

// ---- Indices ------------------------------------------------------------------------------------

TEST(Shapes, Gather) {
  EXPECT_THAT(faults_of("gather", {integer(1)}, {f32({2, 5, 3}), i32({4, 6})}, {f32({2, 4, 6, 3})}),
              IsEmpty());
  // The runtime's own assertion would let this one through, and read beyond the data.
  EXPECT_THAT(faults_of("gather", {integer(1)}, {f32({1, 5}), i32({4})}, {f32({7, 4})}),
              ElementsAre("1: `y0`, f32[7, 4], has the wrong shape: the statement makes [1, 4]"));
  EXPECT_THAT(faults_of("gather", {integer(0)}, {f32({5}), f32({4})}, {f32({4})}),
              ElementsAre("1: `x1`, f32[4], is no tensor of indices"));
  EXPECT_THAT(faults_of("gather", {integer(0)}, {f32({0}), i32({4})}, {f32({4})}),
              ElementsAre("1: `x0`, f32[0], has nothing to gather from"));
  EXPECT_THAT(faults_of("gather", {integer(0)}, {f32({0}), i32({0})}, {f32({0})}), IsEmpty());
}

TEST(Shapes, GatherElements) {
  EXPECT_THAT(faults_of("gather_elements", {integer(1)}, {f32({3, 5}), i64({2, 9})}, {f32({2, 9})}),
              IsEmpty());
  EXPECT_THAT(faults_of("gather_elements", {integer(1)}, {f32({3, 5}), i64({4, 5})}, {f32({4, 5})}),
              ElementsAre("1: `x1`, i64[4, 5], does not lie within `x0`, f32[3, 5] along the axes "
                          "other than 1"));
}

TEST(Shapes, OneHotAndIota) {
  EXPECT_THAT(faults_of("one_hot", {integer(1)}, {i32({2, 3})}, {f32({2, 7, 3})}), IsEmpty());
  EXPECT_THAT(faults_of("one_hot", {integer(1)}, {i32({2, 3})}, {f32({2, 3, 7})}),
              ElementsAre("1: `y0`, f32[2, 3, 7], is not `x0`, i32[2, 3] with one more axis, 1"));
  EXPECT_THAT(faults_of("iota", {integer(0)}, {}, {f32({3})}), IsEmpty());
  EXPECT_THAT(faults_of("iota", {integer(1)}, {}, {f32({3})}),
              ElementsAre("1: axis 1 does not exist in a tensor of 1 axes"));
}

// ---- Sorting ------------------------------------------------------------------------------------

std::vector<std::string> faults_of_topk(const TensorType& values, const TensorType& indices) {
  Source s(1024);
  const auto x = s.input("x", f32({2, 7}));
  const auto v = s.output("v", values), i = s.output("i", indices);
  const auto w = s.scratch("w", 112, 0);
  s.call("topk", {integer(1), flag(true)}, {out(v), out(i), in(x), workspace(w)});
  return texts(prove_safe(s.done()));
}

TEST(Shapes, Topk) {
  EXPECT_THAT(faults_of_topk(f32({2, 3}), i64({2, 3})), IsEmpty());
  EXPECT_THAT(faults_of_topk(f32({2, 8}), i64({2, 8})),
              ElementsAre("2: `v`, f32[2, 8], does not hold what is sorted of `x`, f32[2, 7] along "
                          "axis 1"));
  EXPECT_THAT(faults_of_topk(f32({2, 3}), i64({2, 2})),
              ElementsAre("2: `i`, i64[2, 2], has the wrong shape: the statement makes [2, 3]"));
}

// ---- Row programs -------------------------------------------------------------------------------

// keep e = k(x); write y = e.
RowProgram two_passes() {
  RowProgram rows;
  rows.name = "y_rows";
  rows.parameters = {"y", "x"};
  rows.statements.resize(2);
  rows.statements[0].kind = RowStatement::Kind::kKeep;
  rows.statements[0].arguments = {{RowArgument::Kind::kParameter, 1, {7, 1}}};
  rows.statements[1].kind = RowStatement::Kind::kWrite;
  rows.statements[1].arguments = {{RowArgument::Kind::kLocal, 0, {8, 1}}};
  return rows;
}

std::vector<std::string> faults_of_rows(const RowProgram& program, const TensorType& result,
                                        std::int64_t scratch) {
  Source s(1024);
  s.program().row_programs.push_back(program);
  const auto x = s.input("x", f32({4, 20})), y = s.output("y", result);
  const auto w = s.scratch("w", scratch, 0);
  s.call("rows", {axes({1})}, {rows(), workspace(w), outs({out(y)}), in(x)});
  return texts(prove_safe(s.done()));
}

TEST(Shapes, Rows) {
  // A row of 20 elements takes 80 bytes, 128 rounded up.
  EXPECT_THAT(faults_of_rows(two_passes(), f32({4, 20}), 128), IsEmpty());
  EXPECT_THAT(faults_of_rows(two_passes(), f32({4}), 128), IsEmpty());
  EXPECT_THAT(faults_of_rows(two_passes(), f32({4, 1}), 128), IsEmpty());
  EXPECT_THAT(faults_of_rows(two_passes(), f32({4, 20}), 64),
              ElementsAre("2: `y_rows` keeps 128 bytes of rows, but its workspace has 64"));
  EXPECT_THAT(faults_of_rows(two_passes(), f32({5}), 128),
              ElementsAre("2: `y`, f32[5], has neither the rows' shape [4, 20] nor one element per "
                          "row"));
}

TEST(Shapes, RowsWriteEachResultOnce) {
  RowProgram program = two_passes();
  program.statements.pop_back();
  EXPECT_THAT(faults_of_rows(program, f32({4, 20}), 128),
              ElementsAre(HasSubstr("`y_rows` never writes its result `y`")));
  program = two_passes();
  program.statements.push_back(program.statements[1]);
  EXPECT_THAT(faults_of_rows(program, f32({4, 20}), 128),
              ElementsAre(HasSubstr("`y` is written twice")));
}

TEST(Shapes, RowsReadNoResult) {
  RowProgram program = two_passes();
  program.statements[0].arguments[0].index = 0;
  EXPECT_THAT(faults_of_rows(program, f32({4, 20}), 128),
              ElementsAre("7: `y` is read, but it is a result: its memory means nothing"));
}

// The program over its operand x, of type `row`, and z.
std::vector<std::string> faults_of_rows_in_place(RowProgram program, const TensorType& row,
                                                 const TensorType& result, const TensorType& z) {
  Source s(1024);
  program.parameters.push_back("z");
  s.program().row_programs.push_back(program);
  const auto given = s.input("given", row), other = s.input("z", z), y = s.output("y", result);
  const auto x = s.slot("x", row, 512);
  s.map(x, {given});
  const auto over = s.in_place("over", result, x);
  const auto w = s.scratch("w", 128, 0);
  s.call("rows_in_place", {axes({1})}, {rows(), workspace(w), inout(over), in(x), in(other)});
  s.map(y, {over});
  s.free(x);
  return texts(prove_safe(s.done()));
}

TEST(Shapes, RowsInPlace) {
  const TensorType all = f32({4, 20}), column = f32({4, 1});
  EXPECT_THAT(faults_of_rows_in_place(two_passes(), all, all, f32({20})), IsEmpty());
  EXPECT_THAT(faults_of_rows_in_place(two_passes(), column, column, f32({4, 1})), IsEmpty());
  // An element per row: row 2 still reads what row 1 has overwritten.
  EXPECT_THAT(faults_of_rows_in_place(two_passes(), f32({4}), f32({4, 1}), f32({4, 4})),
              Contains(HasSubstr("`x`, f32[4], has longer rows than the result")));
  RowProgram program = two_passes();
  std::swap(program.statements[0], program.statements[1]);
  program.statements[0].arguments = {{RowArgument::Kind::kParameter, 1, {7, 1}}};
  EXPECT_THAT(faults_of_rows_in_place(program, all, all, all),
              Contains(HasSubstr("`y_rows` goes on after its write")));
}

// ---- Calls that are none ------------------------------------------------------------------------

TEST(Shapes, RefuseWhatIsNotInTheTable) {
  EXPECT_THAT(
      faults_of("shuffle", {}, {f32({3})}, {f32({3})}),
      ElementsAre("0: the output `y0` is never written", "1: `wick::shuffle` computes nothing"));
  EXPECT_THAT(faults_of("scan", {}, {f32({3})}, {f32({3})}),
              ElementsAre("0: the output `y0` is never written",
                          "1: `wick::scan` does not take these arguments"));
  EXPECT_THAT(faults_of("tile", {}, {f32({3}), f32({3})}, {f32({3})}),
              ElementsAre("0: the output `y0` is never written",
                          "1: `wick::tile` does not take these arguments"));
}

}  // namespace
}  // namespace wick::frontend::check
