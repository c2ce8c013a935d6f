// Calls two samples on fixed values and prints the bits of each result: a name, then an element
// after the other.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "attention.h"
#include "digits.h"

namespace {

template <class T>
struct Memory {
  alignas(64) typename T::Element data[T::kElements];
};

template <class T>
void print(const char* name, const Memory<T>& memory) {
  std::printf("%s", name);
  for (const auto value : memory.data) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::printf(" %08x", static_cast<unsigned>(bits));
  }
  std::printf("\n");
}

Memory<digits::Row64> pixels;
Memory<digits::Row10> logits, probabilities;
Memory<attention::Matrix16x32> x, y;
alignas(digits::kArenaAlignment) std::byte digits_arena[digits::kArenaBytes];
alignas(attention::kArenaAlignment) std::byte attention_arena[attention::kArenaBytes];

}  // namespace

int main() {
  for (std::size_t i = 0; i < 64; ++i) pixels.data[i] = static_cast<float>(i * 7 % 17);
  std::uint32_t seed = 1;
  for (float& element : x.data) {
    seed = seed * 1664525u + 1013904223u;
    element = static_cast<float>(static_cast<std::int32_t>(seed >> 8) - (1 << 23)) / (1 << 22);
  }
  digits::run(pixels.data, logits.data, probabilities.data, digits_arena);
  print("logits", logits);
  print("probabilities", probabilities);
  attention::run(x.data, y.data, attention_arena);
  print("attention", y);
}
