#include "frontend/cli/native_code.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/support/text.h"
#include "frontend/cli/process.h"
#include "frontend/embed/runtime_headers.h"
#include "wick/hash.h"

namespace wick::frontend {
namespace {

namespace fs = std::filesystem;

// The level of this machine, by the names of the x86-64 psABI; empty where there are none.
std::string machine_flag() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return "-march=x86-64-v4";
  if (__builtin_cpu_supports("x86-64-v3")) return "-march=x86-64-v3";
  if (__builtin_cpu_supports("x86-64-v2")) return "-march=x86-64-v2";
#endif
  return {};
}

// CXX may hold a launcher and flags: "ccache g++ -m64".
std::vector<std::string> compiler_words() {
  const char* variable = std::getenv("CXX");
  std::istringstream words(variable == nullptr ? "" : variable);
  std::vector<std::string> result;
  for (std::string word; words >> word;) result.push_back(word);
  if (result.empty()) result.emplace_back("c++");
  return result;
}

struct Toolchain {
  std::vector<std::string> words;  // the compiler and its flags
  std::string version;             // what it says about itself
};

std::variant<Toolchain, FileError> find_toolchain() {
  Toolchain toolchain{compiler_words(), {}};
  std::vector<std::string> question = toolchain.words;
  question.emplace_back("--version");
  const auto answer = run_process(question);
  const std::string called = compiler::quoted(compiler::joined(toolchain.words, " "));
  const std::string hint = "set CXX to a C++17 compiler, or use --engine=reference";
  if (!answer) return FileError{"the C++ compiler " + called + " cannot be started", hint};
  if (answer->exit_code != 0) {
    return FileError{"the C++ compiler " + called + " fails when asked for its version\n" +
                         answer->output.substr(0, 2000),
                     hint};
  }
  toolchain.version = answer->output;
  for (const char* flag : {"-std=c++17", "-O3", "-ffp-contract=off", "-fno-lto", "-fPIC"}) {
    toolchain.words.emplace_back(flag);
  }
  if (const std::string machine = machine_flag(); !machine.empty()) {
    toolchain.words.push_back(machine);
  }
  return toolchain;
}

// A hash of texts; where one ends and the next begins counts.
class KeyHash {
 public:
  void add(std::string_view text) {
    const std::uint64_t size = text.size();
    hash_.update(&size, sizeof size);
    hash_.update(text.data(), text.size());
  }
  std::uint64_t digest() const { return hash_.digest(); }

