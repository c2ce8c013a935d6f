#include "tests/bench/workloads/tensors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

namespace wick::workloads {

Buffer::Buffer(std::size_t bytes)
    : bytes_(bytes), data_(std::aligned_alloc(64, bytes / 64 * 64 + 64)) {
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_, 0, bytes);
}

Buffer::~Buffer() { std::free(data_); }

Buffer read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::streamsize size = file.tellg();
  Buffer buffer(static_cast<std::size_t>(size));
  file.seekg(0);
  file.read(buffer.as<char>(), size);
  return buffer;
}

const Buffer& Tensors::at(const std::string& name) {
  auto found = read_.find(name);
  if (found == read_.end())
    found = read_.emplace(name, read_file(folder_ + "/" + name + ".f32")).first;
  return found->second;
}

double error_in_units(const float* found, const Buffer& expected) {
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < expected.count<double>(); ++i) {
    const double value = expected.as<double>()[i];
    const double difference = std::fabs(static_cast<double>(found[i]) - value);
    error = std::isnan(difference) ? HUGE_VAL : std::max(error, difference);
    largest = std::max(largest, std::fabs(value));
  }
  return error / (largest * std::ldexp(1.0, -24));
}

}  // namespace wick::workloads
