#include "tests/bench/workloads/workloads.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <variant>

#include "frontend/json/npy.h"
#include "frontend/json/reader.h"

namespace wick::workloads {
namespace {

const std::string kFolder = WICK_WORKLOADS;
const std::string kListings = WICK_SOURCE_DIR "/tests/bench/workloads/listings";

template <class T>
T opened(std::variant<T, frontend::FileError> result) {
  if (const auto* fault = std::get_if<frontend::FileError>(&result))
    throw std::runtime_error(fault->message);
  return std::get<T>(std::move(result));
}

std::vector<std::string> stems(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::vector<std::string> listed() { return stems(kListings); }

std::vector<std::string> translated() { return stems(kFolder); }

compiler::Compilation compiled(const std::string& name, compiler::CompileOptions options) {
  const auto source = opened(frontend::SourceFile::open(kFolder + "/" + name + "/graph.json"));
  compiler::Diagnostics diagnostics;
  options.emit = {.file_name = name, .name_space = name, .source_name = "graph.json"};
  auto description = frontend::read_graph(source, {}, diagnostics);
  if (description) {
    auto compilation = compiler::compile(std::move(*description), options, diagnostics);
    if (compilation) return std::move(*compilation);
  }
  throw std::runtime_error(name + ": " + diagnostics.all().front().message);
}

compiler::HostTensor tensor(const std::string& name, const std::string& tensor) {
  return opened(frontend::read_npy(kFolder + "/" + name + "/" + tensor + ".npy"));
}

}  // namespace wick::workloads
