#include "compiler/plan/labels.h"

#include <map>

#include "compiler/support/prefetch.h"

namespace wick::compiler {

namespace {

// The arena as a line of paint: each byte belongs to the slot that was laid on it last.
class Paint {
 public:
  explicit Paint(const Plan& plan) : plan_(plan) {}

  // Paints [begin, end) as `slot` and tells whose bytes were there.
  StorageId lay(std::int64_t begin, std::int64_t end, StorageId slot) {
    // Above all paint, as in a program that piles up its values: no need to look for the place.
    if (runs_.empty() || runs_.rbegin()->second.end <= begin) {
      runs_.emplace_hint(runs_.end(), begin, Run{end, slot});
      return StorageId();
    }
    auto range = runs_.upper_bound(begin);
    if (range != runs_.begin() && std::prev(range)->second.end > begin) --range;
    StorageId latest;
    while (range != runs_.end() && range->first < end) {
      const std::int64_t first = range->first;
      const Run run = range->second;
      if (later(run.slot, latest)) latest = run.slot;
      range = runs_.erase(range);
      if (first < begin) runs_.emplace(first, Run{begin, run.slot});
      if (run.end > end) range = runs_.emplace(end, Run{run.end, run.slot}).first;
    }
    runs_.emplace(begin, Run{end, slot});
    return latest;
  }

 private:
  struct Run {
    std::int64_t end;
    StorageId slot;
  };

  bool later(StorageId a, StorageId b) const {
    return !b.valid() || plan_.storages[a].death > plan_.storages[b].death;
  }

  const Plan& plan_;
  std::map<std::int64_t, Run> runs_;  // by first byte
};

}  // namespace

std::vector<Reuse> reuse_by_place(const Plan& plan, const std::vector<StorageId>& slots) {
  Paint paint(plan);
  std::vector<Reuse> reuses;
  for (const StorageId id : slots) {
    const Storage& storage = plan.storages[id];
    if (storage.size.count == 0 || storage.workspace) continue;
    const std::int64_t begin = storage.offset.count;
    const StorageId reused = paint.lay(begin, begin + round_up(storage.size).count, id);
    if (reused.valid()) reuses.push_back({id, reused});
  }
  return reuses;
}

void label_reuse(const Plan& plan, Program& program, const std::vector<Reuse>& reuses) {
  constexpr std::size_t kAhead = 48;  // reuses whose steps are asked for ahead of their turn
  for (std::size_t at = 0; at < reuses.size(); ++at) {
    if (at + kAhead < reuses.size()) {
      const Step& step = program.steps[plan.storages[reuses[at + kAhead].slot].birth];
      prefetch(&step.writes);
      prefetch(&step.reused);
    }
    const Reuse& reuse = reuses[at];
    Step& step = program.steps[plan.storages[reuse.slot].birth];
    for (std::size_t i = 0; i < step.writes.size(); ++i) {
      if (step.writes[i].storage != reuse.slot) continue;
      step.placements[i] = Placement::kReuse;
      if (!step.reused.valid()) step.reused = reuse.reused;
    }
  }
}

}  // namespace wick::compiler
