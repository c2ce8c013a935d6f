// The form of emitted code: where it is broken, and how it becomes another one.
#include "frontend/clang/style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace wick::frontend::check {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kText =
    "// A file.\n"
    "void run(std::byte* arena) noexcept {\n"
    "  wick::enter(arena, 64);\n"
    "\n"
    "  wick::leave(arena, 64);  // a remark of any length stays where it stands, in one line, "
    "however long it is\n"
    "}\n";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kText;
  return text.replace(text.find(from), from.size(), to);
}

TEST(Style, AcceptsTheFormOfEmittedCode) {
  EXPECT_THAT(check_style(kText, Place::File::kSource), IsEmpty());
  EXPECT_THAT(check_style("", Place::File::kSource), IsEmpty());
}

TEST(Style, TellsTheFirstPlaceThatWouldChange) {
  const auto findings =
      check_style(replaced("(arena, 64);\n\n", "(arena,64);\n\n"), Place::File::kHeader);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].place.line, 3u);
  EXPECT_EQ(findings[0].place.column, 21u);  // of 64
  EXPECT_EQ(findings[0].place.file, Place::File::kHeader);
  EXPECT_EQ(findings[0].message, "this is not in the form of emitted code");

  const auto indented =
      check_style(replaced("  wick::enter", "   wick::enter"), Place::File::kSource);
  ASSERT_EQ(indented.size(), 1u);
  EXPECT_EQ(indented[0].place.line, 3u);
}

TEST(Style, TakesTextThatIsNoCpp) {
  EXPECT_NO_THROW(check_style(std::string("}}}\0((<<\"\xff\n#if", 14), Place::File::kSource));
}

TEST(Style, WritesInAnotherStyle) {
  const Restyled restyled = restyle(kText, "BasedOnStyle: Google\nIndentWidth: 4\n");
  EXPECT_EQ(restyled.error, "");
  EXPECT_THAT(restyled.text, HasSubstr("\n    wick::enter(arena, 64);\n"));
}

TEST(Style, TellsWhatIsWrongWithAStyle) {
  EXPECT_EQ(restyle(kText, "IndentWidth: 4\nIndentHeight: 4\n").error,
            "line 2: unknown key 'IndentHeight'");
  EXPECT_NE(restyle(kText, "IndentWidth: [\n").error, "");
  EXPECT_EQ(restyle(kText, "IndentWidth: [\n").text, "");
}

TEST(Style, FindsTheNearestFile) {
  const fs::path root = fs::temp_directory_path() / ("wick_style_" + std::to_string(getpid()));
  fs::create_directories(root / "a/b");
  std::ofstream(root / ".clang-format") << "IndentWidth: 8\n";
  const std::string path = (root / "a/b/model.cpp").string();
  EXPECT_EQ(nearest_style_file(path), (root / ".clang-format").string());
  EXPECT_THAT(restyle_file(kText, path, "").text, HasSubstr("\n        wick::enter"));
  std::ofstream(root / "a/_clang-format") << "IndentWidth: 3\n";
  EXPECT_EQ(nearest_style_file(path), (root / "a/_clang-format").string());
  EXPECT_THAT(restyle_file(kText, path, "").text, HasSubstr("\n   wick::enter"));
  EXPECT_THAT(restyle_file(kText, path, (root / ".clang-format").string()).text,
              HasSubstr("\n        wick::enter"));
  EXPECT_NE(restyle_file(kText, path, (root / "missing").string()).error, "");
  fs::remove_all(root);
}

}  // namespace
}  // namespace wick::frontend::check
