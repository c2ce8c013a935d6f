// The bytes of a file, mapped read-only: nothing is copied, and what is never looked at is never
// read. Only regular files are opened, so that a directory, a device or a pipe can neither block
// nor feed us without end.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace wick::frontend {

// What is wrong with a file. The message starts with the file's name, quoted.
struct FileError {
  std::string message;
  std::string hint = {};
};

class MappedFile {
 public:
  static std::variant<std::shared_ptr<const MappedFile>, FileError> open(const std::string& path);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(address_), size_};
  }
  // Lets go of the pages that lie wholly in `bytes`, if that is a part of this file; they are read
  // anew when somebody looks at them again. So a file larger than memory can be read through.
  void release(std::span<const std::byte> bytes) const;

  std::string_view text() const { return {static_cast<const char*>(address_), size_}; }

 private:
  MappedFile(void* address, std::size_t size) : address_(address), size_(size) {}

  void* address_;  // null if the file is empty
  std::size_t size_;
};

// "cannot open \"w.npy\": No such file or directory" for the error number of a system call.
FileError system_error(std::string_view action, const std::string& path, int number);

}  // namespace wick::frontend
