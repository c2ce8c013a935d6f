// Runs one encoder block, emitted by wick from graph.json, and compares it with NumPy's result in
// float64.
//
//   attention FOLDER    FOLDER holds x.npy and expected.npy (see reference.py)
#include "attention.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kElements = 16 * 32;

// The data of a .npy file of format version 1; empty if it is none.
std::vector<float> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
  if (bytes.size() < 10 || std::memcmp(bytes.data(), "\x93NUMPY\x01", 7) != 0) return {};
  const std::size_t start =
      10u + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  if (bytes.size() < start) return {};
  std::vector<float> values((bytes.size() - start) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + start, values.size() * sizeof(float));
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const std::vector<float> x = read_npy(folder + "/x.npy");
  const std::vector<float> expected = read_npy(folder + "/expected.npy");
  if (x.size() != kElements || expected.size() != kElements) {
    std::fprintf(stderr, "%s: x.npy or expected.npy is missing or has another shape\n",
                 folder.c_str());
    return 1;
  }
  alignas(attention::kArenaAlignment) static std::byte arena[attention::kArenaBytes];
  std::vector<float> y(kElements);
  attention::run(x.data(), y.data(), arena);

  float worst = 0;
  for (std::size_t i = 0; i < kElements; ++i) {
    const float difference = std::fabs(y[i] - expected[i]);
    worst = difference <= worst ? worst : difference;  // NaN counts
  }
  std::printf("16 positions of 32 channels in an arena of %zu bytes; within %.1e of NumPy\n",
              attention::kArenaBytes, static_cast<double>(worst));
  return worst < 1e-5f ? 0 : 1;
}
