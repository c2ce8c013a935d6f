// The stack of emitted functions: all goldens and samples, as g++ lays their frames out and on a
// thread with a stack of 64 KiB.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
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

// All models in one program. Its run fails if a function needs more than the thread has.
std::vector<Frame> run_on_small_stack(const std::string& optimisation) {
  const fs::path folder =
      fs::temp_directory_path() / ("wick_stack_" + std::to_string(getpid()) + optimisation);
  corpus::Batch batch(folder.string(), "batch");
  std::vector<Model> models = goldens();
  std::ranges::copy(samples(), std::back_inserter(models));
  for (const Model& model : models) {
    const compiler::Compilation compilation = compile_model(model, model.name);
    batch.add(model.name, compilation, inputs_of(*compilation.given));
  }
  const auto results =
      batch.run({.compiler = "g++",
                 .flags = {optimisation, "-fstack-usage", "-DWICK_STACK_BYTES=65536", "-pthread"},
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

// Local arrays of the runtime take 4 KiB at most; what a frame has beside them is small.
TEST(Stack, FramesOfOptimisedCodeAreSmall) {
  const std::vector<Frame> frames = run_on_small_stack("-O2");
  expect_known_sizes(frames);
  const Frame& largest = *std::ranges::max_element(frames, {}, &Frame::bytes);
  std::printf("the largest frame has %zu bytes\n", largest.bytes);
  EXPECT_LE(largest.bytes, 8u * 1024) << largest.function;
}

// Unoptimised, every temporary of a function that is always inlined keeps a place of its own.
TEST(Stack, UnoptimisedCodeRunsOn64KiB) { expect_known_sizes(run_on_small_stack("-O0")); }

}  // namespace
}  // namespace wick::golden
