// What the reader makes of files that wick wrote, against records written down by hand from the
// text of those files.
#include "frontend/clang/read.h"

#include <gmock/gmock.h>

#include "tests/unit/clang/emitted.h"
#include "wick/version.h"

namespace wick::frontend::check::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Program program_of(const std::string& stem) {
  const Reading reading = emitted(stem).read();
  EXPECT_THAT(lines_of(reading.findings), IsEmpty()) << stem;
  return reading.program.value_or(Program{});
}

// "f32[2, 3]", and the strides if they are not row-major.
std::string text(const TensorType& type) {
  std::string result = std::string(name_of(type.dtype)) + type.shape().to_string();
  if (type.layout.is_packed()) return result;
  for (const std::int64_t stride : type.layout.strides()) result += " " + std::to_string(stride);
  return result;
}

const Function& run_of(const Program& program) { return program.functions.back(); }

const Name& name_of(const Function& function, const std::string& name) {
  for (const Name& candidate : function.names) {
    if (candidate.text == name) return candidate;
  }
  ADD_FAILURE() << "no name " << name;
  static const Name kNone;
  return kNone;
}

// "matmul(h0, x, weights.w0, [h0_kernel], weights.b0)"
std::string text(const Program& program, const Function& function, const Argument& argument) {
  std::string result;
  switch (argument.kind) {
    case Argument::Kind::kMemory:
    case Argument::Kind::kWorkspace:
      return function.names[argument.index].text;
    case Argument::Kind::kKernel:
      return "[" + program.kernels[argument.index].name + "]";
    case Argument::Kind::kRowProgram:
      return "[[" + program.row_programs[argument.index].name + "]]";
    case Argument::Kind::kReducer:
      return argument.text;
    case Argument::Kind::kLiteral:
      return "#" + std::to_string(argument.literal.bits);
    default:
      for (const Argument& nested : argument.nested)
        result += (result.empty() ? "(" : ", ") + text(program, function, nested);
      return result + ")";
  }
}

std::string text(const Program& program, const Function& function, const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::kDeclare:
      return "declare " + function.names[statement.index].text;
    case Statement::Kind::kFree:
      return "free " + function.names[statement.index].text;
    case Statement::Kind::kRetire:
      return "retire " + function.names[statement.index].text;
    case Statement::Kind::kCall:
      return "call " + program.functions[statement.index].name;
    case Statement::Kind::kOnce:
      return "once " + program.functions[statement.index].name;
    default:
      break;
  }
  std::string result = statement.kind == Statement::Kind::kEnter   ? "enter"
                       : statement.kind == Statement::Kind::kLeave ? "leave"
                                                                   : statement.function;
  for (const TemplateArgument& argument : statement.template_arguments) {
    result += "<";
    for (const std::int64_t value : argument.values) result += std::to_string(value) + ">";
  }
  for (const Argument& argument : statement.arguments)
    result += " " + text(program, function, argument);
  return result;
}

std::vector<std::string> statements_of(const Program& program, const Function& function) {
  std::vector<std::string> lines;
  for (const Statement& statement : function.statements)
    lines.push_back(text(program, function, statement));
  return lines;
}

// "relu(s + x)" with dtypes behind operators: the expression tree of a kernel.
std::string text(const Kernel& kernel, std::uint32_t index) {
  const Expression& expression = kernel.expressions[index];
  switch (expression.kind) {
    case Expression::Kind::kParameter:
      return kernel.parameters[expression.index];
    case Expression::Kind::kLiteral:
      return std::string(name_of(expression.literal.dtype)) + ":" +
             std::to_string(expression.literal.bits);
    case Expression::Kind::kInfix:
      return "(" + text(kernel, expression.operands[0]) + " " + expression.token + " " +
             text(kernel, expression.operands[1]) + ")";
    case Expression::Kind::kPrefix:
      return expression.token + text(kernel, expression.operands[0]);
    case Expression::Kind::kCast:
      return std::string(name_of(expression.dtype)) + "(" + text(kernel, expression.operands[0]) +
             ")";
    case Expression::Kind::kCall:
      break;
  }
  std::string result = expression.token;
  for (std::size_t i = 0; i < expression.operands.size(); ++i)
    result += (i == 0 ? "(" : ", ") + text(kernel, expression.operands[i]);
  return result + ")";
}

std::string text(const Kernel& kernel) { return text(kernel, kernel.result); }

TEST(Read, AcceptsEverySampleAndGoldenCase) {
  const std::vector<std::string> stems = all_emitted();
  EXPECT_GE(stems.size(), 17u);
  for (const std::string& stem : stems)
    EXPECT_THAT(lines_of(emitted(stem).read().findings), IsEmpty()) << stem;
}

