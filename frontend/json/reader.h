// From a graph file to the description that `verify` takes.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph/description.h"
#include "compiler/support/diagnostics.h"
#include "frontend/json/mapped_file.h"
#include "frontend/json/source_file.h"

namespace wick::frontend {

struct ReadOptions {
  // Constants may come from files outside the graph's folder.
  bool allow_outside = false;
};

// Where a constant's data came from, as the graph says it.
struct FileReference {
  std::string file;                 // relative to the graph's folder
  std::string tensor;               // in a .safetensors file
  const std::byte* data = nullptr;  // what was read: a tensor with other bytes is another one
};

// What was read besides the graph itself.
struct ReadFiles {
  std::vector<std::string> paths;  // each once, in the order of the graph: for a depfile
  std::map<std::string, FileReference> constants;  // by the constant's name
  std::vector<std::shared_ptr<const MappedFile>> mapped;

  std::size_t mapped_bytes() const {
    std::size_t bytes = 0;
    for (const auto& file : mapped) bytes += file->bytes().size();
    return bytes;
  }
  void release_all() const {
    for (const auto& file : mapped) file->release(file->bytes());
  }
  // Bytes of constants that will not be looked at for a while need no memory.
  void release(std::span<const std::byte> bytes) const {
    for (const auto& file : mapped) file->release(bytes);
  }
};

// Reads a graph in two stages. First the structure: what docs/graph.schema.json says, and what is
// no JSON. Only if nothing is wrong there, the constants: inline values in their dtype, files
// mapped. What is left to `verify`: names, operations, attributes, shapes of nodes.
//
// Returns nothing if there is any error; each has its place in the text. Files end up in `files`
// also then, as far as they were opened.
//
// Cost: linear in the text; constants in files are not copied, unless in Fortran order.
std::optional<compiler::GraphDescription> read_graph(const SourceFile& source,
                                                     const ReadOptions& options,
                                                     compiler::Diagnostics& diagnostics,
                                                     ReadFiles* files = nullptr);

// The first stage alone: true if docs/graph.schema.json accepts the text, too.
bool has_valid_structure(const SourceFile& source, compiler::Diagnostics& diagnostics);

}  // namespace wick::frontend
