#include "compiler/emit/symbols.h"

#include <algorithm>

#include "compiler/emit/global_names.h"

namespace wick::compiler::cpp {
namespace {

// A symbol of the whole program, so no two namespaces may share it: a_b has a_b_weights, and a::b,
// whose parts cannot be told from the joined text, has their lengths behind it: a_b_weights_1_1.
std::string weights_symbol(const std::string& name_space) {
  std::string lengths;
  for (std::size_t begin = 0; name_space.find("::") != std::string::npos;) {
    const std::size_t end = name_space.find("::", begin);
    lengths += "_" + std::to_string(std::min(end, name_space.size()) - begin);
    if (end == std::string::npos) break;
    begin = end + 2;
  }
  return suffixed(c_prefix(name_space), "weights") + lengths;
}

class Chooser {
 public:
  Chooser(const Plan& plan, const EmitOptions& options)
      : plan_(plan), fused_(*plan.fused), graph_(*plan.fused->graph) {
    symbols_.name_space = name_space_of(plan, options);
    symbols_.file_name = options.file_name;
    symbols_.weights_symbol = weights_symbol(symbols_.name_space);
    scope_.reserve(symbols_.weights_symbol);
    scope_.reserve("static_arena");
    symbols_.tensors.resize(fused_.tensors.size());
    symbols_.kernels.resize(fused_.kernels.size());
    symbols_.offsets.resize(plan.storages.size());
    symbols_.bodies.resize(fused_.bodies.size());
    symbols_.rows.resize(fused_.kernels.size());
  }

  Symbols run() {
    for (const FusedTensor& tensor : fused_.tensors) {
      scope_.reserve(type_name(tensor.dtype, tensor.shape));
      if (tensor.panels) scope_.reserve(panels_name(tensor.dtype, tensor.shape));
    }
    name_interface();
    for (const Program* program : {&plan_.prepare, &plan_.run}) {
      for (const Step& step : program->steps) name_step(step);
    }
    // What follows stands outside of functions: no name inside a lambda may hide it.
    reserve_inner_names();
    for (const TensorId id : ids(fused_.tensors)) name_values(id);
    for (const StorageId id : ids(plan_.storages)) name_offset(id);
    symbols_.taken = std::move(scope_);
    return std::move(symbols_);
  }

 private:
  void name_interface() {
    for (const Input& input : graph_.inputs) {
      symbols_.inputs.push_back(scope_.unique(graph_.values[input.value].name));
    }
    const std::vector<TensorId> owned = owned_outputs(plan_);
    for (std::size_t i = 0; i < fused_.outputs.size(); ++i) {
      const FusedTensor& tensor = fused_.tensors[fused_.outputs[i]];
      const bool result = tensor.kind == TensorKind::kResult;
      symbols_.outputs.push_back(scope_.unique(result ? tensor.name : tensor.name + "_out"));
      if (owned[i].valid()) symbols_.tensors[owned[i]] = symbols_.outputs.back();
    }
    for (const TensorId id : ids(fused_.tensors)) {
      const FusedTensor& tensor = fused_.tensors[id];
      if (tensor.kind == TensorKind::kInput) symbols_.tensors[id] = symbols_.inputs[tensor.index];
      if (tensor.kind == TensorKind::kConstant) symbols_.tensors[id] = scope_.unique(tensor.name);
    }
  }

  void reserve_inner_names() {
    for (const Body& body : fused_.bodies) {
      for (const BodyParameter& parameter : body.parameters)
        scope_.reserve(identifier(parameter.name));
      for (const BodyStatement& statement : body.statements)
        scope_.reserve(identifier(statement.name));
    }
    for (const Kernel& kernel : fused_.kernels) {
      for (const RowPass& pass : kernel.passes) scope_.reserve(identifier(pass.name));
    }
  }

  void name_values(TensorId id) {
    const FusedTensor& tensor = fused_.tensors[id];
    if (tensor.kind != TensorKind::kConstant) return;
    symbols_.values.resize(fused_.constants.size());
    symbols_.values[tensor.index] = scope_.own(suffixed(symbols_.tensors[id], "values"));
  }

  void name_step(const Step& step) {
    for (const Located& write : step.writes) {
      std::string& name = symbols_.tensors[write.tensor];
      if (!name.empty()) continue;
      const bool is_output =
          std::ranges::find(fused_.outputs, write.tensor) != fused_.outputs.end();
      name = scope_.unique(fused_.tensors[write.tensor].name + (is_output ? "_value" : ""));
    }
    // A second name for a cached value that the steps which cache it do not need.
    for (const Located& read : step.reads) {
      std::string& name = symbols_.tensors[read.tensor];
      if (name.empty() && fused_.tensors[read.tensor].kind == TensorKind::kResult)
        name = scope_.unique(fused_.tensors[read.tensor].name);
    }
    if (!step.kernel.valid()) return;
    std::string& stem = symbols_.kernels[step.kernel];
    if (stem.empty()) stem = symbols_.tensors[fused_.kernels[step.kernel].results[0]];
    if (step.workspace.valid())
      symbols_.offsets[step.workspace] = scope_.own(suffixed(stem, "workspace"));
  }

  void name_offset(StorageId id) {
    const Storage& storage = plan_.storages[id];
    const bool has_offset =
        storage.kind == StorageKind::kSlot || storage.kind == StorageKind::kState;
    if (!has_offset || storage.workspace || !storage.first.valid() || storage.size.count == 0)
      return;
    symbols_.offsets[id] = scope_.own("k" + pascal(symbols_.tensors[storage.first]));
  }

  const Plan& plan_;
  const FusedGraph& fused_;
  const Graph& graph_;
  Scope scope_;
  Symbols symbols_;
};

}  // namespace

std::string c_prefix(const std::string& name_space) {
  std::string prefix;
  for (std::size_t begin = 0;;) {
    const std::size_t end = name_space.find("::", begin);
    const std::string part = name_space.substr(begin, end - begin);
    prefix = prefix.empty() ? part : suffixed(prefix, part);
    if (end == std::string::npos) return prefix;
    begin = end + 2;
  }
}

std::string name_space_of(const Plan& plan, const EmitOptions& options) {
  std::string name = !options.name_space.empty()        ? options.name_space
                     : !plan.fused->graph->name.empty() ? identifier(plan.fused->graph->name)
                                                        : identifier(options.file_name);
  // What the caller asks for is the caller's choice, but for ours and the standard library's.
  const bool is_taken = options.name_space.empty() && is_global_name(name);
  return is_taken || name == "wick" || name == "std" ? name + "_" : name;
}

std::vector<TensorId> owned_outputs(const Plan& plan) {
  std::vector<TensorId> owned(plan.fused->outputs.size());
  for (const Step& step : plan.run.steps) {
    if (step.kind == StepKind::kCopy && !step.kernel.valid()) continue;
    for (const Located& write : step.writes) {
      const Storage& storage = plan.storages[write.storage];
      if (storage.kind != StorageKind::kOutput) continue;
      if (plan.fused->outputs[storage.index] == write.tensor) owned[storage.index] = write.tensor;
    }
  }
  return owned;
}

Symbols choose_symbols(const Plan& plan, const EmitOptions& options) {
  return Chooser(plan, options).run();
}

}  // namespace wick::compiler::cpp
