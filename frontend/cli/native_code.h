// Emitted code as machine code of this machine: compiled by the user's compiler into a shared
// object, kept in a cache under the hash of everything it depends on, and loaded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "compiler/compile.h"
#include "frontend/cli/console.h"
#include "frontend/cli/thunk.h"
#include "frontend/json/mapped_file.h"

namespace wick::frontend {

// ${XDG_CACHE_HOME:-$HOME/.cache}/wick; nothing if neither is set.
std::optional<std::string> default_cache_folder();

class NativeCode {
 public:
  // Compiles, unless the cache has it, and loads. The compiler is CXX, else c++; it is called with
  // -std=c++17 -O3 -ffp-contract=off and the x86-64 level of this machine. Any number of processes
  // may do this at once with the same cache.
  static std::variant<NativeCode, FileError> build(const compiler::Compilation& compilation,
                                                   const compiler::EmitOptions& options,
                                                   const std::string& cache_folder,
                                                   const Console& console);

  // Valid as long as this object lives.
  Thunk thunk() const { return thunk_; }
  bool was_cached() const { return was_cached_; }

 private:
  NativeCode(std::shared_ptr<void> library, Thunk function, bool was_cached)
      : library_(std::move(library)), thunk_(function), was_cached_(was_cached) {}

  static std::optional<NativeCode> load(const std::string& path, std::uint64_t key,
                                        bool was_cached);

  std::shared_ptr<void> library_;
  Thunk thunk_;
  bool was_cached_;
};

}  // namespace wick::frontend
