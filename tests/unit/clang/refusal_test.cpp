// What emitted code may not contain is refused, each kind at its place.
#include <gmock/gmock.h>

#include "tests/unit/clang/emitted.h"

namespace wick::frontend::check::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A change of the small file, and the finding that it leads to.
struct Case {
  const char* what;
  std::string_view from;
  std::string_view to;
  const char* place;
  const char* message;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.what; }

class Refusal : public ::testing::TestWithParam<Case> {};

TEST_P(Refusal, NamesThePlace) {
  const Case& one = GetParam();
  const bool in_header = one.place[0] == 'h';
  const Reading reading =
      (in_header ? small_with_header(one.from, one.to) : small_with(one.from, one.to)).read();
  EXPECT_FALSE(reading.program.has_value());
  EXPECT_THAT(lines_of(reading.findings),
              Contains(AllOf(StartsWith(std::string(one.place) + " "), HasSubstr(one.message))));
}

constexpr std::string_view kFree = "  wick::free(s);\n";
constexpr std::string_view kSlotConstant = "constexpr std::size_t kS = 0;";
constexpr std::string_view kRelu = "return wick::relu(sum);";

const Case kTokens[] = {
    {"loop", kFree, "  for (;;) {}\n", "22:3", "'for'"},
    {"while", kFree, "  while (true) {}\n", "22:3", "'while'"},
    {"goto", kFree, "  goto out;\n", "22:3", "'goto'"},
    {"switch", kFree, "  switch (1) {}\n", "22:3", "'switch'"},
    {"throw", kFree, "  throw 1;\n", "22:3", "'throw'"},
    {"try", kFree, "  try {\n", "22:3", "'try'"},
    {"new", kFree, "  new int;\n", "22:3", "'new'"},
    {"delete", kFree, "  delete arena;\n", "22:3", "'delete'"},
    {"assembly", kFree, "  asm(\"nop\");\n", "22:3", "'asm'"},
    {"assembly of GNU", kFree, "  __asm__(\"nop\");\n", "22:3", "'__asm__'"},
    {"attribute of GNU", kFree, "  __attribute__((unused)) int i;\n", "22:3", "'__attribute__'"},
    {"builtin", kFree, "  __builtin_trap();\n", "22:3", "'__builtin_trap'"},
    {"static cast", kFree, "  static_cast<void>(s);\n", "22:3", "'static_cast'"},
    {"reinterpreting cast", kFree, "  reinterpret_cast<int*>(arena);\n", "22:3",
     "'reinterpret_cast'"},
    {"constant cast", kFree, "  const_cast<int*>(arena);\n", "22:3", "'const_cast'"},
    {"volatile", kFree, "  volatile int i;\n", "22:3", "'volatile'"},
    {"thread", kFree, "  thread_local int i;\n", "22:3", "'thread_local'"},
    {"class", kSlotConstant, "class C {};", "13:1", "'class'"},
    {"union", kSlotConstant, "union U {};", "13:1", "'union'"},
    {"enumeration", kSlotConstant, "enum E {};", "13:1", "'enum'"},
    {"type definition", kSlotConstant, "typedef int I;", "13:1", "'typedef'"},
    {"operator", kSlotConstant, "int operator+(int, int);", "13:5", "'operator'"},
    {"type of an expression", kSlotConstant, "decltype(1) kS = 0;", "13:1", "'decltype'"},
    {"assertion", kSlotConstant, "static_assert(true);", "13:1", "'static_assert'"},
    {"mutable lambda", "auto x) {", "auto x) mutable {", "8:46", "'mutable'"},
    {"question", kRelu, "return sum < s ? sum : s;", "10:18", "'?'"},
    {"shift", kRelu, "return sum << s;", "10:14", "'<<'"},
    {"increment", kFree, "  ++s;\n", "22:3", "'++'"},
    {"pointer to member", kFree, "  arena->x;\n", "22:8", "'->'"},
    {"variadic", "auto x) {", "auto... x) {", "8:42", "'...'"},
    {"character", kFree, "  'c';\n", "22:3", "'c'"},
    {"macro", "namespace small {", "#define small large\nnamespace small {", "5:1", "directives"},
    {"conditional", "namespace small {", "#if 1\nnamespace small {", "5:1", "directives"},
    {"pragma", "namespace small {", "#pragma GCC optimize\nnamespace small {", "5:1", "directives"},
    {"once in the source", "#include \"small.h\"", "#pragma once", "1:1", "directives"},
    {"include", "namespace small {", "#include <cmath>\nnamespace small {", "5:1", "directives"},
    {"include of a path", "#include \"small.h\"", "#include \"/etc/passwd\"", "1:1", "directives"},
    {"macro of the runtime", kFree, "  WICK_INLINE;\n", "22:3", "'WICK_INLINE'"},
    {"word in two lines", "wick::free(s)", "wick::fr\\\nee(s)", "22:9", "broken over lines"},
    {"attribute", kFree, "  [[likely]] wick::free(s);\n", "22:3", "attribute"},
    {"section of a variable", kSlotConstant, "[[gnu::section(\"x\")]] std::byte a[64];", "13:1",
     "attribute"},
    {"tabulator", kFree, "\twick::free(s);\n", "22:1", "a character"},
    {"macro in the header", "namespace small {", "#define small large\nnamespace small {", "h5:1",
     "directives"},
    {"include in the header", "#pragma once", "#include \"small.h\"", "h1:1", "directives"},
};

