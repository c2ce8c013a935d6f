#include "tests/bench/workloads/limits.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "tests/bench/workloads/contest.h"
#include "tests/bench/workloads/tensors.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace wick::workloads {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
#elif defined(__AVX__)
constexpr std::size_t kLanes = 8;
#else
constexpr std::size_t kLanes = 4;
#endif

typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

// A value that the compiler knows nothing about, in a register: what was computed is needed, and
// what is computed from it is not known beforehand.
void hide(Vector& value) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(value));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(value));
#else
  asm volatile("" : "+m"(value));
#endif
}

// The best rate of `work`, which does `amount` of something, in samples during 0.1 s; in 10^9/s.
template <class Work>
double best_rate(double amount, Work work) {
  double best = 0;
  const double start = processor_time();
  for (double began = start; began < start + 1e5;) {
    work();
    const double ended = processor_time();
    best = std::max(best, amount / (ended - began) * 1e-3);
    began = ended;
  }
  return best;
}

// More chains than the latency of a multiply-add times its throughput.
constexpr std::size_t kChains = 12;

void multiply_add(std::size_t times) {
  Vector sums[kChains] = {};
  Vector factor = Vector{} + 1.0f, addend = Vector{} + 1e-9f;
  // Without this they would be one chain.
#pragma GCC unroll 12
  for (Vector& sum : sums) hide(sum);
  for (std::size_t i = 0; i < times; ++i) {
    hide(factor);
    hide(addend);
#pragma GCC unroll 12
    for (Vector& sum : sums) sum = sum * factor + addend;
  }
  for (Vector& sum : sums) hide(sum);
}

struct Arrays {
  const Vector *a, *b;
  Vector* c;
  std::size_t count;  // vectors in each
};

void read(const Arrays& arrays) {
  Vector sums[8] = {};
  for (std::size_t i = 0; i + 8 <= arrays.count; i += 8) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j) sums[j] += arrays.a[i + j];
  }
  for (Vector& sum : sums) hide(sum);
}

void store(Vector* to, Vector value) { *to = value; }

void stream(Vector* to, Vector value) {
#if defined(__AVX512F__)
  _mm512_stream_ps(reinterpret_cast<float*>(to), value);
#else
  *to = value;
#endif
}

// One function for each way to store: the loops must not choose at run time.
template <void (*Store)(Vector*, Vector)>
void copy(const Arrays& arrays) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < arrays.count; ++i) {
    // Without this the compiler calls memcpy, which chooses for itself how to store.
    Vector value = arrays.a[i];
    hide(value);
    Store(arrays.c + i, value);
  }
}

void copy_memory(const float* from, float* to, std::size_t bytes) {
  // The compiler must not know which function that is.
  static void* (*volatile call)(void*, const void*, std::size_t) = std::memcpy;
  call(to, from, bytes);
}

void copy_as_memory(const Arrays& arrays) {
  copy_memory(reinterpret_cast<const float*>(arrays.a), reinterpret_cast<float*>(arrays.c),
              arrays.count * sizeof(Vector));
}

template <void (*Store)(Vector*, Vector)>
void copy_bytes(const float* from, float* to, std::size_t bytes) {
  const auto* const vectors = reinterpret_cast<const Vector*>(from);
  copy<Store>({vectors, vectors, reinterpret_cast<Vector*>(to), bytes / sizeof(Vector)});
}

template <void (*Store)(Vector*, Vector)>
void add(const Arrays& arrays) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < arrays.count; ++i) Store(arrays.c + i, arrays.a[i] + arrays.b[i]);
}

struct Level {
  const char* name;
  std::size_t bytes;  // of one array
};

// Sizes that the workloads have, too: three arrays of 16 KiB still fit where the first level has 48
// KiB, three of 1 MiB exceed the second, three of 64 MiB the third. A core's share of the third may
// or may not hold 16 MiB.
constexpr Level kLevels[] = {{"L1", 16u << 10},
                             {"L2", 128u << 10},
                             {"L3", 1u << 20},
                             {"16M", 16u << 20},
                             {"DRAM", 64u << 20}};

// Of work on `used` arrays; a sample takes a hundred microseconds or so.
template <class Work>
double bandwidth(const Level& level, std::size_t used, const Buffer& buffer, Work work) {
  const std::size_t count = level.bytes / sizeof(Vector);
  Vector* const first = buffer.as<Vector>();
  // Not at the same place of a page: stores would be taken for what later loads want.
  const std::size_t gap = count + 1024 / sizeof(Vector);
  const Arrays arrays = {first, first + gap, first + (used - 1) * gap, count};
  const double bytes = static_cast<double>(count * sizeof(Vector) * used);
  const int times = static_cast<int>(std::max(1.0, 2e7 / bytes));
  return best_rate(bytes * times, [&] {
    for (int i = 0; i < times; ++i) {
      work(arrays);
      asm volatile("" : : : "memory");
    }
  });
}

// Values of many bits. Zeros streamed over zeros are taken twice as fast by some memory.
void fill(const Buffer& buffer) {
  for (std::size_t i = 0; i < buffer.count<float>(); ++i)
    buffer.as<float>()[i] = 1.0f / (1.0f + static_cast<float>(i % 65521));
}

}  // namespace

std::vector<Limit> limits() {
  constexpr std::size_t kTimes = 50000;
  constexpr double kFlops = 2.0 * kTimes * kChains * kLanes;
  std::vector<Limit> found = {{"fma", best_rate(kFlops, [] { multiply_add(kTimes); })}};
  const Buffer buffer(3 * std::end(kLevels)[-1].bytes + 4096);
  fill(buffer);
  for (const Level& level : kLevels) {
    const std::string suffix = std::string("_") + level.name;
    const double copied = std::max({bandwidth(level, 2, buffer, copy<store>),
                                    bandwidth(level, 2, buffer, copy<stream>),
                                    bandwidth(level, 2, buffer, copy_as_memory)});
    const double added =
        std::max(bandwidth(level, 3, buffer, add<store>), bandwidth(level, 3, buffer, add<stream>));
    found.push_back({"read" + suffix, bandwidth(level, 1, buffer, read)});
    found.push_back({"copy" + suffix, copied});
    found.push_back({"add" + suffix, added});
  }
  return found;
}

const std::vector<Copy>& copies() {
  static const std::vector<Copy> all = {
      {"memcpy", copy_memory}, {"stores", copy_bytes<store>}, {"streamed", copy_bytes<stream>}};
  return all;
}

}  // namespace wick::workloads
