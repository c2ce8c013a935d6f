// What bench.py tells the measuring program: the emitted functions, and the peers that it found.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/bench/workloads/peers/peer.h"

namespace wick::workloads {

struct Function {
  void (*run)(const float* const* inputs, float* output, std::byte* arena);
  std::size_t arena_bytes;
};

struct Workload {
  const char* name;
  Function emitted;
  // The same values from one composite operation instead of primitives, or null.
  Function composite;
  std::vector<const char*> inputs;  // in the order of the functions' parameters
};

// In the order in which they are measured.
const std::vector<Workload>& workloads();
const std::vector<Peer>& peers();

}  // namespace wick::workloads