 private:
  Hash64 hash_;
};

// The file as texts, one after the other.
std::vector<std::string_view> texts_of(const compiler::EmittedFile& file) {
  std::vector<std::string_view> texts;
  for (const auto part : file.parts()) {
    texts.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
  }
  return texts;
}

std::uint64_t key_of(const compiler::Emission& emission, const std::string& thunk,
                     const Toolchain& toolchain) {
  KeyHash hash;
  for (const std::string& word : toolchain.words) hash.add(word);
  hash.add(toolchain.version);
  for (const RuntimeHeader& header : runtime_headers()) {
    hash.add(header.name);
    hash.add(header.text);
  }
  for (const compiler::EmittedFile& file : emission.files) {
    hash.add(file.name);
    for (const std::string_view text : texts_of(file)) hash.add(text);
  }
  hash.add(thunk);
  return hash.digest();
}

std::string key_text(std::uint64_t key) {
  std::ostringstream text;
  text << std::hex << key;
  return std::string(16 - text.str().size(), '0') + text.str();
}

// A folder that is gone when the object is.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& parent) {
    std::string name = (parent / "build-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }  // empty if it could not be made

 private:
  fs::path path_;
};

bool write_texts(const fs::path& path, const std::vector<std::string_view>& texts) {
  std::ofstream file(path, std::ios::binary);
  for (const std::string_view text : texts) {
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  file.close();
  return static_cast<bool>(file);
}

bool write_sources(const fs::path& folder, const compiler::Emission& emission,
                   const std::string& thunk) {
  std::error_code error;
  fs::create_directories(folder / "wick", error);
  bool good = !error;
  for (const RuntimeHeader& header : runtime_headers()) {
    good = good && write_texts(folder / "wick" / header.name, {header.text});
  }
  for (const compiler::EmittedFile& file : emission.files) {
    good = good && write_texts(folder / file.name, texts_of(file));
  }
  return good && write_texts(folder / "thunk.cpp", {thunk});
}

FileError cannot_write(const fs::path& folder) {
  return {"cannot write to the cache " + compiler::quoted(folder.string()) + ": " +
              std::strerror(errno),
          "--cache DIR takes another folder"};
}

// Made for this user alone, since what is found there is run.
std::optional<FileError> make_cache(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return std::nullopt;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (!error) return std::nullopt;
  return FileError{
      "cannot make the cache " + compiler::quoted(folder.string()) + ": " + error.message(),
      "--cache DIR takes another folder"};
}

std::optional<FileError> compile_into(const fs::path& library, const compiler::Emission& emission,
                                      const std::string& thunk, const Toolchain& toolchain) {
  const TemporaryFolder folder(library.parent_path());
  if (folder.path().empty() || !write_sources(folder.path(), emission, thunk)) {
    return cannot_write(library.parent_path());
  }
  const fs::path made = folder.path() / "run.so";
  std::vector<std::string> command = toolchain.words;
  for (const std::string& word :
       {std::string("-shared"), "-I" + folder.path().string(),
        (folder.path() / "thunk.cpp").string(), std::string("-o"), made.string()}) {
    command.push_back(word);
  }
  const auto result = run_process(command);
  if (!result || result->exit_code != 0) {
    return FileError{"the C++ compiler failed\n  " + compiler::joined(command, " ") + "\n" +
                         (result ? result->output.substr(0, 8000) : std::string()),
                     "CXX chooses another compiler; --engine=reference needs none"};
  }
  std::error_code error;
  fs::rename(made, library, error);
  if (error) return cannot_write(library.parent_path());
  return std::nullopt;
}

}  // namespace

std::optional<std::string> default_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/wick";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/wick";
  return std::nullopt;
}

std::optional<NativeCode> NativeCode::load(const std::string& path, std::uint64_t key,
                                           bool was_cached) {
  std::shared_ptr<void> library(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
    if (handle != nullptr) ::dlclose(handle);
  });
  if (!library) return std::nullopt;
  const auto* found = static_cast<const std::uint64_t*>(::dlsym(library.get(), kKeyName));
  void* symbol = ::dlsym(library.get(), kThunkName);
  if (found == nullptr || *found != key || symbol == nullptr) return std::nullopt;
  return NativeCode(std::move(library), reinterpret_cast<Thunk>(symbol), was_cached);
}

std::variant<NativeCode, FileError> NativeCode::build(const compiler::Compilation& compilation,
                                                      const compiler::EmitOptions& options,
                                                      const std::string& cache_folder,
                                                      const Console& console) {
  auto found = find_toolchain();
  if (auto* error = std::get_if<FileError>(&found)) return *error;
  const Toolchain& toolchain = std::get<Toolchain>(found);
  std::string thunk = thunk_source(compilation, options);
  const std::uint64_t key = key_of(compilation.emission, thunk, toolchain);
  thunk += key_source(key);

  std::error_code error;
  const fs::path folder = fs::absolute(cache_folder, error);
  if (auto fault = make_cache(folder)) return *fault;
  const fs::path library = folder / ("run-" + key_text(key) + ".so");
  if (fs::exists(library, error)) {
    // What cannot be loaded (cut off by a full disk, say) is made anew.
    if (auto native = load(library.string(), key, true)) return *std::move(native);
    fs::remove(library, error);
  }
  const Progress progress("compiling the emitted code with " + toolchain.words[0], console);
  if (auto fault = compile_into(library, compilation.emission, thunk, toolchain)) return *fault;
  if (auto native = load(library.string(), key, false)) return *std::move(native);
  const char* reason = ::dlerror();
  return FileError{"cannot load " + compiler::quoted(library.string()) + ": " +
                       (reason == nullptr ? "not what was compiled" : reason),
                   {}};
}

}  // namespace wick::frontend
