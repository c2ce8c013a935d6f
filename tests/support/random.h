// Random numbers for tests: the same on every machine and with every standard library.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wick::compiler::testing {

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // In [low, high).
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low));
  }
  std::size_t index(std::size_t count) { return static_cast<std::size_t>(bits() % count); }
  bool chance(int percent) { return in(0, 100) < percent; }
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items[index(items.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[index(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace wick::compiler::testing
