#include "compiler/plan/pack/search_style.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace wick::compiler::pack {
namespace {

// log2(value) * 256, rounded down, by repeated squaring of the mantissa.
std::int64_t log2_fixed(std::int64_t value) {
  constexpr int kFractionBits = 8;
  const int exponent = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
  std::uint64_t mantissa = static_cast<std::uint64_t>(value) << (63 - exponent) >> 32;  // [1, 2)
  std::int64_t result = exponent;
  for (int bit = 0; bit < kFractionBits; ++bit) {
    mantissa = mantissa * mantissa >> 31;
    const bool carry = mantissa >> 32 != 0;
    if (carry) mantissa >>= 1;
    result = 2 * result + (carry ? 1 : 0);
  }
  return result;
}

// A splitmix64 generator: the standard library's distributions differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Uniform in [0, end), for small `end`.
  std::int64_t below(std::int64_t end) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    x ^= x >> 31;
    return static_cast<std::int64_t>((x >> 33) % static_cast<std::uint64_t>(end));
  }

 private:
  std::uint64_t state_;
};

// Weights of the traits in a block's score, and the amplitude of noise, in 1/256.
struct Weights {
  std::int64_t load, size, span, noise;
};

// A load that counts 4000 times decides alone; the other traits decide between equals.
Weights draw_weights(Random& random) {
  Weights weights{};
  weights.load = random.below(4) != 0 ? 4000 : random.below(120);
  weights.size = random.below(5);
  weights.span = random.below(9);
  weights.noise = random.below(2) == 0 ? 0 : 64 * random.below(24);
  return weights;
}

}  // namespace

SearchStyles::SearchStyles(const Instance& instance) {
  traits_.reserve(instance.blocks.size());
  for (const Block& block : instance.blocks) {
    const std::int64_t load =
        *std::max_element(instance.load.begin() + block.first, instance.load.begin() + block.last);
    traits_.push_back(
        {log2_fixed(load), log2_fixed(block.size), log2_fixed(block.last - block.first)});
  }
}

SearchStyle SearchStyles::style(std::int64_t number) const {
  Random random(static_cast<std::uint64_t>(number));
  const Weights weights = draw_weights(random);
  SearchStyle style;
  style.by_slack = random.below(2) == 0;
  style.narrow = random.below(2) == 0;

  std::vector<std::int64_t> score;
  score.reserve(traits_.size());
  for (const Traits& traits : traits_) {
    const std::int64_t noise = weights.noise == 0 ? 0 : random.below(weights.noise);
    score.push_back(weights.load * traits.load + weights.size * traits.size +
                    weights.span * traits.span + noise);
  }
  std::vector<std::uint32_t> order(traits_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return score[a] != score[b] ? score[a] > score[b] : a < b;
  });
  style.rank.resize(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) style.rank[order[i]] = i;
  return style;
}

}  // namespace wick::compiler::pack
