// Writes a plan down as C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/plan/plan.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::compiler {

enum class WeightsMode : std::uint8_t {
  kEmbed,    // brought in by the assembler's .incbin from a unit of their own
  kFile,     // handed in by the caller, who reads them with wick/weights_file.h
  kPointer,  // handed in by the caller
};

struct EmitOptions {
  std::string file_name = "model";  // model.h, model.cpp, model.weights.cpp, model.weights …
  std::string name_space;           // of the emitted code; empty: made from the graph's name
  std::string source_name;  // the graph file's name as the banner tells it, without a folder
  WeightsMode weights = WeightsMode::kEmbed;
  bool c_api = false;  // model_c.h and model_c.cpp, too
  // Told of bytes of constants that were read through and are not needed for a while: whoever
  // mapped them can let the pages go.
  std::function<void(std::span<const std::byte>)> release = {};
  // model.weights.cpp and model.weights even where they hold nothing, so that a build system knows
  // all files before it has read the graph.
  bool every_file = false;
};

// Where a line of the emitted source comes from: for messages about emitted code.
struct LineOrigin {
  std::uint32_t line = 0;  // counted from 1, in model.cpp
  NodeId node;
};

struct EmittedFile {
  std::string name;                // without a folder
  std::vector<std::byte> content;  // text in UTF-8
  // Of the weights, which may be large, instead: their bytes piece by piece, shared with the
  // constants of the plan.
  std::vector<HostTensor> pieces = {};

  // All bytes, one piece after the other.
  std::vector<std::span<const std::byte>> parts() const {
    if (pieces.empty()) return {std::span(content)};
    std::vector<std::span<const std::byte>> parts;
    for (const HostTensor& piece : pieces) parts.push_back(piece.bytes());
    return parts;
  }
  // The same as a copy.
  std::vector<std::byte> bytes() const {
    std::vector<std::byte> all;
    for (const auto part : parts()) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
};

struct Emission {
  std::vector<EmittedFile> files;
  std::vector<LineOrigin> origins;
};

// Requires: a valid plan. Guarantees: the same bytes for the same plan on every machine; the text
// is a fixed point of clang-format in the style of docs/emitted.clang-format. Decides nothing: what
// is computed, where and in which order comes from the plan. Cost: linear in steps and constants.
Emission emit(const Plan& plan, const EmitOptions& options);

}  // namespace wick::compiler
