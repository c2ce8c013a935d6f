// One object for each value there is: equal values are told by their addresses, and a copy is a
// pointer. For small values that a large graph repeats a million times.
//
// Requires: `Key` has `hash()`, well mixed in all its bits, and `==`; `Entry` is made from a key
// and keeps it as `key`. Guarantees: an entry stays where it is, and lives as long as the program,
// so that handles need no owner: what a program holds of them is bounded by the different values
// that it ever met. May be called from several threads at once. Cost: amortised constant; no lock
// is taken for a value that the thread has met lately.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

#include "compiler/support/hash_index.h"

namespace wick::compiler {

// Mixes another number into a hash.
inline std::uint64_t mixed_hash(std::uint64_t hash, std::uint64_t number) {
  hash = (hash ^ number) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

template <class Key, class Entry>
class Interner {
 public:
  // The entry of `key`.
  static const Entry& intern(const Key& key) {
    const std::uint64_t hash = key.hash();
    static thread_local std::array<const Entry*, kRecent> recent{};
    const Entry*& lately = recent[hash % kRecent];
    if (lately == nullptr || !(lately->key == key)) lately = &all().find_or_add(hash, key);
    return *lately;
  }

 private:
  static constexpr std::size_t kRecent = 128;

  // Never destroyed: handles in static storage may outlive any order of destruction.
  static Interner& all() {
    static Interner* const interner = new Interner;
    return *interner;
  }

  const Entry& find_or_add(std::uint64_t hash, const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto next = static_cast<std::uint32_t>(entries_.size());
    const auto is_same = [&](std::uint32_t other) { return entries_[other].key == key; };
    const auto known = index_.find_or_enter(hash, next, is_same);
    if (known) return entries_[*known];
    return entries_.emplace_back(key);
  }

  std::mutex mutex_;
  std::deque<Entry> entries_;  // which leaves them where they are
  HashIndex index_;            // into `entries_`
};

}  // namespace wick::compiler
