// The emitted interface as callers see it: C++, C11, shared libraries, weights of every kind. What
// it computes is held to numbers from the graph's definition or from the sample's NumPy results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/cli/program.h"

namespace wick::cli_test {
namespace {

using testing::HasSubstr;

const std::string kRoot = WICK_SOURCE_DIR;
const std::string kDigits = kRoot + "/samples/digits/";
const std::string kCxx =
    "g++ -std=c++17 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow "
    "-Wconversion -Wsign-conversion -Werror -I" +
    kRoot + "/runtime -Iout ";
const std::string kC =
    "gcc -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -I" + kRoot + "/runtime -Iout ";

// Prints the class of the first image of the sample: the tests know it from data/labels.npy.
const std::string kReadImage = R"(
  static float pixels[64];
  FILE* file = fopen(")" + kDigits +
                               R"(data/images.npy", "rb");
  if (file == NULL || fseek(file, 128, SEEK_SET) != 0) return 3;
  if (fread(pixels, sizeof(float), 64, file) != 64) return 3;
  fclose(file);
)";

class Interface : public testing::Test {
 protected:
  void compile_digits(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"compile", kDigits + "graph.json", "-o", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = bench_.wick(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  void expect_builds(const std::string& line) const {
    const Outcome outcome = bench_.shell(line);
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
  }

  Workbench bench_;
};

// The program that classifies with embedded weights, as C++.
const std::string kEmbedMain = R"(#include <cstdio>
#include "digits.h"
alignas(64) static std::byte arena[digits::kArenaBytes];
int main() {)" + kReadImage + R"(
  float logits[10], probabilities[10];
  digits::run(pixels, logits, probabilities, arena);
  int best = 0;
  for (int i = 1; i < 10; ++i) best = probabilities[i] > probabilities[best] ? i : best;
  std::printf("%d\n", best);
}
)";

// The label of the first image, from data/labels.npy, u8 behind 128 bytes of header.
std::string first_label() {
  std::ifstream file(kDigits + "data/labels.npy", std::ios::binary);
  file.seekg(128);
  return std::to_string(file.get()) + "\n";
}

TEST_F(Interface, EmbeddedWeightsWorkInEveryKindOfProgram) {
  compile_digits({});
  bench_.write("main.cpp", kEmbedMain);
  expect_builds(kCxx + "-c out/digits.weights.cpp -o weights.o");
  const std::string sources = "main.cpp out/digits.cpp ";
  expect_builds(kCxx + "-no-pie -fno-pie " + sources + "weights.o -o static_");
  expect_builds(kCxx + "-fPIE -pie " + sources + "weights.o -o pie");
  expect_builds(kCxx + "-flto " + sources + "weights.o -o lto");
  expect_builds(kCxx + "-fPIC -shared out/digits.cpp out/digits.weights.cpp -o libdigits.so");
  expect_builds(kCxx + "main.cpp -L. -ldigits -Wl,-rpath,'$ORIGIN' -o shared");
  expect_builds(kCxx +
                "-flto -c out/digits.cpp -o digits.o && gcc-ar rcs libd.a digits.o weights.o");
  expect_builds(kCxx + "-flto main.cpp libd.a -o archive");
  for (const char* program : {"static_", "pie", "lto", "shared", "archive"}) {
    const Outcome outcome = bench_.shell(std::string("./") + program);
    EXPECT_EQ(outcome.out, first_label()) << program << outcome.err;
  }
  // Nothing has to be relocated for the weights.
  EXPECT_EQ(bench_.shell("readelf -rW weights.o | grep digits_weights").out, "");
}

TEST_F(Interface, TheDepfileListsTheWeights) {
  compile_digits({"--depfile", "g.d"});
  EXPECT_THAT(bench_.read("g.d"), HasSubstr("mlp.safetensors"));
  EXPECT_THAT(bench_.read("g.d"), HasSubstr("out/digits.weights"));
}

TEST_F(Interface, NamespacesThatReadAlikeLinkIntoOneProgram) {
  compile_digits({"--name=one", "--namespace=a::b"});
  compile_digits({"--name=two", "--namespace=a_b"});
  bench_.write("main.cpp", R"(#include "one.h"
#include "two.h"
int main() {
  alignas(64) static std::byte arena[a::b::kArenaBytes];
  static float pixels[64], logits[10], probabilities[10];
  a::b::run(pixels, logits, probabilities, arena);
  a_b::run(pixels, logits, probabilities, arena);
}
)");
  expect_builds(kCxx + "main.cpp out/*.cpp -o both && ./both");
  EXPECT_THAT(bench_.read("out/two.cpp"), HasSubstr(" a_b_weights["));
  EXPECT_THAT(bench_.read("out/one.cpp"), HasSubstr(" a_b_weights_1_1["));
}

// The tables agree with the graph; all of it is known to the compiler.
TEST_F(Interface, TheHeaderDescribesTheFunction) {
  compile_digits({"--weights=file"});
  bench_.write("tables.cpp", R"(#include "digits.h"
constexpr bool same(const char* a, const char* b) {
  return *a == *b && (*a == '\0' || same(a + 1, b + 1));
}
static_assert(sizeof digits::kInputs / sizeof digits::kInputs[0] == 1);
static_assert(same(digits::kInputs[0].name, "pixels"));
static_assert(digits::kInputs[0].dtype == wick::DType::kF32 && digits::kInputs[0].rank == 2);
static_assert(digits::kInputs[0].shape[0] == 1 && digits::kInputs[0].shape[1] == 64);
static_assert(digits::kInputs[0].bytes == 256 && !digits::kInputs[0].overwritten);
static_assert(same(digits::kOutputs[0].name, "logits") && digits::kOutputs[0].bytes == 40);
static_assert(same(digits::kOutputs[1].name, "probabilities"));
static_assert(same(digits::kWeightsFile.name, "digits.weights"));
static_assert(digits::kWeightsFile.bytes == digits::kWeightsBytes);
int main() {}
)");
  expect_builds(kCxx + "-c tables.cpp");
  EXPECT_EQ(std::to_string(fs::file_size(bench_.path("out/digits.weights"))), "45568");
  EXPECT_THAT(bench_.read("out/digits.h"), HasSubstr("kWeightsBytes = 45568;"));
}

// Every way in which the file can be another one, and the right one under another name.
TEST_F(Interface, WeightsFilesAreCheckedBeforeUse) {
  compile_digits({"--weights=file"});
  bench_.write("main.cpp", R"(#include <cstdio>
#include <utility>
#include "digits.h"
#include "wick/weights_file.h"
alignas(64) static std::byte arena[digits::kArenaBytes];
int main(int, char** words) {)" +
                               kReadImage + R"(
  wick::WeightsFile opened;
  const wick::WeightsStatus status = opened.open(words[1], digits::kWeightsFile);
  if (status != wick::WeightsStatus::kOk) {
    std::printf("%s\n", wick::status_text(status));
    return opened.data() == nullptr ? 1 : 2;
  }
  const wick::WeightsFile moved = std::move(opened);
  float logits[10], probabilities[10];
  digits::run(digits::weights_at(moved.data()), pixels, logits, probabilities, arena);
  int best = 0;
  for (int i = 1; i < 10; ++i) best = probabilities[i] > probabilities[best] ? i : best;
  std::printf("%d\n", best);
}
)");
  expect_builds(kCxx + "main.cpp out/digits.cpp -o main");
  EXPECT_EQ(bench_.shell("cp out/digits.weights other && ./main other").out, first_label());
  const std::string weights = bench_.read("out/digits.weights");
  const auto outcome_of = [&](const std::string& bytes) {
    bench_.write("other", bytes);
    return bench_.shell("./main other").out;
  };
  std::string flipped = weights;
  flipped[45000] = static_cast<char>(flipped[45000] ^ 1);
  EXPECT_EQ(outcome_of(flipped),
            "the weights file has another checksum than this program was built for\n");
  const std::string size = "the weights file has another size than this program was built for\n";
  EXPECT_EQ(outcome_of(weights.substr(1)), size);
  EXPECT_EQ(outcome_of(weights + "x"), size);
  EXPECT_EQ(outcome_of(""), size);
  const std::string unopened = "the weights file cannot be opened for reading\n";
  EXPECT_EQ(bench_.shell("./main nowhere").out, unopened);
  EXPECT_EQ(bench_.shell("./main out").out, unopened);
  // Nobody writes to this pipe; whoever waited for that would wait for ever.
  EXPECT_EQ(bench_.shell("mkfifo pipe && timeout 20 ./main pipe").out, unopened);
}

TEST_F(Interface, TheCFaceServesC11) {
  compile_digits({"--c-api"});
  bench_.write("main.c", R"(#include <stdio.h>
#include "digits_c.h"
static _Alignas(DIGITS_ARENA_ALIGNMENT) unsigned char arena[DIGITS_ARENA_BYTES];
int main(void) {)" + kReadImage +
                             R"(
  float logits[10], probabilities[10];
  digits_run(pixels, logits, probabilities, arena);
  int best = 0;
  for (int i = 1; i < 10; ++i) best = probabilities[i] > probabilities[best] ? i : best;
  printf("%d\n", best);
  return 0;
}
)");
  expect_builds(kC + "-c main.c && " + kCxx + "main.o out/*.cpp -o main");
  EXPECT_EQ(bench_.shell("./main").out, first_label());
}

