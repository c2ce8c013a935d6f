// Thousands of broken inputs, made at random from good ones with a fixed seed: nothing crashes, and
// whatever is refused is refused with a message at a place within the text.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "frontend/json/npy.h"
#include "frontend/json/render.h"
#include "tests/unit/json/files.h"

namespace wick::frontend {
namespace {

constexpr std::string_view kGraph = R"({
  "wick": 1, "name": "digits", "description": "d\u00e9j\u00e0 vu",
  "inputs": [{"name": "pixels", "dtype": "f32", "shape": [1, 64], "donate": true}],
  "constants": [
    {"name": "w", "dtype": "f32", "shape": [2, 2], "file": "w.safetensors", "tensor": "b"},
    {"name": "v", "dtype": "f32", "shape": [2, 3], "file": "v.npy"},
    {"name": "k", "dtype": "i8", "shape": [3], "values": [1, -128, 1.27e2]},
    {"name": "f", "dtype": "f64", "shape": [2], "values": ["inf", 1e-300]}
  ],
  "nodes": [
    {"name": "x", "op": "div", "inputs": ["pixels", 16, "nan"], "cache": true},
    {"op": "split", "inputs": ["x"], "axis": 1, "sizes": [3, 2], "outputs": ["p", "q"]},
    {"name": "t", "op": "slice", "inputs": ["p"], "ranges": [[0, 1], null, [null, 96, 2]]}
  ],
  "outputs": ["t", "q"]
})";

constexpr std::string_view kSafetensors =
    R"({"a": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},)"
    R"( "b": {"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 24]}})";
constexpr std::string_view kNpy = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string operator()(std::string text) {
    const std::size_t count = 1 + below(3);
    for (std::size_t i = 0; i < count && !text.empty(); ++i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  void change(std::string& text) {
    static constexpr char kCharacters[] = "{}[],:\"\\0919.-+eEtfnu \n\t\0\x1f\x80\xff'()";
    constexpr std::string_view kTelling(kCharacters, sizeof(kCharacters) - 1);
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text.erase(at, 1 + below(4));
        return;
      case 1:
        text.insert(at, 1, kTelling[below(kTelling.size())]);
        return;
      case 2:
        text[at] = static_cast<char>(below(256));
        return;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(40)));
        return;
      case 4:
        text[at] = kTelling[below(kTelling.size())];
        return;
      default:
        if (below(8) == 0) text.resize(at);
        return;
    }
  }

  std::mt19937 random_;
};

class Mutants : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("w.safetensors", weights_);
    folder_.write("v.npy", values_);
    const Read good = read(std::string(kGraph), folder_.path());
    ASSERT_TRUE(good.graph) << good.error();
  }

  // Reads a graph and holds the outcome to what every outcome must be.
  bool accepts(const std::string& text) {
    const SourceFile source = SourceFile::of_text("graph.json", text, folder_.path());
    compiler::Diagnostics diagnostics;
    const bool accepted = read_graph(source, {}, diagnostics).has_value();
    EXPECT_NE(accepted, diagnostics.has_errors());
    for (const auto& diagnostic : diagnostics.all()) {
      EXPECT_FALSE(diagnostic.message.empty());
      EXPECT_LE(diagnostic.site.offset, text.size());
    }
    const std::string shown = render(diagnostics, source);
    EXPECT_EQ(shown.empty(), accepted);
    for (const char c : shown)
      EXPECT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
    return accepted;
  }

  const Folder folder_;
  const std::string weights_ = safetensors(kSafetensors, std::string(24, '\1'));
  const std::string values_ = npy(kNpy, std::string(24, '\2'));
};

TEST_F(Mutants, OfGraphs) {
  Mutator mutated(1);
  int accepted = 0;
  constexpr int kCount = 6000;
  for (int i = 0; i < kCount; ++i) accepted += accepts(mutated(std::string(kGraph))) ? 1 : 0;
  // Some mutants only change a name or a number; both verdicts must come up.
  EXPECT_GT(accepted, kCount / 100);
  EXPECT_LT(accepted, kCount / 2);
}

TEST_F(Mutants, OfSafetensors) {
  Mutator mutated(2);
  int accepted = 0;
  for (int i = 0; i < 500; ++i) {
    folder_.write("w.safetensors", mutated(weights_));
    accepted += accepts(std::string(kGraph)) ? 1 : 0;
  }
  EXPECT_GT(accepted, 5);
  EXPECT_LT(accepted, 250);
}

TEST_F(Mutants, OfNpy) {
  Mutator mutated(3);
  int accepted = 0;
  for (int i = 0; i < 500; ++i) {
    folder_.write("v.npy", mutated(values_));
    accepted += accepts(std::string(kGraph)) ? 1 : 0;
  }
  EXPECT_GT(accepted, 5);
  EXPECT_LT(accepted, 250);
}

// Cutting a good text anywhere leaves something that is refused.
TEST_F(Mutants, CutShort) {
  for (std::size_t length = 0; length < kGraph.size(); ++length) {
    EXPECT_FALSE(accepts(std::string(kGraph.substr(0, length)))) << length;
  }
  for (std::size_t length = 0; length < weights_.size(); ++length) {
    folder_.write("w.safetensors", weights_.substr(0, length));
    EXPECT_FALSE(accepts(std::string(kGraph))) << length;
  }
}

}  // namespace
}  // namespace wick::frontend
