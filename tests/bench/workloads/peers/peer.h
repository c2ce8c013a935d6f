// Other libraries, doing what the workloads ask.
//
// A peer is one function: from a workload to a call that computes it, or to an empty one where the
// library does not do this. What a user would do once and not at each call (creating primitives,
// turning constants into a layout of the library's own) happens before it returns. A peer that
// cannot be used at all throws std::runtime_error with the reason.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/bench/workloads/tensors.h"

namespace wick::workloads {

struct Task {
  std::string name;                 // of the workload
  std::vector<std::string> inputs;  // in the order of the listing
  Tensors& tensors;                 // its inputs and constants
  float* output;
};

using Call = std::function<void()>;

struct Peer {
  const char* name;
  Call (*prepare)(const Task& task);
};

// Those of this folder; a program links the ones it found the libraries for.
Call prepare_blas(const Task& task);
Call prepare_dnnl(const Task& task);
Call prepare_eigen(const Task& task);
Call prepare_onnx_runtime(const Task& task);
Call prepare_xnnpack(const Task& task);
// Nested loops, written by plain.py.
Call prepare_plain(const Task& task);

// N of "matmul_N" and "matmul_const_N"; 0 for other workloads.
int product_extent(const std::string& workload);
// The tensor on the right of that product.
std::string product_right(const std::string& workload);

}  // namespace wick::workloads
