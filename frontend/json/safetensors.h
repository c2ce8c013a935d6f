// Hugging Face's .safetensors files: many named tensors in one file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/tensor/host_tensor.h"
#include "frontend/json/mapped_file.h"

namespace wick::frontend {

class Safetensors {
 public:
  // Reads and checks the header: every tensor must have the bytes that its dtype and shape say, and
  // the tensors must fill the rest of the file without overlap or gap. Tensors of dtypes that wick
  // does not have may be there, but not be read.
  static std::variant<Safetensors, FileError> open(const std::string& path,
                                                   std::shared_ptr<const MappedFile> file);

  // The tensor of that name; its bytes stay in the mapped file.
  std::variant<compiler::HostTensor, FileError> read(const std::string& name) const;

  struct Entry {
    std::string dtype;  // "F32"
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  // in the data
    std::uint64_t end = 0;
  };

 private:
  std::string path_;
  std::shared_ptr<const MappedFile> file_;
  std::size_t data_ = 0;  // where the data begins
  std::map<std::string, Entry> entries_;
};

}  // namespace wick::frontend
