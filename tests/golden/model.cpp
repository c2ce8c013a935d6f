#include "tests/golden/model.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "compiler/reference/interpreter.h"
#include "frontend/json/reader.h"
#include "frontend/json/render.h"

namespace wick::golden {
namespace {

using compiler::DType;
using compiler::Graph;
using compiler::HostTensor;
using compiler::StorageMode;

const fs::path kRoot = WICK_SOURCE_DIR;

std::vector<Model> models_in(const fs::path& folder) {
  std::vector<Model> models;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "graph.json"))
      models.push_back({entry.path().filename().string(), entry.path()});
  }
  std::ranges::sort(models, {}, &Model::name);
  return models;
}

StorageMode storage_of(const Model& model) {
  if (!fs::exists(model.folder / "storage")) return StorageMode::kArena;
  static const std::map<std::string, StorageMode> kModes = {
      {"static\n", StorageMode::kStatic},
      {"heap\n", StorageMode::kHeap},
      {"none\n", StorageMode::kNone},
  };
  return kModes.at(contents(model.folder / "storage"));
}

}  // namespace

std::vector<Model> goldens() { return models_in(kRoot / "tests/golden"); }
std::vector<Model> samples() { return models_in(kRoot / "samples"); }

compiler::Compilation compile_model(const Model& model, const std::string& name_space) {
  const auto source = frontend::SourceFile::of_text(
      "graph.json", contents(model.folder / "graph.json"), model.folder.string());
  compiler::CompileOptions options;
  options.plan.storage = storage_of(model);
  options.emit.file_name = model.name;
  options.emit.name_space = name_space;
  options.emit.source_name = "graph.json";
  compiler::Diagnostics diagnostics;
  auto description = frontend::read_graph(source, {}, diagnostics);
  std::optional<compiler::Compilation> compilation;
  if (description) compilation = compiler::compile(std::move(*description), options, diagnostics);
  if (!compilation) throw std::runtime_error(frontend::render(diagnostics, source));
  return std::move(*compilation);
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string text_of(const compiler::EmittedFile& file) {
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<HostTensor> inputs_of(const Graph& graph) {
  std::vector<HostTensor> inputs;
  std::int64_t next = static_cast<std::int64_t>(graph.name.size());
  for (const compiler::Input& input : graph.inputs) {
    const auto& type = graph.values[input.value].type;
    HostTensor tensor(type.dtype, type.shape());
    for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
      next = (next * 37 + 11) % 101;
      const double value = static_cast<double>(next - 50) / 8;
      compiler::dispatch(type.dtype, [&](auto zero) {
        tensor.set<decltype(zero)>(i, static_cast<decltype(zero)>(value));
      });
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

std::string disagreement(const Graph& graph, const std::vector<HostTensor>& inputs,
                         const std::vector<HostTensor>& found) {
  const std::vector<HostTensor> expected = compiler::evaluate_outputs(graph, inputs);
  if (expected.size() != found.size()) return "another number of outputs";
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const HostTensor& a = expected[output];
    const HostTensor& b = found[output];
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return "another dtype or shape";
    const double tolerance = a.dtype() == DType::kF32 ? 1e-5 : a.dtype() == DType::kF64 ? 1e-13 : 0;
    for (std::int64_t i = 0; i < a.element_count(); ++i) {
      const double x = a.as_double(i);
      const double y = b.as_double(i);
      if (std::fabs(x - y) <= tolerance * (1 + std::fabs(x))) continue;
      return "output " + std::to_string(output) + ", element " + std::to_string(i) + ": expected " +
             std::to_string(x) + ", found " + std::to_string(y);
    }
  }
  return {};
}

}  // namespace wick::golden
