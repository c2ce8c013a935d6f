// What this core can do at best, whatever the program: the measure of "percent of the limit".
#pragma once

#include <cstddef>
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

// A way to copy `bytes` from one array to another, both at multiples of 64.
struct Copy {
  const char* name;
  void (*run)(const float* from, float* to, std::size_t bytes);
};

// The C library's, and loops that store in the usual way and past the caches.
const std::vector<Copy>& copies();

}  // namespace wick::workloads
