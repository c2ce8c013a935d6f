// The states of the tree search that are known to lead to no packing.
//
// A hash table of fixed size that forgets: a lookup may miss, which costs time but no answer.
// States are told apart by 128 bits: among 10^9 states the chance that any two are confused is
// below 10^-20.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wick::compiler::pack {

/// The hash of a set of numbered values, in whatever order they are added.
struct StateHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const StateHash&, const StateHash&) = default;

  void add(std::uint64_t value, std::uint64_t number) {
    low += mixed(value + number * 0x9e3779b97f4a7c15U);
    high += mixed((value ^ 0x5851f42d4c957f2dU) * 0xda942042e4dd58b5U + number);
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93U;
    return x ^ (x >> 32);
  }
};

class FailedStates {
 public:
  /// Room for 2^bits states.
  explicit FailedStates(int bits) : slots_(std::size_t{1} << bits) {}

  bool contains(const StateHash& state) const {
    for (std::size_t way = 0; way < kWays; ++way) {
      if (slots_[slot_of(state, way)] == state) return true;
    }
    return false;
  }

  void insert(const StateHash& state) {
    for (std::size_t way = 0; way < kWays; ++way) {
      StateHash& slot = slots_[slot_of(state, way)];
      if (slot == StateHash{}) {
        slot = state;
        return;
      }
    }
    slots_[slot_of(state, state.high % kWays)] = state;
  }

 private:
  static constexpr std::size_t kWays = 4;

  std::size_t slot_of(const StateHash& state, std::size_t way) const {
    return (state.low + way) & (slots_.size() - 1);
  }

  std::vector<StateHash> slots_;
};

}  // namespace wick::compiler::pack
