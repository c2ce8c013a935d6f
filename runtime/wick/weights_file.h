#pragma once

// Weights that are read at run time: maps the packed file of a model that was emitted with
// --weights=file and compares size and checksum with what the emitted header states.
//
//   wick::WeightsFile file;
//   const wick::WeightsStatus status = file.open("share/digits.weights", digits::kWeightsFile);
//   if (status != wick::WeightsStatus::kOk) return fail(wick::status_text(status));
//   const digits::Weights weights = digits::weights_at(file.data());
//   digits::run(weights, …);   // as often as wanted; `file` must outlive the calls
//
// Nothing throws, nothing is allocated. Opening reads the file once, for the checksum; afterwards
// its pages are shared with every process that maps it. Whoever changes or truncates the file while
// it is mapped changes the weights or ends the process: install a new version under a new name, or
// by renaming it into place.
//
// This header is apart from "wick/runtime.h" and includes POSIX headers, which emitted code never
// does.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "wick/hash.h"
#include "wick/interface.h"

namespace wick {

enum class WeightsStatus : std::uint8_t { kOk, kCannotOpen, kWrongSize, kCannotMap, kWrongHash };

/// What a status says to people, without a full stop.
constexpr const char* status_text(WeightsStatus status) noexcept {
  switch (status) {
    case WeightsStatus::kOk:
      return "the weights are loaded";
    case WeightsStatus::kCannotOpen:
      return "the weights file cannot be opened for reading";
    case WeightsStatus::kWrongSize:
      return "the weights file has another size than this program was built for";
    case WeightsStatus::kCannotMap:
      return "the weights file cannot be mapped into memory";
    case WeightsStatus::kWrongHash:
      return "the weights file has another checksum than this program was built for";
  }
  return "unknown status";
}

/// A mapped file of weights. Movable; the mapping ends with the object.
class WeightsFile {
 public:
  WeightsFile() noexcept = default;
  WeightsFile(WeightsFile&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.forget();
  }
  WeightsFile& operator=(WeightsFile&& other) noexcept {
    if (this == &other) return *this;
    close();
    data_ = other.data_;
    size_ = other.size_;
    other.forget();
    return *this;
  }
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;
  ~WeightsFile() { close(); }

  /// Maps the file at `path`, which must be the one that `expected` describes; its name does not
  /// matter. After kCannotOpen and kCannotMap `errno` tells more. On failure nothing is mapped.
  WeightsStatus open(const char* path, const PackedFile& expected) noexcept {
    close();
    // Not to wait for whoever writes, if it is a pipe; regular files do not know the flag.
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return WeightsStatus::kCannotOpen;
    const WeightsStatus status = map(file, expected);
    ::close(file);
    if (status == WeightsStatus::kOk && hash64(data_, size_) != expected.hash) {
      close();
      return WeightsStatus::kWrongHash;
    }
    return status;
  }

  /// The bytes, for `weights_at`; null if nothing is mapped.
  const std::byte* data() const noexcept { return data_; }

  void close() noexcept {
    unmap(data_, size_);
    forget();
  }

  /// Gives the mapping away, for languages without destructors: `unmap` ends it.
  const std::byte* release() noexcept {
    const std::byte* data = data_;
    forget();
    return data;
  }
  static void unmap(const std::byte* data, std::size_t size) noexcept {
    if (data != nullptr && size > 0) ::munmap(const_cast<std::byte*>(data), size);
  }

 private:
  WeightsStatus map(int file, const PackedFile& expected) noexcept {
    struct stat status = {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return WeightsStatus::kCannotOpen;
    if (static_cast<std::uint64_t>(status.st_size) != expected.bytes) {
      return WeightsStatus::kWrongSize;
    }
    alignas(64) static constexpr std::byte kNothing[64] = {};
    data_ = kNothing;
    if (expected.bytes == 0) return WeightsStatus::kOk;
    void* address = ::mmap(nullptr, expected.bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) {
      forget();
      return WeightsStatus::kCannotMap;
    }
    data_ = static_cast<const std::byte*>(address);
    size_ = expected.bytes;
    return WeightsStatus::kOk;
  }

  void forget() noexcept {
    data_ = nullptr;
    size_ = 0;
  }

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace wick
