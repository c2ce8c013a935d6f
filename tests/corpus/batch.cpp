#include "tests/corpus/batch.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

namespace wick::corpus {
namespace {

using compiler::DType;
using compiler::Graph;
using compiler::HostTensor;

// Runs a command; what it printed, if it failed.
std::string failure_of(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), size);
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return command + "\n" + text.substr(0, 6000);
}

std::string element_pointer(DType dtype, bool constant) {
  return std::string(constant ? "const " : "") + std::string(compiler::info(dtype).cpp_name) + "*";
}

// "static_cast<const float*>(inputs[0])"
std::string input_argument(const Graph& graph, std::size_t index) {
  const compiler::Input& input = graph.inputs[index];
  const DType dtype = graph.values[input.value].type.dtype;
  const std::string pointer = "inputs[" + std::to_string(index) + "]";
  if (!input.donate) return "static_cast<" + element_pointer(dtype, true) + ">(" + pointer + ")";
  return "static_cast<" + element_pointer(dtype, false) + ">(const_cast<void*>(" + pointer + "))";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// The function that turns arrays of pointers into a call.
std::string thunk(const std::string& name, const compiler::Compilation& compilation) {
  const Graph& graph = *compilation.plan->fused->graph;
  const bool cached = !compilation.plan->prepare.steps.empty();
  std::vector<std::string> bound, arguments;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    (graph.inputs[i].parameter ? bound : arguments).push_back(input_argument(graph, i));
  }
  const bool has_state = cached || !bound.empty();
  if (has_state) arguments.insert(arguments.begin(), "state");
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const DType dtype = graph.values[graph.outputs[i].value].type.dtype;
    arguments.push_back("static_cast<" + element_pointer(dtype, false) + ">(outputs[" +
                        std::to_string(i) + "])");
  }
  const auto mode = compilation.plan->options.storage;
  const bool from_caller =
      mode == compiler::StorageMode::kArena || mode == compiler::StorageMode::kNone;
  if (from_caller && compilation.plan->arena.count > 0) arguments.emplace_back("arena");
  std::string text = "static void call_" + name +
                     "([[maybe_unused]] const void* const* inputs, void* const* outputs, "
                     "[[maybe_unused]] std::byte* arena) {\n";
  if (has_state) text += "  static " + name + "::State state;\n";
  if (!bound.empty()) text += "  " + name + "::bind(state, " + joined(bound) + ");\n";
  return text + "  " + name + "::run(" + joined(arguments) + ");\n}\n";
}

std::string tensors_text(const std::vector<std::pair<std::size_t, bool>>& tensors) {
  std::string text = "{";
  for (const auto& [bytes, donated] : tensors)
    text += "{" + std::to_string(bytes) + (donated ? ", true}, " : ", false}, ");
  return text + "}";
}

std::size_t bytes_of(const compiler::ops::TensorType& type) {
  return static_cast<std::size_t>(compiler::byte_count(type.shape(), type.dtype)->count);
}

}  // namespace

Batch::Batch(std::string folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)) {
  std::filesystem::create_directories(folder_);
  source_ = "#include \"tests/corpus/harness.h\"\n";
}

void Batch::write(const std::string& file, std::span<const std::byte> bytes) const {
  std::ofstream out(path(file), std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  if (!out) throw std::runtime_error("cannot write " + path(file));
}

void Batch::add(const std::string& name, const compiler::Compilation& compilation,
                const std::vector<HostTensor>& inputs) {
  const Graph& graph = *compilation.plan->fused->graph;
  for (const compiler::EmittedFile& file : compilation.emission.files) {
    write(file.name, file.bytes());
    if (file.name.ends_with(".cpp")) source_ += "#include \"" + file.name + "\"\n";
  }
  source_ += thunk(name, compilation);
  Function function{name, {}};
  std::vector<std::pair<std::size_t, bool>> in, out;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    in.emplace_back(inputs[i].bytes().size(), graph.inputs[i].donate);
    inputs_.insert(inputs_.end(), inputs[i].bytes().begin(), inputs[i].bytes().end());
  }
  for (const compiler::Output& output : graph.outputs) {
    function.outputs.push_back(graph.values[output.value].type);
    out.emplace_back(bytes_of(function.outputs.back()), false);
  }
  entries_ += "    {\"" + name + "\", call_" + name + ", " + tensors_text(in) + ", " +
              tensors_text(out) + ", " + std::to_string(compilation.plan->arena.count) + "},\n";
  functions_.push_back(std::move(function));
}

std::vector<std::vector<HostTensor>> Batch::run(const Toolchain& toolchain) {
  const std::string text = source_ +
                           "namespace wick::corpus {\nconst std::vector<Entry>& entries() {\n  "
                           "static const std::vector<Entry> table = {\n" +
                           entries_ + "  };\n  return table;\n}\n}\n";
  write(name_ + ".cpp", std::as_bytes(std::span(text)));
  write(name_ + ".in", inputs_);
  const std::string root = WICK_SOURCE_DIR;
  std::string command =
      toolchain.compiler +
      " -std=c++17 -ffp-contract=off -fno-lto -Wall -Wextra -Werror -DWICK_CHECKS -DWICK_POISON";
  for (const std::string& flag : toolchain.flags) command += " " + flag;
  if (toolchain.sanitize) command += " -fsanitize=address,undefined -fno-sanitize-recover=all";
  command += " -I '" + root + "' -I '" + root + "/runtime' -I '" + folder_ + "' '" +
             path(name_ + ".cpp") + "' '" + root + "/tests/corpus/harness.cpp' -o '" + path(name_) +
             "'";
  if (const std::string fault = failure_of(command); !fault.empty())
    throw std::runtime_error(fault);
  const std::string call =
      "'" + path(name_) + "' '" + path(name_ + ".in") + "' '" + path(name_ + ".out") + "'";
  if (const std::string fault = failure_of(call); !fault.empty()) throw std::runtime_error(fault);

  std::ifstream in(path(name_ + ".out"), std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in),
                                std::istreambuf_iterator<char>()};
  std::vector<std::vector<HostTensor>> results;
  std::size_t at = 0;
  for (const Function& function : functions_) {
    std::vector<HostTensor>& outputs = results.emplace_back();
    for (const compiler::ops::TensorType& type : function.outputs) {
      HostTensor tensor(type.dtype, type.shape());
      const std::size_t size = bytes_of(type);
      if (at + size > bytes.size()) throw std::runtime_error(name_ + ": too few results");
      if (size > 0) std::memcpy(tensor.mutable_bytes().data(), bytes.data() + at, size);
      at += size;
      outputs.push_back(std::move(tensor));
    }
  }
  if (at != bytes.size()) throw std::runtime_error(name_ + ": too many results");
  return results;
}

}  // namespace wick::corpus
