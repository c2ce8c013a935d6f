// The stack of emitted functions: all goldens and samples, as g++ lays their frames out and on a
// thread with a stack of 64 KiB; functions with the largest frames on one with 32 KiB.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/corpus/batch.h"
#include "tests/golden/model.h"

namespace wick::golden {
namespace {

// What g++ says of a function with -fstack-usage.
struct Frame {
  std::string function;
  std::size_t bytes = 0;
  std::string kind;  // "static"; "dynamic,bounded" or "dynamic" where the size is not known
};

// The lines of the .su files in a folder: "file:line:column:function<TAB>bytes<TAB>kind".
std::vector<Frame> frames_in(const fs::path& folder) {
  std::vector<Frame> frames;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".su") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      Frame frame;
      std::string bytes;
      std::getline(fields, frame.function, '\t');
      std::getline(fields, bytes, '\t');
      std::getline(fields, frame.kind, '\t');
      frame.bytes = std::stoul(bytes);
      // The harness that calls the functions has frames of its own.
      if (frame.function.find("corpus/") == std::string::npos) frames.push_back(frame);
    }
  }
  return frames;
}

// All goldens and samples.
std::vector<Model> all_models() {
  std::vector<Model> models = goldens();
  std::ranges::copy(samples(), std::back_inserter(models));
  return models;
}

struct Build {
  std::string optimisation;
  std::string compiler = "g++";
  int stack_bytes = 65536;
};

// All models in one program. Its run fails if a function needs more than the thread has.
std::vector<Frame> run_on_small_stack(const std::vector<Model>& models, const Build& build) {
  const fs::path folder =
      fs::temp_directory_path() / ("wick_stack_" + std::to_string(getpid()) + build.optimisation);
  corpus::Batch batch(folder.string(), "batch");
  for (const Model& model : models) {
    const compiler::Compilation compilation = compile_model(model, model.name);
    batch.add(model.name, compilation, inputs_of(*compilation.given));
  }
  const auto results =
      batch.run({.compiler = build.compiler,
                 .flags = {build.optimisation, "-fstack-usage", "-pthread",
                           "-DWICK_STACK_BYTES=" + std::to_string(build.stack_bytes)},
                 .sanitize = false});
  EXPECT_EQ(results.size(), models.size());
  std::vector<Frame> frames = frames_in(folder);
  fs::remove_all(folder);
  return frames;
}

void expect_known_sizes(const std::vector<Frame>& frames) {
  ASSERT_FALSE(frames.empty());
  for (const Frame& frame : frames)
    EXPECT_NE(frame.kind, "dynamic") << frame.function << " has a frame of no known size";
}

void expect_frames_within(std::size_t bytes, const std::vector<Frame>& frames) {
  expect_known_sizes(frames);
  const Frame& largest = *std::ranges::max_element(frames, {}, &Frame::bytes);
  std::printf("the largest frame has %zu bytes\n", largest.bytes);
  EXPECT_LE(largest.bytes, bytes) << largest.function;
}

// Local arrays of the runtime take 4 KiB at most, but for large products, convolutions and long
// sums of columns, which these models do not have; what a frame has beside them is small.
TEST(Stack, FramesOfOptimisedCodeAreSmall) {
  expect_frames_within(8 * 1024, run_on_small_stack(all_models(), {.optimisation = "-O2"}));
}

// A product and a convolution that copy blocks of their operands to the stack, of 16 KiB at most,
// and reductions of columns whose accumulators lie there, in 12 KiB. Together they need more than
// the thread has, whatever the compiler makes part of the function that calls them all.
TEST(Stack, LargeFramesAreNotThereAtOnce) {
  const Model model{"blocks",
                    fs::temp_directory_path() / ("wick_blocks_" + std::to_string(getpid()))};
  fs::create_directories(model.folder);
  write(model.folder / "graph.json", R"({
    "wick": 1, "name": "blocks",
    "inputs": [
      {"name": "a", "dtype": "f32", "shape": [32, 512]},
      {"name": "b", "dtype": "f32", "shape": [512, 512]},
      {"name": "x", "dtype": "f32", "shape": [1, 96, 12, 12]},
      {"name": "w", "dtype": "f32", "shape": [8, 96, 3, 3]},
      {"name": "t", "dtype": "f32", "shape": [128, 1024]},
      {"name": "u", "dtype": "f32", "shape": [256, 2048]},
      {"name": "v", "dtype": "f64", "shape": [128, 1024]},
      {"name": "p", "dtype": "f32", "shape": [130, 2048]}
    ],
    "nodes": [
      {"name": "product", "op": "matmul", "inputs": ["a", "b"]},
      {"name": "edges", "op": "conv", "inputs": ["x", "w"], "pads": [[1, 1], [1, 1]]},
      {"name": "t_sums", "op": "sum", "inputs": ["t"], "axes": [0]},
      {"name": "u_sums", "op": "sum", "inputs": ["u"], "axes": [0]},
      {"name": "v_means", "op": "mean", "inputs": ["v"], "axes": [0]},
      {"name": "p_sums", "op": "sum", "inputs": ["p"], "axes": [0]},
      {"name": "p_greatest", "op": "max", "inputs": ["p"], "axes": [0]}
    ],
    "outputs": ["product", "edges", "t_sums", "u_sums", "v_means", "p_sums", "p_greatest"]
  })");
  const std::vector<Frame> frames =
      run_on_small_stack({model}, {.optimisation = "-O2", .stack_bytes = 32768});
  expect_frames_within(18 * 1024, frames);
  // Vectors of 16 bytes, which a compiler takes unless told otherwise, make narrow panels.
  const auto large = [](const Frame& frame) { return frame.bytes >= 2 * 1024; };
  EXPECT_GE(std::ranges::count_if(frames, large), 7) << "the model is too small for blocks";

  if (std::system("command -v clang++-19 > /dev/null") == 0) {
    run_on_small_stack({model},
                       {.optimisation = "-O2", .compiler = "clang++-19", .stack_bytes = 32768});
  }
  fs::remove_all(model.folder);
}

// Unoptimised, every temporary of a function that is always inlined keeps a place of its own.
TEST(Stack, UnoptimisedCodeRunsOn64KiB) {
  expect_known_sizes(run_on_small_stack(all_models(), {.optimisation = "-O0"}));
}

}  // namespace
}  // namespace wick::golden
