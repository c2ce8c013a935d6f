// Texts made to crash or to hang a reader of C++: each must end in a finding, soon.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <random>

#include "frontend/check/safety.h"
#include "tests/unit/clang/emitted.h"

namespace wick::frontend::check::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

// Reads a source with the small header; it must be refused within seconds.
void expect_refused(const std::string& source, const std::string& header = small().header.text) {
  const auto begin = std::chrono::steady_clock::now();
  const Reading reading = read_program({"small.cpp", source}, {"small.h", header});
  EXPECT_FALSE(reading.program.has_value());
  EXPECT_THAT(lines_of(reading.findings), Not(IsEmpty()));
  EXPECT_LE(reading.findings.size(), 100u);
  for (const Finding& finding : reading.findings) {
    EXPECT_GE(finding.place.line, 1u);
    EXPECT_GE(finding.place.column, 1u);
    EXPECT_FALSE(finding.message.empty());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// `text` inside run, where statements stand.
std::string in_run(const std::string& text) {
  return small_with("  wick::free(s);\n", text + "\n").source.text;
}

// `text` where constants stand.
std::string at_scope(const std::string& text) {
  return small_with("constexpr std::size_t kS = 0;", text).source.text;
}

TEST(Hostile, NothingAtAll) {
  expect_refused("");
  expect_refused("", "");
  expect_refused("\n\n");
}

TEST(Hostile, RandomBytes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::string text(1 + random() % 4000, ' ');
    for (char& c : text) c = static_cast<char>(random());
    expect_refused(text);
  }
}

TEST(Hostile, RandomPrintableText) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 20; ++round) {
    std::string text(1 + random() % 4000, ' ');
    for (char& c : text) c = static_cast<char>(' ' + random() % 95);
    expect_refused(text);
  }
}

// The tokens of a good file in random order get past the first look at the words.
TEST(Hostile, ShuffledLines) {
  std::mt19937_64 random(9);
  std::vector<std::string> lines;
  const auto [source, header] = emitted("samples/digits/digits");
  for (std::size_t at = 0; at < source.text.size();) {
    const std::size_t end = source.text.find('\n', at);
    lines.push_back(source.text.substr(at, end - at + 1));
    at = end + 1;
  }
  for (int round = 0; round < 20; ++round) {
    std::shuffle(lines.begin(), lines.end(), random);
    std::string text;
    for (const std::string& line : lines) text += line;
    const Reading reading = read_program({"digits.cpp", text}, header);
    EXPECT_THAT(lines_of(reading.findings), Not(IsEmpty()));
  }
}

// Words and marks of a text, with the blanks between them.
std::vector<std::string> tokens_of(const std::string& text) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

// Most of these are C++ that means something; whether it is accepted or refused, the reader and the
// proof end.
TEST(Hostile, TokensChangedAtRandom) {
  std::mt19937_64 random(10);
  for (const char* stem : {"samples/attention/attention", "samples/digits/digits",
                           "tests/golden/cached_constant/cached_constant",
                           "tests/golden/names_like_our_own/names_like_our_own"}) {
    const Emitted files = emitted(stem);
    const std::vector<std::string> tokens = tokens_of(files.source.text);
    for (int round = 0; round < 25; ++round) {
      std::vector<std::string> changed = tokens;
      for (std::uint64_t i = 0; i <= random() % 2; ++i) {
        std::string& token = changed[random() % changed.size()];
        std::string& other = changed[random() % changed.size()];
        switch (random() % 4) {
          case 0:
            token = other;
            break;
          case 1:
            token += other;
            break;
          case 2:
            token.clear();
            break;
          default:
            std::swap(token, other);
        }
      }
      SourceText source{files.source.name, {}};
      for (const std::string& token : changed) source.text += token;
      const Reading reading = read_program(source, files.header);
      EXPECT_NE(reading.program.has_value(), !reading.findings.empty());
      if (!reading.program) continue;
      EXPECT_LT(prove_safe(*reading.program).size(), 1000u);
    }
  }
}

TEST(Hostile, TruncatedAnywhere) {
  const std::string whole = small().source.text;
  for (std::size_t size = 0; size + 30 < whole.size(); size += 23)
    expect_refused(whole.substr(0, size));
}

TEST(Hostile, LargeFiles) {
  expect_refused(std::string(10'000'000, 'x'));
  expect_refused(std::string(10'000'000, '('));
  expect_refused(std::string(10'000'000, '\n'));
  expect_refused(std::string(70'000'000, ' '));
  expect_refused(repeated("/*", 5'000'000));
  expect_refused("\"" + std::string(10'000'000, 'x'));
}

TEST(Hostile, DeepNesting) {
  for (const char* bracket : {"(", "[", "{", "<", "wick::Tensor<", "f(", "-", "*", "x+", "x=", "x<",
                              "wick::", "x.", "namespace a {", "&", "sizeof "}) {
    expect_refused(in_run("  x = " + repeated(bracket, 100'000) + ";"));
    expect_refused(at_scope("constexpr int k = " + repeated(bracket, 100'000) + ";"));
    expect_refused(small().source.text + repeated(bracket, 100'000));
  }
}

TEST(Hostile, LongLists) {
  expect_refused(in_run("  x = " + repeated("x, ", 100'000) + "x;"));
  expect_refused(in_run("  wick::map(" + repeated("x, ", 100'000) + "x);"));
  expect_refused(at_scope("using T = wick::Tensor<float" + repeated(", 1", 100'000) + ">;"));
  expect_refused(at_scope(repeated("int a; ", 100'000)));
  expect_refused(in_run(repeated("  wick::free(t);\n", 100'000)));
}

TEST(Hostile, Includes) {
  expect_refused(small().source.text, "#pragma once\n#include \"small.h\"\n");
  expect_refused("#include \"small.cpp\"\n");
  expect_refused("#include \"/dev/zero\"\n");
  expect_refused("#include \"/etc/passwd\"\n");
  expect_refused("#include __FILE__\n");
  expect_refused("?\?=include \"/etc/passwd\"\n");
  expect_refused("%:include \"/etc/passwd\"\n");
}

TEST(Hostile, AHeaderNamedLikeARuntimeHeader) {
  Emitted files = small();
  files.header.name = "wick/runtime.h";
  EXPECT_FALSE(files.read().program.has_value());
}

TEST(Hostile, WorkForConstantEvaluation) {
  expect_refused(at_scope("constexpr std::size_t kS = wick::Tensor<float, 9999999999>::kBytes;"));
  expect_refused(at_scope("using T = wick::Lanes<float, 1073741824>;"));
  expect_refused(at_scope("constexpr float a[] = {wick::Tensor<float, 4, 4, 4>::kElements};"));
  expect_refused(at_scope("constexpr float a[1000000000] = {};"));
  expect_refused(
      in_run("  const auto z = wick::slot<wick::Tensor<float, 4000000000, 4000000000, "
             "4000000000>>(arena, 0);"));
}

TEST(Hostile, LambdasThatCallThemselvesOrEachOther) {
  expect_refused(small_with("wick::relu(sum)", "y_kernel(s, x)").source.text);
  expect_refused(
      at_scope("constexpr std::size_t kS = 0;\n"
               "constexpr auto a = [](auto f) {\n  return f(f);\n};\n"
               "constexpr auto b = a(a);"));
}

}  // namespace
}  // namespace wick::frontend::check::testing
