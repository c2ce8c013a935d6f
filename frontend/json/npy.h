// NumPy's .npy files, format versions 1 to 3: the values of one tensor.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "compiler/tensor/host_tensor.h"
#include "frontend/json/mapped_file.h"

namespace wick::frontend {

// Reads a tensor of one of wick's dtypes, little-endian. In C order the bytes stay in the mapped
// file; in Fortran order they are transposed into a copy. The file must end where the data does; a
// bool must be 0 or 1.
std::variant<compiler::HostTensor, FileError> read_npy(const std::string& path);

// The same for a file that is open already; `path` is for messages.
std::variant<compiler::HostTensor, FileError> read_npy(
    const std::string& path, const std::shared_ptr<const MappedFile>& file);

// What stands before the elements in a file of version 1.
std::string npy_start(const compiler::HostTensor& tensor);

// Writes version 1, little-endian, C order. The file appears whole or not at all: it is written
// under a temporary name in the same folder and renamed.
std::optional<FileError> write_npy(const std::string& path, const compiler::HostTensor& tensor);

// What is wrong with bytes that should be a tensor's, if anything: a bool that is neither 0 nor 1.
std::optional<std::string> invalid_element(const compiler::HostTensor& tensor);

}  // namespace wick::frontend
