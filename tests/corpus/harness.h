// What a batch of emitted functions tells the harness about itself. Included by generated code.
#pragma once

#include <cstddef>
#include <vector>

namespace wick::corpus {

struct Tensor {
  std::size_t bytes;
  bool donated;
};

struct Entry {
  const char* name;
  void (*run)(const void* const* inputs, void* const* outputs, std::byte* arena);
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::size_t arena_bytes;
};

// The functions of the batch, in order.
const std::vector<Entry>& entries();

}  // namespace wick::corpus
