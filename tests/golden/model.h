// The graphs whose emitted code is checked in: the cases of tests/golden and the samples.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::golden {

namespace fs = std::filesystem;

// A folder with graph.json and the files emitted from it, whose stem is the folder's name. A file
// `storage` with one word (static, heap, none) asks for another storage than the arena.
struct Model {
  std::string name;
  fs::path folder;
};

// How GoogleTest names it.
inline void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

std::vector<Model> goldens();
std::vector<Model> samples();

// Compiles the graph as `wick compile` does. With `name_space` the code goes there instead of the
// namespace that the graph's name gives. Throws std::runtime_error if the graph is wrong.
compiler::Compilation compile_model(const Model& model, const std::string& name_space = "");

std::string contents(const fs::path& path);
void write(const fs::path& path, const std::string& text);
std::string text_of(const compiler::EmittedFile& file);

// Values for every input: small multiples of 1/8 of either sign, as far as the dtype has them.
std::vector<compiler::HostTensor> inputs_of(const compiler::Graph& graph);

// What strays from the reference interpreter by more than the rounding of a few operations: a
// sentence, or nothing.
std::string disagreement(const compiler::Graph& graph,
                         const std::vector<compiler::HostTensor>& inputs,
                         const std::vector<compiler::HostTensor>& found);

}  // namespace wick::golden
