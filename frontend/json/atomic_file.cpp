#include "frontend/json/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace wick::frontend {
namespace {

constexpr int kMostNames = 1000;

// A new file beside `path`, its name in `name`; -1 if there can be none.
int create_beside(const std::string& path, std::string& name) {
  for (int number = 0; number < kMostNames; ++number) {
    name = path + "." + std::to_string(::getpid()) + "-" + std::to_string(number) + ".tmp";
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

bool write_all(int file, std::span<const std::byte> bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const auto count = ::write(file, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::optional<FileError> write_file(const std::string& path,
                                    std::span<const std::span<const std::byte>> parts) {
  std::string name;
  const int file = create_beside(path, name);
  if (file < 0) return system_error("write", path, errno);
  int number = 0;
  for (const auto part : parts) {
    if (number == 0 && !write_all(file, part)) number = errno;
  }
  if (::close(file) != 0 && number == 0) number = errno;
  if (number == 0 && std::rename(name.c_str(), path.c_str()) != 0) number = errno;
  if (number == 0) return std::nullopt;
  ::unlink(name.c_str());
  return system_error("write", path, number);
}

}  // namespace wick::frontend