TEST(Read, AddScale) {
  const Program program = program_of("samples/add_scale/add_scale");
  EXPECT_EQ(program.name_space, "add_scale");
  EXPECT_THAT(program.runtime_version, ElementsAre(WICK_RUNTIME_MAJOR, WICK_RUNTIME_MINOR));
  EXPECT_FALSE(program.has_arena);
  EXPECT_FALSE(program.has_state);
  ASSERT_EQ(program.functions.size(), 1u);
  const Function& run = run_of(program);
  EXPECT_TRUE(run.is_noexcept);
  ASSERT_EQ(run.parameters.size(), 3u);
  EXPECT_EQ(run.parameters[0].name, "a");
  EXPECT_EQ(run.parameters[0].kind, Parameter::Kind::kInput);
  EXPECT_EQ(run.parameters[2].kind, Parameter::Kind::kOutput);
  EXPECT_EQ(text(run.parameters[2].type), "f32[2, 3]");
  EXPECT_THAT(statements_of(program, run), ElementsAre("map y [y_kernel] a b"));
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(text(program.kernels[0]), "((a + b) * f32:1073741824)");  // 2.0f is 0x40000000
  EXPECT_THAT(program.kernels[0].parameter_types, ElementsAre(DType::kF32, DType::kF32));
  EXPECT_EQ(run.statements[0].arguments[0].access, Access::kWrite);
  EXPECT_EQ(run.statements[0].arguments[2].access, Access::kRead);
}

TEST(Read, Digits) {
  const Program program = program_of("samples/digits/digits");
  EXPECT_TRUE(program.has_arena);
  EXPECT_FALSE(program.is_static);
  EXPECT_EQ(program.arena_bytes, 640);
  EXPECT_EQ(program.arena_alignment, 64);
  EXPECT_EQ(program.packed_bytes, 45568);
  ASSERT_EQ(program.weights.size(), 6u);
  EXPECT_EQ(program.weights[2].name, "w1");
  EXPECT_EQ(text(program.weights[2].type), "f32[96, 48]");
  EXPECT_EQ(program.weights[2].offset, 24960);
  EXPECT_FALSE(program.weights[2].is_inline);

  const Function& run = run_of(program);
  EXPECT_THAT(
      statements_of(program, run),
      ElementsAre("enter pixels logits probabilities", "declare x", "map x [x_kernel] pixels",
                  "declare h0", "matmul h0 x weights.w0 [h0_kernel] weights.b0", "free x",
                  "declare h1", "matmul h1 h0 weights.w1 [h0_kernel] weights.b1", "free h0",
                  "matmul logits h1 weights.w2 [logits_kernel] weights.b2", "free h1",
                  "declare probabilities_workspace",
                  "rows<1> [[probabilities_rows]] probabilities_workspace (probabilities) logits",
                  "leave"));
  EXPECT_EQ(run.statements[0].bytes, 640);
  const Name& h1 = name_of(run, "h1");
  EXPECT_EQ(h1.kind, Name::Kind::kSlot);
  EXPECT_EQ(h1.offset, 384);
  EXPECT_EQ(text(h1.type), "f32[1, 48]");
  const Name& scratch = name_of(run, "probabilities_workspace");
  EXPECT_EQ(scratch.kind, Name::Kind::kWorkspace);
  EXPECT_EQ(scratch.bytes, 64);
  EXPECT_EQ(scratch.offset, 0);
  EXPECT_EQ(name_of(run, "weights.b2").kind, Name::Kind::kConstant);
  EXPECT_EQ(name_of(run, "weights.b2").index, 5u);
}

TEST(Read, KernelsAndRowProgramsOfDigits) {
  const Program program = program_of("samples/digits/digits");
  ASSERT_EQ(program.kernels.size(), 5u);
  EXPECT_EQ(text(program.kernels[0]), "(pixels * f32:1031798784)");  // 0.0625f is 0x3d800000
  EXPECT_EQ(text(program.kernels[1]), "relu((fc0_product + b0))");
  EXPECT_EQ(text(program.kernels[3]), "exp((logits - probabilities_peak))");

  ASSERT_EQ(program.row_programs.size(), 1u);
  const RowProgram& rows = program.row_programs[0];
  EXPECT_THAT(rows.parameters, ElementsAre("probabilities", "logits"));
  ASSERT_EQ(rows.statements.size(), 4u);
  EXPECT_EQ(rows.statements[0].kind, RowStatement::Kind::kReduce);
  EXPECT_EQ(rows.statements[0].reducer, "Maximum");
  EXPECT_EQ(rows.statements[0].kernel, RowStatement::kNoKernel);
  EXPECT_EQ(rows.statements[1].kind, RowStatement::Kind::kKeep);
  EXPECT_EQ(rows.statements[1].kept, DType::kF32);
  EXPECT_EQ(rows.statements[1].buffer, 0u);
  ASSERT_EQ(rows.statements[1].arguments.size(), 2u);
  EXPECT_EQ(rows.statements[1].arguments[0].kind, RowArgument::Kind::kParameter);
  EXPECT_EQ(rows.statements[1].arguments[0].index, 1u);
  EXPECT_EQ(rows.statements[1].arguments[1].kind, RowArgument::Kind::kLocal);
  EXPECT_EQ(rows.statements[1].arguments[1].index, 0u);
  EXPECT_EQ(rows.statements[3].kind, RowStatement::Kind::kWrite);
  EXPECT_EQ(rows.statements[3].target, 0u);
  EXPECT_EQ(program.kernels[rows.statements[3].kernel].name, "probabilities_kernel");
}

