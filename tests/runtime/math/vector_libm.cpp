#include "tests/runtime/math/vector_libm.h"

#include <cmath>

namespace wick::testing {
namespace {

template <double (*F)(double)>
void of_array(const double* x, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = F(x[i]);
}
template <double (*F)(double, double)>
void of_arrays(const double* x, const double* y, double* results, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) results[i] = F(x[i], y[i]);
}

constexpr VectorLibm kScalar{of_array<std::exp>,  of_array<std::expm1>, of_array<std::log>,
                             of_array<std::log2>, of_array<std::log1p>, of_array<std::sin>,
                             of_array<std::cos>,  of_array<std::tanh>,  of_array<std::erf>,
                             of_array<std::erfc>, of_arrays<std::pow>,  of_arrays<std::atan2>};

}  // namespace

const VectorLibm& vector_libm() {
#if defined(WICK_HAS_MVEC)
  static const bool wide = __builtin_cpu_supports("avx512dq") != 0;
  if (wide) return mvec_libm();
#endif
  return kScalar;
}

}  // namespace wick::testing
