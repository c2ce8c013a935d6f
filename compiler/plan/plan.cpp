#include "compiler/plan/plan.h"

#include <utility>

#include "compiler/plan/arrange.h"
#include "compiler/plan/assign.h"
#include "compiler/plan/least_peak.h"
#include "compiler/plan/preplan.h"
#include "compiler/plan/report.h"
#include "compiler/plan/schedule.h"
#include "compiler/support/check.h"

namespace wick::compiler {

namespace {

// The most statements of one emitted function.
constexpr std::size_t kMostStatements = 256;

// The order of `schedule`; `depth_first` is the one that goes by that name.
std::vector<KernelId> order_of(const FusedGraph& fused, const Scope& scope, Schedule schedule,
                               const std::vector<KernelId>& depth_first) {
  switch (schedule) {
    case Schedule::kDepthFirst:
      return depth_first;
    case Schedule::kGiven:
      return given_order(fused, scope);
    case Schedule::kMemory:
      return least_peak_order(fused, scope);
  }
  throw InternalError("an unknown schedule");
}

std::vector<StepIndex> parts_of(std::size_t steps) {
  std::vector<StepIndex> parts;
  if (steps <= kMostStatements) return parts;
  for (std::size_t i = 0; i < steps; i += kMostStatements) {
    parts.push_back(static_cast<StepIndex>(i));
  }
  return parts;
}

Program plan_program(const FusedGraph& fused, const Scope& scope,
                     const std::vector<KernelId>& depth_first, Given& given, Plan& plan) {
  const std::vector<KernelId> order = order_of(fused, scope, plan.options.schedule, depth_first);
  // The order is fixed: nothing reorders from here on.
  Preplan staged = preplan(fused, scope, order);
  if (plan.aliases.empty()) {
    plan.aliases = std::move(staged.aliases);
  } else {
    for (const KernelId kernel : order) plan.aliases[kernel] = staged.aliases[kernel];
  }
  Program program = assign(staged, scope.prepares, given, plan);
  program.parts = parts_of(program.steps.size());
  return program;
}

}  // namespace

Plan plan(const FusedGraph& fused, const PlanOptions& options) {
  Plan plan;
  plan.fused = &fused;
  plan.options = options;
  Given given = given_storages(fused, plan);
  const Scope run = run_scope(fused);
  const std::vector<KernelId> depth_first = depth_first_order(fused, run);
  const Scope prepare = prepare_scope(fused, depth_first);
  if (!prepare.roots.empty()) {
    plan.prepare = plan_program(fused, prepare, depth_first_order(fused, prepare), given, plan);
  }
  plan.run = plan_program(fused, run, depth_first, given, plan);
  // Steps, storages and lifetimes are fixed: only addresses are missing.
  arrange(plan);
  measure(plan);
  if (options.schedule != Schedule::kDepthFirst) {
    plan.report.depth_first = peak_of_order(fused, run, depth_first);
  }
  return plan;
}

}  // namespace wick::compiler
