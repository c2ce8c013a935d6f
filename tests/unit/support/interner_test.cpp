#include "compiler/support/interner.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace wick::compiler {
namespace {

struct Number {
  std::uint64_t value = 0;
  std::uint64_t hash() const { return mixed_hash(1, value); }
  bool operator==(const Number&) const = default;
};
struct Entry {
  explicit Entry(const Number& number) : key(number) {}
  Number key;
};
using Numbers = Interner<Number, Entry>;

TEST(Interner, EqualValuesAreOneObjectThatStays) {
  const Entry& seven = Numbers::intern({7});
  for (std::uint64_t i = 0; i < 5000; ++i) Numbers::intern({1000 + i});
  EXPECT_EQ(&Numbers::intern({7}), &seven);
  EXPECT_EQ(seven.key.value, 7u);
  EXPECT_NE(&Numbers::intern({8}), &seven);
}

// All hashes are equal: values are told apart by what they are.
struct Clash {
  std::uint64_t value = 0;
  std::uint64_t hash() const { return 3; }
  bool operator==(const Clash&) const = default;
};
struct ClashEntry {
  explicit ClashEntry(const Clash& clash) : key(clash) {}
  Clash key;
};

TEST(Interner, EqualHashesAreToldApart) {
  std::set<const ClashEntry*> entries;
  for (const int round : {0, 1}) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      const ClashEntry& entry = Interner<Clash, ClashEntry>::intern({i});
      EXPECT_EQ(entry.key.value, i) << round;
      entries.insert(&entry);
    }
  }
  EXPECT_EQ(entries.size(), 50u);
}

TEST(Interner, ThreadsAgree) {
  constexpr std::size_t kThreads = 4, kValues = 3000;
  std::vector<std::vector<const Entry*>> found(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&found, thread] {
      for (std::uint64_t i = 0; i < kValues; ++i) {
        found[thread].push_back(&Numbers::intern({100'000 + i}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kValues; ++i) {
    EXPECT_EQ(found[0][i]->key.value, 100'000 + i);
    for (std::size_t thread = 1; thread < kThreads; ++thread) {
      ASSERT_EQ(found[thread][i], found[0][i]);
    }
  }
}

}  // namespace
}  // namespace wick::compiler
