// Compiled for AVX-512 and called where the host has it.

#include "tests/runtime/math/vector_libm.h"

// Names of the vector function ABI: e = AVX-512, N = unmasked, 8 lanes, v per operand.
typedef double Eight __attribute__((vector_size(64)));
typedef double EightInMemory __attribute__((vector_size(64), aligned(8), may_alias));

extern "C" {
Eight _ZGVeN8v_exp(Eight);
Eight _ZGVeN8v_expm1(Eight);
Eight _ZGVeN8v_log(Eight);
Eight _ZGVeN8v_log2(Eight);
Eight _ZGVeN8v_log1p(Eight);
Eight _ZGVeN8v_sin(Eight);
Eight _ZGVeN8v_cos(Eight);
Eight _ZGVeN8v_tanh(Eight);
Eight _ZGVeN8v_erf(Eight);
Eight _ZGVeN8v_erfc(Eight);
Eight _ZGVeN8vv_pow(Eight, Eight);
Eight _ZGVeN8vv_atan2(Eight, Eight);
}

namespace wick::testing {
namespace {

EightInMemory& eight_at(double* x) { return *reinterpret_cast<EightInMemory*>(x); }
Eight eight_at(const double* x) { return *reinterpret_cast<const EightInMemory*>(x); }

template <Eight (*F)(Eight)>
void of_array(const double* x, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 8) eight_at(results + i) = F(eight_at(x + i));
}
template <Eight (*F)(Eight, Eight)>
void of_arrays(const double* x, const double* y, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 8) {
    eight_at(results + i) = F(eight_at(x + i), eight_at(y + i));
  }
}

constexpr VectorLibm kMvec{
    of_array<_ZGVeN8v_exp>,  of_array<_ZGVeN8v_expm1>, of_array<_ZGVeN8v_log>,
    of_array<_ZGVeN8v_log2>, of_array<_ZGVeN8v_log1p>, of_array<_ZGVeN8v_sin>,
    of_array<_ZGVeN8v_cos>,  of_array<_ZGVeN8v_tanh>,  of_array<_ZGVeN8v_erf>,
    of_array<_ZGVeN8v_erfc>, of_arrays<_ZGVeN8vv_pow>, of_arrays<_ZGVeN8vv_atan2>};

}  // namespace

const VectorLibm& mvec_libm() { return kMvec; }

}  // namespace wick::testing
