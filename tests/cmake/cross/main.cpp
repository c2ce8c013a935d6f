// Calls the graph on fixed values and prints the bits of each result, all NaNs as one value: the
// output is the same on every machine with a fused multiply-add.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

#include "everything.h"

namespace {

template <class T>
struct Memory {
  alignas(64) typename T::Element data[T::kElements];
};

// Numbers of many sizes and both signs.
template <class E>
void fill(E* data, std::size_t count, std::uint32_t seed) {
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const auto whole = static_cast<std::int32_t>(seed >> 8) - (1 << 23);
    data[i] = static_cast<E>(whole) / static_cast<E>(1 << (19 + i % 5));
  }
}

// What arithmetic treats apart, at the end of the row.
template <class E>
void add_special_values(E* data) {
  using Limits = std::numeric_limits<E>;
  const E special[] = {E(0),
                       -E(0),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::denorm_min() * 3,
                       -Limits::min() / 2,
                       Limits::max()};
  std::memcpy(data, special, sizeof special);
}

template <class T>
void print(const char* name, const Memory<T>& memory) {
  std::printf("%s", name);
  for (const auto value : memory.data) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    if (value == value) {
      std::printf(" %llx", static_cast<unsigned long long>(bits));
    } else {
      std::printf(" nan");
    }
  }
  std::printf("\n");
}

Memory<everything::Matrix4x33> x, z, exponential, sine, logarithm, bell, power, remainder, fused,
    chosen, running, sorted;
Memory<everything::F64Vector35> d, wide_tanh, wide_fused, wide_root;
Memory<everything::F64Scalar> wide_sum;
Memory<everything::Vector35> narrowed;
Memory<everything::I8Vector35> saturated;
Memory<everything::I64Vector35> truncated;
Memory<everything::I32Vector33> k, quotient, wrapped;
Memory<everything::I8Vector33> b;
Memory<everything::BoolVector33> even;
Memory<everything::Vector4> row_sum, dots;
Memory<everything::Vector33> column_mean;
Memory<everything::I64Vector4> largest;
Memory<everything::Matrix4x20> activated, shares;
Memory<everything::Matrix3x33> gathered;
Memory<everything::Matrix36x8> padded;
Memory<everything::Tensor2x4x5x7> images;
Memory<everything::Tensor2x4x3x8> rectified;
Memory<everything::Tensor2x4x3x4> highest, average;
alignas(everything::kArenaAlignment) std::byte arena[everything::kArenaBytes];

void fill_inputs() {
  fill(x.data, 132, 1);
  fill(z.data, 132, 2);
  fill(d.data, 35, 3);
  fill(images.data, 280, 4);
  add_special_values(x.data + 120);
  add_special_values(d.data + 20);
  add_special_values(images.data + 272);
  for (int i = 0; i < 33; ++i) {
    k.data[i] = (i - 16) * 123457;
    b.data[i] = static_cast<std::int8_t>(i * 8 - 128);
  }
}

}  // namespace

int main() {
  fill_inputs();
  everything::run(x.data, z.data, d.data, k.data, b.data, images.data, exponential.data, sine.data,
                  logarithm.data, bell.data, power.data, remainder.data, fused.data, chosen.data,
                  wide_tanh.data, wide_fused.data, wide_root.data, wide_sum.data, narrowed.data,
                  saturated.data, truncated.data, quotient.data, wrapped.data, even.data,
                  row_sum.data, column_mean.data, largest.data, running.data, activated.data,
                  dots.data, shares.data, sorted.data, gathered.data, padded.data, rectified.data,
                  highest.data, average.data, arena);
  print("x", x);
  print("exponential", exponential);
  print("sine", sine);
  print("logarithm", logarithm);
  print("bell", bell);
  print("power", power);
  print("remainder", remainder);
  print("fused", fused);
  print("chosen", chosen);
  print("wide_tanh", wide_tanh);
  print("wide_fused", wide_fused);
  print("wide_root", wide_root);
  print("wide_sum", wide_sum);
  print("narrowed", narrowed);
  print("saturated", saturated);
  print("truncated", truncated);
  print("quotient", quotient);
  print("wrapped", wrapped);
  print("even", even);
  print("row_sum", row_sum);
  print("column_mean", column_mean);
  print("largest", largest);
  print("running", running);
  print("activated", activated);
  print("dots", dots);
  print("shares", shares);
  print("sorted", sorted);
  print("gathered", gathered);
  print("padded", padded);
  print("rectified", rectified);
  print("highest", highest);
  print("average", average);
}
