// Prints one digest of the bits that every function gives, all NaNs as one value. Compiled by each
// compiler at several -O levels for one instruction set, it must print the same (bits_test.sh).

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "wick/elementwise.h"
#include "wick/hash.h"

namespace {

using wick::Lanes;

constexpr std::size_t kCount = 16;

template <class E, class F>
void add(wick::Hash64& digest, const E* a, const E* b, F function) {
  E results[kCount];
  function(Lanes<E, kCount>::load(a), Lanes<E, kCount>::load(b)).store(results);
  for (E& result : results) {
    if (result != result) result = 0;
  }
  digest.update(results, sizeof(results));
}

template <class E>
void add_all(wick::Hash64& digest, const E* a, const E* b) {
  add(digest, a, b, [](auto x, auto y) { return wick::exp(x) + wick::expm1(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::sin(x) - wick::cos(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::log(x) * wick::log2(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::log1p(x) / wick::softplus(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::sigmoid(x) + wick::silu(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::tanh(x) + wick::erf(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::gelu(x) + wick::gelu_tanh(y); });
  add(digest, a, b, [](auto x, auto y) { return wick::pow(x, y); });
  add(digest, a, b, [](auto x, auto y) { return wick::atan2(x, y); });
  add(digest, a, b, [](auto x, auto y) { return wick::mod(x, y); });
  add(digest, a, b, [](auto x, auto y) { return wick::fma(x, y, -x) + wick::rsqrt(x); });
  add(digest, a, b, [](auto x, auto y) { return wick::maximum(wick::floor(x), wick::elu(y, x)); });
}

// Random bits for a quarter, else numbers of ordinary size.
std::uint64_t draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ (state >> 29);
}
template <class E, class Bits>
E number(std::uint64_t& state, std::size_t index) {
  if (index % 4 == 0) {
    const auto bits = static_cast<Bits>(draw(state));
    E value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  const auto whole = static_cast<std::int32_t>(draw(state) >> 40) - (1 << 23);
  return static_cast<E>(whole) / static_cast<E>(index % 4 == 1 ? 1 << 23 : 1 << 18);
}

template <class E, class Bits>
void add_blocks(wick::Hash64& digest) {
  std::uint64_t state = 1;
  for (int block = 0; block < 1600; ++block) {
    E a[kCount], b[kCount];
    for (std::size_t i = 0; i < kCount; ++i) {
      a[i] = number<E, Bits>(state, i);
      b[i] = number<E, Bits>(state, i / 4);
    }
    add_all(digest, a, b);
  }
}

}  // namespace

int main() {
  wick::Hash64 digest;
  add_blocks<float, std::uint32_t>(digest);
  add_blocks<double, std::uint64_t>(digest);
  std::printf("%016llx\n", static_cast<unsigned long long>(digest.digest()));
}
