#include "tests/bench/workloads/contest.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace wick::workloads {
namespace {

using Clock = std::chrono::steady_clock;

// Below this, a call finds its operands in the caches where its last call left them; one untimed
// call before each sample takes away what the previous contestant has left.
constexpr double kWarmed = 2000;
constexpr int kLeastRounds = 3;
constexpr int kMostSeldom = 8;

double microseconds(const std::function<void()>& call, int times) {
  const double start = processor_time();
  for (int i = 0; i < times; ++i) call();
  return (processor_time() - start) / times;
}

struct Pace {
  int calls;    // in a sample
  int warming;  // calls before it
  int stride;   // rounds from one sample to the next
  double cost;  // microseconds of one sample
};

Pace pace_of(const std::function<void()>& call, double sample) {
  int times = 1;
  double each = microseconds(call, 1);
  while (times < (1 << 20) && each * times < sample) {
    times *= 2;
    each = microseconds(call, times);
  }
  each = std::min(each, microseconds(call, times));
  const int warming = each < kWarmed ? 1 : 0;
  return {times, warming, 1, each * (times + warming)};
}

}  // namespace

double processor_time() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void compete(std::vector<Contestant>& contestants, double seconds, double sample) {
  std::vector<Pace> paces;
  for (const Contestant& contestant : contestants)
    paces.push_back(pace_of(contestant.call, sample));
  const double least = std::ranges::min_element(paces, {}, &Pace::cost)->cost;
  for (Pace& pace : paces)
    pace.stride = std::clamp(static_cast<int>(pace.cost / least / 3), 1, kMostSeldom);
  const auto start = Clock::now();
  for (int round = 0;; ++round) {
    const bool enough = std::ranges::all_of(
        contestants, [](const Contestant& c) { return c.samples.size() >= kLeastRounds; });
    if (enough && std::chrono::duration<double>(Clock::now() - start).count() >= seconds) return;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const Pace& pace = paces[i];
      if (round % pace.stride != 0) continue;
      for (int j = 0; j < pace.warming; ++j) contestants[i].call();
      contestants[i].samples.push_back(microseconds(contestants[i].call, pace.calls));
    }
  }
}

}  // namespace wick::workloads
