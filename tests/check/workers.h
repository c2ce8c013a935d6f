// Work shared among threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace wick::mutation {

// Calls `work` with every index once; it must not throw.
template <class F>
void for_each_index(std::size_t count, const F& work) {
  constexpr unsigned kWorkers = 2;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kWorkers; ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < count; at = next++) work(at);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace wick::mutation
