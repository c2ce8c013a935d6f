// The judge is tried on plans that were broken on purpose: each kind of fault, at random places of
// plans of random graphs. All have to be caught; that sound plans pass is part of every other test.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/graph/expand.h"
#include "compiler/plan/validate.h"
#include "tests/property/random_graph.h"
#include "tests/support/planned.h"

namespace wick::compiler::testing {
namespace {

using Random = std::mt19937;

// Breaks a plan, or returns false if it has no place for this kind of fault.
using Inject = bool (*)(Plan& plan, Random& random);

std::size_t below(Random& random, std::size_t end) { return random() % end; }

// A random step of `run` that satisfies `fits`.
template <class Fits>
std::optional<std::size_t> some_step(const Plan& plan, Random& random, Fits&& fits) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < plan.run.steps.size(); ++i) {
    if (fits(plan.run.steps[i])) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  return found[below(random, found.size())];
}

// A random slot of `run` that takes bytes and satisfies `fits`.
template <class Fits>
std::optional<StorageId> some_slot(const Plan& plan, Random& random, Fits&& fits) {
  std::vector<StorageId> found;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    const bool slot = storage.kind == StorageKind::kSlot && !storage.in_prepare;
    if (slot && storage.size.count > 0 && fits(storage)) found.push_back(id);
  }
  if (found.empty()) return std::nullopt;
  return found[below(random, found.size())];
}

bool any_slot(const Storage&) { return true; }

// ---- Bytes --------------------------------------------------------------------------------------

bool move_onto_a_live_slot(Plan& plan, Random& random) {
  for (int tries = 0; tries < 20; ++tries) {
    const auto a = some_slot(plan, random, any_slot), b = some_slot(plan, random, any_slot);
    if (!a || *a == *b) continue;
    Storage& x = plan.storages[*a];
    const Storage& y = plan.storages[*b];
    if (x.birth >= y.death || y.birth >= x.death) continue;
    x.offset = y.offset;
    return true;
  }
  return false;
}

bool misalign(Plan& plan, Random& random) {
  const auto slot = some_slot(plan, random, any_slot);
  if (!slot) return false;
  plan.storages[*slot].offset.count += 4 + 4 * static_cast<std::int64_t>(below(random, 8));
  return true;
}

bool leave_the_arena(Plan& plan, Random& random) {
  const auto slot = some_slot(plan, random, any_slot);
  if (!slot) return false;
  plan.storages[*slot].offset = plan.arena;
  return true;
}

bool go_below_the_arena(Plan& plan, Random& random) {
  const auto slot = some_slot(plan, random, any_slot);
  if (!slot) return false;
  plan.storages[*slot].offset = {-64};
  return true;
}

bool shrink_the_arena(Plan& plan, Random&) {
  if (plan.run.arena.count == 0) return false;
  plan.run.arena.count -= 64;
  plan.arena = plan.run.arena;
  return true;
}

bool resize(Plan& plan, Random& random) {
  const auto slot = some_slot(plan, random, [](const Storage& it) { return !it.workspace; });
  if (!slot) return false;
  plan.storages[*slot].size.count += below(random, 2) == 0 ? -1 : 1;
  return true;
}

// ---- Frees and lifetimes ------------------------------------------------------------------------

const auto kFrees = [](const Step& step) { return !step.frees.empty(); };

bool move_free(Plan& plan, Random& random, std::ptrdiff_t by) {
  const auto at = some_step(plan, random, kFrees);
  if (!at) return false;
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(*at) + by;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(plan.run.steps.size())) return false;
  auto& frees = plan.run.steps[*at].frees;
  plan.run.steps[static_cast<std::size_t>(to)].frees.push_back(frees.back());
  frees.pop_back();
  return true;
}

bool free_too_early(Plan& plan, Random& random) { return move_free(plan, random, -1); }
bool free_too_late(Plan& plan, Random& random) { return move_free(plan, random, 1); }

bool forget_a_free(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, kFrees);
  if (!at) return false;
  plan.run.steps[*at].frees.pop_back();
  return true;
}

bool free_twice(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, kFrees);
  if (!at) return false;
  auto& frees = plan.run.steps[*at].frees;
  plan.run.steps[below(random, 2) == 0 ? *at : plan.run.steps.size() - 1].frees.push_back(
      frees.back());
  return true;
}

bool lie_about_birth(Plan& plan, Random& random) {
  const auto slot = some_slot(plan, random, any_slot);
  if (!slot) return false;
  plan.storages[*slot].birth += 1;
  return true;
}

bool lie_about_death(Plan& plan, Random& random) {
  const auto slot = some_slot(plan, random, any_slot);
  if (!slot) return false;
  plan.storages[*slot].death -= 1;
  return true;
}

// ---- Reads --------------------------------------------------------------------------------------