const Case kDeclarations[] = {
    {"variable", kSlotConstant, "std::size_t kS = 0;", "13:13", "can be changed"},
    {"pointer", kSlotConstant, "constexpr std::size_t kS = 0;\nstd::byte* p;", "14:12",
     "can be changed"},
    {"second kind of arena", kSlotConstant,
     "constexpr std::size_t kS = 0;\nalignas(64) std::byte arena_[64];", "14:23", "can be changed"},
    {"static arena beside the parameter", kSlotConstant,
     "constexpr std::size_t kS = 0;\nalignas(64) std::byte static_arena[64];", "1:1",
     "a parameter and an array"},
    {"attribute of a constant", kSlotConstant, "[[maybe_unused]] constexpr std::size_t kS = 0;",
     "13:40", "no constant"},
    {"namespace of the runtime", "}  // namespace small\n", "}\nnamespace wick {}\n", "27:11",
     "somebody else"},
    {"computed constant", kSlotConstant, "constexpr std::size_t kS = 64 - 64;", "13:28",
     "a number"},
    {"second structure", kSlotConstant, "constexpr std::size_t kS = 0;\nstruct Other {};", "14:8",
     "Weights and State"},
    {"second function", "}  // namespace\n", "void other() noexcept {}\n}  // namespace\n", "15:6",
     "'other' is no function"},
    {"declared function", "}  // namespace\n", "void other() noexcept;\n}  // namespace\n", "15:6",
     "declares run"},
    {"using directive", "}  // namespace\n", "}  // namespace\nusing namespace wick;\n", "16:17",
     "no declaration"},
    {"using declaration", "}  // namespace\n", "}  // namespace\nusing wick::free;\n", "16:13",
     "no declaration"},
    {"alias of something else", kSlotConstant, "using T = int;\nconstexpr std::size_t kS = 0;",
     "13:7", "no tensor description"},
    {"template", kSlotConstant, "template <auto> void f();\nconstexpr std::size_t kS = 0;", "13:22",
     "no declaration"},
    {"second namespace", "}  // namespace small\n", "}\nnamespace large {}\n", "27:11",
     "the namespace is 'small'"},
    {"outside the namespace", "}  // namespace small\n", "}\nint i;\n", "27:5", "one namespace"},
    {"other C symbol", kSlotConstant, "extern \"C\" int i;\nconstexpr std::size_t kS = 0;", "13:8",
     "embedded weights"},
    {"not noexcept", "arena) noexcept {", "arena) {", "17:6", "noexcept"},
    {"other parameters", "wick::In<Matrix2x3> x,", "wick::InOut<Matrix2x3> x,", "17:6",
     "does not have the parameters"},
    {"static run", "void run(", "static void run(", "17:13", "static declaration"},
    {"kernel with a capture", "[](auto s", "[=](auto s", "8:28", "capture"},
    {"kernel with a type", "[](auto s, auto x)", "[](auto s, float x)", "8:38", "`auto name`"},
    {"kernel with a reference", "[](auto s, auto x)", "[](auto s, auto& x)", "8:38", "`auto name`"},
    {"kernel that nothing uses", kSlotConstant,
     "constexpr std::size_t kS = 0;\nconstexpr auto z = [](auto a) {\n  return a;\n};", "14:16",
     "used by no statement"},
    {"no version", "WICK_REQUIRE_RUNTIME(1, 1);", "", "h1:1", "no version"},
    {"later version", "(1, 1)", "(1, 99)", "h7:1", "another version"},
    {"attribute of a function", "void run(wick", "[[noreturn]] void run(wick", "h14:1",
     "attribute"},
};

