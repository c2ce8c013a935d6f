// Prints a hash of the results of statements over rounding values, one line per kind of statement.
// bits.sh builds it for several instruction sets, compilers and -O levels: the output may not
// differ.

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "wick/runtime.h"

namespace {

using wick::Axes;
using wick::In;
using wick::Index;
using wick::InOut;
using wick::Out;
using wick::Strided;
using wick::Tensor;

constexpr Index kElements = 24000;

// FNV-1a over the bits of elements, all NaNs being one value.
template <class E>
std::uint64_t hash_of(const E* data, Index count, std::uint64_t hash) {
  for (Index i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    if (data[i] == data[i]) std::memcpy(&bits, data + i, sizeof(E));
    hash = (hash ^ bits) * 1099511628211u;
  }
  return hash;
}

// Values of both signs and many magnitudes, from a linear congruence: no library takes part.
template <class E>
void fill(E* data, std::uint32_t seed) {
  for (Index i = 0; i < kElements; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const auto whole = static_cast<std::int32_t>(seed >> 9) - (1 << 22);
    const E scale = (seed & 7u) == 0 ? E(0.001) : (seed & 7u) == 1 ? E(1000) : E(1);
    data[i] = static_cast<E>(whole) / static_cast<E>(1 << 20) * scale;
  }
}

constexpr auto same_kernel = [](auto x) { return x; };
constexpr auto sum_kernel = [](auto x, auto y) { return x + y; };
constexpr auto mixed_kernel = [](auto x, auto y) {
  const auto product = wick::fma(x, y, x);
  const auto quotient = product / (y * y + x);
  return wick::where(x < y, quotient, product - y);
};

constexpr auto normalised_rows = [](auto row, auto out, auto x) {
  const auto mean = row.reduce(wick::Mean{}, same_kernel, x);
  const auto d = row.template keep<typename decltype(x)::Element, 0>(sum_kernel, x, mean);
  const auto squares = row.reduce(wick::SumOfSquares{}, same_kernel, d);
  row.write(out, mixed_kernel, d, squares);
};

template <class E>
struct Statements {
  E* a;
  E* b;
  E* out;

  template <class T>
  std::uint64_t result(std::uint64_t hash) const {
    return hash_of(out, T::kElements, hash);
  }

  template <class T, class U, class V>
  std::uint64_t mapped(std::uint64_t hash) const {
    wick::map(Out<T>(out), mixed_kernel, In<U>(a), In<V>(b));
    hash = result<T>(hash);
    wick::map_in_place(InOut<T>(out), mixed_kernel, In<T>(out), In<V>(b));
    return result<T>(hash);
  }
  template <class A, class T, class U>
  std::uint64_t reduced(std::uint64_t hash) const {
    wick::reduce<A>(Out<T>(out), wick::Sum{}, wick::terms(mixed_kernel, In<U>(a), In<U>(b)));
    hash = result<T>(hash);
    wick::reduce<A>(Out<T>(out), wick::SumOfSquares{}, wick::terms(same_kernel, In<U>(a)));
    hash = result<T>(hash);
    wick::reduce<A>(Out<T>(out), wick::Product{}, wick::terms(same_kernel, In<U>(b)));
    return result<T>(hash);
  }
  // Where extremes are; all and any of what is positive.
  template <class A, Index N, class U, class Bools>
  std::uint64_t searched(std::uint64_t hash) const {
    static std::int64_t places[std::size_t{N}];
    static bool flags[std::size_t{kElements}];
    static bool found[std::size_t{N}];
    wick::arg_reduce<A>(Out<Tensor<std::int64_t, N>>(places), wick::ArgMaximum{}, In<U>(a));
    hash = hash_of(places, N, hash);
    wick::map(Out<Bools>(flags), [](auto x) { return x > E{-1}; }, In<U>(a));
    wick::reduce<A>(Out<Tensor<bool, N>>(found), wick::All{}, wick::terms(In<Bools>(flags)));
    hash = hash_of(found, N, hash);
    wick::reduce<A>(Out<Tensor<bool, N>>(found), wick::Any{}, wick::terms(In<Bools>(flags)));
    return hash_of(found, N, hash);
  }
  template <class A, class T, class U>
  std::uint64_t rowed(std::uint64_t hash) const {
    alignas(64) static std::byte arena[4096];
    wick::rows<A>(normalised_rows, wick::workspace<4096>(arena, 0), wick::outs(Out<T>(out)),
                  In<U>(a));
    return result<T>(hash);
  }
  template <class T, class L, class R>
  std::uint64_t multiplied(std::uint64_t hash) const {
    wick::matmul(Out<T>(out), In<L>(a), In<R>(b));
    hash = result<T>(hash);
    wick::matmul_in_place(InOut<T>(out), In<L>(a), In<R>(b), sum_kernel, In<T>(out));
    return result<T>(hash);
  }
  template <class T, class X, class W, class S, class D>
  std::uint64_t convolved(std::uint64_t hash) const {
    wick::convolve<S, D, wick::Before<1, 2>, 1>(Out<T>(out), In<X>(a), In<W>(b));
    hash = result<T>(hash);
    wick::convolve_in_place<S, D, wick::Before<1, 2>, 1>(InOut<T>(out), In<X>(a), In<W>(b),
                                                         sum_kernel, In<T>(out));
    return result<T>(hash);
  }
  template <class T, class X>
  std::uint64_t pooled(std::uint64_t hash) const {
    using Two = wick::Steps<2, 2>;
    using None = wick::Before<0, 1>;
    wick::max_pool<wick::Sizes<2, 3>, Two, wick::Dilations<1, 1>, None>(Out<T>(out), In<X>(a));
    hash = result<T>(hash);
    wick::average_pool<wick::Sizes<2, 3>, Two, None, false>(Out<T>(out), In<X>(a));
    return result<T>(hash);
  }

