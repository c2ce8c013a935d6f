// Classifies handwritten digits with the function that wick made of graph.json.
//
//   digits FOLDER    FOLDER holds images.npy, labels.npy and logits.npy
//
// The emitted code needs no library and no heap: `digits::run` reads one image and writes the
// scores of the ten digits. All the rest of this file is reading files and showing results.
#include "digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kPixels = 64;
constexpr std::size_t kClasses = 10;
constexpr std::size_t kShown = 4;

// The data of a .npy file of format version 1: what follows its header.
template <class E>
std::vector<E> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
  if (bytes.size() < 10 || std::memcmp(bytes.data(), "\x93NUMPY\x01", 7) != 0) {
    std::fprintf(stderr, "%s: not a .npy file of version 1\n", path.c_str());
    std::exit(1);
  }
  const auto low = static_cast<unsigned char>(bytes[8]);
  const auto high = static_cast<unsigned char>(bytes[9]);
  const std::size_t start = std::min<std::size_t>(10u + low + 256u * high, bytes.size());
  std::vector<E> values((bytes.size() - start) / sizeof(E));
  std::memcpy(values.data(), bytes.data() + start, values.size() * sizeof(E));
  return values;
}

struct Scores {
  std::array<float, kClasses> logits;
  std::array<float, kClasses> probabilities;

  std::size_t best() const {
    return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                    probabilities.begin());
  }
};

Scores classify(const float* image) {
  alignas(digits::kArenaAlignment) std::byte arena[digits::kArenaBytes];
  Scores scores;
  digits::run(image, scores.logits.data(), scores.probabilities.data(), arena);
  return scores;
}

void show(const float* image, const Scores& scores, unsigned label) {
  for (std::size_t row = 0; row < 8; ++row) {
    std::printf("    ");
    for (std::size_t column = 0; column < 8; ++column) {
      const float ink = image[8 * row + column];
      const char shade =
          " .:-=+*#%@"[static_cast<std::size_t>(std::clamp(ink / 16.0f * 9.0f, 0.0f, 9.0f))];
      std::printf("%c%c", shade, shade);
    }
    if (row == 3)
      std::printf("   read as %zu (%.1f%%)", scores.best(),
                  100.0 * static_cast<double>(scores.probabilities[scores.best()]));
    if (row == 4) std::printf("   labelled %u", label);
    std::printf("\n");
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const auto images = read_npy<float>(folder + "/images.npy");
  const auto labels = read_npy<std::uint8_t>(folder + "/labels.npy");
  const auto expected = read_npy<float>(folder + "/logits.npy");
  const std::size_t count = labels.size();
  if (images.size() != count * kPixels || expected.size() != count * kClasses || count == 0) {
    std::fprintf(stderr, "%s: images, labels and logits do not belong together\n", folder.c_str());
    return 1;
  }

  std::size_t right = 0;
  float worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float* image = images.data() + i * kPixels;
    const Scores scores = classify(image);
    const bool correct = scores.best() == labels[i];
    right += correct ? 1 : 0;
    if (i < kShown || !correct) show(image, scores, labels[i]);
    for (std::size_t j = 0; j < kClasses; ++j) {
      const float difference = std::fabs(scores.logits[j] - expected[i * kClasses + j]);
      worst = difference <= worst ? worst : difference;  // NaN counts
    }
  }
  std::printf("%zu of %zu images read right; logits within %.1e of the reference\n", right, count,
              static_cast<double>(worst));
  return worst < 1e-4f ? 0 : 1;
}
