// The judge's second half: who may use which bytes when.
//
// Slots are swept in order of time. Those alive at a moment are kept by offset; as long as they are
// disjoint, a slot that is born overlaps somebody if and only if it overlaps its neighbour below or
// above.
#include <algorithm>
#include <map>
#include <string>

#include "compiler/plan/judge.h"

namespace wick::compiler::judge {

namespace {

class ByteJudge {
 public:
  ByteJudge(const Plan& plan, bool prepare, const Account& account, Faults& faults)
      : plan_(plan),
        prepare_(prepare),
        program_(prepare ? plan.prepare : plan.run),
        uses_(account.uses),
        labels_(account.labels),
        faults_(faults) {}

  void judge() {
    for (const StorageId id : ids(plan_.storages)) {
      const Storage& storage = plan_.storages[id];
      if (storage.kind != StorageKind::kSlot || storage.in_prepare != prepare_) {
        if (storage.kind == StorageKind::kSlot && uses_[id].first != Use::kNever) {
          fault(id, "belongs to the other program");
        }
        continue;
      }
      judge_lifetime(id);
      if (uses_[id].first != Use::kNever) slots_.push_back(id);
    }
    if (plan_.options.storage == StorageMode::kHeap) {
      judge_allocations();
    } else {
      judge_offsets();
      judge_overlaps();
    }
    judge_labels();
  }

 private:
  void fault(StorageId id, const std::string& what) {
    faults_.add(std::string(prepare_ ? "prepare" : "run") + " slot " + std::to_string(id.index()) +
                ": " + what);
  }

  void judge_lifetime(StorageId id) {
    const Storage& storage = plan_.storages[id];
    const Use& use = uses_[id];
    if (storage.size.count < 0) return fault(id, "has a negative size");
    if (use.first == Use::kNever) return fault(id, "is never written");
    if (storage.birth != use.first || storage.death != use.last + 1) {
      fault(id, "is alive at another time than its plan says");
    }
    if (use.freed == Use::kNever) return fault(id, "is never freed");
    if (use.freed != use.last) fault(id, "is not freed directly after the step that uses it last");
  }

  // ---- In an arena ------------------------------------------------------------------------------

  void judge_offsets() {
    if (program_.arena > plan_.arena) faults_.add("the arena is smaller than a program needs");
    for (const StorageId id : slots_) {
      const Storage& storage = plan_.storages[id];
      if (storage.size.count == 0) continue;
      const std::int64_t begin = storage.offset.count;
      if (begin < 0 || begin % kArenaAlignment.count != 0) fault(id, "is not aligned");
      if (begin + storage.size.count > program_.arena.count) fault(id, "ends outside of the arena");
    }
  }

  void judge_overlaps() {
    // Without reuse all are alive all the time.
    const bool forever = plan_.options.storage == StorageMode::kNone;
    const std::vector<StorageId> births = sorted_by(&Use::first);
    const std::vector<StorageId> deaths = sorted_by(&Use::last);
    auto dead = deaths.begin();
    for (const StorageId id : births) {
      // A slot that was used last by an earlier step is gone; one used by this step is not.
      while (!forever && uses_[*dead].last < uses_[id].first) alive_.erase(key(*dead++));
      if (plan_.storages[id].size.count > 0) add_alive(id);
    }
  }

