#include "frontend/cli/call_native.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace wick::frontend {
namespace {

using compiler::HostTensor;

constexpr std::size_t kAlignment = 64;

struct Free {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using Memory = std::unique_ptr<std::byte, Free>;

// Never null, so that a tensor without elements has an address, too.
Memory aligned_bytes(std::size_t size) {
  const std::size_t rounded = (size / kAlignment + 1) * kAlignment;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

bool is_aligned(const HostTensor& tensor) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.bytes().data());
  return address != 0 && address % compiler::size_of(tensor.dtype()) == 0;
}

// The packed file, aligned as emitted code wants it.
Memory packed_weights(const compiler::Emission& emission) {
  for (const compiler::EmittedFile& file : emission.files) {
    if (!file.name.ends_with(".weights")) continue;
    std::size_t size = 0;
    for (const auto part : file.parts()) size += part.size();
    Memory packed = aligned_bytes(size);
    std::byte* end = packed.get();
    for (const auto part : file.parts()) end = std::ranges::copy(part, end).out;
    return packed;
  }
  return aligned_bytes(0);
}

}  // namespace

std::vector<HostTensor> call_native(Thunk thunk, const compiler::Compilation& compilation,
                                    const compiler::EmitOptions& options,
                                    std::span<const HostTensor> inputs) {
  const compiler::Plan& plan = *compilation.plan;
  const compiler::Graph& graph = *plan.fused->graph;
  std::vector<Memory> copies, results;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    in.push_back(inputs[i].bytes().data());
    if (!graph.inputs[i].donate && is_aligned(inputs[i])) continue;
    const auto bytes = inputs[i].bytes();
    copies.push_back(aligned_bytes(bytes.size()));
    if (!bytes.empty()) std::memcpy(copies.back().get(), bytes.data(), bytes.size());
    in.back() = copies.back().get();
  }
  std::vector<HostTensor> outputs;
  for (const compiler::Output& output : graph.outputs) {
    const auto& type = graph.values[output.value].type;
    outputs.emplace_back(type.dtype, type.shape());
    results.push_back(aligned_bytes(outputs.back().bytes().size()));
    out.push_back(results.back().get());
  }
  Memory arena =
      takes_arena(plan) ? aligned_bytes(static_cast<std::size_t>(plan.arena.count)) : nullptr;
  const Memory packed =
      takes_weights(plan, options) ? packed_weights(compilation.emission) : nullptr;
  thunk(in.data(), out.data(), arena.get(), packed.get());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto bytes = outputs[i].mutable_bytes();
    if (!bytes.empty()) std::memcpy(bytes.data(), results[i].get(), bytes.size());
  }
  return outputs;
}

}  // namespace wick::frontend
