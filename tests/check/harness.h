// What a program of mutants tells the harness about itself. Included by generated code.
#pragma once

#include <cstddef>
#include <vector>

namespace wick::mutation {

struct Tensor {
  std::size_t bytes;
  char kind;  // 'f': f32, 'd': f64, 'i': anything else
};

using Call = void (*)(void* const* in, void* const* out, std::byte* arena, bool first);

struct Entry {
  Call original;
  Call mutant;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::size_t arena_bytes;
};

}  // namespace wick::mutation

const std::vector<wick::mutation::Entry>& entries();
