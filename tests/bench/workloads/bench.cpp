// Measures emitted functions on one core. Linked by bench.py with the functions and their table.
//
//   bench FOLDER CORE SECONDS [BLAS]
//
// FOLDER holds NAME/TENSOR.f32 for each input and NAME/expected.f64. A workload whose values are
// wrong is not timed. SECONDS is the time spent on each workload. BLAS is a shared library with
// cblas_sgemm, to be timed in turn with the products. One line of output for each workload:
//
//   NAME <tab> error in units <tab> median µs <tab> least µs [<tab> the BLAS's median µs]
#include "tests/bench/workloads/bench.h"

#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

namespace wick::workloads {
namespace {

// Largest error accepted, in units of 2^-24 of the largest magnitude expected: products of 2048
// terms stay below it many times over, and a wrong element exceeds it.
constexpr double kMostError = 1000;

// Elements at a multiple of 64 bytes, as callers who care for speed have them.
template <class T>
class Aligned {
 public:
  explicit Aligned(std::size_t count)
      : count_(count),
        data_(static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) + 64) / 64 * 64))) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::fill_n(data_, count, T{});
  }
  Aligned(Aligned&& other) noexcept : count_(other.count_), data_(other.data_) {
    other.data_ = nullptr;
  }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;
  ~Aligned() { std::free(data_); }

  T* data() const { return data_; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
  T* data_;
};

template <class T>
Aligned<T> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  const auto size = static_cast<std::size_t>(file.tellg());
  Aligned<T> values(size / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size));
  return values;
}

double error_in_units(const Aligned<float>& found, const Aligned<double>& expected) {
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < expected.count(); ++i) {
    const double difference = std::fabs(static_cast<double>(found.data()[i]) - expected.data()[i]);
    error = std::isnan(difference) ? HUGE_VAL : std::max(error, difference);
    largest = std::max(largest, std::fabs(expected.data()[i]));
  }
  return error / (largest * std::ldexp(1.0, -24));
}

// cblas_sgemm; enumerators as numbers, 101 row-major and 111 not transposed.
using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                       float, float*, int);

Sgemm load_blas(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  void* symbol = library == nullptr ? nullptr : dlsym(library, "cblas_sgemm");
  if (symbol == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Sgemm>(symbol);
}

using Clock = std::chrono::steady_clock;

double microseconds(const std::function<void()>& call, int times) {
  const auto start = Clock::now();
  for (int i = 0; i < times; ++i) call();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / times;
}

// How often to call for one sample: 100 µs at least, so that the clock does not matter.
int calls_in_a_sample(const std::function<void()>& call) {
  int times = 1;
  while (times < (1 << 20) && microseconds(call, times) * times < 100) times *= 2;
  return times;
}

struct Contestant {
  std::function<void()> call;
  std::vector<double> samples = {};
};

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

// Samples of all contestants in turn, at least 7 of each.
void compete(std::vector<Contestant>& contestants, double seconds) {
  std::vector<int> times;
  for (const Contestant& contestant : contestants)
    times.push_back(calls_in_a_sample(contestant.call));
  const auto start = Clock::now();
  while (contestants.back().samples.size() < 7 ||
         std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    for (std::size_t i = 0; i < contestants.size(); ++i)
      contestants[i].samples.push_back(microseconds(contestants[i].call, times[i]));
  }
}

// False if the values are wrong.
bool measure(const Workload& workload, const std::string& folder, double seconds, Sgemm sgemm) {
  const std::string prefix = folder + "/" + workload.name + "/";
  std::vector<Aligned<float>> inputs;
  std::vector<const float*> pointers;
  for (const char* input : workload.inputs) {
    inputs.push_back(read<float>(prefix + input + ".f32"));
    pointers.push_back(inputs.back().data());
  }
  const auto expected = read<double>(prefix + "expected.f64");
  Aligned<float> output(expected.count());
  Aligned<std::byte> arena(workload.arena_bytes);
  const auto ours = [&] { workload.run(pointers.data(), output.data(), arena.data()); };
  ours();
  const double error = error_in_units(output, expected);
  if (!(error <= kMostError)) {
    std::fprintf(stderr, "%s: wrong values, %g units\n", workload.name, error);
    return false;
  }

  std::vector<Contestant> contestants = {{ours}};
  const int n = workload.product_extent;
  Aligned<float> right =
      n > 0 ? read<float>(prefix + workload.product_right + ".f32") : Aligned<float>(1);
  if (n > 0 && sgemm != nullptr) {
    contestants.push_back({[&] {
      sgemm(101, 111, 111, n, n, n, 1, pointers[0], n, right.data(), n, 0, output.data(), n);
    }});
  }
  compete(contestants, seconds);
  std::printf("%s\t%.3g\t%.6g\t%.6g", workload.name, error, median(contestants[0].samples),
              *std::ranges::min_element(contestants[0].samples));
  if (contestants.size() > 1) std::printf("\t%.6g", median(contestants[1].samples));
  std::printf("\n");
  std::fflush(stdout);
  return true;
}

void pin(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  if (sched_setaffinity(0, sizeof(cores), &cores) != 0)
    throw std::runtime_error("cannot run on core " + std::to_string(core) + " alone");
}

int run(int argc, char** argv) {
  pin(std::atoi(argv[2]));
  const Sgemm sgemm = argc > 4 ? load_blas(argv[4]) : nullptr;
  bool good = true;
  for (const Workload& workload : workloads())
    good = measure(workload, argv[1], std::atof(argv[3]), sgemm) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace wick::workloads

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: bench FOLDER CORE SECONDS [BLAS]\n");
    return 2;
  }
  try {
    return wick::workloads::run(argc, argv);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "bench: %s\n", fault.what());
    return 2;
  }
}
