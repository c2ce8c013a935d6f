// Times several ways to do the same, in turn, so that whatever else the machine does meets all.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wick::workloads {

struct Contestant {
  std::string name;
  std::function<void()> call;
  double error = 0;                  // of its values, in units
  std::vector<double> samples = {};  // microseconds a call
};

double median(std::vector<double> values);

// Takes samples of at least `sample` microseconds of all contestants in turn until `seconds` have
// gone, at least three of each. A sample that costs several times as much as the cheapest one is
// taken more seldom, so that a slow contestant does not spend the others' time.
void compete(std::vector<Contestant>& contestants, double seconds, double sample);

}  // namespace wick::workloads
