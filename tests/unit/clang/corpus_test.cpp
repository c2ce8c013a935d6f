// Random graphs, written down in every way wick knows: the reader accepts all of it, and what it
// reads has the outputs of the graph.
#include <gmock/gmock.h>

#include "compiler/compile.h"
#include "tests/support/random_graph.h"
#include "tests/unit/clang/emitted.h"

namespace wick::frontend::check::testing {
namespace {

using compiler::CompileOptions;
using compiler::StorageMode;
using compiler::WeightsMode;
using ::testing::IsEmpty;

constexpr std::uint64_t kGraphs = 24;

std::string text_of(const compiler::EmittedFile& file) {
  const std::vector<std::byte> bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void expect_read(std::uint64_t seed, const CompileOptions& options, const std::string& how) {
  compiler::Diagnostics diagnostics;
  const auto made = compile(compiler::testing::random_description(seed), options, diagnostics);
  ASSERT_TRUE(made.has_value()) << "seed " << seed;
  Emitted files;
  for (const compiler::EmittedFile& file : made->emission.files) {
    if (file.name == "model.cpp") files.source = {file.name, text_of(file)};
    if (file.name == "model.h") files.header = {file.name, text_of(file)};
  }
  const Reading reading = files.read();
  EXPECT_THAT(lines_of(reading.findings), IsEmpty()) << "seed " << seed << ", " << how;
  if (!reading.program) return;
  EXPECT_EQ(reading.program->name_space,
            options.emit.name_space.empty() ? made->given->name : options.emit.name_space);
  std::size_t outputs = 0;
  for (const Parameter& parameter : reading.program->functions.back().parameters)
    outputs += parameter.kind == Parameter::Kind::kOutput ? 1 : 0;
  EXPECT_EQ(outputs, made->given->outputs.size()) << "seed " << seed << ", " << how;
}

class Corpus : public ::testing::TestWithParam<StorageMode> {};

TEST_P(Corpus, IsRead) {
  for (std::uint64_t seed = 1; seed <= kGraphs; ++seed) {
    CompileOptions options;
    options.plan.storage = GetParam();
    expect_read(seed, options, "default");
    options.simplify = seed % 3 != 0;
    options.emit.weights = seed % 2 == 0 ? WeightsMode::kPointer : WeightsMode::kFile;
    options.emit.name_space = "outer::inner";
    expect_read(seed + 1000, options, "weights from the caller");
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, Corpus,
                         ::testing::Values(StorageMode::kArena, StorageMode::kStatic,
                                           StorageMode::kHeap, StorageMode::kNone));

}  // namespace
}  // namespace wick::frontend::check::testing
