#include "tests/bench/workloads/peers/peer.h"

#include <cstdlib>

namespace wick::workloads {

int product_extent(const std::string& workload) {
  for (const std::string prefix : {"matmul_const_", "matmul_"}) {
    if (workload.starts_with(prefix)) return std::atoi(workload.c_str() + prefix.size());
  }
  return 0;
}

std::string product_right(const std::string& workload) {
  return workload.starts_with("matmul_const_") ? "W" : "b";
}

}  // namespace wick::workloads
