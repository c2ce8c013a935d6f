// What this core can do at best, whatever the program: the measure of "percent of the limit".
#pragma once

#include <string>
#include <vector>

namespace wick::workloads {

struct Limit {
  std::string name;  // "fma", or OPERATION_LEVEL such as "copy_L2"
  double rate;       // GFLOP/s, or GB/s of all bytes read and written
};

// f32 multiply-adds in registers, and for arrays of each size (L1, L2, L3, 16M, DRAM) reading one,
// one to another, and two into a third, each at its best over a fraction of a second.
std::vector<Limit> limits();

}  // namespace wick::workloads
