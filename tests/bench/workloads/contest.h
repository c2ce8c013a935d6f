// Times several ways to do the same, in turn, so that whatever else the machine does meets all.
//
// What is measured is the time that the process spends on the processor, on all of its threads: on
// an idle core that is the time that passes, on a shared one it leaves out what others use.
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

// Microseconds; only differences mean something.
double processor_time();

double median(std::vector<double> values);

// Takes samples of at least `sample` microseconds of all contestants in turn until `seconds` have
// gone, at least three of each. A sample that costs several times as much as the cheapest one is
// taken more seldom, so that a slow contestant does not spend the others' time.
void compete(std::vector<Contestant>& contestants, double seconds, double sample);

}  // namespace wick::workloads
