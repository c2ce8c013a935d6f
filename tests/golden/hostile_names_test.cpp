// Any JSON string may be a name. Whatever the names, the code is that of the same graph with tame
// names, token by token, but for identifiers that stand where a tame name stood: so no text of the
// input is read as code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "tests/corpus/batch.h"
#include "tests/golden/hostile_names.h"
#include "tests/golden/model.h"
#include "tests/golden/shell.h"

namespace wick::golden {
namespace {

compiler::Compilation compile_hostile(std::size_t variant, bool tame,
                                      const std::string& name_space = "") {
  compiler::CompileOptions options;
  options.plan.storage = variant == 0   ? compiler::StorageMode::kStatic
                         : variant == 2 ? compiler::StorageMode::kHeap
                                        : compiler::StorageMode::kArena;
  options.emit.file_name = "hostile_" + std::to_string(variant);
  options.emit.name_space = name_space;
  options.emit.source_name = "graph.json";
  compiler::Diagnostics diagnostics;
  auto compilation = compiler::compile(hostile_graph(variant, tame), options, diagnostics);
  if (!compilation) throw std::runtime_error(diagnostics.all().front().message);
  return std::move(*compilation);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The tokens of a file without comments.
class Tokens {
 public:
  explicit Tokens(const std::string& text) : text_(text) {}

  std::vector<std::string> run() {
    while (at_ < text_.size()) {
      if (text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_[at_] == '"') {
        take_literal();
      } else {
        const std::size_t begin = at_++;
        while (is_word(text_[begin]) && at_ < text_.size() && is_word(text_[at_])) ++at_;
        tokens_.push_back(text_.substr(begin, at_ - begin));
      }
    }
    return std::move(tokens_);
  }

 private:
  void take_literal() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2u : 1u;
    tokens_.push_back(text_.substr(begin, ++at_ - begin));
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<std::string> tokens_;
};

// v12, v12_kernel, kV12, tame, tame_weights: made of a tame name.
bool is_tame_name(const std::string& token) {
  static const std::regex kPattern("(k?[vV][0-9]+\\w*|tame\\w*)");
  return std::regex_match(token, kPattern);
}

// The same in quotes: the tables of a header hold the graph's names.
bool is_tame_literal(const std::string& token) {
  return token.starts_with('"') && is_tame_name(token.substr(1, token.size() - 2));
}

// An identifier that the language leaves to programs.
bool is_free_identifier(const std::string& token) {
  return std::ranges::all_of(token, is_word) && token[0] != '_' &&
         std::isdigit(static_cast<unsigned char>(token[0])) == 0 &&
         token.find("__") == std::string::npos;
}

class HostileNames : public ::testing::TestWithParam<std::size_t> {};

TEST_P(HostileNames, ChangeNothingButIdentifiers) {
  const auto hostile = compile_hostile(GetParam(), false).emission;
  const auto tame = compile_hostile(GetParam(), true).emission;
  ASSERT_EQ(hostile.files.size(), tame.files.size());
  for (std::size_t i = 0; i < hostile.files.size(); ++i) {
    const std::string& name = hostile.files[i].name;
    EXPECT_EQ(name, tame.files[i].name);
    if (name.ends_with(".weights")) {
      EXPECT_EQ(hostile.files[i].bytes(), tame.files[i].bytes());
    }
    // The unit of the weights is made of literals, with the namespace in them.
    if (name.ends_with(".weights") || name.ends_with(".weights.cpp")) continue;
    const std::string a = text_of(hostile.files[i]), b = text_of(tame.files[i]);
    const auto found = Tokens(a).run(), expected = Tokens(b).run();
    ASSERT_EQ(expected.size(), found.size()) << name;
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (is_tame_literal(expected[k])) {
        EXPECT_TRUE(found[k].starts_with('"') && found[k].ends_with('"'))
            << name << ": " << found[k];
      } else if (is_tame_name(expected[k])) {
        EXPECT_TRUE(is_free_identifier(found[k])) << name << ": " << found[k];
      } else {
        EXPECT_EQ(expected[k], found[k]) << name;
      }
    }
  }
}

// Comments hold the names too. Whatever could end one or deceive a reader is spelled out: every
// byte is printable ASCII, no line ends in a backslash, no trigraph can make one.
TEST_P(HostileNames, LeaveNothingInTextThatActsOnALine) {
  for (const compiler::EmittedFile& file : compile_hostile(GetParam(), false).emission.files) {
    if (file.name.ends_with(".weights")) continue;
    std::istringstream lines(text_of(file));
    for (std::string line; std::getline(lines, line);) {
      for (const char c : line) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << file.name << ": " << line;
      EXPECT_FALSE(line.ends_with('\\')) << file.name << ": " << line;
      EXPECT_EQ(std::string::npos, line.find("??")) << file.name << ": " << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variant, HostileNames, ::testing::Range<std::size_t>(0, kVariants));

class HostileWarnings : public ::testing::TestWithParam<std::string> {};

TEST_P(HostileWarnings, AreNone) {
  const TemporaryFolder folder;
  std::string unit;
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    for (const compiler::EmittedFile& file : compile_hostile(variant, false).emission.files) {
      write(folder.path() / file.name, text_of(file));
      if (file.name.ends_with(".cpp")) unit += "#include \"" + file.name + "\"\n";
    }
  }
  write(folder.path() / "unit.cpp", unit);
  for (const std::string level : {"-O0", "-O2"}) {
    const ShellResult result = shell(
        GetParam() + " -std=c++17 " + level +
            " -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror -I . -I " +
            shell_word(fs::path(WICK_SOURCE_DIR) / "runtime") + " -c unit.cpp -o unit.o",
        folder.path());
    EXPECT_EQ(0, result.status) << result.output.substr(0, 6000);
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, HostileWarnings,
                         ::testing::Values("g++-12", "clang++-14", "clang++-19"),
                         [](const auto& parameter) {
                           std::string name;
                           for (const char c : parameter.param) {
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                           }
                           return name;
                         });

TEST(HostileNames, LeaveTheTextFormatted) {
  const TemporaryFolder folder;
  std::string files;
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    for (const compiler::EmittedFile& file : compile_hostile(variant, false).emission.files) {
      if (!file.name.ends_with(".cpp") && !file.name.ends_with(".h")) continue;
      write(folder.path() / file.name, text_of(file));
      files += " " + file.name;
    }
  }
  const fs::path style = fs::path(WICK_SOURCE_DIR) / "docs/emitted.clang-format";
  const ShellResult result = shell(
      "clang-format-19 --dry-run -Werror " + shell_word("--style=file:" + style.string()) + files,
      folder.path());
  EXPECT_EQ(0, result.status) << result.output.substr(0, 6000);
}

TEST(HostileNames, GiveTheRightValues) {
  const TemporaryFolder folder;
  corpus::Batch batch(folder.path().string(), "all");
  std::vector<compiler::Compilation> compilations;
  std::vector<std::vector<compiler::HostTensor>> inputs;
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    const std::string name = "hostile_" + std::to_string(variant);
    compilations.push_back(compile_hostile(variant, false, name));
    inputs.push_back(inputs_of(*compilations.back().given));
    batch.add(name, compilations.back(), inputs.back());
  }
  const auto results = batch.run({});
  ASSERT_EQ(kVariants, results.size());
  for (std::size_t i = 0; i < kVariants; ++i)
    EXPECT_EQ("", disagreement(*compilations[i].given, inputs[i], results[i]));
}

}  // namespace
}  // namespace wick::golden
