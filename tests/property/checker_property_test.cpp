// The checker raises no false alarm: what wick emits is read, proven safe, proven faithful and in
// its form, for random graphs in every storage, with and without simplification, fusion and strict
// floating point, and for every golden and sample.
//
// WICK_CHECKED_GRAPHS in the environment sets how many random graphs, WICK_CHECKED_FIRST the first
// seed; 10,000 is the documented full count.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "frontend/check/faithful.h"
#include "frontend/check/safety.h"
#include "frontend/clang/read.h"
#include "frontend/clang/style.h"
#include "tests/golden/model.h"
#include "tests/support/graphs.h"
#include "tests/support/random.h"
#include "tests/support/random_graph.h"

namespace wick::frontend::check {
namespace {

using compiler::Compilation;
using compiler::CompileOptions;
using compiler::StorageMode;

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Line `line` of a text, counted from 1.
std::string line_of(const std::string& text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line && begin < text.size(); ++i)
    begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// What is found wrong, one finding a line with the line of code it stands at; nothing if all is
// well. `tested` counts what was evaluated instead of proven.
std::string alarms(const Compilation& compilation, const std::string& name, std::size_t& tested) {
  std::string source, header;
  std::vector<std::byte> packed;
  for (const compiler::EmittedFile& file : compilation.emission.files) {
    std::vector<std::byte> bytes;
    for (const auto part : file.parts()) bytes.insert(bytes.end(), part.begin(), part.end());
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (file.name == name + ".cpp") source = text;
    if (file.name == name + ".h") header = text;
    if (file.name == name + ".weights") packed = bytes;
  }
  std::vector<Finding> findings;
  const Reading reading = read_program({name + ".cpp", source}, {name + ".h", header});
  if (!reading.program) {
    findings = reading.findings;
  } else {
    findings = prove_safe(*reading.program);
    Faithfulness result = compare(*reading.program, *compilation.given, packed);
    findings.insert(findings.end(), result.findings.begin(), result.findings.end());
    tested += result.tested.size();
  }
  for (const Finding& finding : check_style(source, Place::File::kSource))
    findings.push_back(finding);
  for (const Finding& finding : check_style(header, Place::File::kHeader))
    findings.push_back(finding);
  std::string text;
  for (const Finding& finding : findings) {
    const std::string& file = finding.place.file == Place::File::kSource ? source : header;
    text += "\n" + std::to_string(finding.place.line) + ": " + finding.message + " [" +
            finding.pointer + "] " + finding.hint + "\n    " + line_of(file, finding.place.line);
  }
  return text;
}

CompileOptions options_of(std::uint64_t seed, StorageMode storage) {
  CompileOptions options;
  options.simplify = seed % 5 != 0;
  options.fuse.fuse = seed % 7 != 0;
  options.fuse.fp = seed % 3 == 0 ? compiler::FpMode::kStrict : compiler::FpMode::kDefault;
  options.plan.storage = storage;
  return options;
}

TEST(Checker, RaisesNoAlarmAboutRandomGraphs) {
  const std::uint64_t first = number("WICK_CHECKED_FIRST", 0);
  const std::uint64_t count = number("WICK_CHECKED_GRAPHS", 200);
  std::size_t tested = 0, wrong = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const int nodes = 4 + static_cast<int>(seed % 20);
    const StorageMode third = seed % 2 == 0 ? StorageMode::kStatic : StorageMode::kNone;
    for (const StorageMode storage : {StorageMode::kArena, StorageMode::kHeap, third}) {
      compiler::Diagnostics diagnostics;
      const auto compilation =
          compiler::compile(compiler::testing::random_description(seed, {.nodes = nodes}),
                            options_of(seed, storage), diagnostics);
      ASSERT_TRUE(compilation.has_value()) << "seed " << seed;
      const std::string found = alarms(*compilation, "model", tested);
      EXPECT_EQ(found, "") << "seed " << seed;
      if (!found.empty()) ++wrong;
    }
  }
  // What wick emits is decided by the algebra alone.
  EXPECT_EQ(tested, 0u);
  EXPECT_EQ(wrong, 0u) << "of " << 3 * count;
}

// Chains of scalars, of which the middle is now and then read by others: they are folded in parts.
compiler::GraphDescription chains(std::uint64_t seed) {
  compiler::testing::Random random(seed);
  compiler::testing::Described described;
  const bool narrow = seed % 2 == 0;
  described.input("x", narrow ? compiler::DType::kF32 : compiler::DType::kF64, {4});
  const std::vector<std::string> ops = {"add", "sub", "mul", "div", "mul", "add"};
  for (int chain = 0; chain < 30; ++chain) {
    std::string last = "x";
    const std::int64_t length = random.in(2, 10);
    for (std::int64_t i = 0; i < length; ++i) {
      const std::string name = "c" + std::to_string(chain) + "_" + std::to_string(i);
      const std::string& op = random.of(ops);
      compiler::testing::Operand number(static_cast<double>(random.in(-99, 100)) / 7);
      if (op == "div") number = compiler::testing::Operand(random.chance(70) ? 4 : 3);
      if (op == "sub" && random.chance(50)) {
        described.node(name, op, {number, last.c_str()});
      } else {
        described.node(name, op, {last.c_str(), number});
      }
      if (i + 1 == length || random.chance(20)) described.output(name);
      last = name;
    }
  }
  return described.description;
}

TEST(Checker, RaisesNoAlarmAboutChainsThatAreFoldedInParts) {
  std::size_t tested = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    compiler::Diagnostics diagnostics;
    const auto compilation = compiler::compile(chains(seed), {}, diagnostics);
    ASSERT_TRUE(compilation.has_value()) << "seed " << seed;
    EXPECT_EQ(alarms(*compilation, "model", tested), "") << "seed " << seed;
  }
  EXPECT_EQ(tested, 0u);
}

// A cached value under a second name that only later calls read.
TEST(Checker, AcceptsASecondNameOfACachedValue) {
  using compiler::testing::Described;
  Described described;
  described.parameter("p", compiler::DType::kF32, {4})
      .node("c", "exp", {"p"})
      .cached()
      .node("second", "identity", {"c"})
      .cached()
      .node("y", "identity", {"second"})
      .output("y");
  compiler::Diagnostics diagnostics;
  const auto compilation = compiler::compile(described.description, {}, diagnostics);
  ASSERT_TRUE(compilation.has_value());
  std::size_t tested = 0;
  EXPECT_EQ(alarms(*compilation, "model", tested), "");
}

class Checked : public ::testing::TestWithParam<golden::Model> {};

TEST_P(Checked, IsSafeAndFaithful) {
  std::size_t tested = 0;
  EXPECT_EQ(alarms(golden::compile_model(GetParam()), GetParam().name, tested), "");
  EXPECT_EQ(tested, 0u);
}

INSTANTIATE_TEST_SUITE_P(Golden, Checked, ::testing::ValuesIn(golden::goldens()),
                         [](const auto& parameter) { return parameter.param.name; });
INSTANTIATE_TEST_SUITE_P(Sample, Checked, ::testing::ValuesIn(golden::samples()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace wick::frontend::check
