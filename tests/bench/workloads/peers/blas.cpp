// The products by the BLAS that the system has (Debian: libopenblas0-pthread), on one thread.
#include <dlfcn.h>

#include <stdexcept>

#include "tests/bench/workloads/peers/peer.h"

namespace wick::workloads {
namespace {

// Enumerators as numbers: 101 row-major, 111 not transposed.
using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                       float, float*, int);

Sgemm load() {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (library == nullptr) throw std::runtime_error(dlerror());
  if (void* threads = dlsym(library, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(threads)(1);
  void* symbol = dlsym(library, "cblas_sgemm");
  if (symbol == nullptr) throw std::runtime_error("has no cblas_sgemm");
  return reinterpret_cast<Sgemm>(symbol);
}

}  // namespace

Call prepare_blas(const Task& task) {
  static const Sgemm sgemm = load();
  const int n = product_extent(task.name);
  if (n == 0) return {};
  return [n, a = task.tensors["a"], b = task.tensors[product_right(task.name)], y = task.output] {
    sgemm(101, 111, 111, n, n, n, 1, a, n, b, n, 0, y, n);
  };
}

}  // namespace wick::workloads