const Case kStatements[] = {
    {"branch", kFree, "  if (true) {\n  }\n", "22:3", "one branch"},
    {"return", kFree, "  return;\n", "22:3", "declarations and calls"},
    {"block", kFree, "  { wick::free(s); }\n", "22:3", "declarations and calls"},
    {"empty statement", kFree, "  ;\n", "22:3", "declarations and calls"},
    {"number", kFree, "  const auto n = 3;\n", "22:18", "what a function of the runtime gives"},
    {"static local", kFree, "  static const auto n = wick::slot<Matrix2x3>(arena, 0);\n", "22:3",
     "const auto name"},
    {"stated type", kFree, "  const wick::Slot<Matrix2x3> n = wick::slot<Matrix2x3>(arena, 0);\n",
     "22:31", "`const auto`"},
    {"changeable local", kFree, "  auto n = wick::slot<Matrix2x3>(arena, 0);\n", "22:3",
     "const auto name"},
    {"two locals", kFree,
     "  const auto n = wick::slot<Matrix2x3>(arena, 0), m = wick::slot<Matrix2x3>(arena, 0);\n",
     "22:3", "const auto name"},
    {"pointer arithmetic", "(arena, kS)", "(arena + 64, kS)", "19:40", "in the arena"},
    {"cast of C", "(arena, kS)", "((std::byte*)arena, kS)", "19:40", "in the arena"},
    {"cast as a function", "y_kernel, s, x)", "y_kernel, wick::In<Matrix2x3>(s), x)", "21:26",
     "no name for memory"},
    {"brackets around a name", "y_kernel, s, x)", "y_kernel, (s), x)", "21:26",
     "no name for memory"},
    {"address", "y_kernel, s, x)", "y_kernel, *&s, x)", "21:26", "no name for memory"},
    {"comma", kFree, "  wick::free(s), wick::free(s);\n", "22:3", "no call of the runtime"},
    {"computed offset", "(arena, kS)", "(arena, kS + 64)", "19:47", "a number"},
    {"nothing as memory", "(arena, kS)", "(nullptr, kS)", "19:40", "without elements"},
    {"recursion", kFree, "  run(x, y, arena);\n", "22:3", "nothing that emitted code may call"},
    {"member function", kFree, "  s.data();\n", "22:3", "no call of the runtime"},
    {"assignment", kFree, "  arena = nullptr;\n", "22:3", "no call of the runtime"},
    {"inner function of the runtime", kFree, "  wick::internal::open_bytes(arena, 64);\n", "22:3",
     "nothing that emitted code may call"},
    {"kernel as a statement", kFree, "  y_kernel(2.0f, 2.0f);\n", "22:3", "no call of the runtime"},
    {"function of kernels in run", kFree, "  wick::relu(2.0f);\n", "22:3",
     "nothing that emitted code may call"},
    {"stated template arguments", "wick::map(", "wick::map<Matrix2x3>(", "21:3",
     "0 template arguments"},
    {"pointer as operand", "y_kernel, s, x)", "y_kernel, s, nullptr)", "21:3", "no matching"},
    {"lambda in place", "y_kernel, s, x)", "[](auto a) { return a; }, s)", "21:16",
     "name of a kernel"},
    {"too many operands", "y_kernel, s, x)", "y_kernel, s, x, x)", "21:16", "takes 2 operands"},
    {"kernel of the runtime", "y_kernel, s, x)", "wick::Sum{}, s, x)", "21:16", "name of a kernel"},
    {"unknown name", "y_kernel, s, x)", "y_kernel, t, x)", "21:26", "undeclared identifier 't'"},
    {"written input", "wick::map(y,", "wick::map(x,", "21:3", "no matching function"},
    {"freed input", "wick::free(s)", "wick::free(x)", "22:3", "no matching function"},
    {"freed expression", "wick::free(s)", "wick::free(wick::slot<Matrix2x3>(arena, 0))", "22:3",
     "a name of this function"},
    {"foreign arena", "wick::enter(arena", "wick::enter(nullptr", "18:15", "its own arena"},
    {"operator of another function", "wick::Sum{}", "wick::ArgMaximum{}", "20:20",
     "does not know this operator"},
    {"operator that scans do not know", "wick::Sum{}", "wick::Maximum{}", "20:20",
     "does not know this operator"},
    {"something else than an operator", "wick::Sum{}", "wick::Axes<1>{}", "20:20",
     "the operator of a reduction"},
    {"conversion between types", "wick::slot<Matrix2x3>", "wick::slot<wick::Tensor<double, 2, 3>>",
     "20:3", "f32 cannot be stored as f64"},
    {"in place of an input", kFree,
     "  wick::free(s);\n  const auto z = wick::in_place<Matrix2x3>(x);\n", "23:18",
     "no matching function"},
    {"in place of other size", kFree,
     "  const auto z = wick::in_place<wick::Tensor<float, 2>>(s);\n", "22:18", "in place keeps"},
    {"view of other type", kFree, "  const auto z = wick::view<wick::Tensor<double, 2>>(s);\n",
     "22:18", "keeps the element type"},
    {"slot with strides", "wick::slot<Matrix2x3>", "wick::slot<wick::Strided<Matrix2x3, 1, 2>>",
     "19:18", "row-major"},
    {"shape that is no shape", kFree,
     "  const auto z = wick::slot<wick::Tensor<float, -1>>(arena, 0);\n", "22:18", "not negative"},
    {"name in two meanings", kFree, "  const auto x = wick::slot<Matrix2x3>(arena, 0);\n", "22:14",
     "redefinition of 'x'"},
};

