// Prints, for every elementwise function, a digest of the bits that it gives, all NaNs as one
// value; fails if vectors and single elements differ. Compiled together with functions.cpp by each
// compiler at several -O levels for one instruction set, it must print the same (bits_test.sh).

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tests/runtime/math/forms.h"
#include "wick/hash.h"

namespace wick::testing {
namespace {

// Those that kFunctions leaves out, for they are exact.
const Function kExact[] = {
    unary("neg", [](auto x) { return wick::neg(x); }),
    unary("abs", [](auto x) { return wick::abs(x); }),
    unary("sign", [](auto x) { return wick::sign(x); }),
    unary("relu", [](auto x) { return wick::relu(x); }),
    unary("floor", [](auto x) { return wick::floor(x); }),
    unary("ceil", [](auto x) { return wick::ceil(x); }),
    unary("round", [](auto x) { return wick::round(x); }),
    unary("trunc", [](auto x) { return wick::trunc(x); }),
    binary("add", [](auto a, auto b) { return wick::add(a, b); }),
    binary("sub", [](auto a, auto b) { return wick::sub(a, b); }),
    binary("mul", [](auto a, auto b) { return wick::mul(a, b); }),
    binary("div", [](auto a, auto b) { return wick::div(a, b); }),
    binary("minimum", [](auto a, auto b) { return wick::minimum(a, b); }),
    binary("maximum", [](auto a, auto b) { return wick::maximum(a, b); }),
    binary("leaky_relu", [](auto a, auto b) { return wick::leaky_relu(a, b); }),
    binary("clamp", [](auto a, auto b) { return wick::clamp(a, b, -b); }),
    binary("fma", [](auto a, auto b) { return wick::fma(a, b, -a); }),
};

constexpr int kBlocks = 400;

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

template <class E>
void add_results(Hash64& digest, Evaluate<E> evaluate, const E* a, const E* b) {
  E results[kBlock];
  evaluate(a, b, results);
  for (E& result : results) {
    if (result != result) result = 0;
  }
  digest.update(results, sizeof(results));
}

struct Digests {
  Hash64 vectors, singles;
};

template <class E, class Bits>
void add_blocks(Digests& digests, const Forms<E>& forms) {
  std::uint64_t state = 1;
  for (int block = 0; block < kBlocks; ++block) {
    E a[kBlock], b[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) {
      a[i] = number<E, Bits>(state, i);
      b[i] = number<E, Bits>(state, i / 4);
    }
    add_results(digests.vectors, forms.vectors, a, b);
    add_results(digests.singles, forms.singles, a, b);
  }
}

// Whether vectors and single elements agree.
bool print_digest(const Function& function) {
  Digests digests;
  add_blocks<float, std::uint32_t>(digests, function.f32);
  add_blocks<double, std::uint64_t>(digests, function.f64);
  const auto digest = digests.vectors.digest();
  std::printf("%016llx %s\n", static_cast<unsigned long long>(digest), function.name);
  const bool agree = digest == digests.singles.digest();
  if (!agree) std::printf("vectors and single elements differ\n");
  return agree;
}

}  // namespace
}  // namespace wick::testing

int main() {
  using namespace wick::testing;
  bool agree = true;
  for (std::size_t i = 0; i < kFunctionCount; ++i) agree = print_digest(kFunctions[i]) && agree;
  for (const Function& function : kExact) agree = print_digest(function) && agree;
  return agree ? 0 : 1;
}
