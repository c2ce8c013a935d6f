// The samples are what a visitor looks at first: the code checked in is what wick emits today, and
// each program builds with the compiler at hand and prints the right result. With
// WICK_UPDATE_GOLDENS set in the environment, the code is written instead of compared.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/golden/model.h"
#include "tests/golden/shell.h"

namespace wick::golden {
namespace {

using ::testing::TestWithParam;

class Sample : public TestWithParam<Model> {};

TEST_P(Sample, IsFresh) {
  const Model& model = GetParam();
  for (const compiler::EmittedFile& file : compile_model(model).emission.files) {
    if (std::getenv("WICK_UPDATE_GOLDENS") != nullptr) {
      write(model.folder / file.name, text_of(file));
    } else {
      EXPECT_TRUE(text_of(file) == contents(model.folder / file.name))
          << file.name << " is not what wick emits: build the target update-goldens";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Code, Sample, ::testing::ValuesIn(samples()),
                         [](const auto& parameter) { return parameter.param.name; });

// What the sample prints on its data.
std::string printed_by(const std::string& name, const std::string& arguments) {
  const fs::path root = WICK_SOURCE_DIR;
  const fs::path folder = root / "samples" / name;
  const TemporaryFolder out;
  const std::string sources = shell_word(folder / "main.cpp") + " " +
                              shell_word(folder / (name + ".cpp")) +
                              (fs::exists(folder / (name + ".weights.cpp"))
                                   ? " " + shell_word(folder / (name + ".weights.cpp"))
                                   : "");
  const ShellResult built = shell(
      "c++ -std=c++17 -O2 -Wall -Wextra -Werror -ffp-contract=off -fno-lto -I " +
          shell_word(root / "runtime") + " -I " + shell_word(folder) + " " + sources + " -o sample",
      out.path());
  if (built.status != 0) return built.output;
  const ShellResult result = shell("./sample " + arguments, out.path());
  return result.output + (result.status == 0 ? "" : "exit code " + std::to_string(result.status));
}

fs::path data(const std::string& folder) { return fs::path(WICK_SOURCE_DIR) / "samples" / folder; }

// (1 + 10) * 2, (2 + 20) * 2, …
TEST(AddScale, PrintsTheSums) { EXPECT_EQ("22 44 66 88 110 132 \n", printed_by("add_scale", "")); }

// 357 of the 360 labels, as the network gets them in float64. The program itself compares the
// logits with those and fails beyond 1e-4.
TEST(Digits, ReadsAllButThree) {
  const std::string printed = printed_by("digits", shell_word(data("digits/data")));
  EXPECT_NE(std::string::npos, printed.find("357 of 360 images read right; logits within "))
      << printed;
  EXPECT_EQ(std::string::npos, printed.find("exit code")) << printed;
}

// The program fails if it is further than 1e-5 from NumPy's result in float64.
TEST(Attention, AgreesWithNumPy) {
  const std::string printed = printed_by("attention", shell_word(data("attention")));
  EXPECT_NE(std::string::npos, printed.find("of NumPy")) << printed;
  EXPECT_EQ(std::string::npos, printed.find("exit code")) << printed;
}

}  // namespace
}  // namespace wick::golden