// y = x * cos(k pi / 4) * gain, so 2 for k = 0: state, parameters and a generic call.
TEST_F(Interface, TheCFaceKnowsStateAndParameters) {
  const std::string graph = kRoot + "/tests/golden/cached_constant/graph.json";
  ASSERT_EQ(bench_.wick({"compile", graph, "-o", "out", "--c-api"}).code, 0);
  bench_.write("main.c", R"(#include <stdio.h>
#include <string.h>
#include "cached_constant_c.h"
static _Alignas(CACHED_CONSTANT_STATE_ALIGNMENT) unsigned char state[CACHED_CONSTANT_STATE_BYTES];
int main(void) {
  const wick_model* model = cached_constant_model();
  float x[16], y[16], z[16], gain[1] = {2.0f};
  for (int i = 0; i < 16; ++i) x[i] = 1.0f;
  cached_constant_bind(state, gain);
  cached_constant_run(state, x, y);
  memset(state, 0, sizeof state);
  const void* parameters[] = {gain};
  const void* inputs[] = {x};
  void* outputs[] = {z};
  model->bind(state, parameters);
  model->run(NULL, state, inputs, outputs, NULL);
  model->reset(state);
  printf("%s %d %zu %s %d %lld\n", model->name, memcmp(y, z, sizeof y), model->parameter_count,
         model->inputs[0].name, model->inputs[0].rank, (long long)model->inputs[0].shape[1]);
  return model->state_bytes == sizeof state && y[0] == 2.0f ? 0 : 1;
}
)");
  expect_builds(kC + "-c main.c && " + kCxx + "main.o out/*.cpp -o main");
  const Outcome outcome = bench_.shell("./main");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "cached_constant 0 1 x 2 8\n");
}

