// Each folder here shows one thing that wick does: graph.json, perhaps `storage`, and every file
// emitted from it, compared byte for byte. With WICK_UPDATE_GOLDENS set in the environment the
// files are written instead (`cmake --build --preset dev --target update-goldens`): read the change
// as a reviewer of code would before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/golden/model.h"

namespace wick::golden {
namespace {

class Golden : public ::testing::TestWithParam<Model> {};

TEST_P(Golden, IsEmittedAsCheckedIn) {
  const Model& model = GetParam();
  const bool update = std::getenv("WICK_UPDATE_GOLDENS") != nullptr;
  const compiler::Compilation compilation = compile_model(model);
  std::set<std::string> expected = {"graph.json", "storage"};
  ASSERT_GE(compilation.emission.files.size(), 2u);
  for (const compiler::EmittedFile& file : compilation.emission.files) {
    expected.insert(file.name);
    if (update) {
      write(model.folder / file.name, text_of(file));
    } else {
      EXPECT_EQ(text_of(file), contents(model.folder / file.name)) << file.name;
    }
  }
  for (const auto& entry : fs::directory_iterator(model.folder)) {
    EXPECT_TRUE(expected.count(entry.path().filename().string()) == 1)
        << entry.path() << " is not emitted any more";
  }
}

INSTANTIATE_TEST_SUITE_P(Case, Golden, ::testing::ValuesIn(goldens()),
                         [](const auto& parameter) { return parameter.param.name; });

// A reader takes a golden in at a glance.
TEST(Goldens, AreManyAndSmall) {
  EXPECT_GE(goldens().size(), 10u);
  for (const Model& model : goldens()) {
    const std::string text = contents(model.folder / (model.name + ".cpp"));
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 100) << model.name;
  }
}

}  // namespace
}  // namespace wick::golden