  // The slots in the order of a step, counted out: steps are small numbers.
  std::vector<StorageId> sorted_by(StepIndex Use::* step) const {
    std::vector<std::uint32_t> next(program_.steps.size() + 1);
    for (const StorageId id : slots_) ++next[uses_[id].*step + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<StorageId> sorted(slots_.size());
    for (const StorageId id : slots_) sorted[next[uses_[id].*step]++] = id;
    return sorted;
  }

  using Key = std::pair<std::int64_t, StorageId>;
  Key key(StorageId id) const { return {plan_.storages[id].offset.count, id}; }

  void add_alive(StorageId id) {
    const std::int64_t begin = plan_.storages[id].offset.count;
    const std::int64_t end = begin + plan_.storages[id].size.count;
    // Above all others, as in a program that piles up its values: no need to look for the place.
    if (alive_.empty() || alive_.rbegin()->second <= begin) {
      alive_.emplace_hint(alive_.end(), key(id), end);
      return;
    }
    const auto above = alive_.lower_bound(Key{begin, StorageId(0)});
    if (above != alive_.end() && above->first.first < end) return overlap(id, above->first.second);
    if (above != alive_.begin() && std::prev(above)->second > begin) {
      return overlap(id, std::prev(above)->first.second);
    }
    alive_.emplace(key(id), end);
  }

  void overlap(StorageId id, StorageId other) {
    fault(id, "shares bytes with slot " + std::to_string(other.index()) + " while both are alive");
  }

  // ---- On the heap ------------------------------------------------------------------------------

  void judge_allocations() {
    std::vector<StorageId> order;
    for (const StorageId id : slots_) {
      const Storage& storage = plan_.storages[id];
      if (storage.size.count == 0) continue;
      if (storage.allocation.index() >= plan_.storages.size()) {
        fault(id, "has no allocation");
      } else {
        order.push_back(id);
      }
    }
    std::ranges::sort(order, [&](StorageId a, StorageId b) {
      const StorageId of_a = plan_.storages[a].allocation, of_b = plan_.storages[b].allocation;
      return of_a != of_b ? of_a < of_b : uses_[a].first < uses_[b].first;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const StorageId owner = plan_.storages[order[i]].allocation;
      const bool first = i == 0 || plan_.storages[order[i - 1]].allocation != owner;
      if (first && owner != order[i]) fault(order[i], "begins another slot's allocation");
      if (first) continue;
      if (plan_.storages[order[i]].size != plan_.storages[owner].size) {
        fault(order[i], "does not fit its allocation");
      }
      if (uses_[order[i - 1]].last >= uses_[order[i]].first) overlap(order[i], order[i - 1]);
    }
  }

  // ---- Labels -----------------------------------------------------------------------------------

  // What the plan tells its reader about reuse has to be true.
  void judge_labels() {
    for (std::size_t i = 0; i < labels_.size();) {
      const Label& first = labels_[i];
      bool lies_on_it = false;
      for (; i < labels_.size() && labels_[i].step == first.step; ++i) {
        const StorageId slot = labels_[i].slot;
        lies_on_it |= slot != first.reused && shares_bytes(slot, first.reused) &&
                      uses_[first.reused].last < uses_[slot].first;
      }
      if (!lies_on_it) {
        fault(first.reused, "is said to be reused by a slot that does not lie on it");
      }
    }
  }

  bool shares_bytes(StorageId a, StorageId b) const {
    const Storage& x = plan_.storages[a];
    const Storage& y = plan_.storages[b];
    if (plan_.options.storage == StorageMode::kHeap) return x.allocation == y.allocation;
    return x.offset < y.offset + round_up(y.size) && y.offset < x.offset + round_up(x.size);
  }

  const Plan& plan_;
  bool prepare_;
  const Program& program_;
  const IdVector<StorageId, Use>& uses_;
  const std::vector<Label>& labels_;
  Faults& faults_;
  std::vector<StorageId> slots_;
  std::map<Key, std::int64_t> alive_;  // by offset; the value is the end
};

}  // namespace

void judge_bytes(const Plan& plan, bool prepare, const Account& account, Faults& faults) {
  ByteJudge(plan, prepare, account, faults).judge();
}

void judge_given(const Plan& plan, Faults& faults) {
  // Two storages of one input or output would be two names for the same bytes.
  std::vector<std::pair<StorageKind, std::uint32_t>> callers;
  for (const Storage& storage : plan.storages) {
    const bool named = storage.kind != StorageKind::kSlot && storage.kind != StorageKind::kState;
    if (named) callers.push_back({storage.kind, storage.index});
  }
  std::ranges::sort(callers);
  if (std::ranges::adjacent_find(callers) != callers.end()) {
    faults.add("an input, output or constant has two storages");
  }
}

void judge_state(const Plan& plan, Faults& faults) {
  std::vector<StorageId> kept;
  for (const StorageId id : ids(plan.storages)) {
    const Storage& storage = plan.storages[id];
    if (storage.kind == StorageKind::kState && storage.size.count > 0) kept.push_back(id);
  }
  std::ranges::sort(kept, {}, [&](StorageId id) { return plan.storages[id].offset; });
  Bytes end;
  for (const StorageId id : kept) {
    const Storage& storage = plan.storages[id];
    if (storage.offset < end || storage.offset.count % kArenaAlignment.count != 0 ||
        storage.offset + storage.size > plan.state) {
      faults.add("cached value " + std::to_string(id.index()) + " has no place of its own");
    }
    end = std::max(end, storage.offset + storage.size);
  }
}

}  // namespace wick::compiler::judge
