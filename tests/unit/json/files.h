// A folder of its own for a test, and files with known bytes in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "compiler/support/diagnostics.h"
#include "frontend/json/reader.h"

namespace wick::frontend {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "wick-json-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }

  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::string path_;
};

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `value` in `count` bytes, least significant first.
inline std::string little_endian(std::uint64_t value, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
  return bytes;
}

// A .npy file of version 1 from its header and data.
inline std::string npy(std::string_view header, std::string_view data) {
  return "\x93NUMPY" + std::string("\x01\x00", 2) + little_endian(header.size(), 2) +
         std::string(header) + std::string(data);
}

inline std::string safetensors(std::string_view header, std::string_view data) {
  return little_endian(header.size(), 8) + std::string(header) + std::string(data);
}

// What reading a text gave.
struct Read {
  std::optional<compiler::GraphDescription> graph;
  compiler::Diagnostics diagnostics;
  ReadFiles files;

  // The first error, "pointer: message".
  std::string error() const {
    if (diagnostics.all().empty()) return "none";
    const auto& first = diagnostics.all().front();
    return first.site.pointer + ": " + first.message;
  }
};

inline Read read(std::string text, const std::string& folder = ".",
                 const ReadOptions& options = {}) {
  Read result;
  const SourceFile source = SourceFile::of_text("graph.json", std::move(text), folder);
  result.graph = read_graph(source, options, result.diagnostics, &result.files);
  return result;
}

// A graph around a part of it, complete otherwise.
inline std::string graph_with(std::string_view part) {
  return R"({"wick": 1, "name": "g", "nodes": [], "outputs": ["x"], )" + std::string(part) + "}";
}

inline std::string graph_with_constant(std::string_view keys) {
  return graph_with(R"("constants": [{"name": "c", )" + std::string(keys) + "}]");
}

inline std::string graph_with_node(std::string_view keys) {
  return R"({"wick": 1, "name": "g", "outputs": ["x"], "nodes": [{"op": "f", "name": "n", )" +
         std::string(keys) + "}]}";
}

}  // namespace wick::frontend
