// What is promised of all emitted code, tested on the goldens and the samples: no warning,
// formatted, and right. Each compiler sees all of it in one translation unit.
#include <gtest/gtest.h>

#include <cctype>
#include <sstream>

#include "tests/corpus/batch.h"
#include "tests/golden/model.h"
#include "tests/golden/shell.h"

namespace wick::golden {
namespace {

std::vector<Model> all_models() {
  std::vector<Model> models = goldens();
  for (Model& model : samples()) models.push_back(std::move(model));
  return models;
}

struct Build {
  std::string compiler;
  std::string level;
};

class Warnings : public ::testing::TestWithParam<Build> {};

// Every emitted unit, those with weights too, with the flags of docs/generated-code.md.
TEST_P(Warnings, AreNone) {
  const TemporaryFolder folder;
  std::string unit, includes;
  const auto add = [&](const compiler::Emission& emission) {
    for (const compiler::EmittedFile& file : emission.files) {
      write(folder.path() / file.name, text_of(file));
      if (file.name.ends_with(".cpp")) unit += "#include \"" + file.name + "\"\n";
    }
  };
  for (const Model& model : all_models()) add(compile_model(model).emission);
  write(folder.path() / "unit.cpp", unit);
  const ShellResult result = shell(
      GetParam().compiler + " -std=c++17 " + GetParam().level +
          " -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror -I . -I " +
          shell_word(fs::path(WICK_SOURCE_DIR) / "runtime") + " -c unit.cpp -o unit.o",
      folder.path());
  EXPECT_EQ(0, result.status) << result.output.substr(0, 6000);
}

std::vector<Build> builds() {
  std::vector<Build> all;
  for (const char* compiler : {"g++-12", "clang++-14", "clang++-19"}) {
    for (const char* level : {"-O0", "-O2", "-O3"}) all.push_back({compiler, level});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Compilers, Warnings, ::testing::ValuesIn(builds()),
                         [](const auto& parameter) {
                           std::string name;
                           for (const char c : parameter.param.compiler + parameter.param.level) {
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                             if (c == '+') name += 'x';
                           }
                           return name;
                         });

TEST(Format, IsAFixedPointOfClangFormat) {
  const TemporaryFolder folder;
  std::string files;
  const auto add = [&](const compiler::Emission& emission) {
    for (const compiler::EmittedFile& file : emission.files) {
      if (!file.name.ends_with(".cpp") && !file.name.ends_with(".h")) continue;
      write(folder.path() / file.name, text_of(file));
      files += " " + file.name;
    }
  };
  for (const Model& model : all_models()) add(compile_model(model).emission);
  const std::string style = shell_word(
      "--style=file:" + (fs::path(WICK_SOURCE_DIR) / "docs/emitted.clang-format").string());
  const ShellResult result =
      shell("clang-format-19 --dry-run -Werror " + style + files, folder.path());
  EXPECT_EQ(0, result.status) << result.output.substr(0, 6000);
}

// No line is longer than a reader's window.
TEST(Format, KeepsToAHundredColumns) {
  for (const Model& model : all_models()) {
    for (const compiler::EmittedFile& file : compile_model(model).emission.files) {
      if (!file.name.ends_with(".cpp") && !file.name.ends_with(".h")) continue;
      std::istringstream lines(text_of(file));
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 100u) << file.name << ": " << line;
      }
    }
  }
}

TEST(Values, AgreeWithTheReference) {
  const TemporaryFolder folder;
  corpus::Batch batch(folder.path().string(), "goldens");
  const std::vector<Model> models = all_models();
  std::vector<compiler::Compilation> compilations;
  std::vector<std::vector<compiler::HostTensor>> inputs;
  for (const Model& model : models) {
    compilations.push_back(compile_model(model, model.name));
    inputs.push_back(inputs_of(*compilations.back().given));
    batch.add(model.name, compilations.back(), inputs.back());
  }
  const auto results = batch.run({});
  ASSERT_EQ(models.size(), results.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    EXPECT_EQ("", disagreement(*compilations[i].given, inputs[i], results[i])) << models[i].name;
  }
}

}  // namespace
}  // namespace wick::golden
