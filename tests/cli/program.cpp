#include "tests/cli/program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wick::cli_test {
namespace {

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void redirect(const fs::path& path, int flags, int descriptor) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

}  // namespace

const std::string kSmallGraph = R"({
  "wick": 1, "name": "demo",
  "inputs": [{"name": "x", "dtype": "f32", "shape": [4]}],
  "nodes": [
    {"name": "s", "op": "add", "inputs": ["x", 1]},
    {"name": "y", "op": "mul", "inputs": ["s", 3]}
  ],
  "outputs": ["y"]
}
)";

const std::string kArenaGraph = R"({
  "wick": 1, "name": "arena",
  "inputs": [{"name": "x", "dtype": "f32", "shape": [4, 1000]}],
  "nodes": [
    {"name": "t", "op": "sum", "inputs": ["x"], "axes": [1]},
    {"name": "u", "op": "cumsum", "inputs": ["x"], "axis": 1},
    {"name": "v", "op": "sum", "inputs": ["u"], "axes": [1]},
    {"name": "y", "op": "sub", "inputs": ["v", "t"]}
  ],
  "outputs": ["y"]
}
)";

Workbench::Workbench() {
  std::string name = (fs::temp_directory_path() / "wick-cli-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  folder_ = name;
}

Workbench::~Workbench() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Workbench::write(const std::string& name, const std::string& text) const {
  fs::create_directories(path(name).parent_path());
  std::ofstream file(path(name), std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + name);
}

std::string Workbench::read(const std::string& name) const { return content(path(name)); }

bool Workbench::exists(const std::string& name) const {
  return fs::exists(fs::symlink_status(path(name)));
}

std::vector<std::string> Workbench::list(const std::string& name) const {
  std::vector<std::string> names;
  if (!fs::is_directory(path(name))) return names;
  for (const auto& entry : fs::recursive_directory_iterator(path(name))) {
    names.push_back(fs::relative(entry.path(), path(name)).string());
  }
  std::ranges::sort(names);
  return names;
}

Outcome Workbench::wick(const std::vector<std::string>& arguments, const std::string& input,
                        const std::map<std::string, std::string>& environment) const {
  return wick_as_is(as_built(arguments), input, environment);
}

std::vector<std::string> Workbench::as_built(std::vector<std::string> arguments) {
  const bool compiles = !arguments.empty() && arguments[0] == "compile";
  if (compiles && !WICK_HAS_CHECKER) arguments.insert(arguments.begin() + 1, "--no-check");
  return arguments;
}

Outcome Workbench::wick_as_is(const std::vector<std::string>& arguments, const std::string& input,
                              std::map<std::string, std::string> environment) const {
  environment.emplace("HOME", folder_.string());
  environment.emplace("XDG_CACHE_HOME", "");
  Command command{{WICK_PROGRAM}, input, std::move(environment)};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  return run(command);
}

Outcome Workbench::run(const Command& command) const {
  // The three streams stand beside the folder, so that a test finds in it what wick wrote alone.
  const std::string beside = folder_.string();
  std::ofstream(beside + ".in", std::ios::binary) << command.input;
  const pid_t child = ::fork();
  if (child == 0) {
    redirect(beside + ".in", O_RDONLY, STDIN_FILENO);
    redirect(beside + ".out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(beside + ".err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (command.bare) ::clearenv();
    for (const auto& [name, value] : command.environment) {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
    const std::string folder = command.folder.empty() ? folder_.string() : command.folder;
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    std::vector<char*> raw;
    for (const std::string& word : command.words) raw.push_back(const_cast<char*>(word.c_str()));
    raw.push_back(nullptr);
    ::execvp(raw[0], raw.data());
    ::_exit(127);
  }
  int status = 0;
  struct rusage usage = {};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child) {
    throw std::runtime_error("cannot run the program");
  }
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = content(beside + ".out");
  outcome.err = content(beside + ".err");
  outcome.peak_kib = usage.ru_maxrss;
  for (const char* ending : {".in", ".out", ".err"}) fs::remove(beside + ending);
  return outcome;
}

int Workbench::wick_at_once(int count, const std::string& arguments) const {
  const bool compiles = arguments.starts_with("compile ");
  const std::string unchecked = compiles && !WICK_HAS_CHECKER ? " --no-check" : "";
  const std::string one =
      "HOME=. '" WICK_PROGRAM "' " + arguments + unchecked + " & all=\"$all $!\"; ";
  std::string script = "cd '" + folder_.string() + "' || exit 1; ";
  for (int i = 0; i < count; ++i) script += one;
  return std::system((script + "for one in $all; do wait $one || exit 1; done").c_str());
}

}  // namespace wick::cli_test