bool swap_operands(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [](const Step& step) {
    return step.reads.size() == 2 && step.reads[0].storage != step.reads[1].storage;
  });
  if (!at) return false;
  std::swap(plan.run.steps[*at].reads[0], plan.run.steps[*at].reads[1]);
  return true;
}

bool read_another_storage(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [](const Step& step) { return !step.reads.empty(); });
  if (!at) return false;
  Located& read = plan.run.steps[*at].reads[0];
  const StorageId other(below(random, plan.storages.size()));
  if (other == read.storage) return false;
  read.storage = other;
  return true;
}

bool shift_a_layout(Located& located, Random& random) {
  const Layout& layout = located.layout;
  if (layout.shape().element_count() < 2) return false;
  std::vector<std::int64_t> strides(layout.strides().begin(), layout.strides().end());
  const std::size_t axis = below(random, strides.size());
  if (layout.shape()[axis] < 2) return false;
  const std::int64_t shift = below(random, 2) == 0 ? 1 : 0;
  if (shift == 0) strides[axis] += 1;
  located.layout = Layout(layout.shape(), strides, layout.offset() + shift);
  return true;
}

bool read_in_another_layout(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [](const Step& step) { return !step.reads.empty(); });
  return at && shift_a_layout(plan.run.steps[*at].reads[0], random);
}

bool view_in_another_layout(Plan& plan, Random& random) {
  const auto at =
      some_step(plan, random, [](const Step& step) { return step.kind == StepKind::kReference; });
  return at && shift_a_layout(plan.run.steps[*at].writes[0], random);
}

// ---- Writes -------------------------------------------------------------------------------------

const auto kWrites = [](const Step& step) {
  return step.kind != StepKind::kReference && step.writes.size() == 1;
};

bool overwrite_what_is_read_later(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [&](const Step& step) {
    return kWrites(step) && !step.reads.empty() && step.placements[0] != Placement::kInPlace;
  });
  if (!at) return false;
  Step& step = plan.run.steps[*at];
  const StorageId read = step.reads[0].storage;
  for (std::size_t i = *at + 1; i < plan.run.steps.size(); ++i) {
    for (const Located& later : plan.run.steps[i].reads) {
      if (later.storage != read) continue;
      step.writes[0].storage = read;
      step.placements[0] = Placement::kInPlace;
      step.in_place_operand = 0;
      return true;
    }
  }
  return false;
}

bool write_to_what_was_given(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, kWrites);
  if (!at) return false;
  for (const StorageId id : ids(plan.storages)) {
    const StorageKind kind = plan.storages[id].kind;
    const bool donated =
        kind == StorageKind::kInput && plan.fused->graph->inputs[plan.storages[id].index].donate;
    if (donated || (kind != StorageKind::kInput && kind != StorageKind::kConstant)) continue;
    plan.run.steps[*at].writes[0].storage = id;
    return true;
  }
  return false;
}

bool write_in_another_layout(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, kWrites);
  return at && shift_a_layout(plan.run.steps[*at].writes[0], random);
}

bool write_another_output(Plan& plan, Random& random) {
  if (plan.fused->outputs.size() < 2) return false;
  for (Storage& storage : plan.storages) {
    if (storage.kind != StorageKind::kOutput) continue;
    storage.index = static_cast<std::uint32_t>(
        (storage.index + 1 + below(random, plan.fused->outputs.size() - 1)) %
        plan.fused->outputs.size());
    return true;
  }
  return false;
}

bool mislabel_a_placement(Plan& plan, Random& random) {
  const auto at =
      some_step(plan, random, [](const Step& step) { return !step.placements.empty(); });
  if (!at) return false;
  Placement& placement = plan.run.steps[*at].placements[0];
  const bool slot = placement == Placement::kFresh || placement == Placement::kReuse;
  placement = slot ? Placement::kOutput : Placement::kFresh;
  return true;
}

// ---- Steps --------------------------------------------------------------------------------------

bool swap_steps(Plan& plan, Random& random) {
  const std::size_t count = plan.run.steps.size();
  if (count < 2) return false;
  const std::size_t first = below(random, count - 1);
  for (const Located& read : plan.run.steps[first + 1].reads) {
    for (const Located& write : plan.run.steps[first].writes) {
      if (read.storage != write.storage) continue;
      std::swap(plan.run.steps[first], plan.run.steps[first + 1]);
      return true;
    }
  }
  return false;
}

bool drop_a_step(Plan& plan, Random& random) {
  if (plan.run.steps.empty()) return false;
  plan.run.steps.erase(plan.run.steps.begin() +
                       static_cast<std::ptrdiff_t>(below(random, plan.run.steps.size())));
  return true;
}

bool repeat_a_step(Plan& plan, Random& random) {
  const auto at =
      some_step(plan, random, [](const Step& step) { return step.kind != StepKind::kReference; });
  if (!at) return false;
  const Step copy = plan.run.steps[*at];
  plan.run.steps.push_back(copy);
  return true;
}

