// Driving the built program as a user would: a folder of its own for each test, arguments without a
// shell, standard input as text, both outputs caught.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace wick::cli_test {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;  // 128 plus the signal that ended it, as shells count
  std::string out;
  std::string err;
  long peak_kib = 0;  // the most memory that was resident at once
};

// A program to run, in a workbench.
struct Command {
  std::vector<std::string> words;  // the program, found through PATH, and its arguments
  std::string input = {};
  std::map<std::string, std::string> environment = {};  // added to that of the test
  bool bare = false;                                    // only `environment`, nothing of the test's
  std::string folder = {};                              // to run in; default: the workbench's
};

// A folder that is gone with the object, and the program running in it.
class Workbench {
 public:
  Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
  ~Workbench();

  const fs::path& folder() const { return folder_; }
  fs::path path(const std::string& name) const { return folder_ / name; }

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const;
  // Names of all files and folders below `name`, sorted; hidden ones too.
  std::vector<std::string> list(const std::string& name) const;

  // Runs wick in the folder. Variables of the environment are those of the test, changed by
  // `environment`; HOME is the folder. A wick that was built without the checker is told to compile
  // without a check.
  Outcome wick(const std::vector<std::string>& arguments, const std::string& input = "",
               const std::map<std::string, std::string>& environment = {}) const;
  // The same with these arguments and no others.
  Outcome wick_as_is(const std::vector<std::string>& arguments, const std::string& input = "",
                     std::map<std::string, std::string> environment = {}) const;

  // Arguments of wick as `wick` passes them on.
  static std::vector<std::string> as_built(std::vector<std::string> arguments);
  Outcome run(const Command& command) const;
  // A line for a shell, run in the folder.
  Outcome shell(const std::string& line) const { return run({{"/bin/sh", "-c", line}}); }

  // Runs it `count` times at once, with arguments for a shell; 0 if all ended with 0.
  int wick_at_once(int count, const std::string& arguments) const;

 private:
  fs::path folder_;
};

// y = (x + 1) * 3 over f32[4].
extern const std::string kSmallGraph;

// Four of f32: sin(x), exp(x), sin(x) + exp(x) are alive together, so there is an arena.
extern const std::string kArenaGraph;

}  // namespace wick::cli_test
