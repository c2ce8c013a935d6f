// The function through which `wick run` calls emitted code: all tensors behind arrays of pointers,
// so that one type of function serves every graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/compile.h"

namespace wick::frontend {

// What the thunk's symbols are called in the shared object.
inline constexpr const char* kThunkName = "wick_run_call";
inline constexpr const char* kKeyName = "wick_run_key";

// inputs and outputs in the order of the graph's; donated inputs are written to; `packed` is the
// weights file if weights are handed in, else null.
using Thunk = void (*)(const void* const* inputs, void* const* outputs, std::byte* arena,
                       const std::byte* packed);

// A translation unit that includes the emitted sources and defines the thunk. `compilation` was
// emitted as `options` says. Parameters are bound at each call, State lives in the shared object.
std::string thunk_source(const compiler::Compilation& compilation,
                         const compiler::EmitOptions& options);

// The definition of the key, by which a shared object is known to be the one that was wanted.
std::string key_source(std::uint64_t key);

// True if the emitted function takes an arena, or the packed weights.
bool takes_arena(const compiler::Plan& plan);
bool takes_weights(const compiler::Plan& plan, const compiler::EmitOptions& options);

}  // namespace wick::frontend