// Functions and types of the headers that emitted code includes, or may meet in a program.
TEST_F(Interface, ANamespaceIsNoNameOfC) {
  for (const std::string name : {"index", "memcpy", "int32_t", "stat", "expf", "wick_model"}) {
    bench_.write("g.json", R"({"wick": 1, "name": ")" + name + R"(",
      "inputs": [{"name": "x", "dtype": "f32", "shape": [4]}],
      "nodes": [{"name": "y", "op": "neg", "inputs": ["x"]}], "outputs": ["y"]})");
    ASSERT_EQ(bench_.wick({"compile", "g.json", "-o", "out", "--name=m", "--c-api"}).code, 0);
    EXPECT_THAT(bench_.read("out/m.h"), HasSubstr("namespace " + name + "_ {")) << name;
    bench_.write("main.cpp", R"(#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "m.h"
#include "m_c.h"
)");
    expect_builds(kCxx + "-c main.cpp && " + kCxx + "-c out/m.cpp && " + kCxx + "-c out/m_c.cpp");
    EXPECT_EQ(bench_.wick({"compile", "g.json", "-o", "out", "--name=m", "--namespace", name}).code,
              2);
  }
}

TEST_F(Interface, TheCFaceFollowsEveryStorage) {
  const std::vector<std::pair<std::string, bool>> storages = {
      {"arena", true}, {"static", false}, {"heap", false}, {"none", true}};
  for (const auto& [storage, takes_arena] : storages) {
    compile_digits({"--c-api", "--storage=" + storage, "--weights=pointer"});
    expect_builds(kCxx + "-c out/digits_c.cpp -o face.o");
    const std::string header = bench_.read("out/digits_c.h");
    EXPECT_EQ(header.find("void* arena") != std::string::npos, takes_arena) << storage;
    EXPECT_THAT(header, HasSubstr("void digits_run(\n    const void* weights, "));
  }
}

TEST_F(Interface, NamesThatCWouldMistakeAreChanged) {
  bench_.write("g.json", R"({"wick": 1, "name": "types",
    "inputs": [{"name": "int32_t", "dtype": "i32", "shape": [2]},
               {"name": "restrict", "dtype": "i32", "shape": [2]},
               {"name": "NULL", "dtype": "bool", "shape": [2]},
               {"name": "a?\"\\é", "dtype": "i32", "shape": [2], "donate": true}],
    "nodes": [{"name": "s", "op": "add", "inputs": ["int32_t", "restrict"]},
              {"name": "t", "op": "where", "inputs": ["NULL", "s", "a?\"\\é"]}],
    "outputs": ["t"]})");
  ASSERT_EQ(bench_.wick({"compile", "g.json", "-o", "out", "--c-api"}).code, 0);
  bench_.write("main.c", R"(#include <stdio.h>
#include "types_c.h"
int main(void) {
  const int32_t a[2] = {1, 2}, b[2] = {10, 20};
  const bool c[2] = {true, false};
  int32_t d[2] = {7, 8}, t[2];
  types_run(a, b, c, d, t);
  const wick_tensor* last = &types_model()->inputs[3];
  printf("%d %d %s %d %d\n", t[0], t[1], last->name, last->dtype == WICK_I32, last->overwritten);
  return 0;
}
)");
  expect_builds(kC + "-c main.c && " + kCxx + "main.o out/*.cpp -o main");
  // where(c, a + b, d)
  EXPECT_EQ(bench_.shell("./main").out, "11 8 a?\"\\é 1 1\n");
}

// Python loads the shared library, reads the model's description, and calls it for all images.
TEST_F(Interface, PythonCallsASharedLibrary) {
  compile_digits({"--c-api", "--weights=file"});
  expect_builds(kCxx + "-fPIC -shared -fvisibility=hidden out/*.cpp -o libdigits.so");
  const Outcome outcome =
      bench_.run({{"/usr/bin/python3", "-B", kRoot + "/tests/cli/call_c_face.py",
                   bench_.path("libdigits.so").string(), "digits",
                   bench_.path("out/digits.weights").string(), kDigits + "data"}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("360 images"));
}

}  // namespace
}  // namespace wick::cli_test
