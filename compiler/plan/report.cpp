#include "compiler/plan/report.h"

#include <algorithm>
#include <utility>

#include "compiler/plan/lifetimes.h"
#include "compiler/support/prefetch.h"

namespace wick::compiler {

namespace {

Bytes size_of_located(const Plan& plan, const Located& located) {
  const auto element =
      static_cast<std::int64_t>(size_of(plan.fused->tensors[located.tensor].dtype));
  return {located.layout.shape().element_count() * element};
}

// Steps jump about among tensors: asks the processor for those of a step to come, and for the step
// itself before that.
void look_ahead(const std::vector<Step>& steps, std::size_t at, const FusedGraph& fused) {
  constexpr std::size_t kAhead = 24;
  if (at + 2 * kAhead < steps.size()) {
    prefetch(&steps[at + 2 * kAhead]);
    prefetch(&steps[at + 2 * kAhead].placements);
  }
  if (at + kAhead >= steps.size()) return;
  for (const Located& write : steps[at + kAhead].writes) {
    prefetch(&fused.tensors[write.tensor].dtype);
  }
}

// What `run` would need if results did not share memory. The values that end up in an output are
// not counted: they are written there in any case.
void measure_savings(Plan& plan) {
  MemoryReport& report = plan.report;
  IdVector<StorageId, Bytes> in_output(plan.storages.size());  // what was written there last
  const std::vector<Step>& steps = plan.run.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    look_ahead(steps, i, *plan.fused);
    for (const Located& read : step.reads) {
      if (step.kind != StepKind::kReference) report.moved += size_of_located(plan, read);
    }
    for (const Located& write : step.writes) {
      const Bytes size = round_up(size_of_located(plan, write));
      if (step.kind == StepKind::kReference) {
        report.no_reuse += size;
        continue;
      }
      report.moved += size_of_located(plan, write);
      // The last value of an output stays there, those that it overwrites count.
      const bool output = plan.storages[write.storage].kind == StorageKind::kOutput;
      const Bytes counted = output ? std::exchange(in_output[write.storage], size) : size;
      report.no_reuse += counted;
      report.with_views += counted;
    }
  }
  for (const Storage& storage : plan.storages) {
    if (storage.kind != StorageKind::kSlot || storage.in_prepare) continue;
    report.with_in_place += round_up(storage.size);
    ++report.slots;
    if (!storage.workspace) continue;
    report.no_reuse += round_up(storage.size);
    report.with_views += round_up(storage.size);
  }
}

}  // namespace

void measure(Plan& plan) {
  MemoryReport& report = plan.report;
  const Peak prepare = peak_of(plan.storages, true, plan.prepare.steps.size());
  const Peak run = peak_of(plan.storages, false, plan.run.steps.size());
  report.peak_in_prepare = prepare.rounded > run.rounded;
  report.arena = std::max(plan.prepare.arena, plan.run.arena);
  report.lower_bound = std::max(prepare.rounded, run.rounded);
  report.run_bound = run.rounded;
  report.live = std::max(prepare.raw, run.raw);
  report.peak_step = report.peak_in_prepare ? prepare.step : run.step;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    if (storage.kind != StorageKind::kSlot || storage.in_prepare != report.peak_in_prepare ||
        storage.size.count == 0) {
      continue;
    }
    if (storage.birth <= report.peak_step && report.peak_step < storage.death) {
      report.at_peak.push_back(id);
    }
  }
  report.state = plan.state;
  measure_savings(plan);
}

}  // namespace wick::compiler
