#include "frontend/json/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <system_error>

#include "compiler/support/text.h"

namespace wick::frontend {
namespace {

using compiler::quoted;

// What stands in the way of reading the file like an array, if anything.
std::optional<FileError> fault_of(const std::string& path, const struct stat& status) {
  if (S_ISREG(status.st_mode)) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return FileError{quoted(path) + " is a folder"};
  return FileError{quoted(path) + " is not a regular file",
                   "pipes and devices cannot be mapped; copy the bytes into a file first"};
}

}  // namespace

FileError system_error(std::string_view action, const std::string& path, int number) {
  if (number == ENOENT && action == "open") return {quoted(path) + " does not exist"};
  return {"cannot " + std::string(action) + " " + quoted(path) + ": " +
          std::generic_category().message(number)};
}

std::variant<std::shared_ptr<const MappedFile>, FileError> MappedFile::open(
    const std::string& path) {
  // A look before opening, for opening a device may already do something; a look after it, for the
  // name may have changed hands.
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return system_error("open", path, errno);
  if (auto fault = fault_of(path, status)) return *fault;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return system_error("open", path, errno);
  std::optional<FileError> fault;
  void* address = nullptr;
  std::size_t size = 0;
  if (::fstat(file, &status) != 0) {
    fault = system_error("read", path, errno);
  } else if (fault = fault_of(path, status); !fault && status.st_size > 0) {
    size = static_cast<std::size_t>(status.st_size);
    address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) fault = system_error("map", path, errno);
  }
  ::close(file);
  if (fault) return *fault;
  return std::shared_ptr<const MappedFile>(new MappedFile(address, size));
}

void MappedFile::release(std::span<const std::byte> bytes) const {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const auto file = reinterpret_cast<std::uintptr_t>(address_);
  if (begin < file || begin + bytes.size() > file + size_) return;
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + bytes.size()) / page * page;
  // The mapping is private and was never written to: nothing can get lost.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) ::munmap(address_, size_);
}

}  // namespace wick::frontend