TEST(Read, PlacesAreThoseOfTheText) {
  const Reading reading = small().read();
  ASSERT_TRUE(reading.program.has_value());
  const Statement& map = run_of(*reading.program).statements[3];
  EXPECT_EQ(map.function, "map");
  EXPECT_EQ(map.place.file, Place::File::kSource);
  EXPECT_EQ(map.place.line, 21u);
  EXPECT_EQ(map.place.column, 3u);
  EXPECT_EQ(map.arguments[2].place.column, 26u);
  const Kernel& kernel = reading.program->kernels[0];
  EXPECT_EQ(kernel.place.line, 8u);
  EXPECT_EQ(kernel.expressions[2].place.line, 9u);
  EXPECT_EQ(kernel.expressions[2].place.column, 22u);  // of the operator
}

TEST(Read, CachedConstant) {
  const Program program = program_of("tests/golden/cached_constant/cached_constant");
  EXPECT_TRUE(program.has_state);
  EXPECT_EQ(program.state_bytes, 128);
  EXPECT_EQ(program.state_alignment, 64);
  ASSERT_EQ(program.bound.size(), 1u);
  EXPECT_EQ(program.bound[0].name, "gain");
  EXPECT_EQ(text(program.bound[0].type), "f32[1]");
  ASSERT_EQ(program.weights.size(), 1u);
  EXPECT_TRUE(program.weights[0].is_inline);
  ASSERT_EQ(program.weights[0].values.size(), 32u);
  // The second of the angles, 0.7853982f, is 0x3f490fdb.
  EXPECT_EQ(program.weights[0].values[4], std::byte{0xdb});
  EXPECT_EQ(program.weights[0].values[5], std::byte{0x0f});
  EXPECT_EQ(program.weights[0].values[6], std::byte{0x49});
  EXPECT_EQ(program.weights[0].values[7], std::byte{0x3f});
  ASSERT_EQ(program.functions.size(), 2u);
  EXPECT_THAT(statements_of(program, program.functions[0]),
              ElementsAre("declare wave", "map wave [wave_kernel] weights.angle", "declare window",
                          "map window [window_kernel] wave state.gain"));
  EXPECT_EQ(name_of(program.functions[0], "window").kind, Name::Kind::kStateSlot);
  EXPECT_EQ(name_of(program.functions[0], "window").offset, 64);
  EXPECT_EQ(name_of(program.functions[0], "state.gain").kind, Name::Kind::kBound);
  EXPECT_THAT(statements_of(program, program.functions[1]),
              ElementsAre("once prepare", "declare window", "map y [window_kernel] x window"));
}

TEST(Read, HeapSlotsAreFreedOrKept) {
  const Program program = program_of("tests/golden/heap_storage/heap_storage");
  const Function& run = run_of(program);
  EXPECT_FALSE(program.has_arena);
  EXPECT_THAT(
      statements_of(program, run),
      ElementsAre("declare across", "scan<1> across Sum x", "declare down",
                  "scan<0> down Sum across", "retire across", "declare twice",
                  "scan<1> twice Sum down", "free down", "scan<0> y Sum twice", "free twice"));
  EXPECT_EQ(name_of(run, "twice").kind, Name::Kind::kReuse);
  EXPECT_EQ(run.names[name_of(run, "twice").base].text, "across");
}

TEST(Read, TheStaticArenaIsTheArena) {
  const Program program = program_of("tests/golden/static_storage/static_storage");
  EXPECT_TRUE(program.has_arena);
  EXPECT_TRUE(program.is_static);
  EXPECT_EQ(program.arena_bytes, 256);
  EXPECT_EQ(program.arena_alignment, 64);
  EXPECT_EQ(run_of(program).statements[0].bytes, 256);
}

TEST(Read, ViewsHaveTheirStrides) {
  const Program program = program_of("tests/golden/view_shares_storage/view_shares_storage");
  const Function& run = run_of(program);
  EXPECT_EQ(text(name_of(run, "even").type), "f32[4, 3] 6 2");
  EXPECT_EQ(text(name_of(run, "columns").type), "f32[3, 4] 2 6");
  EXPECT_EQ(run.names[name_of(run, "columns").base].text, "even");
  EXPECT_EQ(name_of(run, "even").offset, 0);
}

