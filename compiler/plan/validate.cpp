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

}  // namespace

std::vector<std::string> validate(const FusedGraph& fused, const Plan& plan) {
  judge::Faults faults;
  judge_parts(plan.prepare, "prepare", faults);
  judge_parts(plan.run, "run", faults);
  const IdVector<TensorId, TensorId> classes = judge::value_classes(fused);
  judge::Prepared prepared;
  prepared.classes.resize(plan.storages.size());
  for (const bool prepare : {true, false}) {
    judge::Account account;
    account.uses.resize(plan.storages.size());
    if (!judge::judge_values(fused, classes, plan, prepare, prepared, account, faults)) {
      return faults.take();
    }
    judge::judge_bytes(plan, prepare, account, faults);
  }
  judge::judge_given(plan, faults);
  judge::judge_state(plan, faults);
  return faults.take();
}

}  // namespace wick::compiler
