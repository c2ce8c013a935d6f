#include "frontend/cli/run_inputs.h"

#include <unistd.h>

#include <optional>
#include <string_view>

#include "compiler/support/text.h"
#include "frontend/json/npy.h"

namespace wick::frontend {
namespace {

using compiler::Graph;
using compiler::HostTensor;

const compiler::Value& value_of(const Graph& graph, std::size_t input) {
  return graph.values[graph.inputs[input].value];
}

std::optional<std::size_t> input_named(const Graph& graph, std::string_view name) {
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (value_of(graph, i).name == name) return i;
  }
  return std::nullopt;
}

std::string names_text(const Graph& graph) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    names.push_back(compiler::quoted(value_of(graph, i).name));
  }
  return names.empty() ? "the graph has no inputs"
                       : "the graph's inputs are " + compiler::joined(names, ", ");
}

class Assignment {
 public:
  Assignment(const Graph& graph, const Console& console)
      : graph_(graph), console_(console), paths_(graph.inputs.size()) {}

  void take(const std::string& argument) {
    // A name may hold "=" itself: the first split that gives a name of the graph's.
    for (std::size_t at = argument.find('='); at != std::string::npos;
         at = argument.find('=', at + 1)) {
      const auto index = input_named(graph_, std::string_view(argument).substr(0, at));
      if (!index) continue;
      if (paths_[*index]) fault("input " + name(*index) + " is given twice");
      paths_[*index] = argument.substr(at + 1);
      return;
    }
    const std::size_t at = argument.find('=');
    if (at == std::string::npos) {
      fault("--input " + compiler::quoted(argument) + " is not NAME=FILE.npy");
      return;
    }
    const std::string wanted = argument.substr(0, at);
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i)
      names.push_back(value_of(graph_, i).name);
    const std::string hint = compiler::did_you_mean(wanted, names);
    fault("there is no input " + compiler::quoted(wanted),
          hint.empty() ? names_text(graph_) : hint);
  }

  void tell_missing() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i]) continue;
      const compiler::Value& value = value_of(graph_, i);
      fault("input " + name(i) +
                " is missing: " + compiler::type_text(value.type.dtype, value.type.shape()),
            "--input " + value.name + "=FILE.npy");
    }
  }

  bool is_wrong() const { return wrong_; }
  const std::string& path(std::size_t index) const { return *paths_[index]; }

 private:
  std::string name(std::size_t index) const {
    return compiler::quoted(value_of(graph_, index).name);
  }
  void fault(const std::string& message, const std::string& hint = {}) {
    console_.error(message, hint, SarifRule::kUsage);
    wrong_ = true;
  }

  const Graph& graph_;
  const Console& console_;
  std::vector<std::optional<std::string>> paths_;
  bool wrong_ = false;
};

}  // namespace

std::variant<InputFiles, ExitCode> read_inputs(const Graph& graph,
                                               const std::vector<std::string>& arguments,
                                               const Console& console) {
  Assignment assignment(graph, console);
  for (const std::string& argument : arguments) assignment.take(argument);
  assignment.tell_missing();
  if (assignment.is_wrong()) return ExitCode::kUsage;

  InputFiles inputs;
  std::optional<ExitCode> code;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::string& path = assignment.path(i);
    auto read = read_npy(path);
    if (const auto* error = std::get_if<FileError>(&read)) {
      console.error(*error);
      code = ::access(path.c_str(), R_OK) == 0 ? ExitCode::kBadInput : ExitCode::kInputOutput;
      continue;
    }
    const HostTensor& tensor = std::get<HostTensor>(read);
    const compiler::Value& value = value_of(graph, i);
    if (tensor.dtype() != value.type.dtype || !(tensor.shape() == value.type.shape())) {
      console.error("input " + compiler::quoted(value.name) + " is " +
                        compiler::type_text(value.type.dtype, value.type.shape()) + ", but " +
                        compiler::quoted(path) + " holds " +
                        compiler::type_text(tensor.dtype(), tensor.shape()),
                    "", SarifRule::kBadInput);
      code = ExitCode::kBadInput;
    }
    inputs.paths.push_back(path);
    inputs.tensors.push_back(tensor);
  }
  if (code) return *code;
  return inputs;
}

}  // namespace wick::frontend
