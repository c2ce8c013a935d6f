// What bench.py tells the measuring program about the emitted functions.
#pragma once

#include <cstddef>
#include <vector>

namespace wick::workloads {

struct Workload {
  const char* name;
  void (*run)(const float* const* inputs, float* output, std::byte* arena);
  std::size_t arena_bytes;
  std::vector<const char*> inputs;  // in the order of the function's parameters
  // Square products have a peer, the BLAS: extent, and the tensor on the right.
  int product_extent;
  const char* product_right;
};

// In the order in which they are measured.
const std::vector<Workload>& workloads();

}  // namespace wick::workloads
