// A file that says nonsense is refused or accepted, and never ends the program: numbers of a sound
// one are replaced at random.
#include <gtest/gtest.h>

#include <vector>

#include "frontend/check/faithful.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"
#include "tests/unit/check/equations.h"
#include "tests/unit/check/source.h"

namespace wick::frontend::check {
namespace {

using namespace testing;
using compiler::Graph;
using compiler::ops::Integers;
using compiler::testing::Described;
using compiler::testing::Random;

Graph graph() {
  return Described()
      .input("x", DType::kF32, {2, 2})
      .node("s", "softmax", {"x"}, {{"axis", 1}})
      .node("p", "matmul", {"s", "x"})
      .node("b", "add", {"p", 1})
      .node("r", "sum", {"b"}, {{"axes", Integers{0}}})
      .node("c", "cumsum", {"r"}, {{"axis", 0}})
      .node("i", "cast", {"c"})
      .dtype(DType::kI32)
      .node("t", "transpose", {"p"})
      .node("y", "maximum", {"t", "c"})
      .output("y")
      .output("i")
      .verified();
}

Program sound() {
  Source s(512);
  const TensorType square = f32({2, 2}), row = f32({2});
  const auto x = s.input("x", square), y = s.output("y", square), i = s.output("i", i32({2}));
  const auto w = s.constant("unused", row, 0);
  static_cast<void>(w);
  const auto scratch = s.scratch("w", 64, 256);
  const auto soft = s.slot("s", square, 0);
  Equation shifted("e_kernel");
  const auto a = shifted.parameter(), peak = shifted.parameter();
  shifted.call("exp", {shifted.infix("-", a, peak)});
  Equation quotient("s_kernel");
  const auto e = quotient.parameter(), total = quotient.parameter();
  quotient.infix("/", e, total);
  const Argument program = rows(s, {row_reduce("Maximum", {parameter_at(1)}),
                                    row_keep(shifted.number_in(s), {parameter_at(1), local_at(0)}),
                                    row_reduce("Sum", {local_at(1)}),
                                    row_write(quotient.number_in(s), {local_at(1), local_at(2)})});
  s.call("rows", {axes({1})}, {program, workspace(scratch), outs({out(soft)}), in(x)});
  const auto p = s.slot("p", square, 64);
  s.call("matmul", {}, {out(p), in(soft), in(x)});
  Equation shift("b_kernel");
  const auto from = shift.parameter();
  shift.infix("+", from, shift.literal(f32_literal(1)));
  const auto r = s.slot("r", row, 128);
  s.call("reduce", {axes({0})}, {out(r), reducer("Sum"), terms({shift.in(s), in(p)})});
  const auto c = s.slot("c", row, 192);
  s.call("scan", {integer(0)}, {out(c), reducer("Sum"), in(r)});
  Equation whole("i_kernel");
  whole.cast(DType::kI32, whole.parameter());
  s.call("map", {}, {out(i), whole.in(s), in(c)});
  const auto t = s.view("t", strided({2, 2}, {1, 2}), p);
  Equation larger("y_kernel");
  const auto left = larger.parameter(), right = larger.parameter();
  larger.call("maximum", {left, right});
  s.call("map", {}, {out(y), larger.in(s), in(t), in(c)});
  return s.done();
}

// Every number of a program that a text could say otherwise.
struct Numbers {
  std::vector<std::uint32_t*> small;
  std::vector<std::int64_t*> large;
  std::vector<DType*> dtypes;

  void add(std::vector<Argument>& arguments) {
    for (Argument& argument : arguments) {
      small.push_back(&argument.index);
      add(argument.nested);
    }
  }

  explicit Numbers(Program& program) {
    for (Function& function : program.functions) {
      for (Name& name : function.names) {
        small.insert(small.end(), {&name.base, &name.parameter, &name.index});
        large.push_back(&name.offset);
        dtypes.push_back(&name.type.dtype);
      }
      for (Statement& statement : function.statements) {
        small.push_back(&statement.index);
        for (TemplateArgument& argument : statement.template_arguments) {
          for (std::int64_t& value : argument.values) large.push_back(&value);
        }
        add(statement.arguments);
      }
    }
    for (Kernel& kernel : program.kernels) {
      small.push_back(&kernel.result);
      for (Expression& expression : kernel.expressions) {
        small.push_back(&expression.index);
        dtypes.push_back(&expression.dtype);
        for (std::uint32_t& operand : expression.operands) small.push_back(&operand);
      }
    }
    for (RowProgram& rows : program.row_programs) {
      for (RowStatement& statement : rows.statements) {
        small.insert(small.end(), {&statement.target, &statement.kernel});
        for (RowArgument& argument : statement.arguments) small.push_back(&argument.index);
      }
    }
    for (Weight& weight : program.weights) large.push_back(&weight.offset);
  }
};

TEST(FaithfulRobustness, AcceptsTheSoundProgram) {
  const Faithfulness result = compare(sound(), graph(), std::vector<std::byte>(8));
  EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
}

TEST(FaithfulRobustness, SurvivesAnyNumber) {
  const Graph given = graph();
  const Program original = sound();
  const std::vector<std::byte> packed(8);
  Random random(1);
  std::size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    Program program = original;
    Numbers numbers(program);
    for (std::int64_t change = random.in(0, 3); change >= 0; --change) {
      if (random.chance(60)) {
        *random.of(numbers.small) = static_cast<std::uint32_t>(random.in(-1, 20));
      } else if (random.chance(60)) {
        *random.of(numbers.large) = random.in(-70, 300);
      } else {
        *random.of(numbers.dtypes) = static_cast<DType>(random.in(0, 7));
      }
    }
    Faithfulness result;
    ASSERT_NO_THROW(result = compare(program, given, packed)) << "change " << i;
    if (!result.findings.empty()) ++refused;
  }
  EXPECT_GT(refused, 1500u);
}

TEST(FaithfulRobustness, RefusesAFileWithoutFunctions) {
  EXPECT_EQ(compare({}, graph(), {}).findings.size(), 1u);
}

}  // namespace
}  // namespace wick::frontend::check
