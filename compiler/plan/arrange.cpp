#include "compiler/plan/arrange.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "compiler/plan/labels.h"
#include "compiler/plan/pack/pack.h"

namespace wick::compiler {

namespace {

// The slots of one program, by their births.
std::vector<StorageId> slots_of(const Plan& plan, bool prepare) {
  std::vector<StorageId> slots;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    if (storage.kind == StorageKind::kSlot && storage.in_prepare == prepare) slots.push_back(id);
  }
  const auto birth = [&](StorageId id) { return plan.storages[id].birth; };
  // Storages are made step by step: they nearly always stand in that order.
  if (!std::ranges::is_sorted(slots, {}, birth)) std::ranges::stable_sort(slots, {}, birth);
  return slots;
}

// ---- Arena and static
// -----------------------------------------------------------------------------

std::string describe(const pack::Packing& packing) {
  return std::string(pack::name(packing.method)) + ", " + std::string(pack::name(packing.proof));
}

Bytes pack_slots(Plan& plan, const std::vector<StorageId>& slots) {
  pack::Problem problem;
  problem.buffers.reserve(slots.size());
  for (const StorageId id : slots) {
    const Storage& storage = plan.storages[id];
    problem.buffers.push_back(
        {storage.birth, storage.death, storage.size.count, kArenaAlignment.count});
  }
  const auto limit =
      std::chrono::milliseconds(static_cast<std::int64_t>(plan.options.pack_seconds * 1000));
  const pack::Packing packing = plan.options.pack == PackMode::kExact
                                    ? pack::pack_exact(problem, limit)
                                    : pack::pack(problem);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    plan.storages[slots[i]].offset = {packing.offsets[i]};
  }
  plan.report.packing_optimal &= packing.proof == pack::Proof::kOptimal;
  if (!plan.report.packing.empty()) plan.report.packing += "; ";
  plan.report.packing += describe(packing);
  return round_up({packing.height});
}

// ---- None
// -----------------------------------------------------------------------------------------

Bytes line_up(Plan& plan, const std::vector<StorageId>& slots) {
  Bytes end;
  for (const StorageId id : slots) {
    Storage& storage = plan.storages[id];
    storage.offset = storage.size.count > 0 ? end : Bytes{};
    end += round_up(storage.size);
  }
  return end;
}

// ---- Heap
// -----------------------------------------------------------------------------------------

// Hands out allocations in the order of births. Returns the most bytes allocated at once, counting
// an allocation as long as a slot is in it or will be.
class Allocations {
 public:
  Allocations(Plan& plan, const std::vector<StorageId>& slots) : plan_(plan), slots_(slots) {}

  Bytes hand_out() {
    std::vector<StorageId> by_death = slots_;
    std::ranges::stable_sort(by_death, {}, [&](StorageId id) { return plan_.storages[id].death; });
    auto dead = by_death.begin();
    for (const StorageId id : slots_) {
      const StepIndex now = plan_.storages[id].birth;
      for (; dead != by_death.end() && plan_.storages[*dead].death <= now; ++dead) release(*dead);
      take(id);
    }
    return most_at_once();
  }

  const std::vector<Reuse>& reused() const { return reused_; }

 private:
  // Slots of one class can be each other: equal in bytes and in the size of an element.
  using SizeClass = std::pair<std::int64_t, std::size_t>;
  SizeClass class_of(const Storage& storage) const {
    return {storage.size.count, size_of(plan_.fused->tensors[storage.first].dtype)};
  }

  void release(StorageId id) {
    const Storage& storage = plan_.storages[id];
    if (storage.size.count > 0 && !storage.workspace) free_[class_of(storage)].push_back(id);
  }

  void take(StorageId id) {
    Storage& storage = plan_.storages[id];
    if (storage.size.count == 0) return;
    storage.allocation = id;
    if (storage.workspace) return;
    const auto same = free_.find(class_of(storage));
    if (same == free_.end() || same->second.empty()) return;
    const StorageId reused = same->second.back();
    same->second.pop_back();
    storage.allocation = plan_.storages[reused].allocation;
    reused_.push_back({id, reused});
  }

  Bytes most_at_once() {
    std::map<StorageId, StepIndex> last;  // the end of each allocation
    for (const StorageId id : slots_) {
      const Storage& storage = plan_.storages[id];
      if (storage.allocation.valid()) last[storage.allocation] = storage.death;
    }
    std::map<StepIndex, std::int64_t> change;
    for (const auto& [id, death] : last) {
      const std::int64_t size = round_up(plan_.storages[id].size).count;
      change[plan_.storages[id].birth] += size;
      change[death] -= size;
    }
    std::int64_t now = 0, most = 0;
    for (const auto& [step, bytes] : change) most = std::max(most, now += bytes);
    return {most};
  }

  Plan& plan_;
  const std::vector<StorageId>& slots_;
  std::map<SizeClass, std::vector<StorageId>> free_;  // the one freed last at the back
  std::vector<Reuse> reused_;
};

// ---- All
// ------------------------------------------------------------------------------------------

void arrange_program(Plan& plan, bool prepare) {
  Program& program = prepare ? plan.prepare : plan.run;
  const std::vector<StorageId> slots = slots_of(plan, prepare);
  if (slots.empty()) return;
  switch (plan.options.storage) {
    case StorageMode::kArena:
    case StorageMode::kStatic:
      program.arena = pack_slots(plan, slots);
      label_reuse(plan, program, reuse_by_place(plan, slots));
      break;
    case StorageMode::kNone:
      program.arena = line_up(plan, slots);
      break;
    case StorageMode::kHeap: {
      Allocations allocations(plan, slots);
      program.arena = allocations.hand_out();
      label_reuse(plan, program, allocations.reused());
      break;
    }
  }
}

void arrange_state(Plan& plan) {
  for (Storage& storage : plan.storages) {
    if (storage.kind != StorageKind::kState) continue;
    storage.offset = storage.size.count > 0 ? plan.state : Bytes{};
    plan.state += round_up(storage.size);
  }
}

}  // namespace

void arrange(Plan& plan) {
  plan.report.packing_optimal = true;
  arrange_program(plan, true);
  arrange_program(plan, false);
  arrange_state(plan);
  const bool heap = plan.options.storage == StorageMode::kHeap;
  plan.arena = heap ? Bytes{} : std::max(plan.prepare.arena, plan.run.arena);
}

}  // namespace wick::compiler
