// A check of our own output that fails: what is said, of which node, and that nothing goes on.
#include "frontend/cli/emission_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/json/reader.h"
#include "tests/cli/program.h"

namespace wick::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The arena graph compiled, with `from` replaced by `to` in the source.
compiler::Compilation broken(const std::string& from, const std::string& to) {
  compiler::Diagnostics diagnostics;
  const SourceFile source = SourceFile::of_text("g.json", cli_test::kArenaGraph);
  auto description = read_graph(source, {}, diagnostics);
  compiler::CompileOptions options;
  options.emit.source_name = "g.json";
  auto compilation = compiler::compile(std::move(*description), options, diagnostics);
  auto& files = compilation->emission.files;
  const auto file = std::ranges::find(files, "model.cpp", &compiler::EmittedFile::name);
  std::string text(reinterpret_cast<const char*>(file->content.data()), file->content.size());
  text.replace(text.find(from), from.size(), to);
  const auto bytes = std::as_bytes(std::span(text));
  file->content.assign(bytes.begin(), bytes.end());
  return std::move(*compilation);
}

TEST(EmissionCheck, AcceptsWhatIsEmitted) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(check_emission(broken("wick::leave", "wick::leave"), "model", {}), std::nullopt);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(EmissionCheck, NamesTheNodeOfAFaultAndCallsItABug) {
  testing::internal::CaptureStderr();
  const auto code = check_emission(
      broken("wick::reduce<wick::Axes<1>>(t, ", "wick::reduce<wick::Axes<0>>(t, "), "model", {});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, ExitCode::kCheckFailed);
  EXPECT_THAT(said, AllOf(HasSubstr("model.cpp:"), HasSubstr("is no result of reducing"),
                          HasSubstr("at /nodes/0, in \"t\""),
                          HasSubstr("the check of the emitted code failed; nothing is written"),
                          HasSubstr("this is a bug in wick")));
}

}  // namespace
}  // namespace wick::frontend
