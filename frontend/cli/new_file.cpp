#include "frontend/cli/new_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

namespace wick::frontend {
namespace {

namespace fs = std::filesystem;
constexpr int kMostNames = 1000;
constexpr mode_t kMode = 0666;

// Files without a name stay open; a call with very many graphs gives names to those beyond.
int most_open() {
  constexpr rlim_t kMost = 256;
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<int>(std::min(kMost, limit.rlim_cur / 4));
}

std::string self_path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

// -1 where the system or the file system cannot.
int open_without_name(const fs::path& path) {
#ifdef O_TMPFILE
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
  if (file < 0) return -1;
  if (file < most_open() && ::access(self_path(file).c_str(), F_OK) == 0) return file;
  ::close(file);
#endif
  return -1;
}

}  // namespace

fs::path free_name(const fs::path& path) {
  fs::path name;
  for (int number = 0; number < kMostNames; ++number) {
    name = path.parent_path() /
           (".wick-" + std::to_string(::getpid()) + "-" + std::to_string(number) + ".tmp");
    std::error_code error;
    if (!fs::exists(fs::symlink_status(name, error))) break;
  }
  return name;
}

NewFile::NewFile(NewFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {
  other.name_.clear();
}

NewFile& NewFile::operator=(NewFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(name_, other.name_);
  return *this;
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

bool NewFile::create(const fs::path& path) {
  descriptor_ = open_without_name(path);
  if (descriptor_ >= 0) return true;
  const fs::path name = free_name(path);
  descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (descriptor_ < 0) return false;
  name_ = name;
  return true;
}

bool NewFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool NewFile::finish() {
  if (name_.empty()) return true;
  return ::close(std::exchange(descriptor_, -1)) == 0;
}

bool NewFile::move_to(const fs::path& path) {
  if (name_.empty()) {
    const fs::path name = free_name(path);
    const std::string self = self_path(descriptor_);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return false;
    }
    name_ = name;
    if (::close(std::exchange(descriptor_, -1)) != 0) return false;
  }
  if (std::rename(name_.c_str(), path.c_str()) != 0) return false;
  name_.clear();
  return true;
}

}  // namespace wick::frontend