bool run_another_kernel(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [](const Step& step) { return step.kernel.valid(); });
  if (!at) return false;
  Step& step = plan.run.steps[*at];
  const KernelId other(below(random, plan.fused->kernels.size()));
  if (other == step.kernel) return false;
  step.kernel = other;
  return true;
}

bool take_away_workspace(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [](const Step& step) { return step.workspace.valid(); });
  if (!at) return false;
  if (below(random, 2) == 0) {
    plan.run.steps[*at].workspace = StorageId();
  } else {
    plan.storages[plan.run.steps[*at].workspace].size.count -= 1;
  }
  return true;
}

bool name_what_does_not_exist(Plan& plan, Random& random) {
  const auto at = some_step(plan, random, [](const Step& step) { return !step.reads.empty(); });
  if (!at) return false;
  Located& read = plan.run.steps[*at].reads[0];
  if (below(random, 2) == 0) {
    read.storage = StorageId(plan.storages.size());
  } else {
    read.tensor = TensorId();
  }
  return true;
}

bool break_the_parts(Plan& plan, Random&) {
  plan.run.parts = {0, static_cast<StepIndex>(plan.run.steps.size())};
  return true;
}

bool misplace_a_cached_value(Plan& plan, Random& random) {
  std::vector<StorageId> kept;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    if (storage.kind == StorageKind::kState && storage.size.count > 0) kept.push_back(id);
  }
  if (kept.empty()) return false;
  plan.storages[kept[below(random, kept.size())]].offset = plan.state;
  return true;
}

bool prepare_nothing(Plan& plan, Random&) {
  if (plan.prepare.steps.empty()) return false;
  const auto reads_state = [&](const Step& step) {
    return std::ranges::any_of(step.reads, [&](const Located& read) {
      return plan.storages[read.storage].kind == StorageKind::kState;
    });
  };
  if (std::ranges::none_of(plan.run.steps, reads_state)) return false;
  plan.prepare.steps.clear();
  return true;
}

// ---- The trial ----------------------------------------------------------------------------------

struct Fault {
  const char* name;
  Inject inject;
};

class JudgeProperty : public ::testing::TestWithParam<Fault> {};

TEST_P(JudgeProperty, EveryFaultIsCaught) {
  std::size_t injected = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Planned sound = planned(expand(random_graph(seed, {.nodes = 25})));
    Random random(seed);
    for (int tries = 0; tries < 4; ++tries) {
      Plan broken = *sound.plan;
      if (!GetParam().inject(broken, random)) continue;
      ++injected;
      EXPECT_FALSE(validate(*sound.fused, broken).empty()) << "seed " << seed << " try " << tries;
    }
  }
  EXPECT_GE(injected, 5U);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, JudgeProperty,
    ::testing::Values(
        Fault{"MoveOntoALiveSlot", move_onto_a_live_slot}, Fault{"Misalign", misalign},
        Fault{"LeaveTheArena", leave_the_arena}, Fault{"GoBelowTheArena", go_below_the_arena},
        Fault{"ShrinkTheArena", shrink_the_arena}, Fault{"Resize", resize},
        Fault{"FreeTooEarly", free_too_early}, Fault{"FreeTooLate", free_too_late},
        Fault{"ForgetAFree", forget_a_free}, Fault{"FreeTwice", free_twice},
        Fault{"LieAboutBirth", lie_about_birth}, Fault{"LieAboutDeath", lie_about_death},
        Fault{"SwapOperands", swap_operands}, Fault{"ReadAnotherStorage", read_another_storage},
        Fault{"ReadInAnotherLayout", read_in_another_layout},
        Fault{"ViewInAnotherLayout", view_in_another_layout},
        Fault{"OverwriteWhatIsReadLater", overwrite_what_is_read_later},
        Fault{"WriteToWhatWasGiven", write_to_what_was_given},
        Fault{"WriteInAnotherLayout", write_in_another_layout},
        Fault{"WriteAnotherOutput", write_another_output},
        Fault{"MislabelAPlacement", mislabel_a_placement}, Fault{"SwapSteps", swap_steps},
        Fault{"DropAStep", drop_a_step}, Fault{"RepeatAStep", repeat_a_step},
        Fault{"RunAnotherKernel", run_another_kernel},
        Fault{"TakeAwayWorkspace", take_away_workspace},
        Fault{"NameWhatDoesNotExist", name_what_does_not_exist},
        Fault{"BreakTheParts", break_the_parts},
        Fault{"MisplaceACachedValue", misplace_a_cached_value},
        Fault{"PrepareNothing", prepare_nothing}),
    [](const auto& it) { return std::string(it.param.name); });

}  // namespace
}  // namespace wick::compiler::testing