const Case kKernels[] = {
    {"arithmetic of C++", kRelu, "return 1.0f + 2.0f;", "10:10", "a kernel computes"},
    {"kernel as a value", kRelu, "return y_kernel;", "10:10", ""},
    {"inner function", kRelu, "return wick::detail::unary(wick::detail::Abs{}, sum);", "10:10",
     "a kernel computes"},
    {"unqualified call", kRelu, "return relu(sum);", "10:10", "a kernel computes"},
    {"member", kRelu, "return sum.lo;", "10:10", "a kernel computes"},
    {"half of the lanes", kRelu, "return wick::lower(sum);", "10:10", "no operation of kernels"},
    {"reduced lanes", kRelu, "return wick::reduce_lanes(wick::Sum{}, sum);", "10:10",
     "no operation of kernels"},
    {"mixed types", kRelu, "return sum + 2.0;", "10:14", "invalid operands"},
    {"unknown function", kRelu, "return wick::sinh(sum);", "10:16", "no member named 'sinh'"},
    {"other result", kRelu, "return sum < s;", "21:3", "bool cannot be stored as f32"},
    {"branch", kRelu, "if constexpr (true) return sum;", "10:3", "ends in `return"},
    {"no result", kRelu, "wick::relu(sum);", "10:3", "ends in `return"},
    {"changeable local", "const auto sum", "auto sum", "9:3", "const auto name"},
    {"stated arguments", kRelu, "return wick::relu<float>(2.0f);", "10:10", "a kernel computes"},
};

// Lines for the header, in front of the end of its namespace.
constexpr std::string_view kEnd = "}  // namespace small\n";
#define TABLE(name, lines) "inline constexpr wick::TensorInfo " name "[] = {" lines "};\n}\n"

const Case kTables[] = {
    {"another type", kEnd, TABLE("kInputs", "wick::describe<wick::Tensor<float, 3>>(\"x\")"),
     "h16:48", "'x' is described as something else"},
    {"an input that is overwritten", kEnd,
     TABLE("kInputs", "wick::describe<Matrix2x3>(\"x\", true)"), "h16:48",
     "'x' is described as something else"},
    {"a tensor too many", kEnd,
     TABLE("kInputs", "wick::describe<Matrix2x3>(\"x\"), wick::describe<Matrix2x3>(\"z\")"),
     "h16:80", "run takes no such tensor"},
    {"a table of nothing known", kEnd, TABLE("kOthers", "wick::describe<Matrix2x3>(\"x\")"),
     "h16:35", "the tables are kParameters, kInputs and kOutputs"},
    {"an element of its own", kEnd, TABLE("kInputs", "wick::TensorInfo{}"), "h16:48",
     "here stands wick::describe<T>"},
};

