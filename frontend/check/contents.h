// What memory holds while the statements of an emitted file are followed: which value was written
// last to which bytes. Slots that are used again, writes in place and views thereby become plain
// values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/check/algebra.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

// A place in memory: bytes from `offset` of one of the stretches that never overlap.
struct Location {
  enum class Root : std::uint8_t { kParameter, kWeight, kBound, kArena, kState, kHeap };
  Root root = Root::kArena;
  std::uint32_t index = 0;  // which parameter of run, weight, bound tensor, heap slot
  std::int64_t offset = 0;
};

class Contents {
 public:
  explicit Contents(Algebra& algebra) : algebra_(algebra) {}

  // `value` is written packed.
  void write(const Location& location, const TermView& value);
  // The elements there, read through the strides of `type`; nothing if no one value that was
  // written holds them all.
  std::optional<TermView> read(const Location& location, const TensorType& type);
  // What the arena and the heap held means nothing any more.
  void forget_scratch();

 private:
  struct Written {
    std::int64_t bytes = 0;
    TermView value;
  };
  using Stretch = std::map<std::int64_t, Written>;  // by first byte

  static std::uint64_t key(const Location& location) {
    return static_cast<std::uint64_t>(location.root) << 32 | location.index;
  }

  Algebra& algebra_;
  std::unordered_map<std::uint64_t, Stretch> stretches_;
};

// The locations of the names of one function.
class Locations {
 public:
  // `parameters` gives for each parameter of the function the one of run that it is.
  Locations(const Function& function, const std::vector<std::uint32_t>& parameters,
            std::uint32_t& heap_slots);

  // Nothing if the name is scratch, or names something that does not exist.
  const std::optional<Location>& of(std::uint32_t name) const { return locations_[name]; }

 private:
  std::vector<std::optional<Location>> locations_;
};

}  // namespace wick::frontend::check