TEST(Read, NamesWrittenInPlaceStandInTheirStatement) {
  const Program program = program_of("tests/golden/names_like_our_own/names_like_our_own");
  const Function& run = run_of(program);
  const Statement& last = run.statements[run.statements.size() - 2];
  EXPECT_EQ(last.function, "map_in_place");
  EXPECT_EQ(last.arguments[0].access, Access::kOverwrite);
  const Name& over = run.names[last.arguments[0].index];
  EXPECT_EQ(over.kind, Name::Kind::kInPlace);
  EXPECT_EQ(over.text, "wick::in_place<Matrix2x3>(s_exponential)");
  EXPECT_EQ(run.names[over.base].kind, Name::Kind::kOutput);
}

TEST(Read, TablesGiveTheNamesOfTheGraph) {
  const Reading reading = small_with_header("}  // namespace small\n",
                                            "inline constexpr wick::TensorInfo kInputs[] = "
                                            "{wick::describe<Matrix2x3>(\"the x\")};\n}\n")
                              .read();
  EXPECT_THAT(lines_of(reading.findings), IsEmpty());
  ASSERT_TRUE(reading.program.has_value());
  const Function& run = run_of(*reading.program);
  EXPECT_EQ(run.parameters[0].original, "the x");
  EXPECT_EQ(run.parameters[1].original, "");
}

TEST(Read, AKernelUsedWithTwoTypesStandsThereTwice) {
  Emitted files = small_with("  wick::map(y, y_kernel, s, x);\n",
                             "  wick::map(y, y_kernel, s, x);\n"
                             "  wick::map(z, y_kernel, d, d);\n");
  const auto add = [](std::string& text) {
    const std::size_t at = text.find("std::byte* arena)");
    text.insert(at, "wick::In<F64> d, wick::Out<F64> z, ");
  };
  add(files.source.text);
  add(files.header.text);
  files.header.text.insert(files.header.text.find("using"),
                           "using F64 = wick::Tensor<double, 2>;\n");
  const Reading reading = files.read();
  EXPECT_THAT(lines_of(reading.findings), IsEmpty());
  ASSERT_TRUE(reading.program.has_value());
  ASSERT_EQ(reading.program->kernels.size(), 2u);
  EXPECT_THAT(reading.program->kernels[0].parameter_types, ElementsAre(DType::kF32, DType::kF32));
  EXPECT_THAT(reading.program->kernels[1].parameter_types, ElementsAre(DType::kF64, DType::kF64));
  EXPECT_EQ(reading.program->kernels[1].expressions[2].dtype, DType::kF64);
}

TEST(Read, LiteralsKeepEveryBit) {
  const std::pair<const char*, const char*> cases[] = {
      {"sum * -0.0f", "f32:2147483648"},
      {"sum * -wick::infinity<float>", "f32:4286578688"},
      {"sum * wick::nan<float>", "f32:2143289344"},
      {"sum * wick::scalar<float, 0x7fa00001u>", "f32:2141192193"},
  };
  for (const auto& [written, bits] : cases) {
    const Reading reading = small_with("wick::relu(sum)", written).read();
    EXPECT_THAT(lines_of(reading.findings), IsEmpty()) << written;
    if (!reading.program) continue;
    EXPECT_EQ(text(reading.program->kernels[0]), "((s + x) * " + std::string(bits) + ")");
  }
}

TEST(Read, IntegersAndConditionsHaveTheirTypes) {
  const Reading reading = small_with("return wick::relu(sum);",
                                     "const auto n = wick::cast<std::int8_t>(sum);\n"
                                     "  const auto low = n < std::int8_t{-3};\n"
                                     "  const auto kept = wick::where(low, n, std::int8_t{7});\n"
                                     "  return wick::cast<float>(kept);")
                              .read();
  EXPECT_THAT(lines_of(reading.findings), IsEmpty());
  ASSERT_TRUE(reading.program.has_value());
  const Kernel& kernel = reading.program->kernels[0];
  EXPECT_EQ(text(kernel),
            "f32(where((i8((s + x)) < i8:253), i8((s + x)), i8:7))");  // -3 is 253 in eight bits
  EXPECT_EQ(kernel.expressions[kernel.result].dtype, DType::kF32);
  std::vector<DType> types;
  for (const Expression& expression : kernel.expressions) types.push_back(expression.dtype);
  EXPECT_THAT(types, ElementsAre(DType::kF32, DType::kF32, DType::kF32, DType::kI8, DType::kI8,
                                 DType::kBool, DType::kI8, DType::kI8, DType::kF32));
}

}  // namespace
}  // namespace wick::frontend::check::testing
