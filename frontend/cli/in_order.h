// Work on several things at once whose results are taken in the order of the things, so that
// nothing anybody sees depends on which was ready first.
#pragma once

#include <cstddef>
#include <deque>
#include <future>
#include <utility>
#include <vector>

namespace wick::frontend {

// take(make(input)) for each input; `take` in their order on the calling thread, `make` on at most
// `jobs` threads. No more than `jobs` results wait at any time.
template <class Input, class Make, class Take>
void in_order(const std::vector<Input>& inputs, std::size_t jobs, const Make& make,
              const Take& take) {
  // Both policies together: where no thread can be had, the work is done when its result is asked
  // for. One job needs none.
  const auto policy = jobs > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
  std::deque<std::future<decltype(make(inputs.front()))>> running;
  for (std::size_t next = 0; next < inputs.size() || !running.empty();) {
    if (next < inputs.size() && running.size() < jobs) {
      running.push_back(std::async(policy, make, std::cref(inputs[next++])));
      continue;
    }
    take(running.front().get());
    running.pop_front();
  }
}

}  // namespace wick::frontend
