// Who really holds the bytes of a tensor: the seed's alias map.
//
// An alias is somebody else's tensor; a takeover makes a new tensor the owner of everything that
// pointed at the old one. The map stays single-hop: tensors point at a group, the group at its
// owner, so that a takeover rewrites one entry instead of all of them, and both operations cost
// constant time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/plan/plan.h"
#include "compiler/support/prefetch.h"

namespace wick::compiler {

class AliasMap {
 public:
  explicit AliasMap(std::size_t tensors) : entries_(tensors) {}

  // The tensor whose bytes `tensor` is; itself if it is not in the map.
  TensorId resolve(TensorId tensor) const;

  // Asks the processor for the entry of `tensor`, which is soon to be looked at.
  void prefetch(TensorId tensor) const { compiler::prefetch(&entries_[tensor]); }

  // What the entry of `tensor` promises; nothing if it is not in the map.
  std::optional<AliasTag> tag(TensorId tensor) const;

  // `tensor` is `owner` under another name. `owner` owns itself.
  void alias(TensorId tensor, TensorId owner, AliasTag tag);

  // From here on whoever wanted `owner`, or anything that pointed at it, gets `claimer`, which is
  // not in the map yet. A tensor may claim itself, to promise what the tag says.
  void take_over(TensorId owner, TensorId claimer, AliasTag tag);

 private:
  static constexpr std::uint32_t kNoGroup = 0xffffffff;

  // `claims` counts the takeovers of the group that came before the entry: a later one rewrote it.
  struct Entry {
    std::uint32_t group = kNoGroup;
    std::uint32_t claims = 0;
    AliasTag tag = AliasTag::kAnything;
    bool mapped = false;
  };
  struct Group {
    TensorId owner;
    std::uint32_t claims = 0;
    AliasTag tag = AliasTag::kAnything;
  };

  std::uint32_t group_of(TensorId owner);

  IdVector<TensorId, Entry> entries_;
  std::vector<Group> groups_;
};

}  // namespace wick::compiler
