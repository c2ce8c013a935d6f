// A file that nobody sees before it is complete. Where the system can, it has no name at all until
// then, so that a run that is killed leaves nothing behind; elsewhere it has a hidden one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace wick::frontend {

// Every function that may fail returns false and leaves the reason in errno.
class NewFile {
 public:
  NewFile() = default;
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&& other) noexcept;
  // A file that was not moved to its place is gone.
  ~NewFile();

  // An empty file beside `path`.
  bool create(const std::filesystem::path& path);
  bool append(std::span<const std::byte> bytes);
  // Nothing follows.
  bool finish();
  // Gives it the name `path`, in the place of what may stand there.
  bool move_to(const std::filesystem::path& path);

 private:
  int descriptor_ = -1;              // open until `finish`, or `move_to` if there is no name
  std::filesystem::path name_ = {};  // empty if it has none
};

// A name in the folder of `path` that nothing has. Whoever takes one at the same moment has another
// process id.
std::filesystem::path free_name(const std::filesystem::path& path);

}  // namespace wick::frontend
