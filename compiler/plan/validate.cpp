#include "compiler/plan/validate.h"

#include "compiler/plan/judge.h"

namespace wick::compiler {

namespace {

constexpr std::size_t kMostStatements = 256;

void judge_parts(const Program& program, std::string_view name, judge::Faults& faults) {
  const std::size_t steps = program.steps.size();
  if (program.parts.empty()) {
    if (steps > kMostStatements) faults.add(std::string(name) + ": too long for one part");
    return;
  }
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const std::size_t begin = program.parts[i];
    const std::size_t end = i + 1 < program.parts.size() ? program.parts[i + 1] : steps;
    const bool starts = i > 0 || begin == 0;
    if (!starts || begin >= end || end > steps || end - begin > kMostStatements) {
      faults.add(std::string(name) + ": part " + std::to_string(i) + " is out of order");
      return;
    }
  }
}

// Ids that later checks take for granted.
bool ids_are_in_range(const FusedGraph& fused, const Plan& plan, judge::Faults& faults) {
  const auto legal = [&](const Located& located) {
    return located.tensor.index() < fused.tensors.size() &&
           located.storage.index() < plan.storages.size();
  };
  for (const Program* program : {&plan.prepare, &plan.run}) {
    for (const Step& step : program->steps) {
      bool good = step.writes.size() == step.placements.size() &&
                  (!step.kernel.valid() || step.kernel.index() < fused.kernels.size()) &&
                  (!step.workspace.valid() || step.workspace.index() < plan.storages.size());
      for (const Located& read : step.reads) good &= legal(read);
      for (const Located& write : step.writes) good &= legal(write);
      for (const StorageId id : step.frees) good &= id.index() < plan.storages.size();
      if (good) continue;
      faults.add("a step names a tensor, storage or kernel that does not exist");
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> validate(const FusedGraph& fused, const Plan& plan) {
  judge::Faults faults;
  judge_parts(plan.prepare, "prepare", faults);
  judge_parts(plan.run, "run", faults);
  if (!ids_are_in_range(fused, plan, faults)) return faults.take();
  const IdVector<TensorId, TensorId> classes = judge::value_classes(fused);
  judge::Prepared prepared;
  prepared.classes.resize(plan.storages.size());
  for (const bool prepare : {true, false}) {
    IdVector<StorageId, judge::Use> uses(plan.storages.size());
    judge::judge_values(fused, classes, plan, prepare, prepared, uses, faults);
    judge::judge_bytes(plan, prepare, uses, faults);
  }
  judge::judge_given(plan, faults);
  judge::judge_state(plan, faults);
  return faults.take();
}

}  // namespace wick::compiler
