#include "compiler/plan/lifetimes.h"

#include <algorithm>
#include <cstdint>

namespace wick::compiler {

Peak peak_of(const IdVector<StorageId, Storage>& storages, bool prepare, std::size_t steps) {
  struct Change {
    std::int64_t rounded = 0;
    std::int64_t raw = 0;
  };
  std::vector<Change> changes(steps + 1);
  for (const Storage& storage : storages) {
    if (storage.kind != StorageKind::kSlot || storage.in_prepare != prepare) continue;
    const std::int64_t rounded = round_up(storage.size).count;
    changes[storage.birth].rounded += rounded;
    changes[storage.birth].raw += storage.size.count;
    changes[storage.death].rounded -= rounded;
    changes[storage.death].raw -= storage.size.count;
  }
  Peak peak;
  Change now;
  for (std::size_t i = 0; i < steps; ++i) {
    now.rounded += changes[i].rounded;
    now.raw += changes[i].raw;
    if (now.rounded > peak.rounded.count) peak.step = static_cast<StepIndex>(i);
    peak.rounded.count = std::max(peak.rounded.count, now.rounded);
    peak.raw.count = std::max(peak.raw.count, now.raw);
  }
  return peak;
}

}  // namespace wick::compiler