  void print(const char* dtype) const {
    using M = Tensor<E, 37, 53>;
    std::uint64_t hash = mapped<M, M, Tensor<E, 53>>(1);
    hash = mapped<M, Strided<M, 1, 37>, M>(hash);
    std::printf("%s map %016llx\n", dtype, static_cast<unsigned long long>(hash));
    hash = reduced<Axes<0>, Tensor<E, 53>, M>(1);
    hash = reduced<Axes<1>, Tensor<E, 37>, Tensor<E, 37, 211>>(hash);
    hash = reduced<Axes<0, 2>, Tensor<E, 9>, Tensor<E, 7, 9, 23>>(hash);
    hash = reduced<Axes<0>, Tensor<E, 11>, Tensor<E, 600, 11>>(hash);
    hash = reduced<Axes<0>, Tensor<E, 83>, Tensor<E, 13, 83>>(hash);
    hash = searched<Axes<0>, 53, M, Tensor<bool, 37, 53>>(hash);
    hash = searched<Axes<1>, 5, Tensor<E, 5, 300>, Tensor<bool, 5, 300>>(hash);
    std::printf("%s reduce %016llx\n", dtype, static_cast<unsigned long long>(hash));
    hash = rowed<Axes<1>, Tensor<E, 20, 131>, Tensor<E, 20, 131>>(1);
    hash = rowed<Axes<0>, M, M>(hash);
    std::printf("%s rows %016llx\n", dtype, static_cast<unsigned long long>(hash));
    using L = Tensor<E, 19, 75>;
    using R = Tensor<E, 75, 37>;
    using T = Tensor<E, 19, 37>;
    hash = multiplied<T, L, R>(1);
    hash = multiplied<T, Strided<L, 1, 19>, Strided<R, 1, 75>>(hash);
    hash = multiplied<Tensor<E, 19>, L, Tensor<E, 75>>(hash);
    hash = multiplied<Tensor<E, 37>, Tensor<E, 75>, R>(hash);
    hash = multiplied<Tensor<E, 600>, Tensor<E, 33>, Tensor<E, 33, 600>>(hash);
    hash = multiplied<Tensor<E, 19, 37>, L, wick::Panels<E, 75, 37>>(hash);
    hash = multiplied<Tensor<E, 1, 300>, Tensor<E, 1, 75>, wick::Panels<E, 75, 300>>(hash);
    using Turned = Strided<Tensor<E, 30, 37>, 1, 30>;
    hash = multiplied<Tensor<E, 600, 37>, Tensor<E, 600, 30>, Turned>(hash);
    hash = multiplied<Tensor<E, 19, 64>, L, Strided<Tensor<E, 75, 64>, 128, 2>>(hash);
    std::printf("%s matmul %016llx\n", dtype, static_cast<unsigned long long>(hash));
    hash = convolved<Tensor<E, 1, 7, 9, 23>, Tensor<E, 1, 5, 9, 21>, Tensor<E, 7, 5, 3, 3>,
                     wick::Steps<1, 1>, wick::Dilations<1, 1>>(1);
    hash = convolved<Tensor<E, 2, 3, 4, 11>, Tensor<E, 2, 4, 9, 23>, Tensor<E, 3, 4, 3, 3>,
                     wick::Steps<2, 2>, wick::Dilations<1, 2>>(hash);
    hash = pooled<Tensor<E, 3, 5, 6, 17>, Tensor<E, 3, 5, 12, 35>>(hash);
    std::printf("%s windows %016llx\n", dtype, static_cast<unsigned long long>(hash));
  }
};

template <class E>
void print(const char* dtype) {
  static E a[kElements];
  static E b[kElements];
  static E out[kElements];
  fill(a, 1);
  fill(b, 2);
  Statements<E>{a, b, out}.print(dtype);
}

}  // namespace

int main() {
  print<float>("f32");
  print<double>("f64");
  return 0;
}
