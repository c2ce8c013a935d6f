// Many emitted functions in one translation unit: written, compiled, run, and their results read
// back.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.h"
#include "compiler/tensor/host_tensor.h"

namespace wick::corpus {

// How a batch is compiled.
struct Toolchain {
  std::string compiler = "clang++-19";
  std::vector<std::string> flags = {"-O1"};
  bool sanitize = true;  // AddressSanitizer, poisoning frees, WICK_CHECKS
};

class Batch {
 public:
  // Works in `folder`, which is made; `name` tells batches apart.
  Batch(std::string folder, std::string name);

  // Adds a function. `compilation` was emitted with the namespace and file name `name`.
  void add(const std::string& name, const compiler::Compilation& compilation,
           const std::vector<compiler::HostTensor>& inputs);

  // Compiles and runs all; the outputs of each function, in order. Throws std::runtime_error with
  // what the compiler or the program said.
  std::vector<std::vector<compiler::HostTensor>> run(const Toolchain& toolchain);

 private:
  struct Function {
    std::string name;
    std::vector<compiler::ops::TensorType> outputs;
  };

  std::string path(const std::string& file) const { return folder_ + "/" + file; }
  void write(const std::string& file, std::span<const std::byte> bytes) const;

  std::string folder_;
  std::string name_;
  std::string source_;   // the translation unit
  std::string entries_;  // the table at its end
  std::vector<std::byte> inputs_;
  std::vector<Function> functions_;
};

}  // namespace wick::corpus
