// The values that a workload is run with and judged by, read from the files that bench.py wrote.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace wick::workloads {

// Bytes at a multiple of 64, as callers who care for speed have them, set to zero.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  Buffer(Buffer&& other) noexcept
      : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  std::size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  template <class T>
  std::size_t count() const {
    return bytes_ / sizeof(T);
  }

 private:
  std::size_t bytes_;
  void* data_;
};

// The whole file. Throws std::runtime_error if it cannot be read.
Buffer read_file(const std::string& path);

// FOLDER/NAME.f32 for inputs and constants, read when first asked for.
class Tensors {
 public:
  explicit Tensors(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  const float* operator[](const std::string& name) { return at(name).as<float>(); }
  std::size_t count(const std::string& name) { return at(name).count<float>(); }

 private:
  const Buffer& at(const std::string& name);

  std::string folder_;
  std::map<std::string, Buffer> read_;
};

// The largest difference, in units of 2^-24 of the largest magnitude expected; NaN is infinite.
double error_in_units(const float* found, const Buffer& expected);

}  // namespace wick::workloads