#undef TABLE

std::string title(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.what;
  for (char& c : name) c = c == ' ' || c == '+' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Tokens, Refusal, ::testing::ValuesIn(kTokens), title);
INSTANTIATE_TEST_SUITE_P(Declarations, Refusal, ::testing::ValuesIn(kDeclarations), title);
INSTANTIATE_TEST_SUITE_P(Statements, Refusal, ::testing::ValuesIn(kStatements), title);
INSTANTIATE_TEST_SUITE_P(Tables, Refusal, ::testing::ValuesIn(kTables), title);
INSTANTIATE_TEST_SUITE_P(Kernels, Refusal, ::testing::ValuesIn(kKernels), title);

TEST(RefusalOfPairs, ADefinitionInTheHeader) {
  EXPECT_THAT(lines_of(small_with_header("noexcept;", "noexcept {}").read().findings),
              Contains("17:6 redefinition of 'run'"));
}

// The size of the arena is what callers read in the header.
TEST(RefusalOfPairs, ASizeInTheSourceIsNotThatOfTheArena) {
  const Reading reading = small_with("constexpr std::size_t kS = 0;",
                                     "constexpr std::size_t kS = 0;\n"
                                     "constexpr std::size_t kWeightsBytes = 4096;")
                              .read();
  ASSERT_TRUE(reading.program.has_value());
  EXPECT_EQ(reading.program->packed_bytes, 0);
}

// Callers that know no C++ make room for the state by the sizes in the header.
TEST(RefusalOfPairs, SizesThatAreNotThoseOfTheState) {
  constexpr const char* kState =
      "struct State {\n  alignas(64) std::byte bytes[64];\n};\n"
      "inline constexpr std::size_t kStateBytes = SIZE;\n"
      "inline constexpr std::size_t kStateAlignment = ALIGN;\nvoid run(";
  const auto findings = [&](const std::string& size, const std::string& alignment) {
    std::string text = kState;
    text.replace(text.find("SIZE"), 4, size);
    text.replace(text.find("ALIGN"), 5, alignment);
    return lines_of(small_with_header("void run(", text).read().findings);
  };
  EXPECT_THAT(findings("sizeof(State)", "alignof(State)"), IsEmpty());
  EXPECT_THAT(findings("63", "64"), ElementsAre("h17:30 'kStateBytes' is not that of State"));
  EXPECT_THAT(findings("64", "1"), ElementsAre("h18:30 'kStateAlignment' is not that of State"));
}

// Tensors of one type change places for whoever reads the header.
TEST(RefusalOfPairs, NamesOfParametersThatTheSourceGivesToOthers) {
  constexpr std::string_view kOne = "wick::In<Matrix2x3> x,";
  Emitted files = small_with(kOne, "wick::In<Matrix2x3> x, wick::In<Matrix2x3> w,");
  std::string& header = files.header.text;
  header.replace(header.find(kOne), kOne.size(), "wick::In<Matrix2x3> w, wick::In<Matrix2x3> x,");
  EXPECT_THAT(lines_of(files.read().findings),
              ElementsAre("17:30 this parameter is 'w' in the header"));
}

TEST(RefusalOfPairs, TwoArenas) {
  Emitted files = small_with("std::byte* arena)", "std::byte* arena, std::byte* more)");
  files.header.text.replace(files.header.text.find("std::byte* arena)"), 17,
                            "std::byte* arena, std::byte* more)");
  EXPECT_THAT(lines_of(files.read().findings),
              ElementsAre("17:75 there is such a parameter already"));
}

TEST(RefusalOfPairs, TheSmallFileItselfIsRead) {
  const Reading reading = small().read();
  EXPECT_THAT(lines_of(reading.findings), IsEmpty());
  EXPECT_TRUE(reading.program.has_value());
}

}  // namespace
}  // namespace wick::frontend::check::testing
