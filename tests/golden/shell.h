// Commands and folders for tests that use the tools of a developer.
#pragma once

#include <filesystem>
#include <string>

namespace wick::golden {

// A folder that is gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct ShellResult {
  int status = -1;     // 0: success
  std::string output;  // of both streams
};

// Runs a command of the shell in a folder.
ShellResult shell(const std::string& command, const std::filesystem::path& folder = ".");

// A word as the shell takes it.
std::string shell_word(const std::string& word);

}  // namespace wick::golden
