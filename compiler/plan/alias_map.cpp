#include "compiler/plan/alias_map.h"

#include "compiler/support/check.h"

namespace wick::compiler {

TensorId AliasMap::resolve(TensorId tensor) const {
  const Entry& entry = entries_[tensor];
  return entry.group == kNoGroup ? tensor : groups_[entry.group].owner;
}

std::optional<AliasTag> AliasMap::tag(TensorId tensor) const {
  const Entry& entry = entries_[tensor];
  if (entry.group == kNoGroup) return std::nullopt;
  const Group& group = groups_[entry.group];
  if (entry.claims < group.claims) return group.tag;
  if (entry.mapped) return entry.tag;
  return std::nullopt;
}

void AliasMap::alias(TensorId tensor, TensorId owner, AliasTag tag) {
  check(resolve(owner) == owner, "an alias of a tensor that is an alias itself");
  const std::uint32_t group = group_of(owner);
  entries_[tensor] = {group, groups_[group].claims, tag, true};
}

void AliasMap::take_over(TensorId owner, TensorId claimer, AliasTag tag) {
  check(resolve(owner) == owner, "a takeover of a tensor that owns nothing");
  const std::uint32_t group = group_of(owner);
  groups_[group] = {claimer, groups_[group].claims + 1, tag};
  entries_[claimer] = {group, groups_[group].claims, tag, true};
}

std::uint32_t AliasMap::group_of(TensorId owner) {
  Entry& entry = entries_[owner];
  if (entry.group == kNoGroup) {
    entry.group = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({owner});
  }
  return entry.group;
}

}  // namespace wick::compiler
