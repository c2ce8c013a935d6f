// The proof in three steps: the interface of `run` is that of the graph; both sides become terms in
// normal form (graph_terms.h, program_terms.h); each output reads the term that the graph says, or
// the differences are looked for (difference.h).
#include "frontend/check/faithful.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/graph/expand.h"
#include "frontend/check/difference.h"
#include "frontend/check/graph_terms.h"
#include "frontend/check/program_terms.h"
#include "frontend/check/wording.h"

namespace wick::frontend::check {
namespace {

using compiler::Graph;

class Interface {
 public:
  Interface(const Program& program, const Graph& graph, std::vector<Finding>& findings)
      : program_(program), run_(program.functions.back()), graph_(graph), findings_(findings) {}

  // Which inputs the parameters of run and the bound tensors are; nothing, and findings, if run
  // does not take and give what the graph says.
  std::optional<InputNumbers> match() {
    const std::size_t before = findings_.size();
    InputNumbers numbers;
    numbers.parameters.resize(run_.parameters.size());
    std::vector<std::uint32_t> called;
    for (std::uint32_t i = 0; i < graph_.inputs.size(); ++i)
      (graph_.inputs[i].parameter ? numbers.bound : called).push_back(i);
    match_inputs(called, numbers);
    match_bound(numbers.bound);
    match_outputs();
    if (findings_.size() > before) return std::nullopt;
    return numbers;
  }

 private:
  void fail(const Place& place, std::string message, std::string pointer) {
    findings_.push_back({place, std::move(message), {}, std::move(pointer)});
  }

  const compiler::ops::TensorType& type_of(compiler::ValueId value) const {
    return graph_.values[value].type;
  }

  // `tensor` is a parameter or a bound tensor.
  template <class Tensor>
  void match_tensor(const Tensor& tensor, compiler::ValueId value, const std::string& pointer) {
    const auto& wanted = type_of(value);
    const TensorType& found = tensor.type;
    if (found.dtype != wanted.dtype || found.shape() != wanted.shape()) {
      return fail(tensor.place,
                  "`" + tensor.name + "` is " + compiler::type_text(found.dtype, found.shape()) +
                      "; the graph says " + compiler::type_text(wanted.dtype, wanted.shape()),
                  pointer);
    }
    const std::string& name = graph_.values[value].name;
    if (tensor.original.empty() || tensor.original == name) return;
    fail(
        tensor.place,
        "`" + tensor.name + "` stands for `" + tensor.original + "`; the graph says `" + name + "`",
        pointer);
  }

  void match_inputs(const std::vector<std::uint32_t>& called, InputNumbers& numbers) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < run_.parameters.size(); ++i) {
      const Parameter& parameter = run_.parameters[i];
      const bool donated = parameter.kind == Parameter::Kind::kDonated;
      if (!donated && parameter.kind != Parameter::Kind::kInput) continue;
      if (at == called.size()) {
        fail(parameter.place, "the graph has no input for `" + parameter.name + "`", {});
        continue;
      }
      const compiler::Input& input = graph_.inputs[called[at]];
      const std::string pointer = "/inputs/" + std::to_string(input.position);
      numbers.parameters[i] = called[at++];
      match_tensor(parameter, input.value, pointer);
      if (donated && !input.donate)
        fail(parameter.place,
             "`" + parameter.name + "` may be overwritten; the graph only reads it", pointer);
    }
    if (at < called.size())
      fail(run_.place, "an input of the graph has no parameter",
           "/inputs/" + std::to_string(graph_.inputs[called[at]].position));
  }

  void match_bound(const std::vector<std::uint32_t>& bound) {
    if (bound.size() != program_.bound.size()) {
      return fail(run_.place,
                  "the state binds " + std::to_string(program_.bound.size()) +
                      " tensors; the graph has " + std::to_string(bound.size()) + " parameters",
                  {});
    }
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const compiler::Input& input = graph_.inputs[bound[i]];
      match_tensor(program_.bound[i], input.value, "/inputs/" + std::to_string(input.position));
    }
  }

  void match_outputs() {
    std::size_t at = 0;
    for (const Parameter& parameter : run_.parameters) {
      if (parameter.kind != Parameter::Kind::kOutput) continue;
      if (at == graph_.outputs.size()) {
        fail(parameter.place, "the graph has no output for `" + parameter.name + "`", {});
        continue;
      }
      const compiler::Output& output = graph_.outputs[at++];
      match_tensor(parameter, output.value, "/outputs/" + std::to_string(output.position));
    }
    if (at < graph_.outputs.size())
      fail(run_.place, "an output of the graph has no parameter",
           "/outputs/" + std::to_string(graph_.outputs[at].position));
  }

  const Program& program_;
  const Function& run_;
  const Graph& graph_;
  std::vector<Finding>& findings_;
};

// Callers open the file that `kWeightsFile` names by its size and hash.
void compare_weights_file(const Program& program, const Packed& packed,
                          std::vector<Finding>& findings) {
  std::string differs;
  if (packed.size() != program.packed_bytes) {
    differs = std::to_string(packed.size()) + " bytes instead of " +
              std::to_string(program.packed_bytes) + ", as the header says";
  } else if (packed.hash() != program.packed_hash) {
    differs = "another hash than `kWeightsFile`";
  } else {
    return;
  }
  findings.push_back({program.packed_place,
                      "the weights have " + differs + "; no caller could open them",
                      {},
                      {}});
}

}  // namespace

Faithfulness compare(const Program& program, const Graph& given, const Packed& packed) {
  Faithfulness result;
  if (program.functions.empty()) {
    result.findings.push_back({{}, "the file has no function `run`", {}, {}});
    return result;
  }
  const Graph graph = compiler::expand(given);
  const auto inputs = Interface(program, graph, result.findings).match();
  if (!inputs) return result;
  Algebra algebra;
  const auto wanted = graph_terms(graph, algebra);
  ProgramTerms found = program_terms(program, packed, *inputs, algebra);
  result.findings = std::move(found.findings);
  if (!program.packed_name.empty()) compare_weights_file(program, packed, result.findings);
  Differences differences(algebra, graph, result);
  const Function& run = program.functions.back();
  std::size_t at = 0;
  for (std::size_t i = 0; i < run.parameters.size(); ++i) {
    if (run.parameters[i].kind != Parameter::Kind::kOutput) continue;
    const compiler::Output& output = graph.outputs[at++];
    if (!found.outputs[i]) continue;
    differences.compare(*found.outputs[i], wanted[output.value], run.parameters[i].name,
                        run.parameters[i].place, "/outputs/" + std::to_string(output.position));
  }
  std::ranges::stable_sort(result.findings, {}, [](const Finding& finding) {
    return std::pair(finding.place.line, finding.place.column);
  });
  return result;
}

}  // namespace wick::frontend::check
